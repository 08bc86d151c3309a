// mixlab-bench: what a trajectory-round costs, beside what the machine could do.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "case.h"
#include "child.h"
#include "clock.h"
#include "engine_run.h"
#include "mixlab/builtins.h"
#include "mixlab/core/blas.h"
#include "mixlab/engine/machine.h"
#include "mixlab/engine/reference.h"
#include "mixlab/store/hdf5.h"
#include "mixlab/store/provenance.h"
#include "peak.h"

namespace mixlab::bench {
namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr const char* usage =
    "usage: mixlab-bench [OPTIONS]\n\n"
    "Measures the engines on this machine: nanoseconds per trajectory-round for the lanes and the reference engine, "
    "and\n"
    "FMA slots = nanoseconds x the peak of one core just before and after: the figure to compare across machines.\n"
    "Limits are in slots of AVX2 (MIXLAB_ISA=avx2); `share` is the part of the peak that an ideal round would need.\n"
    "Rounds of one thread are measured by processor time. Use a quiet machine; takes some minutes.\n\n"
    "example: mixlab-bench --case 2,8 --case 10,20 --repeat 3 --no-reference --no-system --csv bench.csv\n\n";

struct Settings {
  std::vector<std::string> cases;
  int repeat = 5;
  int T = 10000;
  double seconds = 1;
  bool reference = true;
  bool system = true;
  std::string csv;
  std::string mixlab;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}
double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

std::string text(double value, int digits = 0) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, value);
  return buffer;
}

/// One case, timed again and again.
class Timing {
 public:
  Timing(const Case& which, const Settings& settings, bool with_reference)
      : case_(which), with_reference_(with_reference), text_(which.study_text(settings.T)), run_(text_, pack()) {
    run_.run(1);  // warms up
    const double start = cpu_seconds();
    run_.run(1);
    const double once = cpu_seconds() - start;
    const auto n_packs = static_cast<std::int64_t>(std::ceil(settings.seconds / std::max(once, 1e-6)));
    run_ = EngineRun(text_, pack() * std::clamp<std::int64_t>(n_packs, 1, 100000));
  }

  void measure(engine::Isa isa) {
    const double peak_before = fma_peak(isa);
    const double start = cpu_seconds();
    run_.run(1);
    lanes_.push_back(1e9 * (cpu_seconds() - start) / run_.rounds());
    peaks_.push_back((peak_before + fma_peak(isa)) / 2);
    slots_.push_back(lanes_.back() * peaks_.back());
    if (!with_reference_) return;
    const double before = cpu_seconds();
    engine::run_reference(run_.experiment(), static_cast<std::int64_t>(reference_.size()));
    reference_.push_back(1e9 * (cpu_seconds() - before) / static_cast<double>(run_.experiment().T));
  }

  const Case& which() const { return case_; }
  const EngineRun& run() const { return run_; }
  bool in_lanes() const { return engine::why_not_lanes(run_.experiment()).empty(); }
  const std::vector<double>& lanes() const { return lanes_; }
  const std::vector<double>& peaks() const { return peaks_; }
  const std::vector<double>& slots() const { return slots_; }
  const std::vector<double>& reference() const { return reference_; }

 private:
  std::int64_t pack() const {
    const EngineRun one(text_, 1);
    return engine::why_not_lanes(one.experiment()).empty() ? engine::pack_width(one.experiment()).most : 1;
  }

  Case case_;
  bool with_reference_;
  std::string text_;
  EngineRun run_;
  std::vector<double> lanes_, reference_;  ///< ns per trajectory-round
  std::vector<double> peaks_;              ///< 1e9 FMA/s, around each run of the lanes
  std::vector<double> slots_;              ///< their products: what the clock does meanwhile cancels
};

/// Lines of "what, value, unit" for the file, and the same in words for the terminal.
class Record {
 public:
  void add(const std::string& what, const std::string& quantity, double value) {
    csv_ << '"' << what << "\"," << quantity << "," << text(value, 4) << "\n";
  }
  void save(const std::string& path) const {
    if (path.empty()) return;
    std::ofstream file(path);
    file << "case,quantity,value\n" << csv_.str();
    if (!file.flush()) throw std::runtime_error("cannot write " + path);
  }

 private:
  std::ostringstream csv_;
};

void print_row(const std::vector<std::string>& fields) {
  constexpr int widths[] = {14, 8, 8, 8, 8, 7, 7, 11, 7};
  for (std::size_t i = 0; i < fields.size(); ++i) std::printf(i == 0 ? "%-*s" : " %*s", widths[i], fields[i].c_str());
  std::printf("\n");
}

