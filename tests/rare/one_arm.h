// One arm, one dimension, sticky signs: (sum of the noise, its last value) is a Markov chain on the integers, so the
// probability of ever leaving a set is computed exactly, by absorption. Written from MATHEMATICS.md, B.2, A.2, E.2 and
// E.3, without the sets of the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "mixlab/engine/experiment.h"

namespace mixlab {

struct OneArm {
  double rho = 0.9;
  int d = 12;  ///< more than 2: the formulas below
  int T = 1500;
  double theta = 0.9;

  /// P(q_t > radius2(t) for some t <= T), q_t = distance2(t, sum of the noise).
  double miss(const std::function<double(double t, double sum)>& distance2,
              const std::function<double(double t)>& radius2) const {
    const double stay = (1 + rho) / 2;
    const int zero = T + 2;  // where the sum 0 lies
    const auto size = static_cast<std::size_t>(2 * zero + 1);
    std::vector<double> plus(size), minus(size), next_plus(size), next_minus(size);  // not absorbed, by last sign
    double missed = 0;
    for (int t = 1; t <= T; ++t) {
      const double limit = radius2(t);
      for (int sum = -t; sum <= t; sum += 2) {
        const auto at = static_cast<std::size_t>(zero + sum);
        double up = stay * plus[at - 1] + (1 - stay) * minus[at - 1];
        double down = stay * minus[at + 1] + (1 - stay) * plus[at + 1];
        if (t == 1) up = sum == 1 ? 0.5 : 0, down = sum == -1 ? 0.5 : 0;
        const bool outside = distance2(t, sum) > limit;
        if (outside) missed += up + down;
        next_plus[at] = outside ? 0 : up;
        next_minus[at] = outside ? 0 : down;
      }
      for (int sum = -t - 1; sum <= t + 1; sum += 2) {  // the other parity
        const auto at = static_cast<std::size_t>(zero + sum);
        next_plus[at] = next_minus[at] = 0;
      }
      plus.swap(next_plus);
      minus.swap(next_minus);
    }
    return missed;
  }

  /// E.3 with lambda = d, B = sigma = 1.
  double selfnorm(double delta) const {
    const double lambda = d, phi = std::pow(rho, d);
    return miss(
        [&](double t, double sum) {
          const double error = (t * theta + sum) / (t + lambda) - theta;
          return error * error * (t + lambda);
        },
        [&](double t) {
          const double blocks = std::min<double>(t, d);
          const double radius = phi * std::sqrt(std::max(0.0, t - d)) +
                                std::sqrt(lambda + d * std::log1p(t / lambda) + 2 * (d + blocks * std::log(1 / delta)));
          return radius * radius;
        });
  }

  /// (A6) with lambda = B = sigma = 1 and no bias.
  double tight(double delta) const {
    const auto regret = [](double k) {
      if (k == 0) return 0.0;
      return std::log(2.0) + (k <= 3 ? k / 6 : 0.5 * std::log(k / 3) + 0.5);
    };
    return miss(
        [&](double t, double sum) {
          const double error = std::clamp(theta + sum / t, -1.0, 1.0) - theta;
          return error * error * (t + 1);
        },
        [&](double t) {
          double regrets = 0;
          for (int j = 1; j <= d; ++j) regrets += regret(std::floor((t - j) / d) + 1);
          return 2 * regrets + 4 + 2 * std::min<double>(t, d) * std::log(1 / delta) + 2 * d;
        });
  }

  /// The same as a study, its one cell resolved; phi = 0 for tight.
  engine::Experiment experiment(const std::string& set) const {
    const std::string text = "[study]\ntrajectories = 10\nhorizon = " + std::to_string(T) +
                             "\n[problem]\ndimension = 1\narms = basis\ntheta = " + std::to_string(theta) +
                             "\n[noise]\nprocess = sticky\nrho = " + std::to_string(rho) +
                             "\n[policy]\nname = round-robin\ndelay = " + std::to_string(d) +
                             "\n[confidence]\ndelay = " + std::to_string(d) + "\nmonitor = " + set +
                             (set == "tight" ? "\nphi = 0\n" : "\n");
    return std::move(engine::make_experiments(study::Study(study::parse_study_text(text, "one-arm.cfg"))).front());
  }
};

}  // namespace mixlab
