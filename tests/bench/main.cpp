// mixlab-bench: what a trajectory-round costs, in time and in instructions, beside what others cost.
#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <stdexcept>

#include "case.h"
#include "child.h"
#include "count.h"
#include "mixlab/builtins.h"
#include "mixlab/core/blas.h"
#include "mixlab/core/text.h"
#include "mixlab/engine/machine.h"
#include "mixlab/store/hdf5.h"
#include "mixlab/store/provenance.h"
#include "record.h"
#include "surroundings.h"
#include "timing.h"

namespace mixlab::bench {
namespace {

namespace po = boost::program_options;

constexpr const char* usage =
    "usage: mixlab-bench [OPTIONS]\n\n"
    "Measures the engines on this machine, one thread: nanoseconds of processor time per trajectory-round, and what "
    "it\n"
    "is worth beside its neighbours, the reference engine and a scalar program for ridge regression that a good "
    "engineer\n"
    "writes in an afternoon. With --count, valgrind counts the instructions of the AVX2 code per group of four lanes "
    "and\n"
    "round, which do not depend on what else the machine does; limits are in these. Takes a quarter of an hour.\n\n"
    "example: mixlab-bench --count --no-time --case 2,8 --case 10,20\n\n";

struct Settings {
  std::vector<std::string> cases;
  int repeat = 5;
  TimingSettings timing;
  bool time = true;
  bool count = false;
  bool system = true;
  std::string csv;
  std::string mixlab;
};

/// What was measured of a case.
struct Figures {
  Case which;
  bool in_lanes;
  std::optional<Timing> timing;
  std::optional<double> instructions;

