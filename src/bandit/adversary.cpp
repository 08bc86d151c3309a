#include "mixlab/bandit/adversary.h"

#include "mixlab/bandit/cholesky.h"
#include "mixlab/bandit/policy.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {
namespace {

arma::uvec all_of(const arma::mat& arms) {
  return arma::regspace<arma::uvec>(0, arms.n_cols - 1);
}

// With u = -theta*/||theta*||: the arms with <x, u> eps_{t-K} >= 0.
class SignAdversary final : public Adversary {
 public:
  explicit SignAdversary(const arma::vec& theta_star) : theta_star_(theta_star) {}
  void see(const arma::vec&, double, double eps) override { eps_ = eps; }
  arma::uvec offer(const arma::mat& arms) const override {
    const arma::uvec offered = arma::find(eps_ * rewards_under(theta_star_, arms) <= 0);
    return offered.is_empty() ? all_of(arms) : offered;
  }

 private:
  arma::vec theta_star_;
  double eps_ = 0;  ///< the last that it has seen
};

class BestAdversary final : public Adversary {
 public:
  BestAdversary(arma::uword p, double lambda)
      : lambda_(lambda), Lambda_(p, p, arma::fill::zeros), b_(p, arma::fill::zeros) {}
  void see(const arma::vec& x, double y, double) override {
    has_seen_ = true;
    Lambda_ += x * x.t();
    b_ += y * x;
  }
  arma::uvec offer(const arma::mat& arms) const override {
    arma::uvec offered = all_of(arms);
    if (!has_seen_ || arms.n_cols == 1) return offered;
    Cholesky V;
    V.factor(Lambda_, lambda_);
    offered.shed_row(lowest_near_best(rewards_under(V.solve(b_), arms)));
    return offered;
  }

 private:
  double lambda_;
  arma::mat Lambda_;
  arma::vec b_;
  bool has_seen_ = false;
};

}  // namespace

std::unique_ptr<Adversary> AdversaryRule::start(const arma::vec& theta_star, double lambda) const {
  if (kind_ == Kind::sign) return std::make_unique<SignAdversary>(theta_star);
  return std::make_unique<BestAdversary>(theta_star.n_elem, lambda);
}

std::optional<AdversaryRule> parse_adversary(const std::string& text) {
  if (text == "none") return std::nullopt;
  const auto colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  const std::int64_t lag = colon == std::string::npos ? 0 : parse_integer(text.substr(colon + 1)).value_or(0);
  if ((kind != "sign" && kind != "best") || lag < 1)
    throw KeyError("problem.adversary",
                   "bad value for problem.adversary: '" + text +
                       "' (must be none, sign:K or best:K with K at least 1); for instance sign:1");
  return AdversaryRule(kind == "sign" ? AdversaryRule::Kind::sign : AdversaryRule::Kind::best, lag);
}

}  // namespace mixlab::bandit
