#include "mixlab/noise/audit.h"

#include <algorithm>
#include <armadillo>
#include <cmath>
#include <limits>
#include <new>
#include <stdexcept>

namespace mixlab::noise {
namespace {

constexpr int memory = 8;                                      ///< values that a regression looks back on
constexpr double training_share = 0.25;                        ///< of the rounds, on which bets are chosen
constexpr double quantiles[] = {0, 0.5, 0.9, 0.99};            ///< of a predictor's size: how sure a bet must be
constexpr int n_stakes = 12;                                   ///< 2^0, 2^-1, ... in units of 1/sigma
constexpr double tail_stakes[] = {0.125, 0.25, 0.5, 1, 2, 4};  ///< in units of 1/sigma
constexpr double normal_quantile_90 = 1.2815515655446004;

using Paths = std::vector<std::vector<double>>;

double log_mean_exp(const std::vector<double>& values) {
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += std::exp(value - largest);
  return largest + std::log(sum / static_cast<double>(values.size()));
}

/// A number made of what is known d rounds before; its sign is the direction of a bet, its size how sure it is.
struct Predictor {
  std::string name;
  arma::vec weights;  ///< of the last values known, newest first
  bool of_signs = false;
  std::vector<double> thresholds;  ///< of its size, one for each quantile

  double at(const std::vector<double>& path, std::size_t newest) const {
    double sum = 0;
    for (arma::uword k = 0; k < weights.n_elem; ++k) {
      const double value = path[newest - k];
      sum += weights(k) * (of_signs ? static_cast<double>((value > 0) - (value < 0)) : value);
    }
    return sum;
  }
};

/// What a bet has met: rounds of one class, t = r modulo d, are d rounds apart, so that their capitals multiply.
struct Sums {
  double noise = 0;  ///< in the direction of the bet
  double n = 0;
};

class LagAudit {
 public:
  LagAudit(const Process& process, const Paths& paths, std::int64_t lag)
      : paths_(paths), d_(static_cast<std::size_t>(lag)), sigma_(process.sigma()), phi_(process.phi(lag)) {}

  /// The strongest of all bets on the conditional mean.
  AuditedClaim bias() const {
    AuditedClaim best = claim_about(AuditedClaim::Kind::bias, phi_);
    best.log10_e = -std::numeric_limits<double>::infinity();
    for (const auto& predictor : predictors())
      for (std::size_t q = 0; q < std::size(quantiles); ++q) {
        const auto classes = bet_on(predictor, predictor.thresholds[q]);
        const double log10_e = capital(classes) / std::log(10.0);
        Sums all;
        for (const auto& sums : classes) all.noise += sums.noise, all.n += sums.n;
        if (all.n == 0 || log10_e <= best.log10_e) continue;
        best.log10_e = log10_e;
        best.seen = all.noise / all.n;
        best.n = static_cast<std::int64_t>(all.n);
        best.bet = predictor.name + (q == 0 ? "" : ", top " + percent_above(quantiles[q]));
      }
    return best;
  }

  /// Both tails: E[cosh(x eps_t) | F_{t-d}] <= exp(x phi_d + x^2 sigma^2 / 2).
  AuditedClaim tail() const {
    AuditedClaim claim = claim_about(AuditedClaim::Kind::tail, sigma_);
    std::vector<double> logs;
    double squares = 0;
    for (const double stake : tail_stakes) {
      std::vector<double> classes(d_, 0);
      const double x = stake / sigma_, fair = x * phi_ + x * x * sigma_ * sigma_ / 2;
      for_each_tested([&](const std::vector<double>& path, std::size_t t) {
        const double size = std::abs(x * path[t]);
        classes[t % d_] += size + std::log1p(std::exp(-2 * size)) - std::log(2.0) - fair;  // log cosh
        if (stake == tail_stakes[0]) squares += path[t] * path[t], ++claim.n;
      });
      logs.insert(logs.end(), classes.begin(), classes.end());
    }
    claim.log10_e = log_mean_exp(logs) / std::log(10.0);
    claim.seen = std::sqrt(squares / static_cast<double>(std::max<std::int64_t>(claim.n, 1)));
    claim.bet = "size of the noise";
    return claim;
  }

  /// Rounds of one class that are bet on, if every round is.
  double n_tested_per_class() const {
    double n = 0;
    for_each_tested([&](const std::vector<double>&, std::size_t) { ++n; });
    return n / static_cast<double>(d_);
  }

 private:
  AuditedClaim claim_about(AuditedClaim::Kind kind, double declared) const {
    AuditedClaim claim;
    claim.kind = kind;
    claim.lag = static_cast<std::int64_t>(d_);
    claim.declared = declared;
    return claim;
  }

  static std::string percent_above(double quantile) {
    return std::to_string(static_cast<int>(std::lround(100 * (1 - quantile)))) + "%";
  }

  std::size_t first_round() const { return d_ + memory - 1; }

  /// Bets are chosen on the first paths, or the first rounds if there is only one.
  template <class Visit>
  void for_each(bool training, Visit visit) const {
    const auto cut = [](std::size_t n) { return static_cast<std::size_t>(training_share * static_cast<double>(n)); };
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      const bool alone = paths_.size() == 1;
      if (!alone && (i < cut(paths_.size())) != training) continue;
      const std::size_t middle = alone ? cut(paths_[i].size()) : 0;
      const std::size_t begin = alone && !training ? middle + first_round() : first_round(),
                        end = alone && training ? middle : paths_[i].size();
      for (std::size_t t = begin; t < end; ++t) visit(paths_[i], t);
    }
  }
  template <class Visit>
  void for_each_tested(Visit visit) const {
    for_each(false, visit);
  }

