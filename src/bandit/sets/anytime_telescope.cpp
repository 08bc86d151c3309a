// A telescope without a horizon: its path of lags never ends, and the policy's lag grows along it. MATHEMATICS.md G.2.
#include <algorithm>
#include <cmath>

#include "mixing.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "telescope.h"

namespace mixlab::bandit {
namespace {

/// The certified path with the least D, or the one that `lags` and `proxies` ask for.
InfiniteLagPath choose_infinite_path(const SetConstants& c) {
  if (!c.lags) return {.step = c.d, .D = c.sigma * c.sigma * static_cast<double>(c.d)};
  const std::string lags = c.parameters.has("lags") ? c.parameters.text("lags") : "auto";
  const auto step = lags.starts_with("step:") ? parse_integer(lags.substr(5)) : std::nullopt;
  if (lags != "auto" && (!step || *step < 1))
    throw KeyError("confidence.lags", "bad value for confidence.lags: '" + lags +
                                          "' (must be auto or step:M for anytime-telescope, whose lags never end); "
                                          "for instance step:12");
  const auto in = [&](noise::Fields fields) {
    return step ? infinite_path(*c.lags, *step, fields) : best_infinite_path(*c.lags, fields);
  };
  const InfiniteLagPath one_sided = in(noise::Fields::one_sided);
  if (c.parameters.has("proxies") && c.parameters.text("proxies") == "phi") return one_sided;
  const InfiniteLagPath two_sided = in(noise::Fields::two_sided);
  return two_sided.D < one_sided.D ? two_sided : one_sided;
}

InfiniteLagPath require_infinite_path(const SetConstants& c) {
  const InfiniteLagPath path = choose_infinite_path(c);
  if (!path.exists())
    throw KeyError("noise.process",
                   "no anytime-telescope for this noise (its dependence must have a finite sum over all lags, as with "
                   "geometric mixing, linear processes or a finite memory); watch chains instead");
  return path;
}

double shrink_of(const SetConstants& c) {
  return c.parameters.has("shrink") ? c.parameters.real("shrink") : 1;
}

class AnytimeTelescope final : public AnalyticSet {
 public:
  explicit AnytimeTelescope(const SetConstants& constants)
      : AnalyticSet(constants),
        schedule_(constants.schedule ? *constants.schedule : LagSchedule(constants.d)),
        path_(require_infinite_path(constants)),
        D_(shrink_of(constants) * path_.D) {
    add_stretch(schedule_.n_data_free() + 1);
    for (const std::int64_t t : schedule_.growth()) add_stretch(t);
  }
  Centre centre() const override { return Centre::ridge; }

  // b_t + sqrt(lambda B^2 + D (logdet + 2 log(1/delta) + 2))
  RadiusTerms terms(std::int64_t t) const override {
    return {.bias = std::sqrt(bias2(t)),
            .constant = constants().lambda * constants().B * constants().B + 2 * D_,
            .per_logdet = D_,
            .per_log_delta = 2 * D_};
  }

  std::string why_not_guaranteed(const Collection& collection) const override {
    SetConstants c = constants();
    if (collection.schedule.n_data_free() < path_.step)
      return "lag " + std::to_string(collection.schedule.n_data_free()) + " of the policy is below the first lag " +
             std::to_string(path_.step) + " of the path";
    c.d = collection.schedule.n_data_free() / path_.step * path_.step;
    c.phi = c.lags ? c.lags->bias(c.d) : c.phi;
    return why_no_telescope(c, collection);
  }

 private:
  /// Rounds of one lag, with the bias of the last lag of the path that it reaches.
  struct Stretch {
    std::int64_t first = 1;
    double bias2_before = 0;  ///< sum over the rounds before
    double bias2_per_round = 0;
  };

  void add_stretch(std::int64_t first) {
    const std::int64_t reached = schedule_.at(first) / path_.step * path_.step;
    const double bias = reached == 0       ? constants().sigma
                        : constants().lags ? constants().lags->bias(reached)
                                           : constants().phi;
    stretches_.push_back({first, stretches_.empty() ? 0 : bias2(first - 1), bias * bias});
  }

  double bias2(std::int64_t t) const {
    const auto next =
        std::upper_bound(stretches_.begin(), stretches_.end(), t,
                         [](std::int64_t round, const Stretch& stretch) { return round < stretch.first; });
    if (next == stretches_.begin()) return 0;
    const Stretch& stretch = *std::prev(next);
    if (stretch.bias2_per_round == 0) return stretch.bias2_before;
    return stretch.bias2_before + stretch.bias2_per_round * static_cast<double>(t - stretch.first + 1);
  }

  LagSchedule schedule_;
  InfiniteLagPath path_;
  double D_;
  std::vector<Stretch> stretches_;
};

}  // namespace

void register_anytime_telescope() {
  confidence_sets().add(
      {.name = "anytime-telescope",
       .summary = "telescope for a lag that grows with t: no horizon is needed",
       .formula = "||theta - theta_ridge||_V <= b_t + sqrt(lambda B^2 + D (log det(I + Lambda/lambda) + 2 "
                  "log(1/delta) + 2)),  D = n (sum_j s_j)^2 over all lags 0, n, 2n, ...;  b_t^2 = sum of phi^2 at the "
                  "last lag up to d(s) over the rounds s <= t with s > d(s)",
       .source = "MATHEMATICS.md (G3)",
       .parameters = telescope_parameters()},
      {.make = [](const SetConstants& constants) { return std::make_unique<AnytimeTelescope>(constants); },
       .default_lambda =
           [](const SetConstants& c) { return c.p * shrink_of(c) * require_infinite_path(c).D / (c.B * c.B); },
       .radius_exponent = [](double g, double r) { return std::max(0.0, 0.5 - r * g); },
       .schedule_step = [](const SetConstants& c) { return choose_infinite_path(c).step; },
       .best_delay_growth = [](double r) { return 1 / (1 + r); }});
}

}  // namespace mixlab::bandit
