#include "mixlab/store/compression.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace mixlab::store {
namespace {

using Bytes = std::vector<unsigned char>;
using Plane = std::span<unsigned char>;

// RFC 1950 and 1951
constexpr std::array<unsigned char, 2> header = {0x78, 0x01};
constexpr std::array<unsigned char, 5> last_block = {1, 0, 0, 0xff, 0xff};  ///< stored, empty
constexpr std::size_t most_stored = 65535;                                  ///< bytes of a block
constexpr int raw = -15;                                                    ///< bits of the window, without a header
constexpr int memory = 8;
constexpr std::size_t flush_size = 64;  ///< at most, of what deflateBound does not count

constexpr std::size_t n_windows = 64, window = 64;  ///< what a sample consists of
constexpr double noise_entropy = 4;                 ///< bits per byte

[[noreturn]] void fail(const std::string& why) {
  throw std::runtime_error("cannot compress: " + why);
}

void append(Bytes& all, std::span<const unsigned char> some) {
  all.insert(all.end(), some.begin(), some.end());
}

Bytes shuffle(std::span<const std::byte> data, std::size_t element_size) {
  const std::size_t n = data.size() / element_size;
  Bytes shuffled(data.size());
  for (std::size_t byte = 0; byte < element_size; ++byte)
    for (std::size_t i = 0; i < n; ++i)
      shuffled[byte * n + i] = static_cast<unsigned char>(data[i * element_size + byte]);
  return shuffled;
}

void store_plane(Plane plane, Bytes& out) {
  for (std::size_t at = 0; at < plane.size(); at += most_stored) {
    const std::size_t n = std::min(most_stored, plane.size() - at);
    const auto low = static_cast<unsigned char>(n & 0xff), high = static_cast<unsigned char>(n >> 8);
    append(out, std::array<unsigned char, 5>{0, low, high, static_cast<unsigned char>(~low),
                                             static_cast<unsigned char>(~high)});
    append(out, plane.subspan(at, n));
  }
}

/// Planes one by one: none refers to one before, and each ends with a whole byte.
class Deflater {
 public:
  Deflater() {
    if (deflateInit2(&deflating_, deflate_level, Z_DEFLATED, raw, memory, Z_RLE) != Z_OK) fail(out_of_memory);
    if (inflateInit2(&inflating_, raw) == Z_OK) return;
    deflateEnd(&deflating_);
    fail(out_of_memory);
  }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
  ~Deflater() {
    deflateEnd(&deflating_);
    inflateEnd(&inflating_);
  }

  void deflate_plane(Plane plane, Bytes& out) {
    const std::size_t before = out.size();
    deflateReset(&deflating_);
    out.resize(before + deflateBound(&deflating_, plane.size()) + flush_size);
    deflating_.next_in = plane.data();
    deflating_.avail_in = static_cast<uInt>(plane.size());
    deflating_.next_out = out.data() + before;
    deflating_.avail_out = static_cast<uInt>(out.size() - before);
    const int result = deflate(&deflating_, Z_FULL_FLUSH);
    if (result != Z_OK || deflating_.avail_in > 0 || deflating_.avail_out == 0)
      fail("zlib ended with " + std::to_string(result) + "; please report this study");
    out.resize(before + deflating_.total_out);
    check(plane, Plane(out).subspan(before));
  }

 private:
  static constexpr const char* out_of_memory = "zlib did not start (out of memory?); run the same command again";

  /// Read back now: after this write the rows exist nowhere else.
  void check(Plane plane, Plane deflated) {
    inflated_.resize(plane.size() + 1);
    inflateReset(&inflating_);
    inflating_.next_in = deflated.data();
    inflating_.avail_in = static_cast<uInt>(deflated.size());
    inflating_.next_out = inflated_.data();
    inflating_.avail_out = static_cast<uInt>(inflated_.size());
    inflate(&inflating_, Z_SYNC_FLUSH);
    if (inflating_.total_out != plane.size() || !std::equal(plane.begin(), plane.end(), inflated_.begin()))
      fail("zlib does not give back what it was given; please report this study");
  }

  z_stream deflating_{}, inflating_{};
  Bytes inflated_;
};

void append_checksum(std::span<const unsigned char> bytes, Bytes& out) {
  const uLong sum = adler32_z(adler32_z(0, nullptr, 0), bytes.data(), bytes.size());
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<unsigned char>(sum >> shift));
}

}  // namespace

bool is_incompressible(std::span<const unsigned char> bytes) {
  constexpr double n = n_windows * window;
  if (bytes.size() < n_windows * window) return false;
  std::array<int, 256> count{};
  for (std::size_t i = 0; i < n_windows; ++i)
    for (const unsigned char byte : bytes.subspan(i * (bytes.size() - window) / (n_windows - 1), window)) ++count[byte];
  double entropy = 0;
  for (const int c : count)
    if (c > 0) entropy -= c * std::log2(c / n);
  return entropy > noise_entropy * n;
}

Bytes compress(std::span<const std::byte> data, std::size_t element_size) {
  Bytes planes = shuffle(data, element_size);
  const std::size_t size = planes.size() / element_size;
  thread_local Deflater deflater;  // not made anew for every chunk
  Bytes out;
  out.reserve(planes.size());
  append(out, header);
  for (std::size_t byte = 0; byte < element_size; ++byte) {
    const Plane plane(planes.data() + byte * size, size);
    if (is_incompressible(plane))
      store_plane(plane, out);
    else
      deflater.deflate_plane(plane, out);
  }
  append(out, last_block);
  append_checksum(planes, out);
  return out;
}

}  // namespace mixlab::store
