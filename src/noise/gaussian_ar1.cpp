// Gaussian autoregression: outside the assumption, because its conditional mean is unbounded. MATHEMATICS.md B.3.
#include <cmath>

#include "correlation.h"
#include "innovations.h"
#include "mixlab/core/text.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

class GaussianAr1Path final : public Path {
 public:
  GaussianAr1Path(const random::Stream& stream, double rho)
      : stream_(stream), rho_(rho), gain_(std::sqrt(1 - rho * rho)), state_(random::normal(stream_.next())) {}
  void next(std::span<double> eps) override {
    draw_all(unit_law("gaussian"), stream_, eps);
    for (double& value : eps) {
      const double innovation = value;
      value = state_;
      state_ = rho_ * state_ + gain_ * innovation;
    }
  }

 private:
  random::Stream stream_;
  double rho_;
  double gain_;
  double state_;
};

/// eps_1 is an innovation itself, the others come with the factor sqrt(1-rho^2).
class TwistedGaussianAr1 final : public TwistedRounds {
 public:
  TwistedGaussianAr1(const random::Stream& stream, const Twist& twist, double rho)
      : TwistedRounds(stream, twist, TiltedLaw(unit_law("gaussian"))), rho_(rho), gain_(std::sqrt(1 - rho * rho)) {}
  void plan(const Tilts& tilts) override {
    plan_autoregression(tilts, rho_, gain_);
    if (!started_)
      for (double& g : planned(0)) g /= gain_;
  }
  double next(std::span<const double>) override {
    state_ = started_ ? rho_ * state_ + gain_ * next_innovation() : next_innovation();
    started_ = true;
    return state_;
  }

 private:
  double rho_;
  double gain_;
  double state_ = 0;
  bool started_ = false;
};

class GaussianAr1 final : public Process {
 public:
  GaussianAr1(double rho, double guarantee_delta, std::int64_t T)
      : rho_(rho),
        guarantee_delta_(guarantee_delta),
        largest_(std::sqrt(2 * std::log(2 * static_cast<double>(T) / guarantee_delta))) {}

  // On the event max_{t<=T} |eps_t| <= b, of probability 1 - guarantee_delta, |E[eps_t | F_{t-d}]| <= |rho|^d b.
  double phi(std::int64_t d) const override { return largest_ * std::pow(std::abs(rho_), static_cast<double>(d)); }
  bool phi_is_exact() const override { return false; }
  // Gaussian of variance rho^{2l} at most in every round; boundedness is needed for the bias only.
  double proxy(std::int64_t l, std::int64_t m, Fields fields) const override {
    return fields == Fields::one_sided ? std::pow(std::abs(rho_), static_cast<double>(l))
                                       : innovations_between(rho_, l, m);
  }
  bool proxies_add(Fields fields) const override { return fields == Fields::two_sided; }
  double proxy_tail(std::int64_t l, std::int64_t n, Fields fields) const override {
    return proxies_add(fields) ? innovations_from(rho_, l, n) : Process::proxy_tail(l, n, fields);
  }
  bool is_autoregressive() const override { return true; }
  std::optional<Geometric> geometric() const override {
    if (rho_ == 0) return std::nullopt;
    return Geometric{.C = largest_, .tau = -1.0 / std::log(std::abs(rho_))};
  }
  std::string outside_assumption() const override {
    if (rho_ == 0) return {};
    return "Gaussian AR(1) is outside the assumption; proof, tight, selfnorm and telescope hold at delta + " +
           to_text(guarantee_delta_) + " up to T";
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<GaussianAr1Path>(stream, rho_);
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedGaussianAr1>(stream, twist, rho_);
  }

 private:
  double rho_;
  double guarantee_delta_;
  double largest_;
};

}  // namespace

void register_gaussian_ar1() {
  auto parameters = correlation_parameters();
  parameters.push_back(
      Parameter::real("guarantee_delta", "0.01", "probability that the noise leaves the range behind phi_d")
          .above(0)
          .below(1));
  processes().add(
      {.name = "gaussian-ar1",
       .summary = "Gaussian autoregression of order one: outside the assumption",
       .formula = "eps_t = rho eps_{t-1} + sqrt(1-rho^2) g_t;  phi_d = |rho|^d sqrt(2 log(2T/guarantee_delta)) "
                  "outside an event of probability guarantee_delta",
       .source = "MATHEMATICS.md B.3",
       .parameters = parameters,
       .complete = complete_correlation},
      [](const Request& request) {
        return std::make_unique<GaussianAr1>(request.parameters.real("rho"), request.parameters.real("guarantee_delta"),
                                             request.T);
      });
}

}  // namespace mixlab::noise
