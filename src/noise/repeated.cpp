// Draws repeated L times, and a hidden frozen sign on top.
#include "repeated.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "innovations.h"
#include "law.h"

namespace mixlab::noise {
namespace {

class RepeatedPath final : public Path {
 public:
  RepeatedPath(const random::Stream& stream, std::int64_t length, double phi, UnitLaw law)
      : stream_(stream), length_(length), law_(law), weight_(std::sqrt(1 - phi * phi)) {
    frozen_ = phi * random::sign(stream_.next());
    // A random phase makes the process stationary.
    left_ = 1 + static_cast<std::int64_t>(random::uniform(stream_.next()) * static_cast<double>(length));
    value_ = law_.draw(stream_.next());
  }
  void next(std::span<double> eps) override {
    const std::int64_t n_beyond = static_cast<std::int64_t>(eps.size()) - left_;
    draws_.resize(static_cast<std::size_t>(n_beyond > 0 ? (n_beyond - 1) / length_ + 1 : 0));
    draw_all(law_, stream_, draws_);
    auto draw = draws_.begin();
    for (double& value : eps) {
      if (left_ == 0) {
        value_ = *draw++;
        left_ = length_;
      }
      --left_;
      value = frozen_ + weight_ * value_;
    }
  }

 private:
  random::Stream stream_;
  std::int64_t length_;
  UnitLaw law_;
  double weight_;
  double frozen_ = 0;
  double value_ = 0;
  std::int64_t left_ = 0;
  std::vector<double> draws_;  ///< room
};

/// Tilts a draw by weight times the sum of the tilts of its rounds; the hidden sign and the phase keep their law.
class TwistedRepeated final : public TwistedInnovations {
 public:
  TwistedRepeated(const random::Stream& stream, const Twist& twist, std::int64_t length, double phi, UnitLaw law)
      : TwistedInnovations(stream, twist, TiltedLaw(law)), length_(length), weight_(std::sqrt(1 - phi * phi)) {
    frozen_ = phi * random::sign(stream_.next());
    first_ = 1 + static_cast<std::int64_t>(random::uniform(stream_.next()) * static_cast<double>(length));
  }
  void plan(const Tilts& tilts) override {
    const std::size_t n_components = tilts.n_components;
    n_rounds_ = static_cast<std::int64_t>(tilts.n_rounds());
    rounds_after_ = tilts.rounds_after;
    round_ = 0;
    sums_.assign((tilts.n_rounds() + 1) * n_components, 0.0);
    for (std::size_t k = 0; k < tilts.h.size(); ++k) sums_[k + n_components] = sums_[k] + tilts.h[k];
  }
  double next(std::span<const double>) override {
    if (left_ == 0) {
      left_ = std::exchange(first_, length_);
      value_ = innovation(tilts_of_block());
    }
    --left_;
    ++round_;
    return frozen_ + weight_ * value_;
  }

 private:
  /// Of the block that begins now: the planned rounds of it, and the last of them for those after.
  std::span<const double> tilts_of_block() {
    const std::int64_t end = std::min(round_ + left_, n_rounds_);
    const auto beyond = static_cast<double>(std::min(round_ + left_ - end, rounds_after_));
    g_.resize(log_ratios_.size());
    for (std::size_t c = 0; c < g_.size(); ++c)
      g_[c] = weight_ * (sum(end, c) - sum(round_, c) + beyond * (sum(n_rounds_, c) - sum(n_rounds_ - 1, c)));
    return g_;
  }
  double sum(std::int64_t round, std::size_t c) const {
    return sums_[static_cast<std::size_t>(round) * log_ratios_.size() + c];
  }

  std::int64_t length_;
  double weight_;
  double frozen_ = 0;
  std::int64_t first_ = 0;  ///< length of the next block
  double value_ = 0;
  std::int64_t left_ = 0;
  std::vector<double> sums_;  ///< of the tilts of the rounds planned before a round, round by round
  std::vector<double> g_;
  std::int64_t n_rounds_ = 0, rounds_after_ = 0, round_ = 0;  ///< of the plan
};

}  // namespace

Repeated::Repeated(std::int64_t length, double phi, const std::string& law) : length_(length), phi_(phi), law_(law) {}

double Repeated::phi(std::int64_t d) const {
  return d >= length_ ? phi_ : phi_ + std::sqrt(1 - phi_ * phi_) * unit_law(law_).largest;
}

std::unique_ptr<Path> Repeated::start(const random::Stream& stream) const {
  return std::make_unique<RepeatedPath>(stream, length_, phi_, unit_law(law_));
}

std::unique_ptr<TwistedPath> Repeated::start_twisted(const random::Stream& stream, const Twist& twist) const {
  return std::make_unique<TwistedRepeated>(stream, twist, length_, phi_, unit_law(law_));
}

Parameter length_parameter() {
  return Parameter::integer("length", "10", "rounds L a draw is repeated").at_least(1).at_most(1e9);
}
Parameter frozen_parameter() {
  return Parameter::real("frozen", "0.1", "size phi of the hidden frozen sign").at_least(0).below(1);
}

}  // namespace mixlab::noise
