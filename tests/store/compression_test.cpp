#include "mixlab/store/compression.h"

#include <zlib.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>

#include "seed.h"

namespace mixlab::store {
namespace {

using Bytes = std::vector<unsigned char>;

/// zlib's own way back, then the bytes of each element together again.
std::vector<double> decompress(const Bytes& compressed, std::size_t n) {
  Bytes planes(8 * n);
  uLongf size = planes.size();
  BOOST_TEST_REQUIRE(uncompress(planes.data(), &size, compressed.data(), compressed.size()) == Z_OK);
  BOOST_TEST_REQUIRE(size == planes.size());
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < 8; ++byte) bits |= std::uint64_t{planes[byte * n + i]} << (8 * byte);
    values[i] = std::bit_cast<double>(bits);
  }
  return values;
}

Bytes compress_doubles(const std::vector<double>& values) {
  return compress(std::as_bytes(std::span(values)), sizeof(double));
}

/// Statistics look like that: their exponents are alike, their mantissas are not.
std::vector<double> statistics(std::size_t n) {
  random::Stream stream = test_stream(73);
  std::vector<double> values(n);
  for (auto& value : values) value = 100 + std::ldexp(static_cast<double>(stream.next()), -60);
  return values;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(store)

BOOST_AUTO_TEST_CASE(what_is_compressed_comes_back) {
  for (const std::size_t n : {1, 2, 4095, 4096, 70000}) {
    std::vector<double> mixed = statistics(n);
    for (std::size_t i = n / 2; i < n; ++i) mixed[i] = std::nan("");  // rows that were not run
    for (const auto& values : {statistics(n), mixed, std::vector<double>(n, 0.0)}) {
      const auto back = decompress(compress_doubles(values), n);
      BOOST_TEST(std::equal(values.begin(), values.end(), back.begin(), [](double a, double b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
      }));
    }
  }
}

BOOST_AUTO_TEST_CASE(noise_is_told_from_what_can_be_deflated) {
  random::Stream stream = test_stream(74);
  Bytes noise(50000), skewed(50000);
  for (auto& byte : noise) byte = static_cast<unsigned char>(stream.next());
  for (auto& byte : skewed) byte = static_cast<unsigned char>(stream.next() % 10);
  BOOST_TEST(is_noise(noise));
  BOOST_TEST(!is_noise(skewed));
  BOOST_TEST(!is_noise(Bytes(50000, 7)));
  BOOST_TEST(!is_noise(std::span(noise).first(100)));  // too few to say
}

BOOST_AUTO_TEST_CASE(compression_takes_what_there_is_to_take) {
  constexpr std::size_t n = 70000;
  BOOST_TEST(static_cast<double>(compress_doubles(statistics(n)).size()) < 8 * n * 6.6 / 8);  // one byte and a half
  BOOST_TEST(compress_doubles(std::vector<double>(n, 1.5)).size() < n / 50);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace mixlab::store
