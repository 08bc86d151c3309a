// Text: cut, joined, read as numbers, and numbers written so that they read back to the same bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mixlab {

/// The shortest form that reads back to the same bits.
std::string to_text(double value);
std::string to_text(std::int64_t value);

/// The whole text as a finite number.
std::optional<double> parse_real(std::string_view text);
/// The whole text as a whole number; also 1e3.
std::optional<std::int64_t> parse_integer(std::string_view text);

std::string trim(std::string_view text);
/// `text` cut at `separator`, each piece without surrounding blanks.
std::vector<std::string> split(std::string_view text, char separator);
std::vector<std::string> split_blanks(std::string_view text);

/// "a, b, c"; other separators for other uses.
std::string join(const std::vector<std::string>& pieces, std::string_view separator = ", ");
/// As above, with `to_piece` of every item.
template <class Items, class ToPiece>
std::string join(const Items& items, std::string_view separator, ToPiece to_piece) {
  std::vector<std::string> pieces;
  for (const auto& item : items) pieces.push_back(to_piece(item));
  return join(pieces, separator);
}
/// "a, b or c"
std::string alternatives(const std::vector<std::string>& words);

/// Ascending numbers with runs drawn together: "0-3,5".
std::string ranges_text(const std::vector<std::int64_t>& numbers, std::string_view separator);
/// Reads back what ranges_text writes with a comma; nothing for other text, negative numbers or absurdly many.
std::optional<std::vector<std::int64_t>> parse_ranges(std::string_view text);

/// Without the mark (BOM) that some editors put before UTF-8.
std::string_view without_mark(std::string_view text);

/// Bytes of the UTF-8 character that begins at `at`; 0 if none does.
std::size_t character_size(std::string_view text, std::size_t at);
/// Where a character begins that a terminal would obey instead of showing it: a control character other than tab and line
/// break, also as UTF-8, one that turns the direction of text, or a byte that is no UTF-8. npos if there is none. A
/// character begins at `from`.
std::size_t find_control(std::string_view text, std::size_t from = 0);
/// Such characters written as "\\x1b" or "\\u202e": what strangers wrote is only text.
std::string visible(std::string_view text);
/// Line breaks as well: what stands in a line of a table does not begin another.
std::string one_line(std::string_view text);

/// As a field of a CSV file: in quotes, quotes doubled.
std::string csv_quoted(const std::string& text);

/// Whether no shell reads anything but the text itself in it.
bool is_plain_word(std::string_view text);
/// One word for the shell, whatever is in it.
std::string shell_word(const std::string& text);

/// The candidate closest to `name` by edit distance, or "" if none is near.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);
/// "did you mean NEAREST?", or `otherwise` if none is near.
std::string suggestion(std::string_view name, const std::vector<std::string>& candidates, const std::string& otherwise);

}  // namespace mixlab
