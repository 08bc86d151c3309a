#include "mixlab/core/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace mixlab {
namespace {

constexpr const char* blanks = " \t\r\n";
constexpr std::int64_t most_numbers = 10'000'000;
constexpr double largest_exact = 9007199254740992;  // 2^53: every whole number up to it is a double

template <class Number>
std::string written(Number value) {
  char buffer[32];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

template <class Number>
std::optional<Number> read_whole(std::string_view text) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

/// 0 behind the end.
unsigned byte_at(std::string_view text, std::size_t i) {
  return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
}

/// Bytes of the control character that begins here: C0, C1 or one that turns the direction of text (U+202A to U+202E, U+2066
/// to U+2069); 1 if the byte is no UTF-8. 0 if it is another, a tab or a line break.
std::size_t control_size(std::string_view text, std::size_t i) {
  const unsigned a = byte_at(text, i), b = byte_at(text, i + 1), c = byte_at(text, i + 2);
  if ((a < 0x20 && a != '\n' && a != '\t') || a == 0x7f) return 1;
  if (character_size(text, i) == 0) return 1;
  if (a == 0xc2 && b < 0xa0) return 2;
  const bool turns = (b == 0x80 && c >= 0xaa && c <= 0xae) || (b == 0x81 && c >= 0xa6 && c <= 0xa9);
  return a == 0xe2 && turns ? 3 : 0;
}

/// "\x1b", "\u202e"
std::string escaped(std::string_view character) {
  const unsigned last = byte_at(character, character.size() - 1);
  char digits[16];
  if (character.size() == 3)
    std::snprintf(digits, sizeof digits, "\\u%04x", 0x2000 | (byte_at(character, 1) & 0x3f) << 6 | (last & 0x3f));
  else
    std::snprintf(digits, sizeof digits, "\\x%02x", last);
  return digits;
}

/// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string to_text(double value) {
  return written(value);
}

std::string to_text(std::int64_t value) {
  return written(value);
}

std::optional<double> parse_real(std::string_view text) {
  const auto value = read_whole<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  if (text.find_first_of("eE") == std::string_view::npos) return read_whole<std::int64_t>(text);
  const auto value = parse_real(text);
  if (!value || std::abs(*value) > largest_exact || *value != std::floor(*value)) return {};
  return static_cast<std::int64_t>(*value);
}

std::string trim(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(blanks) - first + 1));
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (;;) {
    const auto cut = text.find(separator);
    pieces.push_back(trim(text.substr(0, cut)));
    if (cut == std::string_view::npos) return pieces;
    text.remove_prefix(cut + 1);
  }
}

std::vector<std::string> split_blanks(std::string_view text) {
  std::vector<std::string> pieces;
  for (;;) {
    const auto first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return pieces;
    text.remove_prefix(first);
    const auto end = text.find_first_of(blanks);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end);
  }
}

std::string join(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string text;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) text += separator;
    text += pieces[i];
  }
  return text;
}

std::string alternatives(const std::vector<std::string>& words) {
  if (words.size() < 2) return join(words);
  return join({words.begin(), words.end() - 1}) + " or " + words.back();
}

std::string ranges_text(const std::vector<std::int64_t>& numbers, std::string_view separator) {
  std::vector<std::string> pieces;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    pieces.push_back(to_text(numbers[i]));
    if (last > i) pieces.back() += "-" + to_text(numbers[last]);
    i = last + 1;
  }
  return join(pieces, separator);
}

std::optional<std::vector<std::int64_t>> parse_ranges(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& piece : split(text, ',')) {
    const auto dash = piece.find('-');
    const auto first = parse_integer(piece.substr(0, dash));
    const auto last = dash == std::string::npos ? first : parse_integer(piece.substr(dash + 1));
    if (!first || !last || *first < 0 || *last < *first ||
        *last - *first >= most_numbers - static_cast<std::int64_t>(numbers.size()))
      return {};
    for (std::int64_t i = 0; i <= *last - *first; ++i) numbers.push_back(*first + i);
  }
  return numbers;
}

std::string_view without_mark(std::string_view text) {
  constexpr std::string_view mark = "\xef\xbb\xbf";
  return text.starts_with(mark) ? text.substr(mark.size()) : text;
}

// Table 3-7 of the Unicode standard: no longer form than needed, no surrogates, nothing above U+10FFFF.
std::size_t character_size(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at), second = byte_at(text, at + 1);
  if (at >= text.size() || (first >= 0x80 && first < 0xc2) || first > 0xf4) return 0;
  if (first < 0x80) return 1;
  const std::size_t size = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  const unsigned low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
  const unsigned high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
  if (second < low || second > high) return 0;
  for (std::size_t i = 2; i < size; ++i)
    if ((byte_at(text, at + i) & 0xc0) != 0x80) return 0;
  return size;
}

std::size_t find_control(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); i += character_size(text, i))
    if (control_size(text, i) > 0) return i;
  return std::string_view::npos;
}

std::string visible(std::string_view text) {
  std::string all;
  std::size_t at = 0;
  for (std::size_t bad = find_control(text); bad != std::string_view::npos; bad = find_control(text, at)) {
    const std::size_t size = control_size(text, bad);
    all += text.substr(at, bad - at);
    all += escaped(text.substr(bad, size));
    at = bad + size;
  }
  return all += text.substr(at);
}

std::string one_line(std::string_view text) {
  std::string all;
  for (const char c : visible(text)) all += c == '\n' ? escaped("\n") : std::string(1, c);
  return all;
}

std::string csv_quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : visible(text)) {
    if (c == '"') all += c;
    all += c;
  }
  return all + "\"";
}

bool is_plain_word(std::string_view text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_-./+=:,@%").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), is_plain);
}

std::string shell_word(const std::string& text) {
  if (is_plain_word(text)) return text;
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    // At least the difference of the lengths; this also keeps the table small when the name is as long as a file.
    if (std::max(name.size(), candidate.size()) - std::min(name.size(), candidate.size()) >= best_distance) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view name, const std::vector<std::string>& candidates,
                       const std::string& otherwise) {
  const std::string near = nearest(name, candidates);
  return near.empty() ? otherwise : "did you mean " + near + "?";
}

}  // namespace mixlab
