// The online game of the paper played in full, one forecaster per block (MATHEMATICS.md A.1, A.2, J): what its lemmas say,
// as sets that theta* must not leave. With L_t(theta) the loss of theta and Z_t the sum of the forecasters' losses,
//   forecasters   L_t(theta) - Z_t <= (t-d)_+ (2B + sigma) phi_d / sigma^2 + m_t log(d/delta),   (A1)
//   lemma1        L_t(theta) - Z_t <= t B phi_d / sigma^2 + d log(d/delta),                      as printed
//   proposition2  everything if no forecaster regrets more than (A3) allows, else nothing.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "blocks.h"
#include "mixing.h"
#include "mixlab/bandit/forecaster.h"
#include "mixlab/core/error.h"

namespace mixlab::bandit {
namespace {

/// The d forecasters of a trajectory, in units of sigma.
class Game {
 public:
  explicit Game(const SetConstants& constants)
      : constants_(constants),
        blocks_(static_cast<std::size_t>(constants.d), Forecaster(constants.p, constants.B / constants.sigma + 1)) {}

  void absorb(const arma::vec& x, double y) {
    Forecaster& block = blocks_[static_cast<std::size_t>(t_++ % constants_.d)];
    const double before = block.cumulative_loss(), B = constants_.B / constants_.sigma;
    block.absorb(x, y / constants_.sigma);
    cumulative_loss_ += block.cumulative_loss() - before;
    worst_excess_ = std::max(worst_excess_, block.regret(B) - tight_block_regret(block.n_rounds(), constants_.p, B));
  }

  double cumulative_loss() const { return cumulative_loss_; }
  /// Largest regret of a forecaster beyond what Proposition 2 allows, in all rounds so far.
  double worst_excess() const { return worst_excess_; }

 private:
  const SetConstants& constants_;
  std::vector<Forecaster> blocks_;
  std::int64_t t_ = 0;
  double cumulative_loss_ = 0;
  double worst_excess_ = -std::numeric_limits<double>::infinity();
};

void require_small_dimension(const SetConstants& constants, const std::string& name) {
  if (constants.p > 2)
    throw KeyError("confidence.monitor", "bad value for confidence.monitor: '" + name +
                                             "' (the forecasters are computed exactly for problem.dimension 1 and 2 "
                                             "only); leave it out, or lower the dimension");
}

/// Twice the excess loss in units of sigma, against twice the bound.
class ForecasterSet : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const final { return Centre::least_squares; }
  double radius2(std::int64_t t, double) const final {
    return 2 * (bias(t) + n_logs(t) * std::log(static_cast<double>(constants().d) / constants().delta));
  }
  double log_p(std::int64_t t, double q, double) const final {
    return std::log(static_cast<double>(constants().d)) - (q / 2 - bias(t)) / n_logs(t);
  }
  /// By A.3, with the regret that Proposition 2 allows.
  double ellipsoid_radius2(std::int64_t t, double logdet) const final {
    const auto& c = constants();
    const double regret =
        sum_over_blocks(t, c.d, [&](std::int64_t k) { return tight_block_regret(k, c.p, c.B / c.sigma); });
    return c.sigma * c.sigma * (2 * regret + radius2(t, logdet)) + 4 * c.lambda * c.B * c.B;
  }

 protected:
  virtual double bias(std::int64_t t) const = 0;    ///< in units of sigma^2
  virtual double n_logs(std::int64_t t) const = 0;  ///< of log(d/delta)
};

class Forecasters : public ForecasterSet {
 public:
  using ForecasterSet::ForecasterSet;
  std::string why_not_guaranteed(const Collection& collection) const final {
    return needs_lag_and_phi(constants(), collection);
  }

