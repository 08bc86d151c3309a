// Independent noise: phi_d = 0 for every d >= 1. MATHEMATICS.md B.1.
#include <cmath>

#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

using Draw = double (*)(std::uint64_t word);

double draw_uniform(std::uint64_t word) {
  return std::sqrt(3.0) * (2.0 * random::uniform(word) - 1.0);
}

class IidPath final : public Path {
 public:
  IidPath(const random::Stream& stream, Draw draw) : stream_(stream), draw_(draw) {}
  void next(std::span<double> eps) override {
    for (double& value : eps) value = draw_(stream_.next());
  }

 private:
  random::Stream stream_;
  Draw draw_;
};

class Iid final : public Process {
 public:
  explicit Iid(Draw draw) : draw_(draw) {}
  double phi(std::int64_t) const override { return 0; }
  bool phi_is_exact() const override { return true; }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<IidPath>(stream, draw_);
  }

 private:
  Draw draw_;
};

Draw draw_of(const std::string& law) {
  if (law == "gaussian") return random::normal;
  if (law == "rademacher") return random::sign;
  return draw_uniform;
}

}  // namespace

void register_iid() {
  processes().add(
      {.name = "iid",
       .summary = "independent noise of unit variance",
       .formula = "eps_t i.i.d.: N(0,1), fair signs, or uniform on [-sqrt 3, sqrt 3];  phi_d = 0",
       .source = "MATHEMATICS.md B.1",
       .parameters = {study::Parameter::text("law", "gaussian", "distribution of one draw")
                          .one_of({"gaussian", "rademacher", "uniform"})}},
      [](const study::Values& parameters) { return std::make_unique<Iid>(draw_of(parameters.text("law"))); });
}

}  // namespace mixlab::noise
