// A noise process, a confidence set and a policy of somebody else's, run through the same commands. This file uses what
// a user of the library sees, nothing else.
#include <chrono>
#include <limits>
#include <stdexcept>
#include <thread>

#include "mixlab/bandit/confidence_set.h"
#include "mixlab/bandit/policy.h"
#include "mixlab/command_line.h"
#include "mixlab/core/number_table.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace {

using namespace mixlab;

/// +1, -1, +1, ... from a fair first sign: phi_d = 1 for every d.
class Alternating final : public noise::Process {
 public:
  explicit Alternating(double size) : size_(size) {}
  double sigma() const override { return size_; }
  double phi(std::int64_t) const override { return size_; }
  bool phi_is_exact() const override { return true; }
  std::unique_ptr<noise::Path> start(const random::Stream& stream) const override {
    struct AlternatingPath final : noise::Path {
      double next_value;
      explicit AlternatingPath(double first) : next_value(first) {}
      void next(std::span<double> eps) override {
        for (double& value : eps) {
          value = next_value;
          next_value = -next_value;
        }
      }
    };
    random::Stream copy = stream;
    return std::make_unique<AlternatingPath>(size_ * random::sign(copy.next()));
  }

 private:
  double size_;
};

/// The numbers of a file, over and over. How it asks for the file decides whether it may have it.
class Recorded final : public noise::Process {
 public:
  explicit Recorded(const noise::Request& request) {
    const std::string& path = request.parameters.text("series");
    values_ = NumberTable(request.files.text(path, "noise.series"), path, "noise.series").column("1", "noise.series");
  }
  double phi(std::int64_t) const override { return 1; }
  bool phi_is_exact() const override { return false; }
  std::unique_ptr<noise::Path> start(const random::Stream&) const override {
    struct RecordedPath final : noise::Path {
      const std::vector<double>& values;
      std::size_t at = 0;
      explicit RecordedPath(const std::vector<double>& all) : values(all) {}
      void next(std::span<double> eps) override {
        for (double& value : eps) value = values[at++ % values.size()];
      }
    };
    return std::make_unique<RecordedPath>(values_);
  }

 private:
  std::vector<double> values_;
};

/// Fair signs that in round 7 of one trajectory in fifty go wrong, as user code does.
class Faulty final : public noise::Process {
 public:
  explicit Faulty(std::string fault) : fault_(std::move(fault)) {}
  double phi(std::int64_t) const override { return 0; }
  bool phi_is_exact() const override { return true; }
  std::unique_ptr<noise::Path> start(const random::Stream& stream) const override {
    struct FaultyPath final : noise::Path {
      const std::string& fault;
      random::Stream stream;
      bool is_bad;
      int t = 0;
      FaultyPath(const std::string& f, const random::Stream& s)
          : fault(f), stream(s), is_bad(random::uniform(stream.next()) < 0.02) {}
      void next(std::span<double> eps) override {
        for (double& value : eps) {
          value = random::sign(stream.next());
          if (++t != 7 || !is_bad) continue;
          if (fault == "nan") value = std::numeric_limits<double>::quiet_NaN();
          if (fault == "exception") throw std::runtime_error("no more ink");
          while (fault == "endless") std::this_thread::sleep_for(std::chrono::seconds(1));
        }
      }
    };
    return std::make_unique<FaultyPath>(fault_, stream);
  }

 private:
  std::string fault_;
};

#ifndef MIXLAB_EXTENSION_RADIUS
#define MIXLAB_EXTENSION_RADIUS 1e6
#endif
constexpr double squared_radius = MIXLAB_EXTENSION_RADIUS;  // another build of this program has another

/// A ball of fixed size around the ridge estimate: honest about having no guarantee.
class FixedSize final : public bandit::ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  bandit::Centre centre() const override { return bandit::Centre::ridge; }
  double radius2(std::int64_t, double) const override { return squared_radius; }
  double log_p(std::int64_t, double q, double) const override { return squared_radius - q; }
  std::string why_not_guaranteed(const bandit::Collection&) const override { return "made up"; }
};

