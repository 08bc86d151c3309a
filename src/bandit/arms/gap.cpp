#include <algorithm>
#include <cmath>

#include "mixlab/bandit/arms.h"
#include "mixlab/bandit/problem.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/random/sampler.h"

namespace mixlab::bandit {
namespace {

/// A unit vector at the given cosine from the unit vector u; at p = 1 the vector cosine * u.
arma::vec at_cosine(const arma::vec& u, double cosine, random::Stream& stream) {
  arma::vec w = draw_direction(static_cast<int>(u.n_elem), stream);
  w -= portable_dot(w, u) * u;
  const double length = std::sqrt(portable_dot(w, w));
  if (length < 1e-8) return cosine * u;
  return cosine * u + std::sqrt(std::max(0.0, 1 - cosine * cosine)) / length * w;
}

class Gap final : public Arms {
 public:
  Gap(int n_arms, double gap) : n_arms_(n_arms), gap_(gap) {}
  int n_arms() const override { return n_arms_; }
  double minimum_gap() const override { return gap_; }
  arma::mat draw(const arma::vec& theta, random::Stream& stream) const override {
    const double norm = std::sqrt(portable_dot(theta, theta));
    if (gap_ > 2 * norm)
      throw KeyError("problem.arms", "bad value for problem.arms: gap " + to_text(gap_) +
                                         " (must be at most twice the norm of theta*, " + to_text(norm) +
                                         "); lower it");
    const arma::vec u = theta / norm;
    const double second = 1 - gap_ / norm;
    arma::mat arms(theta.n_elem, static_cast<arma::uword>(n_arms_));
    // The best arm goes to a random place, the second best behind it.
    const auto best = static_cast<arma::uword>(random::uniform(stream.next()) * n_arms_);
    for (arma::uword i = 0; i < arms.n_cols; ++i) {
      const double cosine = i == 0 ? 1 : i == 1 ? second : -1 + (second + 1) * random::uniform(stream.next());
      arms.col((best + i) % arms.n_cols) = i == 0 ? u : at_cosine(u, cosine, stream);
    }
    return arms;
  }

 private:
  int n_arms_;
  double gap_;
};

}  // namespace

void register_gap() {
  arm_families().add(
      {.name = "gap",
       .summary = "gap:K:D, K arms whose best mean exceeds the second best by exactly D",
       .formula = "x_1 = theta*/||theta*||, <x_1 - x_2, theta*> = D, the others at random with a gap of at least D",
       .source = ""},
      [](int, const std::vector<std::string>& arguments, const Attachments&) {
        const auto gap = arguments.size() == 2 ? parse_real(arguments[1]) : std::nullopt;
        if (!gap || *gap <= 0)
          throw KeyError("problem.arms",
                         "bad value for problem.arms: must be gap:K:D with D above 0; for instance gap:8:0.2");
        const int n_arms = count_argument("gap", {arguments[0]});
        if (n_arms < 2)
          throw KeyError("problem.arms", "bad value for problem.arms: 'gap:1' (needs at least 2 arms); raise K");
        return std::make_unique<Gap>(n_arms, *gap);
      });
}

}  // namespace mixlab::bandit
