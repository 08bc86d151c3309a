#pragma once

#include "mixlab/noise/process.h"

namespace mixlab::noise {

/// phi S + sqrt(1 - phi^2) xi_{floor((t+phase)/L)} with a hidden fair sign S: W1 (phi = 0), W2 (L = 1) and W4.
class Repeated final : public Process {
 public:
  Repeated(std::int64_t length, double phi, const std::string& law);
  double phi(std::int64_t d) const override;
  bool phi_is_exact() const override { return phi_ == 0; }  // the hidden sign is learnt only in the limit
  std::unique_ptr<Path> start(const random::Stream& stream) const override;
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override;

 private:
  std::int64_t length_;
  double phi_;
  std::string law_;
};

Parameter length_parameter();
Parameter frozen_parameter();

}  // namespace mixlab::noise
