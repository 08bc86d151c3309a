// Telescopes that take their D from the residuals: heuristics, which nothing proves and frozen signs break. MATHEMATICS.md
// H.4.
#include <algorithm>
#include <array>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "rank_one_ridge.h"

namespace mixlab::bandit {
namespace {

constexpr std::array<std::int64_t, 9> residual_lags = {0, 1, 2, 4, 8, 16, 32, 64, 128};
constexpr double most_correlation = 0.999;
constexpr double typical_correlation = 0.9;  ///< for the default lambda
constexpr double caution = 1.5;              ///< factor on an estimated long-run variance

using Covariances = std::array<double, residual_lags.size()>;

/// min over n of n/(1 - rho^n)^2, the D of (G4) for noise of unit scale; the minimum over real n is at 1.2564 tau.
double geometric_D(double rho) {
  const double real = rho > 0 ? -1.2564312086261697 / std::log(rho) : 0;
  const auto at = [&](double n) { return n / std::pow(1 - std::pow(rho, n), 2); };
  return std::min(at(std::max(1.0, std::floor(real))), at(std::max(1.0, std::ceil(real))));
}

/// Of signs that are kept as often as the residuals say, and a little more often.
double D_by_correlation(const Covariances& c, double t) {
  const double rho = (c[0] > 0 ? c[1] / c[0] : 0) + 2 / std::sqrt(t);
  return geometric_D(std::clamp(rho, 0.0, most_correlation));
}

/// Twice the integral of the covariances, straight between the lags and 0 from the first on that is lost in its error.
double D_by_variance(const Covariances& c, double t) {
  double variance = 0;
  for (std::size_t i = 1; i < c.size(); ++i) {
    const auto lag = static_cast<double>(residual_lags[i]), before = static_cast<double>(residual_lags[i - 1]);
    const bool is_lost = c[i] < c[0] * std::sqrt(lag / t);
    variance += (lag - before) * (c[i - 1] + (is_lost ? 0 : c[i]));
    if (is_lost) break;
  }
  return caution * std::max(1.0, variance);
}

/// (1/t) sum over s of e_s e_{s-l} with e_s = y_s - <theta, x_s>, for every theta.
class ResidualCovariances {
 public:
  explicit ResidualCovariances(int p) : past_(static_cast<std::size_t>(residual_lags.back() + 1)) {
    const auto n = static_cast<arma::uword>(p);
    for (Moments& moments : moments_)
      moments = {0, arma::vec(n, arma::fill::zeros), arma::mat(n, n, arma::fill::zeros)};
  }

  void absorb(const arma::vec& x, double y) {
    sample(t_) = {x, y};
    for (std::size_t i = 0; i < residual_lags.size() && residual_lags[i] <= t_; ++i) {
      const Sample& earlier = sample(t_ - residual_lags[i]);
      moments_[i].yy += y * earlier.y;
      moments_[i].yx += y * earlier.x + earlier.y * x;
      moments_[i].xx += x * earlier.x.t();
    }
    ++t_;
  }

  Covariances at(const arma::vec& theta) const {
    Covariances covariances{};
    for (std::size_t i = 0; i < covariances.size(); ++i) {
      const auto& [yy, yx, xx] = moments_[i];
      covariances[i] = (yy - arma::dot(theta, yx) + arma::dot(theta, xx * theta)) / static_cast<double>(t_);
    }
    return covariances;
  }

 private:
  struct Sample {
    arma::vec x;
    double y = 0;
  };
  struct Moments {
    double yy = 0;
    arma::vec yx;
    arma::mat xx;
  };

  Sample& sample(std::int64_t t) { return past_[static_cast<std::size_t>(t) % past_.size()]; }

