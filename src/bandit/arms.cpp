#include "mixlab/bandit/arms.h"

#include "mixlab/bandit/problem.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/random/sampler.h"

namespace mixlab::bandit {
namespace {

constexpr std::int64_t largest_n_arms = 100000;

}  // namespace

Registry<MakeArms>& arm_families() {
  static Registry<MakeArms> registry(Kind::arms);
  return registry;
}

std::unique_ptr<const Arms> make_arms(const std::string& text, int p, const Attachments& files) {
  auto pieces = split(text, ':');
  const std::string family = pieces.front();
  pieces.erase(pieces.begin());
  const MakeArms* make = arm_families().find(family);
  if (!make) throw KeyError("problem.arms", "bad value for problem.arms: " + unknown_name(Kind::arms, family));
  return (*make)(p, pieces, files);
}

int count_argument(const std::string& family, const std::vector<std::string>& arguments) {
  const auto count = arguments.size() == 1 ? parse_integer(arguments[0]) : std::nullopt;
  if (!count || *count < 1 || *count > largest_n_arms)
    throw KeyError("problem.arms", "bad value for problem.arms: '" + family +
                                       (arguments.empty() ? "" : ":" + arguments[0]) + "' (must be " + family +
                                       ":K with K from 1 to " + std::to_string(largest_n_arms) + "); for instance " +
                                       family + ":8");
  return static_cast<int>(*count);
}

arma::vec draw_direction(int p, random::Stream& stream) {
  arma::vec direction(static_cast<arma::uword>(p));
  double norm = 0;
  while (norm == 0) {
    for (double& component : direction) component = random::normal(stream.next());
    norm = std::sqrt(portable_dot(direction, direction));
  }
  return direction / norm;
}

}  // namespace mixlab::bandit
