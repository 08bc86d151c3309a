#include "mixlab/verdict/spread.h"

#include "mixlab/verdict/quantile.h"

namespace mixlab::verdict {

Sieve::Wanted wanted_by_spread(double alpha) {
  return wanted_quantiles({0.5, 0.9, 0.99, 1}, alpha);
}

Spread spread_of(double mean, const std::vector<ValueRun>& runs, double alpha) {
  return {mean,
          quantile(runs, 0.5),
          quantile(runs, 0.9),
          quantile(runs, 0.99),
          quantile_interval(runs, 0.99, alpha),
          quantile(runs, 1)};
}

Spread spread_of(const RegretTable& rows, double alpha, std::size_t room) {
  Sieve sieve(wanted_by_spread(alpha), room);
  double sum = 0;
  std::int64_t n = 0;
  rows([&](RegretRow row) {
    sum += row[0];
    ++n;
    sieve.take(row[0]);
  });
  if (n == 0) return {};
  while (sieve.end_pass()) rows([&](RegretRow row) { sieve.take(row[0]); });
  return spread_of(sum / static_cast<double>(n), sieve.runs(), alpha);
}

}  // namespace mixlab::verdict
