// Noise whose dependence decays with time. A process certifies what the theory needs of it (Assumption 1; filtrations
// larger than that of the noise itself are allowed, MATHEMATICS.md B.0): given the past at the lag in use it is
// sigma()-sub-Gaussian around its mean, and
//   |E[eps_t | F_{t-d}]| <= phi_d.
// A process is defined at its own unit scale; `[noise] sigma` multiplies it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "mixlab/core/attachments.h"
#include "mixlab/core/catalogue.h"
#include "mixlab/noise/path.h"
#include "mixlab/noise/twist.h"
#include "mixlab/random/stream.h"

namespace mixlab::noise {

/// phi_d <= C exp(-d/tau) for 1 <= d <= T, up to rounding (about 1e-16).
struct Geometric {
  double C = 0;
  double tau = 0;
};

/// phi_d <= C d^{-r} for 1 <= d <= T.
struct Algebraic {
  double C = 0;
  double r = 0;
};

/// The fields that a telescope conditions on (MATHEMATICS.md F.1): before round 1 they know nothing of the noise, or all
/// innovations that ever were.
enum class Fields { one_sided, two_sided };

class Process {
 public:
  virtual ~Process() = default;
  /// Sub-Gaussian constant, conditionally at every lag and marginally.
  virtual double sigma() const { return 1; }
  /// phi_d for d >= 1; non-increasing, possibly infinite.
  virtual double phi(std::int64_t d) const = 0;
  /// Whether phi(d) is attained, not only an upper bound.
  virtual bool phi_is_exact() const = 0;
  virtual std::optional<Geometric> geometric() const { return std::nullopt; }
  virtual std::optional<Algebraic> algebraic() const { return std::nullopt; }
  /// Sub-Gaussian constant of E[eps_s | F_{s-l}] - E[eps_s | F_{s-m}] given F_{s-m} in every round s, for 0 <= l < m;
  /// infinite where nothing is certified. By default (F2), which follows from sigma and phi in one-sided fields.
  virtual double proxy(std::int64_t l, std::int64_t m, Fields fields) const;
  /// Whether proxy(l, m)^2 is the sum of those of the single steps from l to m, as for linear processes.
  virtual bool proxies_add(Fields) const { return false; }
  /// A bound on the sum of proxy(l + j n, l + (j+1) n) over all j >= 0, exact for n = 1 where proxies add; infinite if
  /// there is none. By default from a geometric certificate, or term by term up to where phi is 0.
  virtual double proxy_tail(std::int64_t l, std::int64_t n, Fields fields) const;
  /// Whether E[eps_t | F_{t-1}] = rho eps_{t-1} for a constant rho, |rho| <= 1.
  virtual bool is_autoregressive() const { return phi(1) == 0; }
  /// rho, if the noise is a sign that is kept with probability (1+rho)/2 whatever was before.
  virtual std::optional<double> sign_correlation() const { return std::nullopt; }
  /// Whether all rounds have the same law; else the start is admissible only (the bounds hold from round 1 on).
  virtual bool starts_stationary() const { return true; }
  /// Why Assumption 1 does not hold as it stands; empty if it does.
  virtual std::string outside_assumption() const { return {}; }

  /// A word for the user about a study of so many trajectories; mostly none.
  virtual std::string caveat(std::int64_t /*n_trajectories*/) const { return {}; }
  /// A recorded series that every path plays a piece of; empty: paths are independent.
  virtual std::span<const double> recorded() const { return {}; }
  /// What was read from a file of the user's, in figures by which a misread file shows; empty without such a file.
  virtual std::string data_in_figures() const { return {}; }

  /// The noise of a trajectory; of a process that is not reactive.
  virtual std::unique_ptr<Path> start(const random::Stream& stream) const = 0;
  virtual bool reactive() const { return false; }
  /// Only of a reactive process.
  virtual std::unique_ptr<ReactivePath> start_reactive(const random::Stream& stream, int p) const;

  /// The same noise drawn round by round under tilted laws, for `mixlab rare`; nullptr if the process does not say how.
  virtual std::unique_ptr<TwistedPath> start_twisted(const random::Stream&, const Twist&) const { return nullptr; }
};

/// What a process is made from.
struct Request {
  const Values& parameters;  ///< of [noise]
  std::int64_t T = 1;        ///< horizon: it may enter a certificate, never the law
  const Attachments& files;
};
using MakeProcess = std::function<std::unique_ptr<const Process>(const Request&)>;
Registry<MakeProcess>& processes();

}  // namespace mixlab::noise
