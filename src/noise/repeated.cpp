// Draws repeated L times, and a hidden frozen sign on top.
#include "repeated.h"

#include <cmath>

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
    for (double& value : eps) {
      if (left_ == 0) {
        value_ = law_.draw(stream_.next());
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
};

}  // namespace

Repeated::Repeated(std::int64_t length, double phi, const std::string& law) : length_(length), phi_(phi), law_(law) {}

double Repeated::phi(std::int64_t d) const {
  return d >= length_ ? phi_ : phi_ + std::sqrt(1 - phi_ * phi_) * unit_law(law_).largest;
}

std::unique_ptr<Path> Repeated::start(const random::Stream& stream) const {
  return std::make_unique<RepeatedPath>(stream, length_, phi_, unit_law(law_));
}

Parameter length_parameter() {
  return Parameter::integer("length", "10", "rounds L a draw is repeated").at_least(1).at_most(1e9);
}
Parameter frozen_parameter() {
  return Parameter::real("frozen", "0.1", "size phi of the hidden frozen sign").at_least(0).below(1);
}

}  // namespace mixlab::noise
