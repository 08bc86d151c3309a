// Blocks that adapt to a lag which grows: a queue of chains, each a supermartingale. MATHEMATICS.md G.3.
#include <cmath>
#include <deque>

#include "blocks.h"
#include "mixing.h"

namespace mixlab::bandit {
namespace {

constexpr std::int64_t tuned_for = 10000;  ///< rounds; the set is valid at every round

class Chains final : public AnalyticSet {
 public:
  explicit Chains(const SetConstants& constants)
      : AnalyticSet(constants), schedule_(constants.schedule ? *constants.schedule : LagSchedule(constants.d)) {
    const auto& c = constants;
    const double planned = std::max(3.0, static_cast<double>(schedule_.at(tuned_for)));
    const double kappa = c.sigma * bias_constant(c.p, c.B / c.sigma);
    std::deque<std::int64_t> lengths;          // of the chains, the one that waits longest first
    double regrets = 0, bias = 0, starts = 0;  // R_t, b_t, a_t
    costs_.push_back(0);
    for (std::int64_t t = 1; t <= std::max(c.T, tuned_for); ++t) {
      const std::int64_t lag = schedule_.at(t);
      if (static_cast<std::int64_t>(lengths.size()) < lag) {
        lengths.push_back(0);
        starts += cost_of_start(static_cast<double>(lengths.size()), planned);
      } else {
        lengths.push_back(lengths.front());
        lengths.pop_front();
      }
      const std::int64_t k = ++lengths.back();
      regrets += regret(k) - regret(k - 1);
      if (t > lag) bias += bias_at(lag);
      costs_.push_back(2 * c.sigma * c.sigma * (regrets + starts + planned) + 2 * kappa * bias);
    }
  }
  Centre centre() const override { return Centre::least_squares; }

  // 2 sigma^2 R_t + 4 lambda B^2 + 2 kappa b_t + 2 sigma^2 (m_t log(1/delta) + a_t + d_0)
  RadiusTerms terms(std::int64_t t) const override {
    const auto& c = constants();
    return {.constant = costs_[static_cast<std::size_t>(t)] + 4 * c.lambda * c.B * c.B,
            .per_log_delta = 2 * c.sigma * c.sigma * static_cast<double>(schedule_.at(t))};
  }

  std::string why_not_guaranteed(const Collection& collection) const override {
    SetConstants c = constants();
    c.d = collection.schedule.n_data_free();
    c.phi = bias_at(c.d);
    return needs_lag_and_phi(c, collection);
  }

 private:
  double regret(std::int64_t k) const {
    return tight_block_regret(k, constants().p, constants().B / constants().sigma);
  }
  double bias_at(std::int64_t lag) const { return constants().lags ? constants().lags->bias(lag) : constants().phi; }
  static double cost_of_start(double i, double planned) {
    return i <= planned ? std::log(10.0 / 9) : std::log(10 * i * (i + 1) / (planned * (planned + 1)));
  }

  LagSchedule schedule_;
  std::vector<double> costs_;  ///< by round
};

}  // namespace

void register_chains() {
  confidence_sets().add(
      {.name = "chains",
       .summary = "tight for a lag that grows with t: needs phi and sigma at the lags in use only",
       .formula = "||theta - theta_hat_t||_V^2 <= 2 R_t + 4 lambda B^2 + 2 kappa b_t + 2 (m_t log(1/delta) + a_t + "
                  "d_0),  R_t sum of r~_p over the chains, b_t sum of phi_{d(s)}   (sigma = 1)",
       .source = "MATHEMATICS.md (G2)"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Chains>(constants); }});
}

}  // namespace mixlab::bandit
