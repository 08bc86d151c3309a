#include "mixlab/bandit/schedule_rule.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {
namespace {

using Rule = std::function<double(std::int64_t t)>;

constexpr std::int64_t longest_memory = std::int64_t{1} << 30;

[[noreturn]] void bad_schedule(const std::string& text, const std::string& rule) {
  throw KeyError("policy.delay", "bad value for policy.delay: '" + text + "' (must be " + rule +
                                     "); give a number, or a schedule that fits the noise");
}

/// `lag` made a multiple of the step, and at least one step.
double in_steps(double lag, std::int64_t step) {
  const auto width = static_cast<double>(step);
  return width * std::max(1.0, std::ceil(lag / width));
}

/// The first lag without bias; 0 if there is none.
std::int64_t end_of_memory(const noise::Process& noise) {
  std::int64_t high = 1;
  while (noise.phi(high) > 0)
    if ((high *= 2) > longest_memory) return 0;
  std::int64_t low = high / 2;
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (noise.phi(middle) > 0 ? low : high) = middle;
  }
  return high;
}

/// tau log((C/sigma) (t + t0)): early lags must not be below the first step, or their bias stays for ever.
Rule geometric_rule(const std::string& text, double factor, const ScheduleQuestion& question) {
  const noise::Process& noise = question.lags.noise();
  const std::int64_t step = question.step;
  const auto certificate = noise.geometric();
  if (!certificate) {
    const std::int64_t memory = noise.algebraic() ? 0 : end_of_memory(noise);
    if (memory == 0) bad_schedule(text, "a schedule for noise with a geometric certificate, or that forgets");
    return [=](std::int64_t) { return in_steps(static_cast<double>(memory), step); };
  }
  const double C = question.lags.factor() * certificate->C / noise.sigma(), tau = factor * certificate->tau;
  const double start = std::max(std::ceil(3 * tau), 2.0 * static_cast<double>(step));
  return [=](std::int64_t t) { return in_steps(tau * std::log(C * (static_cast<double>(t) + start)), step); };
}

/// (C t/sigma)^{1/(1+r)}, or ((C/sigma)^2 t)^{1/(2r)} where that is shorter.
Rule algebraic_rule(const std::string& text, const ScheduleQuestion& question) {
  const noise::Process& noise = question.lags.noise();
  const auto certificate = noise.algebraic();
  if (!certificate) bad_schedule(text, "a schedule for noise with an algebraic certificate");
  const double C = question.lags.factor() * certificate->C / noise.sigma(), r = certificate->r;
  return [C, r, step = question.step](std::int64_t t) {
    const auto rounds = static_cast<double>(t);
    double lag = std::pow(C * rounds, 1 / (1 + r));
    if (r > 1) lag = std::min(lag, std::pow(C * C * rounds, 1 / (2 * r)));
    return in_steps(lag, step);
  };
}

}  // namespace

LagSchedule make_schedule(const std::string& text, const ScheduleQuestion& question) {
  const std::string kind = text.substr(std::string("schedule:").size());
  if (kind == "geometric") return {geometric_rule(text, 1, question), question.T};
  if (kind == "algebraic") return {algebraic_rule(text, question), question.T};
  const auto factor = parse_real(kind);
  if (!factor || *factor <= 0)
    bad_schedule(text, "schedule:geometric, schedule:algebraic, or schedule:FACTOR with a number above 0");
  return {geometric_rule(text, *factor, question), question.T};
}

}  // namespace mixlab::bandit
