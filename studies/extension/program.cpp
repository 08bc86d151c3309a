// A study that is made, run and judged from C++: with a progress line of our own, a run that is stopped half-way and goes on,
// and the verdict as values. Usage: my-program [OUT.h5]
#include <cstdio>
#include <exception>
#include <string>

#include "mixlab/mixlab.h"
#include "own.h"

namespace {

const std::string text =
    "[study]\ntrajectories = 400\nhorizon = 500\npart = 20\n"
    "[problem]\ndimension = 2\narms = circle:8\n"
    "[noise]\nprocess = alternating\nrho = 0.5\n"
    "[policy]\nname = curious\n"
    "[confidence]\ndelay = 20\nmonitor = measured paper\n"
    "[expect]\npaper = holds\n";

/// Shows how far the run is and, the first time, stops it as soon as something is computed.
mixlab::RunState run(const mixlab::study::Study& study, const std::string& out, bool stop_early) {
  mixlab::RunOptions options;
  options.progress = [&](const mixlab::engine::Tally& tally) {
    std::printf("%lld of %lld trajectories\n", static_cast<long long>(tally.done), static_cast<long long>(tally.total));
    return stop_early && tally.computed > 0 ? mixlab::Answer::stop : mixlab::Answer::go_on;
  };
  return mixlab::run(study, out, options);
}

}  // namespace

int main(int argc, char** argv) try {
  const std::string out = argc > 1 ? argv[1] : "my-program.h5";
  mixlab::initialise();
  add_alternating();
  add_measured();
  add_curious();
  const mixlab::study::Study study = mixlab::parse_study(text, {"study.title=From C++"});

  if (run(study, out, true) == mixlab::RunState::stopped) std::printf("stopped; what is finished is kept\n");
  if (run(study, out, false) != mixlab::RunState::complete) return 1;

  const auto verdict = mixlab::check(out);
  for (const auto& finding : verdict.findings)
    std::printf("%-10s coverage %.4f in [%.4f, %.4f]\n", finding.set.c_str(), finding.anytime.coverage(),
                1 - finding.anytime.miss_interval.high, 1 - finding.anytime.miss_interval.low);
  std::printf("%s\n", verdict.sentence().c_str());
  return verdict.contradicted() ? 3 : 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "my-program: %s\n", error.what());
  return 2;
}
