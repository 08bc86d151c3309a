// Noise under a tilted law, as the reference engine asks for it.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "mixlab/engine/reference.h"
#include "mixlab/rare/mixture.h"
#include "mixlab/rare/target.h"

namespace mixlab::rare {

/// Where a path left its parent: after this round it draws from a stream of its own, noise_stream(.., use, stream).
struct Branch {
  std::int64_t after = 0;
  std::uint64_t stream = 0;
};
using Lineage = std::vector<Branch>;  ///< the first one is the start

/// Twisted noise for the reference engine. The tilts of the rounds whose arms are known are planned together, and anew
/// when half of them are played.
class TwistedNoise final : public engine::NoiseSource {
 public:
  TwistedNoise(const engine::Experiment& experiment, const char* use, Lineage lineage, arma::mat tilts,
               std::size_t component)
      : experiment_(experiment),
        use_(use),
        lineage_(std::move(lineage)),
        tilts_(std::move(tilts)),
        path_(experiment.noise->start_twisted(noise_stream(experiment, use, lineage_.front().stream),
                                              {.n_components = tilts_.n_cols, .drawn = component, .p = experiment.p})) {
  }

  void announce(std::span<const double> x) override {
    for (arma::uword c = 0; c < tilts_.n_cols; ++c) {
      double h = 0;
      for (arma::uword i = 0; i < tilts_.n_rows; ++i) h += tilts_(i, c) * x[i];
      h_.push_back(h);
    }
    ++n_announced_;
  }

  double next(std::span<const double> x) override {
    if (t_ == next_plan_) plan();
    for (; branch_ < lineage_.size() && lineage_[branch_].after == t_; ++branch_)
      path_->branch(noise_stream(experiment_, use_, lineage_[branch_].stream));
    ++t_;
    return experiment_.scale * path_->next(x);
  }

  std::span<const double> log_ratios() { return path_->log_ratios(); }
  const Lineage& lineage() const { return lineage_; }
  std::int64_t n_drawn() const { return t_; }

 private:
  void plan() {
    const auto played = static_cast<std::ptrdiff_t>((t_ - planned_from_) * static_cast<std::int64_t>(tilts_.n_cols));
    h_.erase(h_.begin(), h_.begin() + played);
    planned_from_ = t_;
    path_->plan({tilts_.n_cols, h_, experiment_.T - n_announced_});
    next_plan_ = n_announced_ == experiment_.T ? experiment_.T : t_ + (n_announced_ - t_ + 1) / 2;
  }

  const engine::Experiment& experiment_;
  const char* use_;
  Lineage lineage_;
  std::size_t branch_ = 1;  ///< the next one
  arma::mat tilts_;         ///< a component per column
  std::vector<double> h_;   ///< of the rounds after planned_from, round by round
  std::int64_t t_ = 0;      ///< rounds drawn
  std::int64_t n_announced_ = 0, planned_from_ = 0, next_plan_ = 0;
  std::unique_ptr<noise::TwistedPath> path_;
};

}  // namespace mixlab::rare
