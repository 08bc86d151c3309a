// The radius of a telescope (MATHEMATICS.md (F4)) on a given path of lags.
#pragma once

#include <vector>

#include "mixlab/bandit/confidence_set.h"

namespace mixlab::bandit {

class TelescopeRadius {
 public:
  /// `bias`: phi at the end of the path. `shrink`: factor on D.
  TelescopeRadius(LagPath path, double bias, double shrink = 1);

  const LagPath& path() const { return path_; }
  double D() const { return D_; }
  double bias() const { return bias_; }

  // b_t + sqrt(lambda B^2 + D (logdet + 2 A_t log(1/delta) + 2)), or by the union bound where that is cheaper
  RadiusTerms terms(std::int64_t t, double lambda, double B) const;

 private:
  template <class Weight>
  std::vector<double> sum_by_round(Weight weight) const;

  LagPath path_;
  double bias_;
  double D_;
  std::vector<double> active_;      ///< 2 D A_t by t, up to the round from which on it is the same
  std::vector<double> union_cost_;  ///< 2 D sum_j w_j a_j(t) log(n_j/w_j); empty: blocks are merged as in E.2
};

/// What `lags`, `proxies` and `shrink` of [confidence] say, for the delay and the noise of `constants`.
TelescopeRadius make_telescope(const SetConstants& constants);
std::vector<Parameter> telescope_parameters();
/// Why the theory does not cover a telescope with these constants, d and phi being those of the end of its path.
std::string why_no_telescope(const SetConstants& constants, const Collection& collection);

}  // namespace mixlab::bandit
