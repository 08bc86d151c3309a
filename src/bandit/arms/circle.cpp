#include <cmath>
#include <numbers>

#include "mixlab/bandit/arms.h"
#include "mixlab/core/error.h"

namespace mixlab::bandit {
namespace {

class Circle final : public Arms {
 public:
  explicit Circle(int n_arms) : n_arms_(n_arms) {}
  int n_arms() const override { return n_arms_; }
  bool random() const override { return false; }
  arma::mat draw(const arma::vec&, random::Stream&) const override {
    arma::mat arms(2, static_cast<arma::uword>(n_arms_));
    for (int k = 0; k < n_arms_; ++k) {
      const double angle = 2 * std::numbers::pi * k / n_arms_;
      arms(0, static_cast<arma::uword>(k)) = std::cos(angle);
      arms(1, static_cast<arma::uword>(k)) = std::sin(angle);
    }
    return arms;
  }

 private:
  int n_arms_;
};

}  // namespace

void register_circle() {
  arm_families().add({.name = "circle",
                      .summary = "circle:K, K equally spaced unit vectors in the plane (p = 2)",
                      .formula = "x_k = (cos 2 pi k/K, sin 2 pi k/K), k = 0..K-1",
                      .source = ""},
                     [](int p, const std::vector<std::string>& arguments, const Attachments&) {
                       if (p != 2)
                         throw KeyError("problem.dimension", "bad value for problem.dimension: '" + std::to_string(p) +
                                                                 "' (must be 2 for circle arms); use sphere:K");
                       return std::make_unique<Circle>(count_argument("circle", arguments));
                     });
}

}  // namespace mixlab::bandit
