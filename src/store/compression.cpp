#include "mixlab/store/compression.h"

#include <zlib.h>

#include <stdexcept>
#include <string>

namespace mixlab::store {
namespace {

constexpr int most_window_bits = 15;
constexpr int most_memory = 9;

std::vector<unsigned char> shuffle(std::span<const std::byte> data, std::size_t element_size) {
  const std::size_t n = data.size() / element_size;
  std::vector<unsigned char> shuffled(data.size());
  for (std::size_t byte = 0; byte < element_size; ++byte)
    for (std::size_t i = 0; i < n; ++i)
      shuffled[byte * n + i] = static_cast<unsigned char>(data[i * element_size + byte]);
  return shuffled;
}

}  // namespace

std::vector<unsigned char> compress(std::span<const std::byte> data, std::size_t element_size) {
  std::vector<unsigned char> shuffled = shuffle(data, element_size);
  z_stream stream{};
  if (deflateInit2(&stream, deflate_level, Z_DEFLATED, most_window_bits, most_memory, Z_RLE) != Z_OK)
    throw std::runtime_error("cannot compress: zlib did not start (out of memory?); run the same command again");
  std::vector<unsigned char> compressed(deflateBound(&stream, shuffled.size()));
  stream.next_in = shuffled.data();
  stream.avail_in = static_cast<uInt>(shuffled.size());
  stream.next_out = compressed.data();
  stream.avail_out = static_cast<uInt>(compressed.size());
  const int result = deflate(&stream, Z_FINISH);
  compressed.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END)
    throw std::runtime_error("cannot compress: zlib ended with " + std::to_string(result) +
                             "; please report this study");
  return compressed;
}

}  // namespace mixlab::store
