#include "mixlab/study/expectation.h"

#include <algorithm>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab::study {
namespace {

[[noreturn]] void fail(const std::string& set, const std::string& text, const std::string& rule) {
  throw KeyError("expect." + set, "bad expectation for " + set + ": '" + text + "' (" + rule +
                                      "); for instance: any; holds if noise.rho=0; broken if noise.rho>=0.9");
}

Expected parse_state(const std::string& set, const std::string& text) {
  if (text == "any") return Expected::any;
  if (text == "holds") return Expected::holds;
  if (text == "broken") return Expected::broken;
  fail(set, text, "must be holds, broken or any");
}

Condition parse_condition(const std::string& set, const std::string& text) {
  const auto words = split_blanks(text);
  if (std::find(words.begin(), words.end(), "or") != words.end())
    fail(set, text, "there is no `or`: write two clauses, separated by ;");
  for (const char* comparison : {"<=", ">=", "!=", "==", "<", ">", "="}) {
    const auto at = text.find(comparison);
    if (at == std::string::npos) continue;
    Condition condition{trim(text.substr(0, at)), comparison, trim(text.substr(at + std::string(comparison).size()))};
    if (condition.key.find('.') == std::string::npos || condition.value.empty()) break;
    return condition;
  }
  fail(set, text, "a condition must be section.key OP value, OP one of = != < <= > >=");
}

std::vector<std::string> split_words(const std::string& text, const std::string& word) {
  std::vector<std::string> pieces(1);
  for (const auto& token : split_blanks(text)) {
    if (token == word)
      pieces.emplace_back();
    else
      pieces.back() += (pieces.back().empty() ? "" : " ") + token;
  }
  return pieces;
}

}  // namespace

bool Condition::is_order() const {
  return comparison.front() == '<' || comparison.front() == '>';
}

bool Condition::holds_of(const std::string& actual) const {
  const auto decide = [&](int order) {
    if (comparison == "<") return order < 0;
    if (comparison == "<=") return order <= 0;
    if (comparison == ">") return order > 0;
    if (comparison == ">=") return order >= 0;
    if (comparison == "!=") return order != 0;
    return order == 0;
  };
  const auto wanted = parse_real(value), number = parse_real(actual);
  if (wanted && number) return decide(*number < *wanted ? -1 : *number > *wanted ? 1 : 0);
  return is_order() ? false : decide(actual.compare(value));
}

std::string name_of(Expected expected) {
  return expected == Expected::any ? "any" : expected == Expected::holds ? "holds" : "broken";
}

Expected Expectation::in(const Values& cell, Expected fallback) const {
  Expected result = fallback;
  for (const auto& clause : clauses)
    if (std::all_of(clause.conditions.begin(), clause.conditions.end(), [&](const Condition& condition) {
          return cell.has(condition.key) && condition.holds_of(to_text(cell.at(condition.key)));
        }))
      result = clause.expected;
  return result;
}

Expectation parse_expectation(const std::string& set, const std::string& text) {
  Expectation expectation{set, {}};
  for (const auto& piece : split(text, ';')) {
    const auto halves = split_words(piece, "if");
    if (halves.size() > 2) fail(set, piece, "one `if` per clause");
    Clause clause{parse_state(set, halves[0]), {}};
    if (halves.size() == 2)
      for (const auto& condition : split_words(halves[1], "and"))
        clause.conditions.push_back(parse_condition(set, condition));
    expectation.clauses.push_back(std::move(clause));
  }
  return expectation;
}

}  // namespace mixlab::study
