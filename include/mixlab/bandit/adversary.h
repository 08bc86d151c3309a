// Adversaries: who chooses, round by round, which of the arms are on offer. MATHEMATICS.md I.
#pragma once

#include <armadillo>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mixlab::bandit {

/// On one trajectory. Before round t it is shown the samples up to t - K, in order, and nothing else.
class Adversary {
 public:
  virtual ~Adversary() = default;
  virtual void see(const arma::vec& x, double y, double eps) = 0;
  /// Indices of the arms on offer in the next round, in order, one at least.
  virtual arma::uvec offer(const arma::mat& arms) const = 0;
};

/// `adversary` of [problem], other than none.
class AdversaryRule {
 public:
  enum class Kind {
    sign,  ///< only arms whose mean has another sign than the noise of K rounds ago, if there are any
    best,  ///< all but the one that looks best at the ridge estimate of K rounds ago
  };

  AdversaryRule(Kind kind, std::int64_t lag) : kind_(kind), lag_(lag) {}

  std::int64_t lag() const { return lag_; }  ///< K
  /// `lambda`: of the ridge estimate.
  std::unique_ptr<Adversary> start(const arma::vec& theta_star, double lambda) const;

 private:
  Kind kind_;
  std::int64_t lag_;
};

/// `text`: none, sign:K or best:K; throws KeyError for problem.adversary.
std::optional<AdversaryRule> parse_adversary(const std::string& text);

}  // namespace mixlab::bandit
