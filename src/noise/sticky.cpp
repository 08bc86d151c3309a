// The sticky sign chain: P(eps_{t+1} = eps_t) = (1+rho)/2. MATHEMATICS.md B.2.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "correlation.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

/// Rounds that keep the sign, or turn it if that is the likelier, with an exception now and then. The times between
/// exceptions are geometric: a draw for each is enough.
class StickyPath final : public Path {
 public:
  StickyPath(const random::Stream& stream, double rho)
      : stream_(stream), waiting_((1.0 - std::abs(rho)) / 2.0), turns_(rho < 0 ? ~std::uint64_t{0} : 0) {
    sign_ = stream_.next() >> 63;  // stationary start
    exception_ = next_wait();
  }

  void next(std::span<double> eps) override {
    constexpr auto one = std::bit_cast<std::uint64_t>(1.0);
    while (!eps.empty()) {
      const auto n = std::min<std::size_t>(64, eps.size());
      std::uint64_t signs = next_signs(static_cast<int>(n));
#pragma GCC unroll 8
      for (double& round : eps.first(n)) {  // without a branch, which nobody could predict
        round = std::bit_cast<double>(one | signs << 63);
        signs >>= 1;
      }
      eps = eps.subspan(n);
    }
  }

 private:
  /// Of the next n <= 64 rounds, from the lowest bit on: 1 where eps = -1.
  std::uint64_t next_signs(int n) {
    std::uint64_t turned = turns_;
    for (; exception_ < n; exception_ += next_wait()) turned ^= std::uint64_t{1} << exception_;
    exception_ -= n;
    for (int step = 1; step < 64; step *= 2) turned ^= turned << step;  // the sum of all turns so far
    const std::uint64_t signs = sign_ ? ~turned : turned;
    sign_ = signs >> (n - 1) & 1;
    return signs;
  }

  std::int64_t next_wait() {
    if (used_ == waits_.size()) {
      waiting_.draw(stream_, waits_);
      used_ = 0;
    }
    return waits_[used_++];
  }

  random::Stream stream_;
  random::WaitingTime waiting_;
  std::uint64_t turns_;     ///< all ones if it is the rule to turn, else 0
  std::uint64_t sign_;      ///< of the last round: 1 if negative
  std::int64_t exception_;  ///< rounds before the next exception to the rule
  std::array<std::int64_t, 16> waits_{};
  std::size_t used_ = 16;
};

/// Sub-Gaussian constant of a sign with mean q >= 0, by Kearns and Saul.
double kearns_saul(double q) {
  if (q < 1e-5) return 1;  // 1 - q^2/6 + ...: no double in between matters
  return q < 1 ? std::sqrt(q / std::atanh(q)) : 0;
}

class Sticky final : public Process {
 public:
  explicit Sticky(double rho) : rho_(rho) {}

  // E[eps_t | F_{t-d}] = rho^d eps_{t-d}
  double phi(std::int64_t d) const override { return power(d); }
  bool phi_is_exact() const override { return true; }
  // rho^l (eps_{s-l} - E[eps_{s-l} | F_{s-m}]): two points, with mean rho^{m-l} eps_{s-m} given F_{s-m} (F3)
  double proxy(std::int64_t l, std::int64_t m, Fields fields) const override {
    if (fields == Fields::one_sided) return Process::proxy(l, m, fields);
    return power(l) * kearns_saul(power(m - l));
  }
  bool is_autoregressive() const override { return true; }
  std::optional<Geometric> geometric() const override {
    if (rho_ == 0) return std::nullopt;
    return Geometric{.C = 1, .tau = -1.0 / std::log(std::abs(rho_))};
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<StickyPath>(stream, rho_);
  }

 private:
  double power(std::int64_t n) const { return std::pow(std::abs(rho_), static_cast<double>(n)); }

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