void report(const Timing& timing, engine::Isa isa, Record& record) {
  const Case& c = timing.which();
  const double ns = median(timing.lanes()), slots = median(timing.slots());
  const double share = 100 * c.ideal_fmas() / slots;
  const bool compared = !timing.reference().empty();
  const double reference = compared ? median(timing.reference()) : 0;
  print_row({c.name + (timing.in_lanes() ? "" : " *"), text(ns, 1), text(least(timing.lanes()), 1), text(slots),
             text(least(timing.slots())), c.limit > 0 && isa == engine::Isa::avx2 ? text(c.limit) : "-",
             text(share) + "%", compared ? text(reference) : "-", compared ? text(reference / ns, 1) : "-"});
  for (const double value : timing.lanes()) record.add(c.name, "lanes_ns", value);
  for (const double value : timing.reference()) record.add(c.name, "reference_ns", value);
  for (const double value : timing.peaks()) record.add(c.name, "peak_gfma", value);
  record.add(c.name, "slots", slots);
  record.add(c.name, "least_slots", least(timing.slots()));
  record.add(c.name, "limit_slots", c.limit);
  record.add(c.name, "ideal_fmas", c.ideal_fmas());
  record.add(c.name, "share_percent", share);
}

/// Variants of (10, 20) whose differences say where the time goes.
std::vector<Case> split_cases() {
  const std::string ridge = "name = mixing-linucb\nset = oful";
  return {{.name = "split: all", .p = 10, .K = 20},
          {.name = "split: one set", .p = 10, .K = 20, .monitor = "paper"},
          {.name = "split: more arms", .p = 10, .K = 60},
          {.name = "split: ridge only", .p = 10, .K = 20, .policy = ridge, .monitor = "oful"},
          {.name = "split: and ball", .p = 10, .K = 20, .policy = ridge, .monitor = "oful paper"}};
}

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

fs::path scratch_folder() {
  std::string name = (fs::temp_directory_path() / "mixlab-bench-XXXXXX").string();
  if (!mkdtemp(name.data()))
    throw std::runtime_error("cannot create a folder in " + fs::temp_directory_path().string());
  return name;
}