  std::vector<Predictor> predictors() const {
    std::vector<Predictor> all;
    for (const bool of_signs : {false, true}) {
      arma::mat A(memory, memory, arma::fill::eye);
      A *= 1e-9 * sigma_ * sigma_;
      arma::vec b(memory, arma::fill::zeros), x(memory);
      const auto word = [&](double value) { return of_signs ? static_cast<double>((value > 0) - (value < 0)) : value; };
      for_each(true, [&](const std::vector<double>& path, std::size_t t) {
        for (int k = 0; k < memory; ++k)
          x(static_cast<arma::uword>(k)) = word(path[t - d_ - static_cast<std::size_t>(k)]);
        A += x * x.t();
        b += x * path[t];
      });
      const std::string what = of_signs ? "signs" : "values";
      all.push_back({"the last 8 " + what, arma::solve(A, b), of_signs, {}});
      arma::vec last(1);
      last(0) = b(0) < 0 ? -1 : 1;
      if (!of_signs) all.push_back({"the last value", last, false, {}});
    }
    for (auto& predictor : all) predictor.thresholds = thresholds_of(predictor);
    return all;
  }

  std::vector<double> thresholds_of(const Predictor& predictor) const {
    std::vector<double> sizes, thresholds;
    for_each(true, [&](const std::vector<double>& path, std::size_t t) {
      sizes.push_back(std::abs(predictor.at(path, t - d_)));
    });
    std::sort(sizes.begin(), sizes.end());
    for (const double quantile : quantiles)
      thresholds.push_back(sizes.empty() || quantile == 0
                               ? 0
                               : sizes[static_cast<std::size_t>(quantile * static_cast<double>(sizes.size()))]);
    return thresholds;
  }

  std::vector<Sums> bet_on(const Predictor& predictor, double threshold) const {
    std::vector<Sums> classes(d_);
    for_each_tested([&](const std::vector<double>& path, std::size_t t) {
      const double prediction = predictor.at(path, t - d_);
      if (prediction == 0 || std::abs(prediction) < threshold) return;
      auto& sums = classes[t % d_];
      sums.noise += prediction > 0 ? path[t] : -path[t];
      ++sums.n;
    });
    return classes;
  }

  /// log of the mean over classes and stakes x of exp(x noise - n (x phi + x^2 sigma^2 / 2)).
  double capital(const std::vector<Sums>& classes) const {
    std::vector<double> logs;
    for (const auto& sums : classes)
      for (int k = 0; k < n_stakes; ++k) {
        const double x = std::ldexp(1 / sigma_, -k);
        logs.push_back(x * sums.noise - sums.n * (x * phi_ + x * x * sigma_ * sigma_ / 2));
      }
    return log_mean_exp(logs);
  }

  const Paths& paths_;
  std::size_t d_;
  double sigma_, phi_;
};

/// Throws std::runtime_error that says where the user's own code failed.
[[noreturn]] void fail(const std::string& what, std::size_t path, const std::string& round, std::uint64_t seed) {
  throw std::runtime_error("noise cannot be drawn: " + what + " (path " + std::to_string(path) + round + ", seed " +
                           std::to_string(seed) + "); mend its code");
}

std::vector<double> draw_path(const Process& process, const AuditSettings& settings, std::size_t number) {
  std::vector<double> path(static_cast<std::size_t>(settings.n_rounds));
  try {
    process.start(random::Stream({settings.seed, 0, number, random::Purpose::noise}))->next(path);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(error.what(), number, "", settings.seed);
  }
  for (std::size_t t = 0; t < path.size(); ++t)
    if (!std::isfinite(path[t]))
      fail("it is " + std::to_string(path[t]), number, ", round " + std::to_string(t + 1), settings.seed);
  return path;
}

Paths draw(const Process& process, const AuditSettings& settings) {
  const auto recorded = process.recorded();
  if (!recorded.empty()) return {{recorded.begin(), recorded.end()}};
  Paths paths;
  for (std::size_t i = 0; i < static_cast<std::size_t>(settings.n_paths); ++i)
    paths.push_back(draw_path(process, settings, i));
  return paths;
}

/// Why nothing can be bet at a lag; empty if it can.
std::string why_skipped(const Process& process, std::int64_t lag, std::size_t n_rounds) {
  if (!std::isfinite(process.phi(lag))) return "nothing is certified there, phi is infinite";
  const auto least = static_cast<std::size_t>(2 * lag + 2 * memory);
  return n_rounds >= least ? "" : "needs " + std::to_string(least) + " rounds, there are " + std::to_string(n_rounds);
}

}  // namespace

bool Audit::refutes() const {
  return std::any_of(claims.begin(), claims.end(), [this](const auto& claim) { return refutes(claim); });
}

Audit audit(const Process& process, const AuditSettings& settings) {
  const Paths paths = draw(process, settings);
  const double n_bets = static_cast<double>(settings.lags.size()) * (3 * static_cast<double>(std::size(quantiles)) + 1);
  Audit result;
  result.log10_enough = std::log10(n_bets / settings.alpha);
  for (const std::int64_t lag : settings.lags) {
    if (auto why = why_skipped(process, lag, paths[0].size()); !why.empty()) {
      result.skipped.push_back({lag, std::move(why)});
      continue;
    }
    const LagAudit at_lag(process, paths, lag);
    auto bias = at_lag.bias();
    const double needed = std::log(n_bets / settings.alpha) + std::log(static_cast<double>(n_stakes));
    bias.visible =
        process.sigma() * (std::sqrt(2 * needed) + normal_quantile_90) / std::sqrt(at_lag.n_tested_per_class());
    result.claims.push_back(bias);
    result.claims.push_back(at_lag.tail());
  }
  return result;
}

}  // namespace mixlab::noise
