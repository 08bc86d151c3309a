// A telescope for sticky signs whose correlation nobody knows: flips that are seen rule out all but the classes that are
// large enough. MATHEMATICS.md H.2.
#include <array>
#include <cmath>
#include <numbers>

#include "mixing.h"
#include "mixlab/core/text.h"
#include "telescope.h"

namespace mixlab::bandit {
namespace {

constexpr std::array sticky_grid = {0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.875, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98};
constexpr double prior_flips = 1, prior_stays = 9;  ///< of the Beta prior on the probability of a flip

/// All sticky signs with a correlation up to rho.
struct StickyClass {
  double rho = 0;
  TelescopeRadius radius;

  double flip() const { return (1 - rho) / 2; }  ///< the least probability of one
};

/// The one-sided path with the least D to lag d: its proxies and its bias grow with rho, so that it serves smaller ones.
StickyClass make_class(double rho, const SetConstants& c) {
  Values parameters;
  parameters.set("rho", rho);
  const auto noise = (*noise::processes().find("sticky"))({parameters, 1, Attachments()});
  const LagCertificate lags(*noise, c.sigma);
  return {rho, TelescopeRadius(lags.shortest_path(c.d, noise::Fields::one_sided), lags.bias(c.d))};
}

double largest_rho(const SetConstants& c) {
  return c.parameters.has("rho_max") ? c.parameters.real("rho_max") : sticky_grid.back();
}

std::vector<StickyClass> make_classes(const SetConstants& c) {
  std::vector<StickyClass> classes;
  for (const double rho : sticky_grid)
    if (rho < largest_rho(c)) classes.push_back(make_class(rho, c));
  classes.push_back(make_class(largest_rho(c), c));
  return classes;
}

/// Before a trajectory is played no class but the last is known to be large enough.
class AdaptiveSticky : public ConfidenceSet {
 public:
  explicit AdaptiveSticky(const SetConstants& constants)
      : ConfidenceSet(constants), classes_(make_classes(constants)) {}
  Centre centre() const final { return Centre::ridge; }

  double radius2(std::int64_t t, double logdet) const override { return radius2_in(classes_.size() - 1, t, logdet); }
  double log_p(std::int64_t t, double q, double logdet) const override {
    return log_p_in(classes_.size() - 1, t, q, logdet);
  }

  std::string why_not_guaranteed(const Collection& collection) const final {
    const auto rho = collection.noise.sign_correlation();
    if (!rho) return "needs signs that are kept with a constant probability";
    if (*rho < -classes_.front().rho || *rho > classes_.back().rho)
      return "correlation " + to_text(*rho) + " of the noise is not from " + to_text(-classes_.front().rho) + " to " +
             to_text(classes_.back().rho);
    return needs_lag(constants(), collection);
  }
  std::unique_ptr<ConfidenceSet> start(random::Stream, std::int64_t) const override;

 protected:
  const std::vector<StickyClass>& classes() const { return classes_; }

  /// At level delta/2; never below that of a smaller class.
  double radius2_in(std::size_t g, std::int64_t t, double logdet) const {
    double largest = 0;
    for (std::size_t h = 0; h <= g; ++h)
      largest = std::max(largest, radius2_of(terms(h, t), logdet, constants().delta / 2));
    return largest;
  }
  /// The log of the smallest delta with q above that.
  double log_p_in(std::size_t g, std::int64_t t, double q, double logdet) const {
    double largest = log_p_of(terms(0, t), q, logdet);
    for (std::size_t h = 1; h <= g; ++h) largest = std::max(largest, log_p_of(terms(h, t), q, logdet));
    return largest + std::numbers::ln2;
  }

 private:
  RadiusTerms terms(std::size_t g, std::int64_t t) const {
    return classes_[g].radius.terms(t, constants().lambda, constants().B);
  }

