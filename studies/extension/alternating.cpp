// Noise of our own: a sign that changes with probability (1 + rho)/2, the opposite of `sticky`.
#include <cmath>

#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"
#include "own.h"

using namespace mixlab;

class AlternatingPath final : public noise::Path {
 public:
  AlternatingPath(double rho, random::Stream stream) : rho_(rho), stream_(stream) {
    sign_ = random::sign(stream_.next());
  }
  void next(std::span<double> eps) override {
    for (double& value : eps) {
      value = sign_;
      if (random::uniform(stream_.next()) < (1 + rho_) / 2) sign_ = -sign_;
    }
  }

 private:
  double rho_, sign_;
  random::Stream stream_;
};

class Alternating final : public noise::Process {
 public:
  explicit Alternating(double rho) : rho_(rho) {}
  // E[eps_t | F_{t-d}] = (-rho)^d eps_{t-d}; `mixlab certify` bets against what we say here.
  double phi(std::int64_t d) const override { return std::pow(rho_, static_cast<double>(d)); }
  bool phi_is_exact() const override { return true; }
  std::optional<noise::Geometric> geometric() const override { return noise::Geometric{1, -1 / std::log(rho_)}; }
  std::unique_ptr<noise::Path> start(const random::Stream& stream) const override {
    return std::make_unique<AlternatingPath>(rho_, stream);
  }

 private:
  double rho_;
};

void add_alternating() {
  noise::processes().add(
      {.name = "alternating",
       .summary = "a sign that changes with probability (1+rho)/2",
       .formula = "eps_{t+1} = -eps_t with probability (1+rho)/2, else eps_t",
       .source = "alternating.cpp",
       .parameters = {Parameter::real("rho", "0.5", "strength of the dependence").above(0).below(1)},
       .revision = "1"},  // raise it when the numbers change
      [](const noise::Request& request) { return std::make_unique<Alternating>(request.parameters.real("rho")); });
}
