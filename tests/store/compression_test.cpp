#include "mixlab/store/compression.h"

#include <zlib.h>

#include <bit>
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "seed.h"

namespace mixlab::store {
namespace {

using Bytes = std::vector<unsigned char>;

/// zlib's own way back, then the bytes of each element together again.
template <class T>
std::vector<T> decompress(const Bytes& compressed, std::size_t n) {
  Bytes planes(sizeof(T) * n);
  uLongf size = planes.size();
  BOOST_TEST_REQUIRE(uncompress(planes.data(), &size, compressed.data(), compressed.size()) == Z_OK);
  BOOST_TEST_REQUIRE(size == planes.size());
  std::vector<T> values(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      reinterpret_cast<unsigned char*>(&values[i])[byte] = planes[byte * n + i];
  return values;
}

template <class T>
void check_round_trip(const std::vector<T>& values) {
  const auto back = decompress<T>(compress(std::as_bytes(std::span(values)), sizeof(T)), values.size());
  BOOST_TEST(std::memcmp(values.data(), back.data(), sizeof(T) * values.size()) == 0);
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
    check_round_trip(mixed);
    check_round_trip(statistics(n));
    check_round_trip(std::vector<double>(n, 0.0));
    std::vector<std::int32_t> rounds(n);
    std::vector<std::uint8_t> flags(n);
    random::Stream stream = test_stream(75);
    for (auto& round : rounds) round = stream.next() % 3 ? 0 : static_cast<std::int32_t>(stream.next() % 10000);
    for (auto& flag : flags) flag = stream.next() % 2;
    check_round_trip(rounds);
    check_round_trip(flags);
    std::vector<std::uint64_t> noise_between(n);  // planes that are stored, deflated, stored, ...
    for (auto& word : noise_between) word = stream.next() & 0xff00ff0000ff00ff;
    check_round_trip(noise_between);
  }
}

BOOST_AUTO_TEST_CASE(noise_is_told_from_what_can_be_deflated) {
  random::Stream stream = test_stream(74);
  Bytes noise(50000), skewed(50000);
  for (auto& byte : noise) byte = static_cast<unsigned char>(stream.next());
  for (auto& byte : skewed) byte = static_cast<unsigned char>(stream.next() % 10);
  BOOST_TEST(is_incompressible(noise));
  BOOST_TEST(!is_incompressible(skewed));
  BOOST_TEST(!is_incompressible(Bytes(50000, 7)));
  BOOST_TEST(!is_incompressible(std::span(noise).first(100)));  // too few to say
  for (const std::size_t n_columns : {3, 5, 16, 57}) {          // all columns of a table count
    Bytes one_noisy(4096 * n_columns, 0), one_constant(4096 * n_columns);
    for (std::size_t i = 0; i < one_noisy.size(); ++i) {
      (i % n_columns == 0 ? one_noisy : one_constant)[i] = static_cast<unsigned char>(stream.next());
    }
    BOOST_TEST(!is_incompressible(one_noisy));
    BOOST_TEST(is_incompressible(one_constant));
  }
}

BOOST_AUTO_TEST_CASE(compression_takes_what_there_is_to_take) {
  constexpr std::size_t n = 70000;
  BOOST_TEST(static_cast<double>(compress_doubles(statistics(n)).size()) < 8 * n * 6.6 / 8);  // one byte and a half
  BOOST_TEST(compress_doubles(std::vector<double>(n, 1.5)).size() < n / 50);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace mixlab::store
