// The telescope: conditional means split over lags, each with as many blocks as it needs. MATHEMATICS.md F.1.
#include "telescope.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "dispersed.h"
#include "mixing.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"

namespace mixlab::bandit {
namespace {

constexpr double worth_equal_steps = 1.01;  ///< on the squared radius at the horizon

[[noreturn]] void bad_lags(const std::string& value, const std::string& rule) {
  throw KeyError("confidence.lags", "bad value for confidence.lags: '" + value + "' (must be " + rule +
                                        "); for instance auto, step:12 or 0 12 24 36");
}

std::int64_t parse_step(const std::string& text, std::int64_t d) {
  const auto step = parse_integer(text.substr(5));
  if (!step || *step < 1 || *step > d) bad_lags(text, "step:M with M from 1 to the delay " + std::to_string(d));
  return *step;
}

/// The given lags as far as the delay allows.
std::vector<std::int64_t> parse_lags(const std::string& text, std::int64_t d) {
  std::vector<std::int64_t> lags;
  for (const auto& piece : split_blanks(text)) {
    const auto lag = parse_integer(piece);
    if (!lag || (lags.empty() ? *lag != 0 : *lag <= lags.back()))
      bad_lags(text, "auto, step:M, or lags that begin with 0 and increase");
    if (*lag <= d) lags.push_back(*lag);
  }
  if (lags.size() < 2) bad_lags(text, "lags of which at least one is from 1 to the delay " + std::to_string(d));
  return lags;
}

/// Of the set with its default lambda, at the horizon and with the largest determinant; without a horizon D stands for it.
double final_radius2(const TelescopeRadius& radius, const SetConstants& c) {
  if (c.T == 0) return radius.D();
  const double lambda = c.p * radius.D() / (c.B * c.B);
  return radius2_of(radius.terms(c.T, lambda, c.B), largest_logdet(c.p, lambda, c.T), c.delta);
}

/// Paths in fields of one kind, for one certificate.
class PathChoice {
 public:
  PathChoice(const SetConstants& constants, noise::Fields fields) : c_(constants), fields_(fields) {}

  TelescopeRadius choose(const std::string& lags) const {
    if (lags.starts_with("step:")) return radius(equal_steps(*c_.lags, c_.d, parse_step(lags, c_.d), fields_));
    if (lags != "auto") return radius(given_lags(*c_.lags, parse_lags(lags, c_.d), fields_));
    const TelescopeRadius shortest = radius(c_.lags->shortest_path(c_.d, fields_));
    if (shortest.path().step > 0) return shortest;
    std::set<std::int64_t> widths;
    for (const LagLevel& level : shortest.path().levels) widths.insert(level.width);
    std::optional<TelescopeRadius> equal;
    for (const std::int64_t width : widths) {
      TelescopeRadius candidate = radius(equal_steps(*c_.lags, c_.d, width, fields_));
      if (!equal || final_radius2(candidate, c_) < final_radius2(*equal, c_)) equal = std::move(candidate);
    }
    const bool good = equal && final_radius2(*equal, c_) <= worth_equal_steps * final_radius2(shortest, c_);
    return good ? *equal : shortest;
  }

 private:
  TelescopeRadius radius(const LagPath& path) const {
    return {path, c_.lags->bias(path.end), c_.parameters.has("shrink") ? c_.parameters.real("shrink") : 1};
  }

  const SetConstants& c_;
  noise::Fields fields_;
};

class Telescope final : public AnalyticSet {
 public:
  explicit Telescope(const SetConstants& constants) : AnalyticSet(constants), radius_(make_telescope(constants)) {}
  Centre centre() const override { return Centre::ridge; }
  RadiusTerms terms(std::int64_t t) const override { return radius_.terms(t, constants().lambda, constants().B); }

  std::string why_not_guaranteed(const Collection& collection) const override {
    SetConstants c = constants();
    c.d = radius_.path().end;
    c.phi = radius_.bias();
    return why_no_telescope(c, collection);
  }

