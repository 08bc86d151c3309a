#include "sphere.h"

namespace mixlab::bandit {

void register_sphere() {
  arm_families().add({.name = "sphere",
                      .summary = "sphere:K, K independent uniform unit vectors",
                      .formula = "x_k = g_k/||g_k||, g_k ~ N(0, I_p)",
                      .source = ""},
                     [](int p, const std::vector<std::string>& arguments, study::Attachments&) {
                       return std::make_unique<Sphere>(p, count_argument("sphere", arguments), Arms::Kind::fixed);
                     });
}

}  // namespace mixlab::bandit
