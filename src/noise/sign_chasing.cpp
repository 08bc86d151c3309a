// Noise that pushes the estimate further away from theta*. MATHEMATICS.md W3.
#include <armadillo>
#include <cmath>
#include <deque>
#include <stdexcept>

#include "innovations.h"
#include "law.h"
#include "mixlab/noise/chase.h"
#include "repeated.h"

namespace mixlab::noise {
namespace {

double push_of(const arma::mat& Lambda, const arma::vec& sum, const arma::vec& x) {
  return arma::dot(arma::pinv(Lambda, least_eigenvalue * arma::trace(Lambda)) * sum, x);
}

/// Keeps the least-squares error theta_LS - theta* = Lambda^+ sum X_s eps_s of the samples up to t - lag.
class Chaser {
 public:
  Chaser(int p, const Chase& chase)
      : chase_(chase),
        Lambda_(static_cast<arma::uword>(p), static_cast<arma::uword>(p), arma::fill::zeros),
        sum_(static_cast<arma::uword>(p), arma::fill::zeros) {}

  /// The noise of the round in which x is played; `tie_sign` decides where the error tells no direction.
  double next(std::span<const double> x_values, double tie_sign, double xi) {
    const arma::vec x(x_values.data(), x_values.size());
    if (waiting_.size() == static_cast<std::size_t>(chase_.lag)) {
      const auto& [past_x, past_eps] = waiting_.front();
      Lambda_ += past_x * past_x.t();
      sum_ += past_x * past_eps;
      waiting_.pop_front();
    }
    const double push = push_of(Lambda_, sum_, x);
    const double sign = std::abs(push) <= least_push ? tie_sign : push > 0 ? 1.0 : -1.0;
    const double eps = chase_.frozen * sign + chase_.weight() * xi;
    waiting_.emplace_back(x, eps);
    return eps;
  }
  double weight() const { return chase_.weight(); }

 private:
  Chase chase_;
  arma::mat Lambda_;
  arma::vec sum_;
  std::deque<std::pair<arma::vec, double>> waiting_;
};

class SignChasingPath final : public ReactivePath {
 public:
  SignChasingPath(const random::Stream& stream, Chaser chaser, UnitLaw law)
      : stream_(stream), chaser_(std::move(chaser)), law_(law) {}
  double next(std::span<const double> x) override {
    const double tie_sign = random::sign(stream_.next());
    return chaser_.next(x, tie_sign, law_.draw(stream_.next()));
  }

 private:
  random::Stream stream_;
  Chaser chaser_;
  UnitLaw law_;
};

/// Tilts xi alone: which way it is chased, the played arms decide.
class TwistedSignChasing final : public TwistedRounds {
 public:
  TwistedSignChasing(const random::Stream& stream, const Twist& twist, Chaser chaser, UnitLaw law)
      : TwistedRounds(stream, twist, TiltedLaw(law)), chaser_(std::move(chaser)) {}
  void plan(const Tilts& tilts) override { plan_autoregression(tilts, 0, chaser_.weight()); }
  double next(std::span<const double> x) override {
    const double tie_sign = random::sign(stream_.next());
    return chaser_.next(x, tie_sign, next_innovation());
  }

 private:
  Chaser chaser_;
};

class SignChasing final : public ChasingProcess {
 public:
  SignChasing(double phi, std::int64_t lag, const std::string& law) : phi_(phi), lag_(lag), law_(law) {}
  double phi(std::int64_t) const override { return phi_; }
  bool phi_is_exact() const override { return true; }
  bool starts_stationary() const override { return false; }
  bool reactive() const override { return true; }
  Chase chase() const override { return {phi_, lag_, unit_law(law_).draw_all}; }
  std::unique_ptr<Path> start(const random::Stream&) const override {
    throw std::logic_error("sign-chasing noise needs to see what is played");
  }
  std::unique_ptr<ReactivePath> start_reactive(const random::Stream& stream, int p) const override {
    return std::make_unique<SignChasingPath>(stream, Chaser(p, chase()), unit_law(law_));
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedSignChasing>(stream, twist, Chaser(twist.p, chase()), unit_law(law_));
  }

 private:
  double phi_;
  std::int64_t lag_;
  std::string law_;
};

}  // namespace

double push_along(const double* Lambda, const double* sum, const double* x, int p) {
  const auto size = static_cast<arma::uword>(p);
  return push_of(arma::mat(Lambda, size, size), arma::vec(sum, size), arma::vec(x, size));
}

void register_sign_chasing() {
  processes().add(
      {.name = "sign-chasing",
       .summary = "pushes the estimate away from theta*: covered, not literally Assumption 1",
       .formula =
           "eps_t = phi s_t + sqrt(1-phi^2) xi_t, s_t = sign <theta_LS - theta*, X_t> from samples up to t - lag;  "
           "phi_d = phi",
       .source = "MATHEMATICS.md W3",
       .parameters = {frozen_parameter(),
                      Parameter::integer("lag", "1", "rounds the noise looks back at least").at_least(1).at_most(1e6),
                      unit_law_parameter("gaussian", "distribution of xi")}},
      [](const Request& request) {
        return std::make_unique<SignChasing>(request.parameters.real("frozen"), request.parameters.integer("lag"),
                                             request.parameters.text("law"));
      });
}

}  // namespace mixlab::noise
