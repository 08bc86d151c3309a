#include "dispersed.h"

#include <cmath>
#include <numeric>

#include "rank_one_ridge.h"

namespace mixlab::bandit {
namespace {

/// Before a trajectory is played the blocks agree and the determinant is as large as it can be.
class Dispersed : public ConfidenceSet {
 public:
  Dispersed(const SetConstants& constants, const TelescopeRadius& radius) : ConfidenceSet(constants), radius_(radius) {}
  Centre centre() const final { return Centre::ridge; }

  double radius2(std::int64_t t, double logdet) const override {
    return radius2_of(terms(t), logdet, constants().delta);
  }
  double log_p(std::int64_t t, double q, double logdet) const override { return log_p_of(terms(t), q, logdet); }
  std::string why_not_guaranteed(const Collection& collection) const final {
    return why_no_telescope(constants(), collection);
  }
  std::unique_ptr<ConfidenceSet> start(random::Stream, std::int64_t) const override;

 private:
  RadiusTerms terms(std::int64_t t) const { return radius_.terms(t, constants().lambda, constants().B); }

  TelescopeRadius radius_;
};

/// On one trajectory.
class DispersedPath final : public Dispersed {
 public:
  DispersedPath(const Dispersed& set, std::int64_t n_blocks)
      : Dispersed(set),
        blocks_(static_cast<std::size_t>(n_blocks),
                RankOneRidge(constants().p, constants().lambda / static_cast<double>(n_blocks))) {}

  void absorb(const arma::vec& x, double y) override {
    RankOneRidge& block = blocks_[static_cast<std::size_t>(t_++) % blocks_.size()];
    explained_ -= block.explained();
    logdets_ -= block.logdet();
    block.absorb(x, y);
    explained_ += block.explained();
    logdets_ += block.logdet();
  }

  double distance2(const arma::vec& theta, const Regression& data, const Ridge& ridge) const override {
    const double dispersion = explained_ - arma::dot(data.b(), ridge.theta);
    return norm2(theta - ridge.theta, data.Lambda(), constants().lambda) + std::max(0.0, dispersion);
  }
  double radius2(std::int64_t t, double) const override { return Dispersed::radius2(t, mean_logdet()); }
  double log_p(std::int64_t t, double q, double) const override { return Dispersed::log_p(t, q, mean_logdet()); }

 private:
  double mean_logdet() const { return logdets_ / static_cast<double>(blocks_.size()); }

  std::vector<RankOneRidge> blocks_;
  std::int64_t t_ = 0;
  double explained_ = 0, logdets_ = 0;  ///< sums over the blocks
};

std::unique_ptr<ConfidenceSet> Dispersed::start(random::Stream, std::int64_t) const {
  std::int64_t common = 0;
  for (const LagLevel& level : radius_.path().levels) common = std::gcd(common, level.width);
  return std::make_unique<DispersedPath>(*this, common);
}

}  // namespace

std::unique_ptr<const ConfidenceSet> make_dispersed(const SetConstants& constants, TelescopeRadius radius) {
  SetConstants at_end = constants;
  at_end.d = radius.path().end;
  at_end.phi = radius.bias();
  return std::make_unique<Dispersed>(at_end, std::move(radius));
}

bool asks_for_dispersion(const SetConstants& constants) {
  return constants.parameters.has("dispersion") && constants.parameters.text("dispersion") == "yes";
}

const char* const dispersion_formula =
    ";  with dispersion = yes: Disp_t is added to the squared left side, and (1/g) sum_r log det(I + (g/lambda) "
    "Lambda^(r)) stands for log det(I + Lambda/lambda), Disp_t = sum_r b_r' V_r^-1 b_r - b' V^-1 b over g blocks r of "
    "rounds, V_r = Lambda^(r) + (lambda/g) I (F.7)";

// Without a default: a study that does not mention it is the study it always was.
Parameter dispersion_parameter() {
  return Parameter::text("dispersion", "",
                         "whether selfnorm and telescope count how far their blocks disagree; default: no")
      .one_of({"no", "yes"});
}

}  // namespace mixlab::bandit
