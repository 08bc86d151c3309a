#include "mixlab/bandit/arms.h"
#include "mixlab/core/error.h"

namespace mixlab::bandit {
namespace {

class Ball final : public Arms {
 public:
  explicit Ball(int p) : p_(p) {}
  Kind kind() const override { return Kind::ball; }
  int n_arms() const override { return 0; }
  bool random() const override { return false; }
  arma::mat draw(const arma::vec&, random::Stream&) const override {
    return arma::mat(static_cast<arma::uword>(p_), 0);
  }

 private:
  int p_;
};

}  // namespace

void register_ball() {
  arm_families().add({.name = "ball",
                      .summary = "ball, every vector of norm at most 1",
                      .formula = "{x : ||x|| <= 1}",
                      .source = "MATHEMATICS.md C.5"},
                     [](int p, const std::vector<std::string>& arguments, const Attachments&) {
                       if (!arguments.empty())
                         throw KeyError("problem.arms", "bad value for problem.arms: 'ball:" + arguments[0] +
                                                            "' (ball takes no number); write ball");
                       return std::make_unique<Ball>(p);
                     });
}

}  // namespace mixlab::bandit