class Scratch {
 public:
  ~Scratch() { fs::remove_all(path_); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_ = scratch_folder();
};

/// Of a run of about eight seconds, what goes into parts and merging them.
double writing_share(const Timing& timing, const Settings& settings) {
  const Scratch scratch;
  const double rounds = 8e9 * settings.seconds / median(timing.lanes());
  const EngineRun long_run(timing.which().study_text(settings.T),
                           static_cast<std::int64_t>(std::ceil(rounds / settings.T)));
  const EngineRun::Writing writing = long_run.run_and_write(scratch.path());
  return writing.seconds / writing.all;
}

void report_writing(const std::vector<Timing>& timings, const Settings& settings, Record& record) {
  std::printf("\nWriting, of the whole run:");
  for (const Timing& timing : timings) {
    const double share = 100 * writing_share(timing, settings);
    std::printf(" %s %.1f%%;", timing.which().name.c_str(), share);
    record.add(timing.which().name, "writing_percent", share);
  }
  std::printf(" T = %d.\n", settings.T);
}

void report_split(std::vector<Timing>& timings, const Settings& settings, Record& record) {
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

std::string own_path() {
  return fs::read_symlink("/proc/self/exe").string();
}

/// As many threads as there are processors, against as many processes of one thread.
void report_scaling(const Settings& settings, std::int64_t trajectories, Record& record) {
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
  for (int i = 0; i < settings.repeat; ++i) {
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

void report_program(const Settings& settings, const std::vector<std::int64_t>& trajectories, Record& record) {
  const Scratch scratch;
  const std::string study = scratch.path() + "/memory.cfg";
  std::ofstream(study) << all_cases().front().study_text(std::min(1000, settings.T));
  std::printf("\nThe program: peak memory");
  for (const std::int64_t n : trajectories) {
    const Usage used =
        run_children({settings.mixlab, "run", study, "-o", scratch.path() + "/" + std::to_string(n) + ".h5", "--quiet",
                      "--set", "study.trajectories=" + std::to_string(n)});
    std::printf(" %.0f MB at %lld trajectories;", 1e-6 * used.peak_memory, static_cast<long long>(n));
    record.add("memory", std::to_string(n), used.peak_memory);
  }
  std::printf(" T = %d.\n", std::min(1000, settings.T));
}

/// What the scaling test runs as a child.
int work(std::int64_t trajectories, int n_threads, int T) {
  EngineRun(all_cases()[2].study_text(T), trajectories).run(n_threads);
  return 0;
}

std::vector<Case> chosen(const Settings& settings) {
  if (settings.cases.empty()) return all_cases();
  std::vector<Case> cases;
  for (const auto& name : settings.cases) {
    const auto found =
        std::find_if(all_cases().begin(), all_cases().end(), [&](const Case& c) { return c.name == name; });
    if (found == all_cases().end()) throw std::runtime_error("unknown case '" + name + "'; see --help");
    cases.push_back(*found);
  }
  return cases;
}

void bench(const Settings& settings) {
  const engine::Isa isa = engine::choose_isa();
  std::vector<Timing> timings;
  for (const Case& c : chosen(settings)) timings.emplace_back(c, settings, settings.reference);
  const std::size_t n_listed = timings.size();
  std::vector<Timing> split;
  if (settings.system)
    for (const Case& c : split_cases()) split.emplace_back(c, settings, false);
  for (int i = 0; i < settings.repeat; ++i) {
    for (Timing& timing : timings) timing.measure(isa);
    for (Timing& timing : split) timing.measure(isa);
  }
  std::vector<double> peaks;
  for (const Timing& timing : timings) peaks.insert(peaks.end(), timing.peaks().begin(), timing.peaks().end());
  const double peak = median(peaks);
  Record record;
  record.add("machine", "peak_gfma", peak);
  std::printf("%s; %s; peak of one core %.2f GFMA/s\nT = %d, median of %d interleaved runs and the fastest\n\n",
              store::utc_now().c_str(), engine::name_of(isa).c_str(), peak, settings.T, settings.repeat);
  print_row({"p,K", "ns", "fastest", "slots", "fastest", "limit", "share", "reference", "times"});
  for (std::size_t i = 0; i < n_listed; ++i) report(timings[i], isa, record);
  if (std::any_of(timings.begin(), timings.end(), [](const Timing& timing) { return !timing.in_lanes(); }))
    std::printf("* runs in the reference engine\n");
  if (settings.system) {
    report_split(split, settings, record);
    report_writing(timings, settings, record);
    const double rounds = 2e9 / median(split[0].lanes());  // about two seconds
    report_scaling(settings, std::max<std::int64_t>(16, static_cast<std::int64_t>(rounds / settings.T)), record);
    report_program(settings, {2000, settings.T < 1000 ? 4000 : 200000}, record);
  }
  record.save(settings.csv);
}

int run(int argc, char** argv) {
  Settings settings;
  settings.mixlab = (fs::path(own_path()).parent_path() / "../../mixlab").lexically_normal().string();
  po::options_description options("options");
  std::string names;
  for (const Case& c : all_cases()) names += (names.empty() ? "" : "; ") + c.name;
  options.add_options()("help", "this text")("case", po::value(&settings.cases)->value_name("NAME"),
                                             ("only this case, may be repeated: " + names).c_str())(
      "repeat", po::value(&settings.repeat)->value_name("N"), "interleaved runs of everything; default 5")(
      "rounds", po::value(&settings.T)->value_name("T"), "horizon; default 10000")(
      "no-reference", "leave out the reference engine")("no-system", "leave out time split, threads, memory")(
      "csv", po::value(&settings.csv)->value_name("FILE"), "every figure, also as CSV")(
      "mixlab", po::value(&settings.mixlab)->value_name("PATH"), "the program; default: that of the same build")(
      "smoke", "everything, so short that the figures mean nothing: for the tests");
  po::options_description hidden;
  std::int64_t worker = 0;
  int n_threads = 1;
  hidden.add_options()("worker", po::value(&worker))("threads", po::value(&n_threads));
  po::options_description all;
  all.add(options).add(hidden);
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, all), given);
  po::notify(given);
  if (given.count("help")) {
    std::cout << usage << options;
    return 0;
  }
  settings.reference = !given.count("no-reference");
  settings.system = !given.count("no-system");
  if (given.count("smoke")) {
    settings.T = 60;
    settings.repeat = 1;
    settings.seconds = 1e-4;
  }
  if (settings.repeat < 1 || settings.T < 30) throw std::runtime_error("--repeat must be at least 1, --rounds 30");
  register_builtins();
  store::prepare_hdf5();
  prepare_blas();
  if (worker > 0) return work(worker, n_threads, settings.T);
  bench(settings);
  return 0;
}

}  // namespace
}  // namespace mixlab::bench

int main(int argc, char** argv) {
  try {
    return mixlab::bench::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "mixlab-bench: " << error.what() << "\n";
    return 1;
  }
}
