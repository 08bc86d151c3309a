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
    const auto one = std::bit_cast<std::uint64_t>(1.0);
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

/// The chain of the tilted law: P(x,y) e^{h_s y} r_{s+1}(y)/r_s(x), r_s(x) = sum_y P(x,y) e^{h_s y} r_{s+1}(y), of which
/// only the ratios R_s = r_s(+)/r_s(-) and u_s = e^{2 h_s} R_{s+1} are needed.
class TwistedSticky final : public TwistedPath {
 public:
  TwistedSticky(const random::Stream& stream, const Twist& twist, double rho)
      : TwistedPath(stream, twist), rho_(rho), stay_((1 + rho) / 2), product_(twist.n_components, 1.0) {}

  void plan(const Tilts& tilts) override {
    const std::size_t n = tilts.n_rounds(), n_components = tilts.n_components;
    u_.resize(tilts.h.size());
    round_ = 0;
    std::vector<double> R(n_components, 1.0);
    if (tilts.rounds_after > 0)
      for (std::size_t c = 0; c < n_components; ++c) R[c] = perron_ratio(tilts.of_round(n - 1)[c]);
    std::vector<double> factors(n_components);  // e^{2h}: the same for as long as an arm is played
    for (std::size_t i = n; i-- > 0;) {
      const auto h = tilts.of_round(i);
      if (i + 1 == n || !std::ranges::equal(h, tilts.of_round(i + 1)))
        std::ranges::transform(h, factors.begin(), [](double each) { return std::exp(2 * each); });
      double* u = &u_[i * n_components];
#pragma omp simd
      for (std::size_t c = 0; c < n_components; ++c) {
        u[c] = factors[c] * R[c];
        R[c] = (stay_ * u[c] + (1 - stay_)) / ((1 - stay_) * u[c] + stay_);
      }
    }
  }

  double next(std::span<const double>) override {
    const double plus = sign_ == 0 ? 0.5 : sign_ > 0 ? stay_ : 1 - stay_;  // P(eps = +1 | past)
    const double* u = &u_[round_++ * product_.size()];
    const double tilted = plus * u[drawn_];
    sign_ = random::uniform(stream_.next()) * (tilted + (1 - plus)) < tilted ? 1 : -1;
    double* product = product_.data();
#pragma omp simd
    for (std::size_t c = 0; c < product_.size(); ++c)
      product[c] *= (sign_ > 0 ? u[c] : 1.0) / (plus * u[c] + (1 - plus));
    if (++waiting_ == rounds_per_logarithm) take_logarithms();
    return sign_;
  }

  std::span<const double> log_ratios() override {
    take_logarithms();
    return log_ratios_;
  }

 private:
  static constexpr int rounds_per_logarithm = 32;  ///< products stay within the range of a double

  /// r(+)/r(-) of the leading eigenvector of P(x,y) e^{h y}.
  double perron_ratio(double h) const {
    const double mean = stay_ * std::cosh(h);
    return (mean + std::sqrt(mean * mean - rho_) - stay_ * std::exp(-h)) / ((1 - stay_) * std::exp(h));
  }
  void take_logarithms() {
    for (std::size_t c = 0; c < product_.size(); ++c) log_ratios_[c] += std::log(product_[c]);
    std::ranges::fill(product_, 1.0);
    waiting_ = 0;
  }

  double rho_;
  double stay_;
  std::vector<double> u_;
  std::size_t round_ = 0;
  double sign_ = 0;              ///< of the last round; 0 before the first
  std::vector<double> product_;  ///< of the factors whose logarithms are not taken yet
  int waiting_ = 0;              ///< how many these are
};

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
  std::optional<double> sign_correlation() const override { return rho_; }
  std::optional<Geometric> geometric() const override {
    if (rho_ == 0) return std::nullopt;
    return Geometric{.C = 1, .tau = -1.0 / std::log(std::abs(rho_))};
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<StickyPath>(stream, rho_);
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedSticky>(stream, twist, rho_);
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
