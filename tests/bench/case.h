// What is measured.
#pragma once

#include <string>
#include <vector>

namespace mixlab::bench {

struct Case {
  std::string name;
  int p = 2;
  int K = 8;
  int T = 0;              ///< 0: as asked for
  double most = 0;        ///< instructions per group of four lanes and round it must not exceed; 0: none
  std::string like = {};  ///< a neighbour
  double at_most = 0;     ///< times its cost; 0: no limit
  double at_least = 0;    ///< times the speed of the baseline of the same p and K; 0: not compared
  std::string arms = "sphere";
  std::string noise = "process = sticky\nrho = 0.9";
  std::string policy = "name = mixing-linucb";
  std::string monitor = "paper proof tight selfnorm oful otc theorem1 excess-loss";

  /// A study of T rounds: delay 20, and the norm of theta* = B so that the constraint is active.
  std::string study_text(int T) const;
};

/// Horizon at most where the reference engine runs a case: its rounds all cost the same.
inline constexpr int most_reference_rounds = 500;

/// What a neighbour may be that is no case: the cost a p^2 + b p K, fitted to cases of p <= 32 whose arms span the space (fewer
/// arms are played on fewer axes).
inline constexpr const char* size_model = "a p^2 + b p K";

const std::vector<Case>& all_cases();
/// Throws std::runtime_error.
const Case& case_named(const std::string& name);
/// Whether it is one of those that the size model is fitted to.
bool fits_size_model(const Case& which);

}  // namespace mixlab::bench
