// Bounded autoregression at the largest amplitude that keeps it 1-sub-Gaussian. MATHEMATICS.md B.3.
#include <algorithm>
#include <cmath>

#include "correlation.h"
#include "innovations.h"
#include "law.h"
#include "mixlab/noise/process.h"

namespace mixlab::noise {
namespace {

// Rounds before round 1: stationary up to |rho|^burn_in, about 4e-18, unless the memory is too long to wait for.
constexpr std::int64_t longest_burn_in = 1000000;

std::int64_t burn_in_for(double rho) {
  if (rho == 0) return 0;
  return static_cast<std::int64_t>(std::min(std::ceil(-40.0 / std::log(std::abs(rho))), 1.0 * longest_burn_in));
}

class Ar1 final : public Process {
 public:
  Ar1(double rho, BoundedLaw law)
      : rho_(rho), law_(law), amplitude_(std::sqrt((1 + std::abs(rho)) / (1 - std::abs(rho))) / law.s) {}

  // |eps| <= a and E[eps_t | F_{t-d}] = rho^d eps_{t-d}
  double phi(std::int64_t d) const override { return amplitude_ * std::pow(std::abs(rho_), static_cast<double>(d)); }
  bool phi_is_exact() const override { return true; }
  double proxy(std::int64_t l, std::int64_t m, Fields fields) const override {
    return fields == Fields::one_sided ? Process::proxy(l, m, fields) : innovations_between(rho_, l, m);
  }
  bool proxies_add(Fields fields) const override { return fields == Fields::two_sided; }
  double proxy_tail(std::int64_t l, std::int64_t n, Fields fields) const override {
    return proxies_add(fields) ? innovations_from(rho_, l, n) : Process::proxy_tail(l, n, fields);
  }
  bool is_autoregressive() const override { return true; }
  std::optional<Geometric> geometric() const override {
    if (rho_ == 0) return std::nullopt;
    return Geometric{.C = amplitude_, .tau = -1.0 / std::log(std::abs(rho_))};
  }
  bool starts_stationary() const override { return burn_in_for(rho_) < longest_burn_in; }
  std::unique_ptr<Path> start(const random::Stream& stream) const override;
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override;

 private:
  double gain() const { return (1 - std::abs(rho_)) * amplitude_; }

  double rho_;
  BoundedLaw law_;
  double amplitude_;
};

class Ar1Path final : public Path {
 public:
  Ar1Path(const random::Stream& stream, double rho, double gain, BoundedLaw law)
      : stream_(stream), rho_(rho), gain_(gain), law_(law) {
    for (std::int64_t t = burn_in_for(rho); t > 0; --t) step();
  }
  void next(std::span<double> eps) override {
    for (double& value : eps) value = step();
  }

 private:
  double step() { return state_ = rho_ * state_ + gain_ * law_.draw(stream_.next()); }

  random::Stream stream_;
  double rho_;
  double gain_;
  BoundedLaw law_;
  double state_ = 0;
};

std::unique_ptr<Path> Ar1::start(const random::Stream& stream) const {
  return std::make_unique<Ar1Path>(stream, rho_, gain(), law_);
}

class TwistedAr1 final : public TwistedRounds {
 public:
  TwistedAr1(const random::Stream& stream, const Twist& twist, double rho, double gain, BoundedLaw law)
      : TwistedRounds(stream, twist, TiltedLaw(law)), rho_(rho), gain_(gain) {
    for (std::int64_t t = burn_in_for(rho); t > 0; --t) state_ = rho_ * state_ + gain_ * plain_innovation();
  }
  void plan(const Tilts& tilts) override { plan_autoregression(tilts, rho_, gain_); }
  double next(std::span<const double>) override { return state_ = rho_ * state_ + gain_ * next_innovation(); }

 private:
  double rho_;
  double gain_;
  double state_ = 0;
};

std::unique_ptr<TwistedPath> Ar1::start_twisted(const random::Stream& stream, const Twist& twist) const {
  return std::make_unique<TwistedAr1>(stream, twist, rho_, gain(), law_);
}

}  // namespace

void register_ar1() {
  auto parameters = correlation_parameters();
  parameters.push_back(bounded_law_parameter());
  processes().add({.name = "ar1",
                   .summary = "bounded autoregression of order one, unit variance",
                   .formula = "eps_t = rho eps_{t-1} + (1-|rho|) a u_t, |u_t| <= 1 of variance s^2, a = (1/s) "
                              "sqrt((1+|rho|)/(1-|rho|));  phi_d = a |rho|^d exactly",
                   .source = "MATHEMATICS.md B.3",
                   .parameters = parameters,
                   .complete = complete_correlation},
                  [](const Request& request) {
                    return std::make_unique<Ar1>(request.parameters.real("rho"),
                                                 bounded_law(request.parameters.text("law")));
                  });
}

}  // namespace mixlab::noise