 private:
  TelescopeRadius radius_;
};

std::unique_ptr<const ConfidenceSet> make_telescope_set(const SetConstants& constants) {
  if (asks_for_dispersion(constants)) return make_dispersed(constants, make_telescope(constants));
  return std::make_unique<Telescope>(constants);
}

}  // namespace

std::string why_no_telescope(const SetConstants& c, const Collection& collection) {
  if (c.parameters.has("shrink") && c.parameters.real("shrink") != 1)
    return "D is multiplied by shrink = " + to_text(c.parameters.real("shrink"));
  if (c.lags && c.lags->factor() < 1) return "phi is set below what is certified, at every lag";
  return needs_lag_and_phi(c, collection);
}

TelescopeRadius::TelescopeRadius(LagPath path, double bias, double shrink)
    : path_(std::move(path)), bias_(bias), D_(shrink * path_.D()) {
  const bool single = path_.levels.size() == 1;
  const double root_D = std::sqrt(path_.D());
  const auto share = [&](const LagLevel& level) {  // w_j
    return single ? 1 : level.proxy * std::sqrt(static_cast<double>(level.width)) / root_D;
  };
  const auto per_round = [&](const LagLevel& level) {  // 2 D w_j/n_j
    return 2 * shrink * level.proxy * (single ? level.proxy : root_D / std::sqrt(static_cast<double>(level.width)));
  };
  const auto union_cost = [&](const LagLevel& level) {
    return std::log(static_cast<double>(level.width) / share(level));
  };
  double H = 0;
  for (const LagLevel& level : path_.levels) H += share(level) * union_cost(level);
  active_ = sum_by_round(per_round);
  if (H < 1) union_cost_ = sum_by_round([&](const LagLevel& level) { return per_round(level) * union_cost(level); });
}

/// The weight of a level times the number of its rounds up to t. One-sided: its rounds are l_j + 1 to l_{j+1}, after
/// those of the levels before; two-sided: 1 to n_j.
template <class Weight>
std::vector<double> TelescopeRadius::sum_by_round(Weight weight) const {
  std::vector<double> sums = {0};
  if (path_.fields == noise::Fields::one_sided) {
    for (const LagLevel& level : path_.levels) {
      sums.resize(static_cast<std::size_t>(level.lag + 1), sums.back());  // levels without proxy weigh nothing
      const double before = sums.back();
      for (std::int64_t n = 1; n <= level.width; ++n) sums.push_back(before + weight(level) * static_cast<double>(n));
    }
    return sums;
  }
  for (const LagLevel& level : path_.levels)
    sums.resize(std::max(sums.size(), static_cast<std::size_t>(level.width + 1)));
  for (const LagLevel& level : path_.levels)
    for (std::size_t t = 1; t < sums.size(); ++t)
      sums[t] += weight(level) * static_cast<double>(std::min<std::int64_t>(level.width, static_cast<std::int64_t>(t)));
  return sums;
}

RadiusTerms TelescopeRadius::terms(std::int64_t t, double lambda, double B) const {
  const auto at = [&](const std::vector<double>& sums) {
    return sums[std::min(sums.size() - 1, static_cast<std::size_t>(t))];
  };
  const std::int64_t biased = path_.fields == noise::Fields::two_sided ? t : std::max<std::int64_t>(0, t - path_.end);
  return {.bias = biased == 0 ? 0 : bias_ * std::sqrt(static_cast<double>(biased)),
          .constant = lambda * B * B + (union_cost_.empty() ? 2 * D_ : at(union_cost_)),
          .per_logdet = D_,
          .per_log_delta = at(active_)};
}

TelescopeRadius make_telescope(const SetConstants& c) {
  if (!c.lags) return {{.levels = {{.lag = 0, .width = c.d, .proxy = c.sigma}}, .end = c.d}, c.phi};
  const std::string lags = c.parameters.has("lags") ? c.parameters.text("lags") : "auto";
  TelescopeRadius radius = PathChoice(c, noise::Fields::one_sided).choose(lags);
  const bool by_phi = c.parameters.has("proxies") && c.parameters.text("proxies") == "phi";
  if (by_phi || !std::isfinite(c.lags->proxy(0, 1, noise::Fields::two_sided))) return radius;
  TelescopeRadius two_sided = PathChoice(c, noise::Fields::two_sided).choose(lags);
  return final_radius2(two_sided, c) < final_radius2(radius, c) ? two_sided : radius;
}

std::vector<Parameter> telescope_parameters() {
  return {Parameter::text("lags", "auto", "path of a telescope: auto, step:M, or lags such as 0 12 24 36"),
          Parameter::text("proxies", "certified", "of a telescope: the best that is certified, or from phi alone")
              .one_of({"certified", "phi"}),
          Parameter::real("shrink", "1", "factor on D of a telescope; another than 1 is a negative control")
              .above(0)
              .at_most(1e6)};
}

void register_telescope() {
  auto parameters = telescope_parameters();
  parameters.push_back(dispersion_parameter());
  confidence_sets().add(
      {.name = "telescope",
       .summary = "conditional means split over lags: the long-run variance in place of the delay",
       .formula =
           std::string("||theta - theta_ridge||_V <= b_t + sqrt(lambda B^2 + D (log det(I + Lambda/lambda) + 2 "
                       "A_t log(1/delta) + 2)),  D = (sum_j s_j sqrt(n_j))^2 over lags 0 = l_0 < l_1 < ... <= d, "
                       "n_j = l_{j+1} - l_j;  b_t = phi_d sqrt((t-d)_+), A_t <= 1") +
           dispersion_formula + ", g the greatest common divisor of the n_j",
       .source = "MATHEMATICS.md (F4)",
       .parameters = parameters},
      {.make = make_telescope_set,
       .default_lambda = [](const SetConstants& c) { return c.p * make_telescope(c).D() / (c.B * c.B); },
       .radius_exponent =
           [](double g, double r) {
             return std::max({std::max(0.0, 1 - 2 * r) * g / 2, 0.5 - r * g});
           },
       .best_delay_growth = [](double r) { return 1 / (1 + r); }});
}

}  // namespace mixlab::bandit
