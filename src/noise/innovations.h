// Twisted paths that are made of independent innovations: eps_t depends linearly on them, so tilting eps tilts them.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <vector>

#include "law.h"
#include "mixlab/noise/twist.h"

namespace mixlab::noise {

/// A law of one draw, tilted: density exp(g u)/E exp(g u) with respect to it.
class TiltedLaw {
 public:
  explicit TiltedLaw(const auto& law) : shape_(law.shape), draw_(law.draw), width_(law.largest) {}

  double draw(std::uint64_t word, double g) const {
    if (shape_ == Shape::normal) return draw_(word) + g;
    const double U = random::uniform(word);
    if (shape_ == Shape::sign) return U * (1 + std::exp(-2 * g)) < 1 ? 1 : -1;
    const double w = std::abs(g) * width_;
    if (w < smallest) return draw_(word);
    return std::copysign(width_, g) * (1 + std::log(U + (1 - U) * std::exp(-2 * w)) / w);
  }

  /// log of the density at u.
  double log_factor(double u, double g) const {
    if (shape_ == Shape::normal) return g * (u - g / 2);
    if (shape_ == Shape::sign) return std::numbers::ln2 - std::log1p(std::exp(-2 * g * u));
    const double w = std::abs(g) * width_;
    if (w < smallest) return 0;
    return g * u - w + std::log(2 * w / -std::expm1(-2 * w));
  }

 private:
  static constexpr double smallest = 1e-6;  ///< below, a uniform draw is left as it is
  Shape shape_;
  double (*draw_)(std::uint64_t word);
  double width_;
};

/// What they share: `plan` says how much each innovation is to be tilted, `next` what it does to the noise.
class TwistedInnovations : public TwistedPath {
 public:
  TwistedInnovations(const random::Stream& stream, const Twist& twist, TiltedLaw law)
      : TwistedPath(stream, twist), law_(law) {}

 protected:
  /// An innovation of its own law.
  double plain_innovation() { return law_.draw(stream_.next(), 0); }

  /// The next innovation, tilted by g[c] under component c.
  double innovation(std::span<const double> g) {
    const double u = law_.draw(stream_.next(), g[drawn_]);
    for (std::size_t c = 0; c < g.size(); ++c)
      if (g[c] != 0) log_ratios_[c] += law_.log_factor(u, g[c]);
    return u;
  }

 private:
  TiltedLaw law_;
};

/// rho^0 + ... + rho^{n-1}
inline double geometric_sum(double rho, std::int64_t n) {
  return (1 - std::pow(rho, static_cast<double>(n))) / (1 - rho);
}

/// One innovation per round, each with a tilt of its own.
class TwistedRounds : public TwistedInnovations {
 public:
  using TwistedInnovations::TwistedInnovations;

 protected:
  /// Room for the tilts of n rounds, to be filled from `planned`.
  void plan_rounds(std::size_t n) {
    g_.resize(n * log_ratios_.size());
    round_ = 0;
  }
  std::span<double> planned(std::size_t round) {
    return std::span(g_).subspan(round * log_ratios_.size(), log_ratios_.size());
  }
  /// For eps_t = rho eps_{t-1} + gain u_t: u_s by gain (h_s + rho h_{s+1} + ...), the last tilt for all rounds after it.
  void plan_autoregression(const Tilts& tilts, double rho, double gain) {
    const std::size_t n = tilts.n_rounds();
    const double after = rho * geometric_sum(rho, tilts.rounds_after);
    plan_rounds(n);
    for (std::size_t i = n; i-- > 0;) {
      const auto h = tilts.of_round(i);
      for (std::size_t c = 0; c < h.size(); ++c)
        planned(i)[c] = gain * h[c] + (i + 1 == n ? gain * after * h[c] : rho * planned(i + 1)[c]);
    }
  }
  double next_innovation() { return innovation(planned(round_++)); }

 private:
  std::vector<double> g_;
  std::size_t round_ = 0;
};

}  // namespace mixlab::noise
