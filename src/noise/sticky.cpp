// The sticky sign chain: P(eps_{t+1} = eps_t) = (1+rho)/2. MATHEMATICS.md B.2.
#include <cmath>

#include "correlation.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

class StickyPath final : public Path {
 public:
  StickyPath(const random::Stream& stream, double rho)
      : stream_(stream), flip_((1.0 - rho) / 2.0), sign_(random::sign(stream_.next())) {}  // stationary start

  void next(std::span<double> eps) override {
    for (double& value : eps) {
      value = sign_;
      sign_ *= random::uniform(stream_.next()) < flip_ ? -1.0 : 1.0;  // no branch: nobody could predict it
    }
  }

 private:
  random::Stream stream_;
  double flip_;
  double sign_;  ///< of the round to come
};

class Sticky final : public Process {
 public:
  explicit Sticky(double rho) : rho_(rho) {}

  // E[eps_t | F_{t-d}] = rho^d eps_{t-d}
  double phi(std::int64_t d) const override { return std::pow(std::abs(rho_), static_cast<double>(d)); }
  bool phi_is_exact() const override { return true; }
  std::optional<Geometric> geometric() const override {
    if (rho_ == 0) return std::nullopt;
    return Geometric{.C = 1, .tau = -1.0 / std::log(std::abs(rho_))};
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<StickyPath>(stream, rho_);
  }

 private:
  double rho_;
};

}  // namespace

void register_sticky() {
  processes().add({.name = "sticky",
                   .summary = "a sign that is kept with probability (1+rho)/2",
                   .formula = "P(eps_{t+1} = eps_t) = (1+rho)/2, eps_1 a fair sign;  phi_d = |rho|^d exactly, C = 1, "
                              "tau = 1/log(1/|rho|)",
                   .source = "MATHEMATICS.md B.2",
                   .parameters = correlation_parameters(),
                   .complete = complete_correlation},
                  [](const Request& request) { return std::make_unique<Sticky>(request.parameters.real("rho")); });
}

}  // namespace mixlab::noise
