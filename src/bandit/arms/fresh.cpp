#include "sphere.h"

namespace mixlab::bandit {

void register_fresh() {
  arm_families().add({.name = "fresh",
                      .summary = "fresh:K, K independent uniform unit vectors, new ones every round",
                      .formula = "x_{t,k} = g_{t,k}/||g_{t,k}||, g_{t,k} ~ N(0, I_p)",
                      .source = ""},
                     [](int p, const std::vector<std::string>& arguments, study::Attachments&) {
                       return std::make_unique<Sphere>(p, count_argument("fresh", arguments), Arms::Kind::fresh);
                     });
}

}  // namespace mixlab::bandit
