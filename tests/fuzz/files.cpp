// Hostile results and part files: with a wrong checksum every one is refused; with the checksum made right or removed,
// whatever they hold, the program answers in time, in bounded memory and alive.
// usage: mixlab-fuzz-files N_WRONG N_RIGHT   (MIXLAB_TEST_SEED sets another seed)
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "fuzz/mutation.h"
#include "mixlab/builtins.h"
#include "mixlab/core/error.h"
#include "mixlab/engine/facts.h"
#include "mixlab/engine/reference.h"
#include "mixlab/store/csv_folder.h"
#include "mixlab/store/guard.h"
#include "mixlab/store/part_file.h"
#include "mixlab/store/results_file.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/stored_study.h"
#include "mixlab/store/workspace.h"
#include "mixlab/verdict/verdict.h"

namespace {

using namespace mixlab;
namespace fs = std::filesystem;

constexpr double most_seconds = 10;
constexpr double most_megabytes = 1000;  // of this process

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "mixlab-fuzz-XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
};

std::string bytes_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// A new file each time: the guard remembers files that it has seen.
void write_bytes(const std::string& path, const std::string& bytes) {
  fs::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Victim {
  std::string bytes;
  study::Part part;  ///< end = 0: a results file
};

/// Everything that commands do with such a file.
void use(const std::string& path, const Victim& victim, const study::Study& study, const std::string& folder) {
  if (victim.part.end > 0) {
    store::PartFile(path, victim.part, study).read(victim.part.first, victim.part.end);
    return;
  }
  const store::ResultsFile results(path);
  results.completed();
  store::study_in(results);
  verdict::check(results, 0.05, {});
  fs::remove_all(folder);
  store::write_csv_folder(folder, results);
}

std::vector<Victim> make_victims(const Folder& folder, const study::Study& study) {
  const auto experiments = engine::make_experiments(study);
  const auto cells = engine::facts_of(experiments);
  const store::Workspace workspace(folder.path / "out.h5");
  const store::Presence presence = workspace.open_for(study);
  store::OpenParts files(workspace.parts_folder(), cells, {study.hash(), study.effective_text(), "numerics", 16});
  std::vector<Victim> victims;
  for (const int cell : {0, 1}) {
    const study::Part part{cell, 0, 16, 0};
    const auto& experiment = experiments[static_cast<std::size_t>(cell)];
    std::vector<engine::Row> rows;
    for (std::int64_t i = 0; i < 16; ++i) rows.push_back(engine::run_reference(experiment, i).value());
    files.add(part, 0, rows);
    victims.push_back({bytes_of(workspace.parts_folder() + "/" + study::file_name(part)), part});
  }
  workspace.merge(study, cells, {workspace.parts_folder()}, store::Missing::refuse, store::Mixed::refuse);
  victims.push_back({bytes_of(workspace.out()), {}});
  victims.push_back(victims.back());  // as often as parts
  return victims;
}

struct Outcome {
  std::map<std::string, long> counts;
  double slowest = 0;
};

/// Of this process and its children: a busy machine is no fault of the file.
double processor_seconds() {
  double seconds = 0;
  for (const auto who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    struct rusage usage {};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime})
      seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  }
  return seconds;
}

/// "read", or the first words of the message.
std::string attempt(const std::function<void()>& work, Outcome& outcome) {
  const double start = processor_seconds();
  std::string word = "read";
  try {
    work();
  } catch (const InputError& error) {
    word = std::string(error.what()).substr(0, std::string(error.what()).find('\''));
  }
  outcome.slowest = std::max(outcome.slowest, processor_seconds() - start);
  ++outcome.counts[word.substr(0, word.find(" /"))];
  return word;
}

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  const std::string kept = (fs::temp_directory_path() / "mixlab-fuzz-failure.h5").string();
  fs::copy_file(path, kept, fs::copy_options::overwrite_existing);
  std::cerr << "FAILED: " << what << "; the file is kept as " << kept << "\n";
  std::_Exit(1);
}

double megabytes_used() {
  struct rusage usage {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e3;
}

void report(const char* what, const Outcome& outcome) {
  std::cout << what << ": slowest " << outcome.slowest << " s, largest " << megabytes_used() << " MB\n";
  for (const auto& [word, n] : outcome.counts) std::cout << "  " << n << " x " << word << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  register_builtins();
  store::prepare_hdf5();
  const char* text = std::getenv("MIXLAB_TEST_SEED");
  const unsigned long long seed = text ? std::stoull(text) : 20260131;
  std::cout << "seed " << seed << "\n";
  std::mt19937_64 chance(seed);
  const Folder folder;
  const study::Study study(study::parse_study_text(
      "[study]\ntrajectories=16\nhorizon=20, 40\n[noise]\nrho=0.9\n[confidence]\nmonitor=paper oful\n", "fuzz.cfg"));
  const auto victims = make_victims(folder, study);
  const std::string path = folder.path / "hostile.h5";
  const std::string tables = folder.path / "tables";
  const auto mutated = [&](const Victim& victim) {
    std::string bytes = victim.bytes;
    // Most of a small file is metadata; some mutations look for more of it near the start.
    for (std::size_t n = 1 + below(chance, 8); n > 0; --n) mutate(bytes, chance, 0, victim.bytes);
    return bytes;
  };
  const auto guard_time_and_space = [&](const Outcome& outcome) {
    if (outcome.slowest > most_seconds) fail("too slow", path);
    if (megabytes_used() > most_megabytes) fail("too large", path);
  };

  Outcome wrong;
  for (long left = std::atol(argv[1]); left > 0;) {
    const Victim& victim = victims[below(chance, victims.size())];
    std::string bytes = mutated(victim);
    if (left % 4 == 0) bytes = victim.bytes.substr(0, below(chance, victim.bytes.size()));
    if (bytes == victim.bytes) continue;
    --left;
    write_bytes(path, bytes);
    const auto open = [&] { store::open_guarded(path); };
    if (attempt(open, wrong) == "read") fail("a file with a wrong checksum was read", path);
    guard_time_and_space(wrong);
  }
  report("checksum wrong", wrong);

  Outcome right;
  for (long left = std::atol(argv[2]); left > 0; --left) {
    const Victim& victim = victims[below(chance, victims.size())];
    const std::string image = victim.bytes.substr(0, victim.bytes.size() - store::seal_size);
    const std::string bytes = mutated({image, victim.part});
    if (left % 5 == 0) {
      write_bytes(path, bytes);  // the seal removed
    } else {
      fs::remove(path);
      store::write_sealed(path, {bytes.begin(), bytes.end()});
    }
    const auto word = attempt([&] { use(path, victim, study, tables); }, right);
    if (left % 5 == 0 && word == "read") fail("a file without a checksum was read", path);
    guard_time_and_space(right);
  }
  report("checksum made right or removed", right);
}
