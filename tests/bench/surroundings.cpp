#include "surroundings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>

#include "child.h"
#include "clock.h"
#include "mixlab/engine/machine.h"
#include "scratch.h"

namespace mixlab::bench {
namespace {

double noise_ns(const engine::Experiment& e) {
  const auto path = e.noise->start(random::Stream(e.stream(0, random::Purpose::noise)));
  double block[256], sum = 0;
  constexpr int n_blocks = 4000;
  const double start = cpu_seconds();
  for (int i = 0; i < n_blocks; ++i) {
    path->next(block);
    sum += block[7];
  }
  volatile double sink = sum;
  static_cast<void>(sink);
  return 1e9 * (cpu_seconds() - start) / (256.0 * n_blocks);
}

/// Of a run of about eight seconds, what goes into parts and merging them.
double writing_share(const Timing& timing, const TimingSettings& settings) {
  const Scratch scratch;
  const double rounds = 8e9 * settings.seconds / median(timing.lanes());
  const EngineRun long_run(
      timing.which().study_text(settings.T),
      static_cast<std::int64_t>(std::ceil(rounds / static_cast<double>(timing.run().experiment().T))));
  const EngineRun::Writing writing = long_run.run_and_write(scratch.path());
  return writing.seconds / writing.all;
}

}  // namespace

std::vector<Case> split_cases() {
  const std::string ridge = "name = mixing-linucb\nset = oful";
  return {{.name = "split: all", .p = 10, .K = 20},
          {.name = "split: one set", .p = 10, .K = 20, .monitor = "paper"},
          {.name = "split: more arms", .p = 10, .K = 60},
          {.name = "split: ridge only", .p = 10, .K = 20, .policy = ridge, .monitor = "oful"},
          {.name = "split: and ball", .p = 10, .K = 20, .policy = ridge, .monitor = "oful paper"}};
}

void report_split(const std::vector<Timing>& timings, const TimingSettings& settings, Record& record) {
  const auto ns = [&](std::size_t i) { return median(timings[i].lanes()); };
  const double writing = writing_share(timings[0], settings);
  const double all = ns(0) / (1 - writing);
  const double K = timings[0].which().K, more = timings[2].which().K;
  std::vector<std::pair<std::string, double>> parts = {
      {"noise", noise_ns(timings[0].run().experiment())},
      {"constrained estimator", ns(4) - ns(3)},
      {"scores", K * (ns(2) - ns(0)) / (more - K)},
      {"seven more sets", ns(0) - ns(1)},
      {"writing", writing * all},
  };
  double rest = all;
  for (const auto& part : parts) rest -= part.second;
  parts.emplace_back("ridge, play, the rest", rest);
  std::printf(
      "\nWhere the time goes at 10,20, %.0f ns (T = %d): noise and writing measured alone, the others as\n"
      "differences with and without (scores: with more arms).\n",
      all, settings.T);
  for (const auto& [name, value] : parts) {
    std::printf("  %-24s %7.1f ns %6.1f%%\n", name.c_str(), value, 100 * value / all);
    record.add("split", name, value);
  }
}

void report_writing(const std::vector<const Timing*>& timings, const TimingSettings& settings, Record& record) {
  std::printf("\nWriting, of the whole run:");
  for (const Timing* timing : timings) {
    const double share = 100 * writing_share(*timing, settings);
    std::printf(" %s %.1f%%;", timing->which().name.c_str(), share);
    record.add(timing->which().name, "writing_percent", share);
  }
  std::printf(" T = %d.\n", settings.T);
}

void report_scaling(const TimingSettings& settings, int repeat, std::int64_t trajectories, Record& record) {
  const int n = engine::choose_threads(0);
  const auto worker = [&](std::int64_t share, int threads) {
    return std::vector<std::string>{own_path(),
                                    "--worker",
                                    std::to_string(share),
                                    "--threads",
                                    std::to_string(threads),
                                    "--rounds",
                                    std::to_string(settings.T)};
  };
  std::vector<double> ratios;
  for (int i = 0; i < repeat; ++i) {
    const double threads = run_children(worker(trajectories * n, n)).wall;
    const double processes = run_children(worker(trajectories, 1), n).wall;
    ratios.push_back(processes / threads);
  }
  std::printf(
      "\nThreads: %d threads reach %.3f of what %d processes of one thread reach (10,20; wall time; from %.3f to "
      "%.3f).\n",
      n, median(ratios), n, least(ratios), *std::max_element(ratios.begin(), ratios.end()));
  record.add("threads", "ratio", median(ratios));
}

void report_program(const std::string& mixlab, int T, const std::vector<std::int64_t>& trajectories, Record& record) {
  const int horizon = std::min(1000, T);
  const Scratch scratch;
  const std::string study = scratch.path() + "/memory.cfg";
  std::ofstream(study) << case_named("2,8").study_text(horizon);
  std::printf("\nThe program: peak memory");
  for (const std::int64_t n : trajectories) {
    const Usage used = run_children({mixlab, "run", study, "-o", scratch.path() + "/" + std::to_string(n) + ".h5",
                                     "--quiet", "--set", "study.trajectories=" + std::to_string(n)});
    std::printf(" %.0f MB at %lld trajectories;", 1e-6 * used.peak_memory, static_cast<long long>(n));
    record.add("memory", std::to_string(n), used.peak_memory);
  }
  std::printf(" T = %d.\n", horizon);
}

void run_worker(std::int64_t trajectories, int n_threads, int T) {
  EngineRun(case_named("10,20").study_text(T), trajectories).run(n_threads);
}

}  // namespace mixlab::bench
