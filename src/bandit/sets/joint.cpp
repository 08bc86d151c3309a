// Regression on this round's arm, the last reward and the last arm together: no delay, and the correlation of the noise need
// not be known. MATHEMATICS.md H.3.
#include <algorithm>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "rank_one_ridge.h"

namespace mixlab::bandit {
namespace {

/// Before a trajectory is played: the radius with the largest determinant.
class Joint : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const final { return Centre::ridge; }

  // lambda (1 + 2B^2) + sigma^2 (log det(V/lambda) + 2 log(1/delta))
  double radius2(std::int64_t t, double) const override { return radius2_with(largest_joint_logdet(t)); }
  double log_p(std::int64_t t, double q, double) const override { return log_p_with(q, largest_joint_logdet(t)); }

  std::string why_not_guaranteed(const Collection& collection) const final {
    return collection.noise.is_autoregressive()
               ? std::string{}
               : "needs noise whose mean given the past is a multiple of the last value";
  }
  std::unique_ptr<ConfidenceSet> start(random::Stream, std::int64_t) const override;

 protected:
  double radius2_with(double logdet) const {
    const auto& c = constants();
    return c.lambda * (1 + 2 * c.B * c.B) + c.sigma * c.sigma * (logdet - 2 * std::log(c.delta));
  }
  double log_p_with(double q, double logdet) const {
    const auto& c = constants();
    return (c.lambda * (1 + 2 * c.B * c.B) + c.sigma * c.sigma * logdet - q) / (2 * c.sigma * c.sigma);
  }

 private:
  /// Rewards are taken for at most B + 4 sigma: they enter the regression, and nothing bounds them.
  double largest_joint_logdet(std::int64_t t) const {
    const auto& c = constants();
    const double length2 = 2 + std::pow(c.B + 4 * c.sigma, 2), dimension = 2 * c.p + 1;
    return dimension * std::log1p(static_cast<double>(t) * length2 / (dimension * c.lambda));
  }
};

/// On one trajectory: psi = (r, theta, -r theta), W_t = (Y_{t-1}, X_t, X_{t-1}), Y_t = <psi, W_t> + nu_t from round 2 on.
class JointPath final : public Joint {
 public:
  explicit JointPath(const Joint& set)
      : Joint(set),
        n_(static_cast<arma::uword>(2 * constants().p + 1)),
        V_(constants().lambda * arma::eye(n_, n_)),
        ridge_(2 * constants().p + 1, constants().lambda),
        estimate_(n_, arma::fill::zeros) {}

  void absorb(const arma::vec& x, double y) override {
    if (!last_x_.is_empty()) {
      const arma::vec W = arma::join_cols(arma::vec{last_y_}, x, last_x_);
      ridge_.absorb(W, y);
      V_ += W * W.t();
      estimate_ = ridge_.theta();
    }
    last_x_ = x;
    last_y_ = y;
  }

  /// The least over |r| <= 1: quadratic in r.
  double distance2(const arma::vec& theta, const Regression&, const Ridge&) const override {
    const arma::vec none(theta.n_elem, arma::fill::zeros);
    const arma::vec at_0 = arma::join_cols(arma::vec{0.0}, theta, none) - estimate_;
    const arma::vec slope = arma::join_cols(arma::vec{1.0}, none, -theta);
    const arma::vec V_slope = V_ * slope;
    const double r = std::clamp(-arma::dot(V_slope, at_0) / arma::dot(V_slope, slope), -1.0, 1.0);
    const arma::vec error = at_0 + r * slope;
    return arma::dot(error, V_ * error);
  }
  double radius2(std::int64_t, double) const override { return radius2_with(ridge_.logdet()); }
  double log_p(std::int64_t, double q, double) const override { return log_p_with(q, ridge_.logdet()); }

 private:
  arma::uword n_;
  arma::mat V_;
  RankOneRidge ridge_;
  arma::vec estimate_;
  arma::vec last_x_;
  double last_y_ = 0;
};

std::unique_ptr<ConfidenceSet> Joint::start(random::Stream, std::int64_t) const {
  return std::make_unique<JointPath>(*this);
}

}  // namespace

void register_joint() {
  confidence_sets().add(
      {.name = "joint",
       .summary = "regression on arm, last reward and last arm: any policy, unknown correlation",
       .formula =
           "min_{|r|<=1} ||(r, theta, -r theta) - psi_hat||_V^2 <= lambda (1+2B^2) + sigma^2 (log det(V/lambda) + "
           "2 log(1/delta)),  psi_hat from Y_t on (Y_{t-1}, X_t, X_{t-1});  for E[eps_t|past] = rho eps_{t-1}",
       .source = "MATHEMATICS.md (H2)"},
      {.make = [](const SetConstants& constants) { return std::make_unique<Joint>(constants); }});
}

}  // namespace mixlab::bandit
