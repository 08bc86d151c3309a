// What is measured.
#pragma once

#include <string>
#include <vector>

namespace mixlab::bench {

struct Case {
  std::string name;
  int p = 2;
  int K = 8;
  double limit = 0;  ///< FMA slots per trajectory-round it must not exceed; 0: none
  std::string arms = "sphere";
  std::string policy = "name = mixing-linucb";
  std::string monitor = "paper proof tight selfnorm oful otc theorem1 excess-loss";

  /// A study of T rounds: delay 20, and the norm of theta* = B so that the constraint is active.
  std::string study_text(int T) const;
  /// Multiply-adds of an ideal round: means and widths of K arms, V^{-1} and M by rank-one steps and products with
  /// them, one sweep of the constrained estimate, some 15 operations a component for everything else.
  ///   F = 2pK + 3K + 2 [p^2 + p(p+1)/2] + [p^2 + 5p] + 15p
  /// Arms that change every round need their widths from scratch, p(p+3)/2 per arm, in place of p.
  double ideal_fmas() const;
};

const std::vector<Case>& all_cases();

}  // namespace mixlab::bench
