#include "mixlab/bandit/arms.h"

namespace mixlab::bandit {
namespace {

class Sphere final : public Arms {
 public:
  Sphere(int p, int n_arms) : p_(p), n_arms_(n_arms) {}
  int n_arms() const override { return n_arms_; }
  arma::mat draw(const arma::vec&, random::Stream& stream) const override {
    arma::mat arms(static_cast<arma::uword>(p_), static_cast<arma::uword>(n_arms_));
    for (arma::uword k = 0; k < arms.n_cols; ++k) arms.col(k) = draw_direction(p_, stream);
    return arms;
  }

 private:
  int p_;
  int n_arms_;
};

}  // namespace

void register_sphere() {
  arm_families().add({.name = "sphere",
                      .summary = "sphere:K, K independent uniform unit vectors",
                      .formula = "x_k = g_k/||g_k||, g_k ~ N(0, I_p)",
                      .source = ""},
                     [](int p, const std::vector<std::string>& arguments, const Attachments&) {
                       return std::make_unique<Sphere>(p, count_argument("sphere", arguments));
                     });
}

}  // namespace mixlab::bandit
