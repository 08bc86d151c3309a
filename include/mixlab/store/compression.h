// What HDF5's filters shuffle and deflate make of a chunk, made faster.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mixlab::store {

/// Level recorded in the filter; decompressors ignore it.
inline constexpr int deflate_level = 1;

/// The first bytes of all elements, then the second ones and so on. Incompressible ones, as of the mantissa of a
/// statistic, are stored as they are: a round of a small problem is cheaper than a byte deflated for nothing. The
/// others are deflated by run lengths, as looking for more takes longer and saves next to nothing.
std::vector<unsigned char> compress(std::span<const std::byte> data, std::size_t element_size);

/// Whether deflating would save less than half, judged by how often each byte occurs in a sample.
bool is_incompressible(std::span<const unsigned char> bytes);

}  // namespace mixlab::store
