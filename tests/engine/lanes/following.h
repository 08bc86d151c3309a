// The reference engine on the path of a lane. In the ball two engines that differ in the last bits drift apart: the
// ellipsoid is kept nearly round, and its longest point turns by much when the ellipsoid changes by little. So the
// reference follows the lane, and says in every round what it would have played itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "mixlab/bandit/policy.h"
#include "mixlab/engine/lanes.h"

namespace mixlab::engine {

/// How far the scores of two actions, the columns of view.arms, are apart if the rule goes by scores; else infinity.
inline double score_difference(const bandit::Rule& rule, const bandit::View& view) {
  const bool by_ucb = rule.name == "ucb", in_ball = rule.name == "ucb_in_ball";
  if (!by_ucb && !in_ball && rule.name != "greedy") return INFINITY;
  const arma::vec scores = by_ucb    ? bandit::ellipsoid_ucb(view)
                           : in_ball ? bandit::ellipsoid_ball_ucb(view)
                                     : bandit::rewards_under(view.set.centre_of(view.data, view.ridge), view.arms);
  return std::abs(scores(0) - scores(1));
}

class Following final : public bandit::Policy {
 public:
  struct Seen {
    std::int64_t n_rounds = 0, n_ties = 0;
    double largest_distance = 0;  ///< where there was no tie
  };

  /// Actions further apart than `tolerance` must be a tie: scores less than `near_tie` apart.
  Following(const bandit::Policy& policy, const std::vector<RoundState>& lane, double tolerance, double near_tie,
            Seen& seen)
      : policy_(policy), lane_(lane), tolerance_(tolerance), near_tie_(near_tie), seen_(seen) {}

  arma::uword choose(const bandit::View& view, random::Stream& stream) const override {
    return policy_.choose(view, stream);
  }
  arma::vec choose_in_ball(const bandit::View& view, random::Stream& stream) const override {
    arma::mat two(view.theta_star.n_elem, 2);
    two.col(0) = arma::vec(lane_[static_cast<std::size_t>(view.t - 1)].x);
    two.col(1) = policy_.choose_in_ball(view, stream);
    const double distance = arma::norm(two.col(0) - two.col(1));
    const bandit::View both{view.t, two, view.data, view.ridge, view.set, view.theta_star};
    ++seen_.n_rounds;
    if (distance > tolerance_ && score_difference(*policy_.rule(), both) < near_tie_)
      ++seen_.n_ties;
    else
      seen_.largest_distance = std::max(seen_.largest_distance, distance);
    return two.col(0);
  }

 private:
  const bandit::Policy& policy_;
  const std::vector<RoundState>& lane_;
  double tolerance_, near_tie_;
  Seen& seen_;
};

}  // namespace mixlab::engine
