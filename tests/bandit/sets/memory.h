// A set that sees every sample on the small samples of tests/oracle/memory.py, which says how they are made.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "bandit/sets/dispersed.h"
#include "noise/laws.h"
#include "oracle_table.h"

namespace mixlab::bandit {

class OracleSamples {
 public:
  explicit OracleSamples(const OracleLine& line)
      : noise_(line.text("noise")),
        sigma_(line.real("sigma")),
        p_(static_cast<arma::uword>(line.integer("p"))),
        state_(static_cast<std::uint32_t>(line.integer("seed"))) {
    theta_ = line.real("B") * vector();
    for (arma::vec& arm : arms_) arm = vector();
  }
  const arma::vec& theta() const { return theta_; }

  std::pair<arma::vec, double> next() {
    const std::uint32_t u = draw(), v = draw(), w = draw();
    ++t_;
    if (t_ == 1 || u % 3 == 0) arm_ = v % arms_.size();
    const arma::vec& x = arms_[arm_];
    return {x, arma::dot(theta_, x) + sigma_ * epsilon(w)};
  }

 private:
  std::uint32_t draw() {
    state_ = 1664525 * state_ + 1013904223;
    return state_ >> 16;
  }
  arma::vec vector() {
    arma::vec result(p_);
    for (double& value : result) value = (static_cast<double>(draw() % 17) - 8) / 16;
    return result;
  }
  double epsilon(std::uint32_t w) {
    if (noise_ == "any") return (static_cast<double>(w % 257) - 128) / 64;
    if (noise_ == "grow") return (t_ % 2 ? -1 : 1) * static_cast<double>(t_ * t_) / 64;
    if (t_ == 1)
      sign_ = w % 2 ? -1 : 1;
    else if (w % 100 < std::stoul(noise_.substr(5)))  // flip:PERCENT
      sign_ = -sign_;
    return sign_;
  }

  std::string noise_;
  double sigma_;
  arma::uword p_;
  std::uint32_t state_;
  arma::vec theta_;
  std::array<arma::vec, 4> arms_;
  std::int64_t t_ = 0;
  std::size_t arm_ = 0;
  double sign_ = 1;
};

/// A set on its samples, as far as the table has got.
class OracleTrial {
 public:
  explicit OracleTrial(const OracleLine& line)
      : name_(line.text("set")),
        samples_(line),
        noise_(noise_of(line)),
        lags_(*noise_, line.real("sigma")),
        data_(static_cast<int>(line.integer("p")), line.real("B"), {line.real("lambda")}) {
    constants_ = {.p = static_cast<int>(line.integer("p")),
                  .B = line.real("B"),
                  .sigma = line.real("sigma"),
                  .d = line.text("d").empty() ? 1 : line.integer("d"),
                  .delta = line.real("delta"),
                  .lambda = line.real("lambda"),
                  .lags = &lags_};
    constants_.phi = lags_.bias(constants_.d);
    if (name_ == "adaptive-sticky") constants_.parameters.set("rho_max", line.real("rho"));
    if (name_ == "selfnorm" || name_ == "telescope") constants_.parameters.set("dispersion", std::string("yes"));
    if (name_ == "telescope") {
      constants_.parameters.set("lags", line.text("lags"));
      constants_.parameters.set("proxies", std::string("phi"));
    }
    is_two_sided_ = line.text("fields") == "two";
    set_ = prototype()->start(test_stream(1), 1000);
  }

  double default_lambda() const { return confidence_sets().find(name_)->default_lambda(constants_); }
  bool is_two_sided() const { return is_two_sided_; }
  const arma::vec& theta() const { return samples_.theta(); }

  void play_until(std::int64_t t, const arma::vec& point) {
    while (data_.t() < t) {
      const auto [x, y] = samples_.next();
      data_.absorb(x, y);
      set_->absorb(x, y);
      distance2_ = set_->distance2(point, data_, data_.ridge(0));
      log_p_round_ = set_->log_p(data_.t(), distance2_, data_.ridge(0).logdet);
      log_p_ = std::min(log_p_, log_p_round_);
    }
  }
  double distance2() const { return distance2_; }
  double radius2() const { return set_->radius2(data_.t(), data_.ridge(0).logdet); }
  double log_p_round() const { return log_p_round_; }
  double log_p() const { return log_p_; }

 private:
  static std::unique_ptr<const noise::Process> noise_of(const OracleLine& line) {
    Values parameters;
    parameters.set("rho", line.text("process").empty() ? 0.5 : line.real("rho"));
    parameters.set("law", std::string("rademacher"));
    return make_process(line.text("process").empty() ? "sticky" : line.text("process"), parameters);
  }
  /// What is certified in two-sided fields is taken only where it is better; the formula holds anyhow.
  std::unique_ptr<const ConfidenceSet> prototype() const {
    if (!is_two_sided_) return confidence_sets().find(name_)->make(constants_);
    std::vector<std::int64_t> path;
    for (const auto& lag : split_blanks(constants_.parameters.text("lags"))) path.push_back(std::stoll(lag));
    return make_dispersed(constants_, {given_lags(lags_, path, noise::Fields::two_sided), lags_.bias(path.back())});
  }

  std::string name_;
  OracleSamples samples_;
  std::unique_ptr<const noise::Process> noise_;
  LagCertificate lags_;
  Regression data_;
  SetConstants constants_;
  bool is_two_sided_ = false;
  std::unique_ptr<ConfidenceSet> set_;
  double distance2_ = 0, log_p_round_ = 0, log_p_ = INFINITY;
};

}  // namespace mixlab::bandit
