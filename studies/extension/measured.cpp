// A confidence set of our own, with a memory: OFUL with the root mean square of the rewards in place of sigma, which is what
// somebody does who does not know sigma. Nothing guarantees it, and it says so.
#include <algorithm>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "own.h"

using namespace mixlab;

class Measured final : public bandit::ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  bandit::Centre centre() const override { return bandit::Centre::ridge; }
  double radius2(std::int64_t, double logdet) const override {
    const double radius = scale() * std::sqrt(logdet + 2 * std::log(1 / constants().delta)) + bias();
    return radius * radius;
  }
  double log_p(std::int64_t, double q, double logdet) const override {  // radius2 = q, solved for log delta
    const double ratio = std::max(0.0, std::sqrt(q) - bias()) / scale();
    return (logdet - ratio * ratio) / 2;
  }
  std::string why_not_guaranteed(const bandit::Collection&) const override { return "sigma is measured, not known"; }

  // Every trajectory has its own copy, which sees each sample.
  std::unique_ptr<ConfidenceSet> start(random::Stream, std::int64_t) const override {
    return std::make_unique<Measured>(constants());
  }
  void absorb(const arma::vec&, double reward) override {
    sum_of_squares_ += reward * reward;
    ++n_;
  }

 private:
  double scale() const { return n_ == 0 ? constants().sigma : std::sqrt(std::max(1e-12, sum_of_squares_ / n_)); }
  double bias() const { return std::sqrt(constants().lambda) * constants().B; }

  double sum_of_squares_ = 0;
  double n_ = 0;
};

void add_measured() {
  bandit::confidence_sets().add(
      {.name = "measured",
       .summary = "OFUL with a measured sigma",
       .formula = "||theta - theta_ridge||_V <= s_t sqrt(log det(I + Lambda/lambda) + 2 log(1/delta)) + sqrt(lambda) B",
       .source = "measured.cpp",
       .revision = "1"},
      {.make = [](const bandit::SetConstants& constants) { return std::make_unique<Measured>(constants); }});
}
