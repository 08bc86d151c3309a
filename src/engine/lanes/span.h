// Few arms in many dimensions. What policies and sets do does not depend on the axes, and nothing happens outside the span of
// the arms, where theta* merely has a part that never changes. So on axes that begin in that span, K + 1 numbers tell all.
#pragma once

#include "tables.h"

namespace mixlab::engine::lanes {

/// theta* and the K arms on K axes that span them and one more along the rest of theta*, which has no other part.
Instance on_axes_of_arms(Instance instance, int p);

/// The way back.
class OldAxes {
 public:
  /// `arms`: the K arms as they were; `now`: what became of them and of theta*.
  OldAxes(std::vector<double> arms, Instance now, int p) : arms_(std::move(arms)), now_(std::move(now)), p_(p) {}

  /// A vector in the span of the arms; an arm itself to the last bit.
  std::vector<double> operator()(const std::vector<double>& x) const;

 private:
  std::vector<double> arms_;
  Instance now_;
  int p_;
};

}  // namespace mixlab::engine::lanes
