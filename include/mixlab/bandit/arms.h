// Families of arms: the decision set, written `family` or `family:K` in a study.
#pragma once

#include <armadillo>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mixlab/core/attachments.h"
#include "mixlab/core/catalogue.h"
#include "mixlab/random/stream.h"

namespace mixlab::bandit {

class Arms {
 public:
  enum class Kind {
    fixed,  ///< the same arms in all rounds of a trajectory
    fresh,  ///< new arms every round, drawn without looking at the noise
    ball,   ///< every vector of the unit ball
  };
  virtual ~Arms() = default;
  virtual Kind kind() const { return Kind::fixed; }
  /// Of fresh arms: whether draw is random::draw_directions, which every engine knows.
  virtual bool uniform_directions() const { return false; }
  /// 0 for the ball.
  virtual int n_arms() const = 0;
  /// Whether instances differ in their arms.
  virtual bool random() const { return true; }
  /// The gap between the best and the second best mean, if it is the same in every instance; else 0.
  virtual double minimum_gap() const { return 0; }
  /// p x n_arms(), every column of norm at most 1.
  virtual arma::mat draw(const arma::vec& theta, random::Stream& stream) const = 0;
};

/// What stands behind the name: for "circle:8" the one argument "8".
using MakeArms = std::function<std::unique_ptr<const Arms>(int p, const std::vector<std::string>& arguments,
                                                           const Attachments& files)>;
Registry<MakeArms>& arm_families();

/// From the study's text, e.g. "circle:8"; throws KeyError for problem.arms or problem.dimension.
std::unique_ptr<const Arms> make_arms(const std::string& text, int p, const Attachments& files);

/// The single argument K >= 1 of a family; throws KeyError.
int count_argument(const std::string& family, const std::vector<std::string>& arguments);

/// A uniformly distributed unit vector.
arma::vec draw_direction(int p, random::Stream& stream);

}  // namespace mixlab::bandit