  std::vector<Sample> past_;
  std::array<Moments, residual_lags.size()> moments_;
  std::int64_t t_ = 0;
};

using EstimateD = double (*)(const Covariances& covariances, double t);

/// Before a trajectory is played: with the largest D that it may take for residuals of unit variance.
class Hac : public ConfidenceSet {
 public:
  Hac(const SetConstants& constants, EstimateD estimate) : ConfidenceSet(constants), estimate_(estimate) {
    Covariances frozen;
    frozen.fill(1);
    set_D(estimate_(frozen, std::numeric_limits<double>::infinity()));
  }
  Centre centre() const final { return Centre::ridge; }
  double radius2(std::int64_t, double logdet) const final { return radius2_of(terms_, logdet, constants().delta); }
  double log_p(std::int64_t, double q, double logdet) const final { return log_p_of(terms_, q, logdet); }
  std::string why_not_guaranteed(const Collection&) const final {
    return "estimates how the noise depends on its past: a heuristic, nothing is proved";
  }
  std::unique_ptr<ConfidenceSet> start(random::Stream, std::int64_t) const override;

 protected:
  EstimateD estimator() const { return estimate_; }
  /// sqrt(lambda B^2 + sigma^2 D (logdet + 2 log(1/delta) + 2))
  void set_D(double D) {
    const double scaled = constants().sigma * constants().sigma * D;
    terms_ = {.constant = constants().lambda * constants().B * constants().B + 2 * scaled,
              .per_logdet = scaled,
              .per_log_delta = 2 * scaled};
  }

 private:
  EstimateD estimate_;
  RadiusTerms terms_;
};

/// On one trajectory; everything in units of sigma but the estimate itself.
class HacPath final : public Hac {
 public:
  explicit HacPath(const Hac& set) : Hac(set), data_(constants().p, constants().lambda), residuals_(constants().p) {}

  void absorb(const arma::vec& x, double y) override {
    data_.absorb(x, y);
    residuals_.absorb(x, y);
    Covariances covariances = residuals_.at(data_.theta());
    for (double& value : covariances) value /= constants().sigma * constants().sigma;
    set_D(estimator()(covariances, static_cast<double>(++t_)));
  }

 private:
  RankOneRidge data_;
  ResidualCovariances residuals_;
  std::int64_t t_ = 0;
};

std::unique_ptr<ConfidenceSet> Hac::start(random::Stream, std::int64_t) const {
  return std::make_unique<HacPath>(*this);
}

SetMaker hac_maker(EstimateD estimate) {
  return {.make = [estimate](const SetConstants& constants) { return std::make_unique<Hac>(constants, estimate); },
          .default_lambda =
              [](const SetConstants& c) {
                return c.p * c.sigma * c.sigma * geometric_D(typical_correlation) / (c.B * c.B);
              }};
}

}  // namespace

void register_hac_tau() {
  confidence_sets().add(
      {.name = "hac-tau",
       .summary = "telescope with D from the residuals' correlation: a heuristic without guarantee",
       .formula =
           "||theta - theta_ridge||_V^2 <= lambda B^2 + D (log det(I + Lambda/lambda) + 2 log(1/delta) + 2),  D = "
           "sigma^2 min_n n/(1 - r^n)^2,  r = c_1/c_0 + 2/sqrt(t) at most 0.999, c_l the residuals' "
           "autocovariances",
       .source = "MATHEMATICS.md H.4"},
      hac_maker(D_by_correlation));
}

void register_hac_lrv() {
  confidence_sets().add(
      {.name = "hac-lrv",
       .summary = "telescope with D from the residuals' long-run variance: a heuristic without guarantee",
       .formula =
           "||theta - theta_ridge||_V^2 <= lambda B^2 + D (log det(I + Lambda/lambda) + 2 log(1/delta) + 2),  D = "
           "1.5 max(sigma^2, v),  v = 2 int c_l dl by trapezoids over l = 0, 1, 2, 4, ..., 128 up to the first c_l < "
           "c_0 sqrt(l/t), c_l the residuals' autocovariances",
       .source = "MATHEMATICS.md H.4"},
      hac_maker(D_by_variance));
}

}  // namespace mixlab::bandit