/// Nothing but nan from round 9 on.
class NoNumber final : public bandit::ConfidenceSet {
 public:
  using ConfidenceSet::ConfidenceSet;
  bandit::Centre centre() const override { return bandit::Centre::ridge; }
  double radius2(std::int64_t t, double) const override { return t < 9 ? 1 : std::numeric_limits<double>::quiet_NaN(); }
  double log_p(std::int64_t, double q, double) const override { return -q; }
  std::string why_not_guaranteed(const bandit::Collection&) const override { return "made up"; }
};

/// An arm that there is not.
class NoArm final : public bandit::Policy {
 public:
  arma::uword choose(const bandit::View& view, random::Stream&) const override {
    return view.t < 12 ? 0 : view.arms.n_cols;
  }
  arma::vec choose_in_ball(const bandit::View& view, random::Stream&) const override { return 2 * view.theta_star; }
};

class LastArm final : public bandit::Policy {
 public:
  arma::uword choose(const bandit::View& view, random::Stream&) const override { return view.arms.n_cols - 1; }
  arma::vec choose_in_ball(const bandit::View& view, random::Stream&) const override {
    return bandit::direction_of(view.ridge.theta);
  }
};

}  // namespace

int main(int argc, char** argv) {
  noise::processes().add(
      {.name = "alternating",
       .summary = "a sign that always changes",
       .formula = "eps_{t+1} = -eps_t",
       .source = "this file",
       .parameters = {Parameter::real("size", "0.5", "absolute value").above(0)}},
      [](const noise::Request& request) { return std::make_unique<Alternating>(request.parameters.real("size")); });
  noise::processes().add({.name = "recorded",
                          .summary = "a file, over and over",
                          .formula = "eps_t = line t",
                          .source = "this file",
                          .parameters = {Parameter::file("series", "text file of numbers")},
                          .revision = "1"},
                         [](const noise::Request& request) { return std::make_unique<Recorded>(request); });
  noise::processes().add({.name = "sneaky",
                          .summary = "the same with a path that is not declared as a file",
                          .formula = "eps_t = line t",
                          .source = "this file",
                          .parameters = {Parameter::text("series", "", "text file of numbers")}},
                         [](const noise::Request& request) { return std::make_unique<Recorded>(request); });
  noise::processes().add(
      {.name = "faulty",
       .summary = "goes wrong in round 7 of one trajectory in fifty",
       .formula = "none",
       .source = "this file",
       .parameters = {Parameter::text("fault", "nan", "in which way").one_of({"nan", "exception", "endless"})},
       .revision = "1"},
      [](const noise::Request& request) { return std::make_unique<Faulty>(request.parameters.text("fault")); });
  bandit::confidence_sets().add(
      {.name = "no-number", .summary = "nan from round 9 on", .formula = "none", .source = "this file"},
      {.make = [](const bandit::SetConstants& constants) { return std::make_unique<NoNumber>(constants); }});
  bandit::policies().add(
      {.name = "no-arm", .summary = "an arm that there is not", .formula = "none", .source = "this file"},
      {.make = [](const Values&) { return std::make_unique<NoArm>(); }, .default_set = "fixed-size"});
  bandit::confidence_sets().add(
      {.name = "fixed-size", .summary = "a large ellipsoid", .formula = "q <= 1e6", .source = "this file"},
      {.make = [](const bandit::SetConstants& constants) { return std::make_unique<FixedSize>(constants); }});
  bandit::policies().add(
      {.name = "last-arm", .summary = "always the last arm", .formula = "X_t = x_K", .source = "this file"},
      {.make = [](const Values&) { return std::make_unique<LastArm>(); }, .default_set = "fixed-size"});
  return run_command_line(argc, argv);
}
