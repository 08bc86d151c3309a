// A set that throws a coin: its probability of ever missing theta* is known exactly, so the whole way from run to
// check can be tested against it. MATHEMATICS.md D.8.
#include <algorithm>
#include <cmath>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/core/text.h"
#include "mixlab/random/sampler.h"

namespace mixlab::bandit {
namespace {

/// Prototype, before a trajectory draws its coin: never misses.
class Coin : public BlindSet {
 public:
  using BlindSet::BlindSet;
  Centre centre() const final { return Centre::ridge; }
  double radius2(std::int64_t, double) const final { return -2 * std::log(constants().delta); }
  double log_p(std::int64_t, double q, double) const final { return -q / 2; }
  double distance2_at(std::int64_t) const override { return 0; }
  std::unique_ptr<ConfidenceSet> start(random::Stream stream, std::int64_t T) const override;

  std::string why_not_guaranteed(const Collection&) const final {
    return miss() <= constants().delta ? std::string{} : "misses with probability " + to_text(miss()) + " by design";
  }

 protected:
  double miss() const {
    const auto& c = constants();
    return c.parameters.has("coin_miss") ? c.parameters.real("coin_miss") : c.delta;
  }
};

/// On one trajectory: p = delta U/miss at a round drawn from 1..T, and nothing happens at any other.
class ThrownCoin final : public Coin {
 public:
  ThrownCoin(const SetConstants& constants, random::Stream& stream, std::int64_t T) : Coin(constants) {
    q_ = std::max(0.0, -2 * std::log(constants.delta * random::uniform(stream.next()) / miss()));
    round_ = 1 + static_cast<std::int64_t>(random::uniform(stream.next()) * static_cast<double>(T));
  }
  double distance2_at(std::int64_t t) const override { return t == round_ ? q_ : 0; }

 private:
  double q_ = 0;
  std::int64_t round_ = 1;
};

std::unique_ptr<ConfidenceSet> Coin::start(random::Stream stream, std::int64_t T) const {
  return std::make_unique<ThrownCoin>(constants(), stream, T);
}

}  // namespace

void register_coin() {
  confidence_sets().add(
      {.name = "coin",
       .summary = "misses at a random round with a given probability: a test of the whole laboratory",
       .formula = "q = 2 log(1/p) <= 2 log(1/delta) at a round uniform on 1..T, q = 0 at the others; p = min(1, delta "
                  "U/coin_miss), U uniform: P(p < x) = min(1, coin_miss x/delta)",
       .source = "MATHEMATICS.md D.8",
       .parameters =
           {Parameter::real("coin_miss", "", "probability that coin ever misses; default: delta").above(0).at_most(1)}},
      {.make = [](const SetConstants& constants) { return std::make_unique<Coin>(constants); }});
}

}  // namespace mixlab::bandit
