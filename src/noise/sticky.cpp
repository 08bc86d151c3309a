// The sticky sign chain: P(eps_{t+1} = eps_t) = (1+rho)/2. MATHEMATICS.md B.2.
#include <algorithm>
#include <bit>
#include <cmath>

#include "correlation.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

class StickyPath final : public Path {
 public:
  StickyPath(const random::Stream& stream, double rho)
      : stream_(stream), flip_(random::cells_below((1.0 - rho) / 2.0)) {
    sign_ = std::bit_cast<std::uint64_t>(random::sign(stream_.next()));  // stationary start
  }

  void next(std::span<double> eps) override {
    std::uint64_t words[64];
    while (!eps.empty()) {
      const std::size_t n = std::min(std::size(words), eps.size());
      stream_.fill(std::span(words, n));
      for (std::size_t i = 0; i < n; ++i) {
        eps[i] = std::bit_cast<double>(sign_);
        sign_ ^= static_cast<std::uint64_t>(words[i] >> 12 < flip_) << 63;  // no branch: nobody could predict it
      }
      eps = eps.subspan(n);
    }
  }

 private:
  random::Stream stream_;
  std::uint64_t flip_;  ///< cells of the uniform draw that turn the sign
  std::uint64_t sign_;  ///< of the round to come: the bits of +1 or -1
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
