#include "mixlab/bandit/arms.h"
#include "mixlab/core/error.h"

namespace mixlab::bandit {
namespace {

class Basis final : public Arms {
 public:
  explicit Basis(int p) : p_(p) {}
  int n_arms() const override { return p_; }
  bool random() const override { return false; }
  arma::mat draw(const arma::vec&, random::Stream&) const override {
    return arma::eye(static_cast<arma::uword>(p_), static_cast<arma::uword>(p_));
  }

 private:
  int p_;
};

}  // namespace

void register_basis() {
  arm_families().add({.name = "basis",
                      .summary = "basis, the p unit vectors: the K-armed bandit, K = p",
                      .formula = "x_k = e_k, k = 1..p",
                      .source = ""},
                     [](int p, const std::vector<std::string>& arguments, const Attachments&) {
                       if (!arguments.empty())
                         throw KeyError("problem.arms", "bad value for problem.arms: 'basis:" + arguments[0] +
                                                            "' (basis takes no number: it has p arms); write basis");
                       return std::make_unique<Basis>(p);
                     });
}

}  // namespace mixlab::bandit
