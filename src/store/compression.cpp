#include "mixlab/store/compression.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace mixlab::store {
namespace {

constexpr int most_window_bits = 15;
constexpr int most_memory = 9;
constexpr int stored = 0;  ///< zlib's level that leaves the bytes as they are
constexpr std::size_t plane_overhead = 64;

constexpr std::size_t sample_size = 4096;
constexpr double noise_entropy = 4;  ///< bits a byte

using Bytes = std::vector<unsigned char>;

Bytes shuffle(std::span<const std::byte> data, std::size_t element_size) {
  const std::size_t n = data.size() / element_size;
  Bytes shuffled(data.size());
  for (std::size_t byte = 0; byte < element_size; ++byte)
    for (std::size_t i = 0; i < n; ++i)
      shuffled[byte * n + i] = static_cast<unsigned char>(data[i * element_size + byte]);
  return shuffled;
}

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error("cannot compress: " + why);
}

/// A zlib stream of several pieces.
class Deflater {
 public:
  explicit Deflater(std::size_t size, std::size_t n_pieces) {
    if (deflateInit2(&stream_, deflate_level, Z_DEFLATED, most_window_bits, most_memory, Z_RLE) != Z_OK)
      fail("zlib did not start (out of memory?); run the same command again");
    compressed_.resize(deflateBound(&stream_, size) + n_pieces * plane_overhead);
    stream_.next_out = compressed_.data();
    stream_.avail_out = static_cast<uInt>(compressed_.size());
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() { deflateEnd(&stream_); }

  void add(std::span<unsigned char> piece, int level) {
    require(deflateParams(&stream_, level, Z_RLE), Z_OK);
    stream_.next_in = piece.data();
    stream_.avail_in = static_cast<uInt>(piece.size());
    require(deflate(&stream_, Z_NO_FLUSH), Z_OK);
  }

  Bytes finish() {
    require(deflate(&stream_, Z_FINISH), Z_STREAM_END);
    compressed_.resize(stream_.total_out);
    return std::move(compressed_);
  }

 private:
  void require(int result, int wanted) const {
    if (result != wanted || stream_.avail_in > 0)
      fail("zlib ended with " + std::to_string(result) + "; please report this study");
  }

  z_stream stream_{};
  Bytes compressed_;
};

}  // namespace

bool is_noise(std::span<const unsigned char> bytes) {
  if (bytes.size() < sample_size) return false;
  const std::size_t step = (bytes.size() / sample_size) | 1;  // odd, so that no column of a table is favoured
  std::array<int, 256> count{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < bytes.size(); i += step, ++n) ++count[bytes[i]];
  double entropy = 0;
  for (const int c : count)
    if (c > 0) entropy -= c * std::log2(static_cast<double>(c) / static_cast<double>(n));
  return entropy > noise_entropy * static_cast<double>(n);
}

Bytes compress(std::span<const std::byte> data, std::size_t element_size) {
  Bytes shuffled = shuffle(data, element_size);
  const std::size_t plane = shuffled.size() / element_size;
  Deflater deflater(shuffled.size(), element_size);
  for (std::size_t byte = 0; byte < element_size; ++byte) {
    const std::span piece(shuffled.data() + byte * plane, plane);
    deflater.add(piece, is_noise(piece) ? stored : deflate_level);
  }
  return deflater.finish();
}

}  // namespace mixlab::store
