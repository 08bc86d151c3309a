// Random changes of bytes.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace mixlab {

inline std::size_t below(std::mt19937_64& chance, std::size_t n) {
  return n == 0 ? 0 : static_cast<std::size_t>(chance() % n);
}

/// Flips, overwrites, removes, repeats or moves a few bytes of `text` at or after `first`, or splices in a piece of `other`.
inline void mutate(std::string& text, std::mt19937_64& chance, std::size_t first, const std::string& other) {
  const auto at = [&] { return first + below(chance, text.size() > first ? text.size() - first : 0); };
  const auto length = [&](std::size_t from) { return std::min(text.size() - from, 1 + below(chance, 16)); };
  if (text.size() <= first) return;
  const std::size_t from = at();
  switch (below(chance, 7)) {
    case 0:
      text[from] = static_cast<char>(text[from] ^ (1 << below(chance, 8)));
      break;
    case 1:
      for (std::size_t i = from, n = length(from); n-- > 0; ++i) text[i] = static_cast<char>(chance());
      break;
    case 2:
      std::fill_n(text.begin() + static_cast<std::ptrdiff_t>(from), length(from), below(chance, 2) ? '\xff' : '\0');
      break;
    case 3:
      text.erase(from, length(from));
      break;
    case 4:
      text.insert(from, text.substr(at(), 1 + below(chance, 16)));
      break;
    case 5:
      if (!other.empty()) text.insert(from, other.substr(below(chance, other.size()), 1 + below(chance, 64)));
      break;
    default:
      std::swap(text[from], text[at()]);
  }
}

}  // namespace mixlab
