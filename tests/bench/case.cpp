#include "case.h"

#include <algorithm>
#include <stdexcept>

namespace mixlab::bench {
namespace {

std::string size_name(int p, int K) {
  return std::to_string(p) + "," + std::to_string(K);
}

/// What the baseline does: ridge regression without delay, one set.
Case ridge(int p, int K, double at_least) {
  return {.name = size_name(p, K) + " ridge",
          .p = p,
          .K = K,
          .at_least = at_least,
          .policy = "name = linucb\nset = oful",
          .monitor = "oful"};
}

/// Sizes for which the engines might not be made: few arms, and as many as there are dimensions.
Case large(int p, int K) {
  return {.name = size_name(p, K), .p = p, .K = K, .like = size_model, .at_most = 2.5};
}

}  // namespace

std::string Case::study_text(int horizon) const {
  return "[study]\nhorizon = " + std::to_string(T > 0 ? std::min(T, horizon) : horizon) +
         "\n[problem]\ndimension = " + std::to_string(p) + "\narms = " + arms +
         (arms == "ball" ? "" : ":" + std::to_string(K)) + "\nnorm_bound = 1\ntheta_norm = 1\n[noise]\n" + noise +
         "\n[policy]\n" + policy + "\n[confidence]\ndelay = 20\nmonitor = " + monitor + "\n";
}

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = {
      {.name = "2,8", .p = 2, .K = 8, .most = 720},
      {.name = "2,20", .p = 2, .K = 20},
      {.name = "5,20", .p = 5, .K = 20},
      {.name = "10,20", .p = 10, .K = 20, .most = 3500, .at_least = 0.9},
      {.name = "20,20", .p = 20, .K = 20},
      {.name = "32,20", .p = 32, .K = 20},
      {.name = "32,40", .p = 32, .K = 40},
      {.name = "10,100", .p = 10, .K = 100, .most = 6900},
      {.name = "32,100", .p = 32, .K = 100, .most = 29300},
      {.name = "10,20 one set", .p = 10, .K = 20, .like = "10,20", .monitor = "paper"},
      {.name = "10,20 selfnorm", .p = 10, .K = 20, .monitor = "selfnorm"},
      {.name = "10,20 telescope", .p = 10, .K = 20, .like = "10,20 selfnorm", .at_most = 1, .monitor = "telescope"},
      {.name = "10,20 lag 90", .p = 10, .K = 20, .policy = "name = mixing-linucb\nset = anytime-telescope\ndelay = 90"},
      {.name = "10,20 schedule",
       .p = 10,
       .K = 20,
       .like = "10,20 lag 90",
       .at_most = 1.15,
       .policy = "name = mixing-linucb\nset = anytime-telescope\ndelay = schedule:geometric"},
      {.name = "10,20 linucb", .p = 10, .K = 20, .most = 4450, .like = "10,20", .policy = "name = linucb"},
      {.name = "10,20 thompson", .p = 10, .K = 20, .like = "10,20", .policy = "name = thompson"},
      {.name = "10,20 fresh", .p = 10, .K = 20, .like = "10,20", .arms = "fresh"},
      {.name = "10,20 T=200", .p = 10, .K = 20, .T = 200, .like = "10,20"},
      {.name = "10,20 T=1000", .p = 10, .K = 20, .T = 1000, .like = "10,20"},
      {.name = "10,20 T=3000", .p = 10, .K = 20, .T = 3000, .like = "10,20"},
      large(33, 20),
      large(33, 40),
      large(40, 40),
      large(48, 50),
      large(64, 70),
      large(96, 100),
      large(128, 20),
      large(128, 150),
      {.name = "2 ball", .p = 2, .K = 20, .like = "2,20", .at_most = 5, .arms = "ball"},
      {.name = "10 ball", .p = 10, .K = 20, .like = "10,20", .at_most = 5, .arms = "ball"},
      {.name = "32 ball", .p = 32, .K = 40, .like = "32,40", .at_most = 5, .arms = "ball"},
      {.name = "2,8 ellipsoid_ball",
       .p = 2,
       .K = 8,
       .like = "2,8",
       .at_most = 5,
       .policy = "name = mixing-linucb\nucb = ellipsoid_ball"},
      {.name = "10,20 ellipsoid_ball",
       .p = 10,
       .K = 20,
       .like = "10,20",
       .at_most = 5,
       .policy = "name = mixing-linucb\nucb = ellipsoid_ball"},
      {.name = "32,20 ellipsoid_ball",
       .p = 32,
       .K = 20,
       .like = "32,20",
       .at_most = 5,
       .policy = "name = mixing-linucb\nucb = ellipsoid_ball"},
      {.name = "2,8 sign-chasing", .p = 2, .K = 8, .like = "2,8", .at_most = 3, .noise = "process = sign-chasing"},
      {.name = "10,20 sign-chasing",
       .p = 10,
       .K = 20,
       .like = "10,20",
       .at_most = 3,
       .noise = "process = sign-chasing"},
      {.name = "2,8 gaussian", .p = 2, .K = 8, .like = "2,8", .noise = "process = iid\nlaw = gaussian"},
      {.name = "2,8 algebraic", .p = 2, .K = 8, .like = "2,8", .noise = "process = algebraic"},
      {.name = "2,8 algebraic-fft", .p = 2, .K = 8, .like = "2,8", .noise = "process = algebraic\ngenerator = fft"},
      ridge(2, 8, 1.2),
      ridge(5, 20, 1.2),
      ridge(10, 20, 1.2),
      ridge(20, 20, 1.2),
      ridge(10, 100, 1.2),
      ridge(32, 100, 1.1),
  };
  return cases;
}

const Case& case_named(const std::string& name) {
  const auto found =
      std::find_if(all_cases().begin(), all_cases().end(), [&](const Case& c) { return c.name == name; });
  if (found == all_cases().end()) throw std::runtime_error("unknown case '" + name + "'; see --help");
  return *found;
}

bool fits_size_model(const Case& which) {
  return which.p >= 10 && which.p <= 32 && which.K >= which.p && which.name == size_name(which.p, which.K);
}

}  // namespace mixlab::bench