  std::vector<StickyClass> classes_;
};

/// On one trajectory. Two rounds in a row with the same arm show whether the sign was kept; the likelihood ratio against the
/// flip probability of a class, mixed over the prior, is evidence that there are more flips, so that the class will do.
class AdaptiveStickyPath final : public AdaptiveSticky {
 public:
  explicit AdaptiveStickyPath(const AdaptiveSticky& set) : AdaptiveSticky(set), log_evidence_(classes().size(), 0.0) {
    log_evidence_.back() = std::numeric_limits<double>::infinity();
  }

  void absorb(const arma::vec& x, double y) override {
    if (!last_x_.is_empty() && std::equal(x.begin(), x.end(), last_x_.begin()))
      see_pair(std::abs(y - last_y_) > constants().sigma);
    last_x_ = x;
    last_y_ = y;
  }

  double radius2(std::int64_t t, double logdet) const override {
    std::size_t g = 0;
    while (log_evidence_[g] < -std::log(constants().delta / 2)) ++g;
    return radius2_in(g, t, logdet);
  }
  /// A class is in use from the delta on at which its evidence suffices.
  double log_p(std::int64_t t, double q, double logdet) const override {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t g = 0; g < classes().size(); ++g)
      least = std::min(least, std::max(std::numbers::ln2 - log_evidence_[g], log_p_in(g, t, q, logdet)));
    return least;
  }

 private:
  void see_pair(bool flipped) {
    const double expected = flipped ? prior_flips + n_flips_ : prior_stays + n_pairs_ - n_flips_;
    log_mixture_ += std::log(expected / (prior_flips + prior_stays + n_pairs_));
    n_pairs_ += 1;
    n_flips_ += flipped ? 1 : 0;
    for (std::size_t g = 0; g + 1 < classes().size(); ++g) {
      const double flip = classes()[g].flip();
      if (flip * n_pairs_ > n_flips_) continue;  // no evidence for more
      const double log_likelihood = n_flips_ * std::log(flip) + (n_pairs_ - n_flips_) * std::log1p(-flip);
      log_evidence_[g] = std::max(log_evidence_[g], log_mixture_ - log_likelihood);
    }
  }

  arma::vec last_x_;
  double last_y_ = 0;
  double n_pairs_ = 0, n_flips_ = 0;
  double log_mixture_ = 0;            ///< of the likelihood of the pairs over the prior
  std::vector<double> log_evidence_;  ///< for each class, the largest so far; the last one needs none
};

std::unique_ptr<ConfidenceSet> AdaptiveSticky::start(random::Stream, std::int64_t) const {
  return std::make_unique<AdaptiveStickyPath>(*this);
}

/// Between what the smallest and the largest class would take.
double adaptive_lambda(const SetConstants& c) {
  const double D = std::sqrt(make_class(sticky_grid.front(), c).radius.D() * make_class(largest_rho(c), c).radius.D());
  return c.p * D / (c.B * c.B);
}

}  // namespace

void register_adaptive_sticky() {
  confidence_sets().add(
      {.name = "adaptive-sticky",
       .summary = "telescope for sticky signs whose correlation is learnt from flips that are seen",
       .formula =
           "||theta - theta_ridge||_V <= b_t(g) + sqrt(lambda B^2 + D_g (log det(I + Lambda/lambda) + 2 A_t "
           "log(2/delta) + 2)),  g the first of rho_g = 0.5, ..., rho_max for which the flips between equal arms "
           "in a row, a mixture over Beta(1,9), have ruled out rho > rho_g at level delta/2",
       .source = "MATHEMATICS.md (H1)",
       .parameters = {Parameter::real("rho_max", to_text(sticky_grid.back()),
                                      "of adaptive-sticky: no larger correlation occurs")
                          .above(sticky_grid.front())
                          .below(1)}},
      {.make = [](const SetConstants& constants) { return std::make_unique<AdaptiveSticky>(constants); },
       .default_lambda = adaptive_lambda});
}

}  // namespace mixlab::bandit
