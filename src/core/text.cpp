#include "mixlab/core/text.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

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

std::size_t find_control(std::string_view text, std::size_t from) {
  for (std::size_t i = from; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) return i;
    const bool in_two_bytes = c == 0xc2 && i + 1 < text.size();
    if (in_two_bytes && static_cast<unsigned char>(text[i + 1]) >= 0x80 &&
        static_cast<unsigned char>(text[i + 1]) < 0xa0)
      return i;
  }
  return std::string_view::npos;
}

std::string visible(std::string_view text) {
  std::string all;
  std::size_t at = 0;
  for (std::size_t bad = find_control(text); bad != std::string_view::npos; bad = find_control(text, at)) {
    all += text.substr(at, bad - at);
    at = bad + (static_cast<unsigned char>(text[bad]) == 0xc2 ? 2 : 1);
    constexpr const char* digits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(text[at - 1]);
    all += {'\\', 'x', digits[code >> 4], digits[code & 15]};
  }
  return all += text.substr(at);
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
