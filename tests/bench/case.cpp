#include "case.h"

namespace mixlab::bench {

std::string Case::study_text(int T) const {
  return "[study]\nhorizon = " + std::to_string(T) + "\n[problem]\ndimension = " + std::to_string(p) +
         "\narms = " + arms + ":" + std::to_string(K) +
         "\nnorm_bound = 1\ntheta_norm = 1\n[noise]\nprocess = sticky\nrho = 0.9\n[policy]\n" + policy +
         "\n[confidence]\ndelay = 20\nmonitor = " + monitor + "\n";
}

double Case::ideal_fmas() const {
  const double widths = arms == "fresh" ? p * (p + 3) / 2.0 : p;
  return K * (p + widths + 3) + 2 * (p * p + p * (p + 1) / 2.0) + p * p + 5 * p + 15 * p;
}

const std::vector<Case>& all_cases() {
  static const std::vector<Case> cases = {
      {.name = "2,8", .p = 2, .K = 8, .limit = 660},
      {.name = "5,20", .p = 5, .K = 20, .limit = 1500},
      {.name = "10,20", .p = 10, .K = 20, .limit = 3500},
      {.name = "20,20", .p = 20, .K = 20, .limit = 10300},
      {.name = "10,100", .p = 10, .K = 100, .limit = 6900},
      {.name = "32,100", .p = 32, .K = 100, .limit = 29000},
      {.name = "10,20 one set", .p = 10, .K = 20, .monitor = "paper"},
      {.name = "10,20 linucb", .p = 10, .K = 20, .limit = 4300, .policy = "name = linucb"},
      {.name = "10,20 fresh", .p = 10, .K = 20, .limit = 12000, .arms = "fresh"},
  };
  return cases;
}

}  // namespace mixlab::bench
