// Moving average of bounded innovations: dependence ends after q rounds. MATHEMATICS.md B.5.
#include <algorithm>
#include <cmath>
#include <deque>
#include <vector>

#include "innovations.h"
#include "law.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/noise/process.h"

namespace mixlab::noise {
namespace {

class MovingAveragePath final : public Path {
 public:
  MovingAveragePath(const random::Stream& stream, const std::vector<double>& weights, BoundedLaw law)
      : stream_(stream), weights_(weights), law_(law), past_(weights.size()) {
    for (std::size_t j = 0; j + 1 < past_.size(); ++j) draw();
  }
  void next(std::span<double> eps) override {
    for (double& value : eps) {
      draw();
      value = 0;
      for (std::size_t j = 0; j < weights_.size(); ++j)
        value += weights_[j] * past_[(at_ + past_.size() - j) % past_.size()];
    }
  }

 private:
  void draw() {
    at_ = (at_ + 1) % past_.size();
    past_[at_] = law_.draw(stream_.next());
  }

  random::Stream stream_;
  const std::vector<double>& weights_;
  BoundedLaw law_;
  std::vector<double> past_;  ///< u_{t-j} at (at - j)
  std::size_t at_ = 0;
};

/// Tilts u_s by sum_j b_j h_{s+j}, the last planned tilt for all rounds after it.
class TwistedMovingAverage final : public TwistedRounds {
 public:
  TwistedMovingAverage(const random::Stream& stream, const Twist& twist, const std::vector<double>& weights,
                       BoundedLaw law)
      : TwistedRounds(stream, twist, TiltedLaw(law)), weights_(weights) {
    for (std::size_t j = 1; j < weights.size(); ++j) past_.push_front(plain_innovation());
  }
  void plan(const Tilts& tilts) override {
    const std::size_t n = tilts.n_rounds();
    const std::size_t end = n + static_cast<std::size_t>(tilts.rounds_after);
    plan_rounds(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::ranges::fill(planned(i), 0.0);
      for (std::size_t j = 0; j < weights_.size() && i + j < end; ++j) {
        const auto h = tilts.of_round(std::min(i + j, n - 1));
        for (std::size_t c = 0; c < h.size(); ++c) planned(i)[c] += weights_[j] * h[c];
      }
    }
  }
  double next(std::span<const double>) override {
    past_.push_front(next_innovation());
    double eps = 0;
    for (std::size_t j = 0; j < weights_.size(); ++j) eps += weights_[j] * past_[j];
    past_.pop_back();
    return eps;
  }

 private:
  const std::vector<double>& weights_;
  std::deque<double> past_;  ///< u_{t-1}, u_{t-2}, ...
};

class MovingAverage final : public Process {
 public:
  MovingAverage(std::vector<double> weights, BoundedLaw law) : weights_(std::move(weights)), law_(law) {
    double largest = 0;
    for (const double weight : weights_) largest = std::max(largest, std::abs(weight));
    double sum2 = 0;
    for (double& weight : weights_) {
      weight /= largest;
      sum2 += weight * weight;
    }
    for (double& weight : weights_) weight /= law.s * std::sqrt(sum2);
  }
  double phi(std::int64_t d) const override {
    double sum = 0;
    for (auto j = static_cast<std::size_t>(d); j < weights_.size(); ++j) sum += std::abs(weights_[j]);
    return sum;
  }
  bool phi_is_exact() const override { return true; }
  // What the innovations of lags l..m-1 contribute: independent of all before (F3).
  double proxy(std::int64_t l, std::int64_t m, Fields fields) const override {
    if (fields == Fields::one_sided) return Process::proxy(l, m, fields);
    double sum2 = 0;
    for (auto j = static_cast<std::size_t>(l); j < std::min(weights_.size(), static_cast<std::size_t>(m)); ++j)
      sum2 += weights_[j] * weights_[j];
    return law_.s * std::sqrt(sum2);
  }
  bool proxies_add(Fields fields) const override { return fields == Fields::two_sided; }
  double proxy_tail(std::int64_t l, std::int64_t n, Fields fields) const override {
    return n == 1 && proxies_add(fields) ? law_.s * phi(l) : Process::proxy_tail(l, n, fields);
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<MovingAveragePath>(stream, weights_, law_);
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedMovingAverage>(stream, twist, weights_, law_);
  }

 private:
  std::vector<double> weights_;
  BoundedLaw law_;
};

std::vector<double> parse_weights(const std::string& text) {
  std::vector<double> weights;
  bool all_zero = true;
  for (const auto& piece : split_blanks(text)) {
    const auto weight = parse_real(piece);
    if (!weight)
      throw KeyError("noise.weights",
                     "bad value for noise.weights: '" + text + "' (must be numbers); for instance 1 0.5 0.25");
    weights.push_back(*weight);
    all_zero = all_zero && *weight == 0;
  }
  if (all_zero)
    throw KeyError("noise.weights",
                   "bad value for noise.weights: '" + text + "' (must not all be 0); for instance 1 1");
  return weights;
}

void complete_weights(Values& parameters) {
  parse_weights(parameters.text("weights"));
}

}  // namespace

void register_moving_average() {
  processes().add(
      {.name = "moving-average",
       .summary = "moving average of q bounded innovations, unit variance",
       .formula = "eps_t = sum_{j<q} b_j u_{t-j}, b scaled to unit variance;  phi_d = sum_{j>=d} |b_j|, 0 for d >= q",
       .source = "MATHEMATICS.md B.5",
       .parameters = {Parameter::text("weights", "1 1 1 1", "b_0 b_1 ... up to a common factor"),
                      bounded_law_parameter()},
       .complete = complete_weights},
      [](const Request& request) {
        return std::make_unique<MovingAverage>(parse_weights(request.parameters.text("weights")),
                                               bounded_law(request.parameters.text("law")));
      });
}

}  // namespace mixlab::noise
