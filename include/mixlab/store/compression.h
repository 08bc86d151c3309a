// What HDF5's filters shuffle and deflate make of a chunk, made faster.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mixlab::store {

/// The level that files name; readers do not need it.
inline constexpr int deflate_level = 1;

/// The first bytes of all elements, then the second ones and so on. Those that are mostly noise, as the mantissa of a
/// statistic is, are stored as they are: a round of a small problem is cheaper than a byte deflated for nothing. The
/// others are deflated by run lengths, as looking for more takes longer and saves next to nothing.
std::vector<unsigned char> compress(std::span<const std::byte> data, std::size_t element_size);

/// Whether deflating would save less than half, judged by how often each byte occurs in a sample.
bool is_noise(std::span<const unsigned char> bytes);

}  // namespace mixlab::store
