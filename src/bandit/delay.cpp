#include "mixlab/bandit/delay.h"

#include <algorithm>
#include <cmath>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {

Registry<DelayRule>& delay_rules() {
  static Registry<DelayRule> registry(Kind::delays);
  return registry;
}

Delay choose_delay(const std::string& text, const DelayQuestion& question) {
  const auto longest = static_cast<double>(question.T);
  double wanted = 0;
  Delay delay;
  if (const auto number = parse_integer(text)) {
    if (*number < 1)
      throw KeyError("confidence.delay", "bad value for confidence.delay: '" + text +
                                             "' (must be at least 1, or a rule); the default is paper");
    wanted = static_cast<double>(*number);
  } else if (const DelayRule* rule = delay_rules().find(text)) {
    wanted = rule->choose(question);
    delay.rule = rule;
  } else {
    throw KeyError("confidence.delay", "bad value for confidence.delay: neither a whole number nor a rule, " +
                                           unknown_name(Kind::delays, text));
  }
  delay.d = static_cast<std::int64_t>(std::clamp(wanted, 1.0, longest));
  if (wanted < 1) delay.note = "delay " + text + " asks for less than one round; raised to 1";
  if (wanted > longest)
    delay.note = "delay " + text + " asks for " + to_text(std::floor(wanted)) + " rounds; cut to the horizon " +
                 std::to_string(question.T);
  return delay;
}

}  // namespace mixlab::bandit