  /// In units that compare within a run: instructions if they were counted, else the fastest time.
  double cost() const { return instructions ? *instructions : least(timing->lanes()); }
};

const char* word(bool good) {
  return good ? "ok" : "FAIL";
}

void print_row(const std::vector<std::string>& fields) {
  for (std::size_t i = 0; i < fields.size(); ++i) std::printf(i == 0 ? "%-22s" : " %9s", fields[i].c_str());
  std::printf("\n");
}

void report_rounds(const std::vector<Figures>& all, Record& record) {
  print_row({"p,K", "ns", "fastest", "reference", "times", "instr", "limit", ""});
  for (const Figures& figures : all) {
    std::vector<std::string> row{figures.which.name + (figures.in_lanes ? "" : " *")};
    if (figures.timing) {
      const Timing& timing = *figures.timing;
      const bool compared = !timing.reference().empty();
      row.insert(row.end(), {text(median(timing.lanes()), 1), text(least(timing.lanes()), 1),
                             compared ? text(median(timing.reference())) : "-",
                             compared ? text(median(timing.reference()) / median(timing.lanes()), 1) : "-"});
      record.add(figures.which.name, "lanes_ns", timing.lanes());
      record.add(figures.which.name, "reference_ns", timing.reference());
      record.add(figures.which.name, "baseline_ns", timing.baseline());
    } else {
      row.insert(row.end(), 4, "-");
    }
    if (figures.instructions) {
      row.push_back(text(*figures.instructions));
      record.add(figures.which.name, "instructions", *figures.instructions);
      if (figures.which.most > 0)
        row.insert(row.end(), {text(figures.which.most), word(*figures.instructions <= figures.which.most)});
    }
    print_row(row);
  }
  if (std::any_of(all.begin(), all.end(), [](const Figures& figures) { return !figures.in_lanes; }))
    std::printf("* runs in the reference engine, %d rounds measured\n", most_reference_rounds);
}

/// a p^2 + b p K, least squares of relative errors.
struct SizeModel {
  double a = 0, b = 0;
  double operator()(const Case& c) const { return a * c.p * c.p + b * c.p * c.K; }
};

std::optional<SizeModel> fit_size_model(const std::vector<Figures>& all) {
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
  int n = 0;
  for (const Figures& figures : all) {
    if (!fits_size_model(figures.which)) continue;
    const double cost = figures.cost(), p = figures.which.p, u = p * p / cost, v = p * figures.which.K / cost;
    aa += u * u, ab += u * v, bb += v * v, ay += u, by += v;
    ++n;
  }
  const double determinant = aa * bb - ab * ab;
  if (n < 3 || determinant <= 0) return {};
  return SizeModel{(ay * bb - by * ab) / determinant, (by * aa - ay * ab) / determinant};
}

/// Cases beside what they should cost like.
void report_neighbours(const std::vector<Figures>& all, Record& record) {
  const std::optional<SizeModel> model = fit_size_model(all);
  std::map<std::string, double> costs;
  for (const Figures& figures : all) costs[figures.which.name] = figures.cost();
  std::printf("\n");
  print_row({"cost", "times", "limit", "", "that of"});
  for (const Figures& figures : all) {
    const Case& c = figures.which;
    double neighbour = costs.count(c.like) ? costs[c.like] : 0;
    if (c.like == size_model && model) neighbour = (*model)(c);
    if (!(neighbour > 0)) continue;
    const double times = figures.cost() / neighbour;
    print_row({c.name, text(times, 2), c.at_most > 0 ? text(c.at_most, 1) : "-",
               c.at_most > 0 ? word(times <= c.at_most) : "", c.like});
    record.add(c.name, "times_neighbour", times);
  }
  if (model)
    std::printf("a p^2 + b p K: a = %.3g, b = %.3g by least squares over the cases of 10 <= p <= 32\n", model->a,
                model->b);
}

/// Beside the scalar program: by the fastest of each, which a busy machine disturbs least.
void report_baseline(const std::vector<Figures>& all, Record& record) {
  std::printf("\n");
  print_row({"speed", "baseline", "lanes", "ahead", "limit", ""});
  for (const Figures& figures : all) {
    if (!figures.timing || figures.timing->baseline().empty()) continue;
    const Case& c = figures.which;
    const double baseline = least(figures.timing->baseline()), lanes = least(figures.timing->lanes());
    print_row({c.name, text(baseline, 1), text(lanes, 1), text(baseline / lanes, 2), text(c.at_least, 1),
               word(baseline / lanes >= c.at_least)});
    record.add(c.name, "ahead_of_baseline", baseline / lanes);
  }
  std::printf("baseline: scalar OFUL, ridge regression without delay, one set, -O3 for this machine; ns\n");
}

void report_surroundings(const std::vector<Figures>& all, const std::vector<Timing>& split, const Settings& settings,
                         Record& record) {
  const TimingSettings& timing = settings.timing;
  report_split(split, timing, record);
  std::vector<const Timing*> written;
  for (const Figures& figures : all)
    for (const char* name : {"2,8", "10,20", "10,20 T=200"})
      if (figures.which.name == name) written.push_back(&*figures.timing);
  report_writing(written, timing, record);
  const double rounds = 2e9 / median(split[0].lanes());  // about two seconds
  report_scaling(timing, settings.repeat, std::max<std::int64_t>(16, static_cast<std::int64_t>(rounds / timing.T)),
                 record);
  report_program(settings.mixlab, timing.T, {2000, timing.T < 1000 ? 4000 : 200000}, record);
}

std::vector<Case> chosen(const Settings& settings) {
  if (settings.cases.empty()) return all_cases();
  std::vector<Case> cases;
  for (const auto& name : settings.cases) cases.push_back(case_named(name));
  return cases;
}

void bench(const Settings& settings) {
  std::vector<Figures> all;
  for (const Case& c : chosen(settings)) {
    const bool in_lanes = EngineRun(c.study_text(settings.timing.T), 1).in_lanes();
    all.push_back({c, in_lanes, settings.time ? std::optional(Timing(c, settings.timing)) : std::nullopt, {}});
  }
  std::vector<Timing> split;
  if (settings.time && settings.system)
    for (const Case& c : split_cases()) split.emplace_back(c, settings.timing);
  for (int i = 0; settings.time && i < settings.repeat; ++i) {
    for (Figures& figures : all) figures.timing->measure();
    for (Timing& timing : split) timing.measure();
  }
  if (settings.count)
    for (Figures& figures : all) figures.instructions = instructions_per_round(figures.which, settings.timing.T);
  Record record;
  std::printf("%s; T = %d; %s\n\n", store::utc_now().c_str(), settings.timing.T,
              settings.time ? (engine::name_of(engine::choose_isa()) + ", median of " +
                               std::to_string(settings.repeat) + " interleaved runs and the fastest")
                                  .c_str()
                            : "instructions of avx2 per four lanes and round");
  report_rounds(all, record);
  report_neighbours(all, record);
  if (settings.time) report_baseline(all, record);
  if (!split.empty()) report_surroundings(all, split, settings, record);
  record.save(settings.csv);
}

int run(int argc, char** argv) {
  Settings settings;
  settings.mixlab = (std::filesystem::path(own_path()).parent_path() / "../../mixlab").lexically_normal().string();
  po::options_description options("options");
  const std::string names = join(all_cases(), "; ", [](const Case& each) { return each.name; });
  options.add_options()("help", "this text")("case", po::value(&settings.cases)->value_name("NAME"),
                                             ("only this case, may be repeated: " + names).c_str())(
      "count", "count instructions, too, by valgrind")("no-time", "measure no time")(
      "repeat", po::value(&settings.repeat)->value_name("N"), "interleaved runs of everything; default 5")(
      "rounds", po::value(&settings.timing.T)->value_name("T"), "horizon; default 10000, to which limits apply")(
      "no-reference", "leave out the reference engine")("no-system", "leave out time split, threads, memory")(
      "csv", po::value(&settings.csv)->value_name("FILE"), "every figure, also as CSV")(
      "mixlab", po::value(&settings.mixlab)->value_name("PATH"), "the program; default: that of the same build")(
      "smoke", "everything, so short that the figures mean nothing: for the tests");
  po::options_description hidden;
  std::int64_t worker = 0;
  int n_threads = 1;
  std::string counted;
  hidden.add_options()("worker", po::value(&worker))("threads", po::value(&n_threads))("counted", po::value(&counted));
  po::options_description all;
  all.add(options).add(hidden);
  po::variables_map given;
  po::store(po::parse_command_line(argc, argv, all), given);
  po::notify(given);
  if (given.count("help")) {
    std::cout << usage << options;
    return 0;
  }
  settings.count = given.count("count") > 0;
  settings.time = !given.count("no-time");
  settings.timing.reference = !given.count("no-reference");
  settings.system = !given.count("no-system");
  if (given.count("smoke")) {
    settings.timing.T = 60;
    settings.timing.seconds = 1e-4;
    settings.repeat = 1;
  }
  if (settings.repeat < 1 || settings.timing.T < 30)
    throw std::runtime_error("--repeat must be at least 1, --rounds 30");
  if (!settings.time && !settings.count) throw std::runtime_error("--no-time leaves nothing to measure; add --count");
  register_builtins();
  store::prepare_hdf5();
  prepare_blas();
  if (worker > 0)
    run_worker(worker, n_threads, settings.timing.T);
  else if (!counted.empty())
    run_counted(case_named(counted), settings.timing.T);
  else
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
