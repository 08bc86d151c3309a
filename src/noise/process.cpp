#include "mixlab/noise/process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace mixlab::noise {

Registry<MakeProcess>& processes() {
  static Registry<MakeProcess> registry(Kind::noise);
  return registry;
}

double Process::proxy(std::int64_t l, std::int64_t, Fields fields) const {
  if (fields == Fields::two_sided) return std::numeric_limits<double>::infinity();
  return l == 0 ? sigma() : std::min(sigma(), phi(l));
}

double Process::proxy_tail(std::int64_t l, std::int64_t n, Fields fields) const {
  constexpr std::int64_t longest_memory = std::int64_t{1} << 20;
  const auto certificate = geometric();
  if (!certificate) {
    if (phi(longest_memory) > 0) return std::numeric_limits<double>::infinity();
    double sum = 0;
    for (; phi(std::max<std::int64_t>(l, 1)) > 0; l += n) sum += proxy(l, l + n, fields);
    return l == 0 ? proxy(0, n, fields) : sum;
  }
  const auto after = [&](std::int64_t lags) { return std::exp(-static_cast<double>(lags) / certificate->tau); };
  return certificate->C * after(l) / (1 - after(n));
}

std::unique_ptr<ReactivePath> Process::start_reactive(const random::Stream&, int) const {
  throw std::logic_error("not a reactive process");
}

}  // namespace mixlab::noise
