#include "exact.h"

#include <algorithm>
#include <cmath>

#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/least_squares.h"
#include "mixlab/bandit/policy.h"
#include "mixlab/bandit/ucb.h"

namespace mixlab::engine::lanes {
namespace {

bandit::Ellipsoid ellipsoid_of(const Belief& belief) {
  const auto size = static_cast<arma::uword>(belief.p);
  return bandit::Ellipsoid(arma::mat(belief.Lambda, size, size), belief.lambda, arma::vec(belief.centre, size),
                           belief.radius2);
}

}  // namespace

double solve_exactly(const double* Lambda, const double* b, int p, double B, double* theta) {
  const auto size = static_cast<arma::uword>(p);
  const bandit::BallMinimiser exact =
      bandit::constrained_least_squares(arma::mat(Lambda, size, size), arma::vec(b, size), B);
  std::copy(exact.theta.begin(), exact.theta.end(), theta);
  return exact.mu;
}

void choose_longest(const Belief& belief, double* x) {
  const arma::vec direction = bandit::direction_of(ellipsoid_of(belief).longest_in_ball(belief.B));
  std::copy(direction.begin(), direction.end(), x);
}

int choose_arm(const Belief& belief, const double* arms, int K) {
  const arma::mat columns(arms, static_cast<arma::uword>(belief.p), static_cast<arma::uword>(K));
  return static_cast<int>(
      bandit::lowest_near_best(bandit::ellipsoid_ball_ucb(ellipsoid_of(belief), columns, belief.B)));
}

void draw_direction(int p, random::Stream& stream, double* x) {
  const arma::vec direction = bandit::draw_direction(p, stream);
  std::copy(direction.begin(), direction.end(), x);
}

}  // namespace mixlab::engine::lanes
