// Independent noise: phi_d = 0 for every d >= 1. MATHEMATICS.md B.1.
#include "innovations.h"
#include "law.h"
#include "mixlab/noise/process.h"

namespace mixlab::noise {
namespace {

class IidPath final : public Path {
 public:
  IidPath(const random::Stream& stream, UnitLaw law) : stream_(stream), law_(law) {}
  void next(std::span<double> eps) override { draw_all(law_, stream_, eps); }

 private:
  random::Stream stream_;
  UnitLaw law_;
};

class TwistedIid final : public TwistedRounds {
 public:
  using TwistedRounds::TwistedRounds;
  void plan(const Tilts& tilts) override { plan_autoregression(tilts, 0, 1); }
  double next(std::span<const double>) override { return next_innovation(); }
};

class Iid final : public Process {
 public:
  explicit Iid(UnitLaw law) : law_(law) {}
  double phi(std::int64_t) const override { return 0; }
  bool phi_is_exact() const override { return true; }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<IidPath>(stream, law_);
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedIid>(stream, twist, TiltedLaw(law_));
  }

 private:
  UnitLaw law_;
};

}  // namespace

void register_iid() {
  processes().add(
      {.name = "iid",
       .summary = "independent noise of unit variance",
       .formula = "eps_t i.i.d.: N(0,1), fair signs, or uniform on [-sqrt 3, sqrt 3];  phi_d = 0",
       .source = "MATHEMATICS.md B.1",
       .parameters = {unit_law_parameter("gaussian", "distribution of one draw")}},
      [](const Request& request) { return std::make_unique<Iid>(unit_law(request.parameters.text("law"))); });
}

}  // namespace mixlab::noise
