// The lags over which a telescope splits the noise (MATHEMATICS.md F.1, F.2): 0 = l_0 < l_1 < ... < l_{J+1} = d. What the
// conditional mean of eps_s loses from lag l_j to lag l_{j+1} is a martingale difference at stride n_j = l_{j+1} - l_j.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mixlab/noise/process.h"

namespace mixlab::bandit {

/// One level of the split, from l_j to l_{j+1}.
struct LagLevel {
  std::int64_t lag = 0;    ///< l_j
  std::int64_t width = 1;  ///< n_j
  double proxy = 0;        ///< s_j > 0
};

struct LagPath {
  std::vector<LagLevel> levels;  ///< those whose proxy is 0 are left out
  std::int64_t end = 1;          ///< the last lag, whose bias remains
  noise::Fields fields = noise::Fields::one_sided;
  std::int64_t step = 0;  ///< common width of all levels, the left out included; 0 if they differ

  /// (sum_j s_j sqrt(n_j))^2, exactly s_0^2 n_0 for a single level.
  double D() const;
};

/// The noise as a set assumes it to be, in units of reward. `[confidence] phi = xFACTOR` scales what is known of lags
/// from 1 on; a number is the bias, whatever the lag.
class LagCertificate {
 public:
  /// `scale`: the noise is scale times the process, which must live longer than this.
  explicit LagCertificate(const noise::Process& noise, double scale = 1, double factor = 1,
                          std::optional<double> declared_bias = {});
  ~LagCertificate();

  const noise::Process& noise() const { return noise_; }
  double sigma() const { return scale_ * noise_.sigma(); }
  double factor() const { return factor_; }
  double bias(std::int64_t lag) const { return declared_bias_ ? *declared_bias_ : factor_ * scale_ * noise_.phi(lag); }
  /// As of noise::Process.
  double proxy(std::int64_t l, std::int64_t m, noise::Fields fields) const;
  double proxy_tail(std::int64_t l, std::int64_t n, noise::Fields fields) const;

  /// Of all paths to d the one with the least D (F6). Lags above 1000 are taken from a grid of ratio 1.02. Remembers what
  /// it has computed, because rules for the delay ask for every d; so one thread at a time.
  LagPath shortest_path(std::int64_t d, noise::Fields fields) const;

 private:
  class Search;

  const noise::Process& noise_;
  double scale_;
  double factor_;
  std::optional<double> declared_bias_;
  mutable std::unique_ptr<Search> one_sided_, two_sided_;
};

/// Lags 0, n, 2n, ... up to the last one that is at most d.
LagPath equal_steps(const LagCertificate& certificate, std::int64_t d, std::int64_t n, noise::Fields fields);
/// These lags, which begin with 0 and increase.
LagPath given_lags(const LagCertificate& certificate, const std::vector<std::int64_t>& lags, noise::Fields fields);

/// Lags 0, n, 2n, ... for ever.
struct InfiniteLagPath {
  std::int64_t step = 1;
  noise::Fields fields = noise::Fields::one_sided;
  double D = std::numeric_limits<double>::infinity();

  bool exists() const { return D < std::numeric_limits<double>::infinity(); }
};

/// (G4) for the given step.
InfiniteLagPath infinite_path(const LagCertificate& certificate, std::int64_t step, noise::Fields fields);
/// The step that makes D least.
InfiniteLagPath best_infinite_path(const LagCertificate& certificate, noise::Fields fields);

}  // namespace mixlab::bandit
