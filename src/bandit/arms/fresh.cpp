#include "mixlab/bandit/arms.h"
#include "mixlab/random/directions.h"

namespace mixlab::bandit {
namespace {

class Fresh final : public Arms {
 public:
  Fresh(int p, int n_arms) : p_(p), n_arms_(n_arms) {}
  Kind kind() const override { return Kind::fresh; }
  bool uniform_directions() const override { return true; }
  int n_arms() const override { return n_arms_; }
  arma::mat draw(const arma::vec&, random::Stream& stream) const override {
    arma::mat arms(static_cast<arma::uword>(p_), static_cast<arma::uword>(n_arms_));
    random::draw_directions(stream, p_, n_arms_, arms.memptr());
    return arms;
  }

 private:
  int p_;
  int n_arms_;
};

}  // namespace

void register_fresh() {
  arm_families().add({.name = "fresh",
                      .summary = "fresh:K, K independent uniform unit vectors, new ones every round",
                      .formula = "x_{t,k} uniform on {x : ||x|| = 1}, independent over t and k",
                      .source = ""},
                     [](int p, const std::vector<std::string>& arguments, const Attachments&) {
                       return std::make_unique<Fresh>(p, count_argument("fresh", arguments));
                     });
}

}  // namespace mixlab::bandit
