#include "visit.h"

#include <cmath>
#include <exception>
#include <new>
#include <utility>

namespace mixlab::engine {
namespace {

class WatchedPath final : public noise::Path {
 public:
  WatchedPath(const Experiment& experiment, std::int64_t trajectory, std::unique_ptr<noise::Path> path)
      : experiment_(experiment), trajectory_(trajectory), path_(std::move(path)) {}

  void next(std::span<double> eps) override {
    Visit visit(experiment_, trajectory_);
    visit.enter(round_ + 1, round_ + static_cast<std::int64_t>(eps.size()));
    visit.named([&] { path_->next(eps); });
    for (const double value : eps) {
      if (++round_ > experiment_.T || std::isfinite(value)) continue;  // nobody asks for noise after the horizon
      visit.enter(round_);
      visit.fail("noise is " + std::to_string(value));
    }
  }

 private:
  const Experiment& experiment_;
  std::int64_t trajectory_;
  std::unique_ptr<noise::Path> path_;
  std::int64_t round_ = 0;
};

class WatchedReactivePath final : public noise::ReactivePath {
 public:
  WatchedReactivePath(const Experiment& experiment, std::int64_t trajectory, std::unique_ptr<noise::ReactivePath> path)
      : experiment_(experiment), trajectory_(trajectory), path_(std::move(path)) {}

  double next(std::span<const double> x) override {
    Visit visit(experiment_, trajectory_);
    visit.enter(++round_);
    const double value = visit.named([&] { return path_->next(x); });
    if (!std::isfinite(value)) visit.fail("noise is " + std::to_string(value));
    return value;
  }

 private:
  const Experiment& experiment_;
  std::int64_t trajectory_;
  std::unique_ptr<noise::ReactivePath> path_;
  std::int64_t round_ = 0;
};

}  // namespace

std::string name_of(const Place& place) {
  const std::string rounds = place.last_round > place.round
                                 ? "rounds " + std::to_string(place.round) + " to " + std::to_string(place.last_round)
                                 : "round " + std::to_string(place.round);
  return "cell " + std::to_string(place.cell) + ", trajectory " + std::to_string(place.trajectory) + ", " + rounds +
         ", seed " + std::to_string(place.seed);
}

VisitError::VisitError(const std::string& what, const Place& place)
    : std::runtime_error("your own code failed: " + what + " (" + name_of(place) +
                         "); finished parts are kept, mend it and run the same command again") {}

Whereabouts::Shared Whereabouts::move_to(Shared place) {
  const std::lock_guard lock(mutex_);
  n_looks_ = 0;
  return std::exchange(place_, std::move(place));
}

Whereabouts::Shared Whereabouts::stuck_for(int n_looks) {
  const std::lock_guard lock(mutex_);
  return ++n_looks_ > n_looks ? place_ : Shared{};
}

Whereabouts*& whereabouts() {
  thread_local Whereabouts* mine = nullptr;
  return mine;
}

Visit::Visit(const Experiment& experiment, std::int64_t trajectory)
    : watched_(experiment.has_own_code), place_{experiment.cell.index, trajectory, 0, 0, experiment.seed} {
  if (watched_ && whereabouts()) before_ = whereabouts()->move_to(place_);
}

Visit::~Visit() {
  if (watched_ && whereabouts()) whereabouts()->move_to(before_);
}

void Visit::enter(std::int64_t first_round, std::int64_t last_round) {
  place_.round = first_round;
  place_.last_round = last_round;
  if (watched_ && whereabouts()) whereabouts()->move_to(place_);
}

void Visit::rethrow() const {
  if (!watched_) throw;
  try {
    throw;
  } catch (const VisitError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    fail(error.what());
  } catch (...) {
    fail("it threw something that is no std::exception");
  }
}

std::unique_ptr<noise::Path> start_noise(const Experiment& experiment, std::int64_t trajectory) {
  if (experiment.noise->reactive()) return nullptr;
  const random::Stream stream(experiment.stream(trajectory, random::Purpose::noise));
  auto path = Visit(experiment, trajectory).named([&] { return experiment.noise->start(stream); });
  if (!experiment.has_own_code) return path;
  return std::make_unique<WatchedPath>(experiment, trajectory, std::move(path));
}

std::unique_ptr<noise::ReactivePath> start_reactive_noise(const Experiment& experiment, std::int64_t trajectory) {
  if (!experiment.noise->reactive()) return nullptr;
  const random::Stream stream(experiment.stream(trajectory, random::Purpose::noise));
  auto path =
      Visit(experiment, trajectory).named([&] { return experiment.noise->start_reactive(stream, experiment.p); });
  if (!experiment.has_own_code) return path;
  return std::make_unique<WatchedReactivePath>(experiment, trajectory, std::move(path));
}

}  // namespace mixlab::engine