 protected:
  double bias(std::int64_t t) const final {
    const auto& c = constants();
    return total_bias(t, c.d, (2 * c.B + c.sigma) * c.phi) / (c.sigma * c.sigma);
  }
  double n_logs(std::int64_t t) const final { return n_active_blocks(t, constants().d); }
};

class Lemma1 : public ForecasterSet {
 public:
  using ForecasterSet::ForecasterSet;
  std::string why_not_guaranteed(const Collection& collection) const final {
    if (std::string reason = needs_lag_and_phi(constants(), collection); !reason.empty()) return reason;
    return constants().phi > 0 ? "the constant B of Lemma 1 is too small (Proposition A.5.1)" : std::string{};
  }

 protected:
  double bias(std::int64_t t) const final {
    const auto& c = constants();
    return static_cast<double>(t) * c.B * c.phi / (c.sigma * c.sigma);
  }
  double n_logs(std::int64_t) const final { return static_cast<double>(constants().d); }
};

/// A theorem about every path: p is 1, or 0 once a forecaster has refuted it.
class Proposition2 : public ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  Centre centre() const final { return Centre::least_squares; }
  double radius2(std::int64_t, double) const final { return rounding; }
  double log_p(std::int64_t, double q, double) const final {
    return q <= rounding ? 0 : -std::numeric_limits<double>::max();
  }
  std::string why_not_guaranteed(const Collection&) const final { return {}; }

 protected:
  static constexpr double rounding = 1e-7;  ///< of a regret, in units of its loss
};

/// What a set is on one trajectory; before it, theta* is in no doubt.
template <class Set>
class Played final : public Set {
 public:
  explicit Played(const Set& set) : Set(set), game_(this->constants()) {}
  void absorb(const arma::vec& x, double y) override { game_.absorb(x, y); }
  double distance2(const arma::vec& theta, const Regression& data, const Ridge&) const override {
    if constexpr (std::is_same_v<Set, Proposition2>)
      return std::max(0.0, game_.worst_excess());
    else {
      const double sigma = this->constants().sigma;
      const double loss = data.sum_y2() / 2 - arma::dot(data.b(), theta) + arma::dot(theta, data.Lambda() * theta) / 2;
      return 2 * (loss / (sigma * sigma) - game_.cumulative_loss());
    }
  }

 private:
  Game game_;
};

template <class Set>
class Unplayed final : public Set {
 public:
  using Set::Set;
  double distance2(const arma::vec&, const Regression&, const Ridge&) const override { return 0; }
  std::unique_ptr<ConfidenceSet> start(random::Stream, std::int64_t) const override {
    return std::make_unique<Played<Set>>(*this);
  }
};

template <class Set>
void add(const char* name, const char* summary, const char* formula, const char* source) {
  confidence_sets().add({.name = name, .summary = summary, .formula = formula, .source = source},
                        {.make = [name](const SetConstants& constants) {
                          require_small_dimension(constants, name);
                          return std::make_unique<Unplayed<Set>>(constants);
                        }});
}

}  // namespace

void register_forecasters() {
  add<Forecasters>("forecasters", "the online game behind the paper's set, played exactly (p = 1, 2)",
                   "L_t(theta) + sum_j log Z_j <= (t-d)_+ (2B+1) phi_d + m_t log(d/delta)   (sigma = 1)",
                   "Lemma 1 of the paper, mended; MATHEMATICS.md (A1), J");
  add<Lemma1>("lemma1", "the paper's Lemma 1 as printed (p = 1, 2): false",
              "L_t(theta) + sum_j log Z_j <= t phi_d B + d log(d/delta)   (sigma = 1)",
              "Lemma 1 of the paper; MATHEMATICS.md A.5");
  add<Proposition2>("proposition2", "empty once a forecaster regrets too much (p = 1, 2): never",
                    "-log Z_j - min_{|theta|<=B} L_j(theta) <= r~_p(t_j) for all j, t   (sigma = 1)",
                    "Proposition 2 of the paper; MATHEMATICS.md (A3)");
}

}  // namespace mixlab::bandit
