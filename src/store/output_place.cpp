#include "mixlab/store/output_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {

namespace fs = std::filesystem;

void refuse_links_of_others(const std::string& path) {
  struct stat link {};
  if (::lstat(path.c_str(), &link) == 0 && S_ISLNK(link.st_mode) && link.st_uid != geteuid())
    throw InputError("bad output: '" + path +
                     "' (is a symbolic link that another user made); remove it or choose another "
                     "place with -o");
}

std::string resolve_output(const std::string& out) {
  constexpr int most_links = 40;
  fs::path path = out;
  std::error_code error;
  for (int n = 0; fs::is_symlink(path, error); ++n) {
    refuse_links_of_others(path);
    if (n == most_links)
      throw InputError("bad output: '" + out + "' (is a symbolic link that leads to itself); remove it");
    path = path.parent_path() / fs::read_symlink(path, error);
  }
  return path;
}

void remove_leftover(const std::string& folder, const std::string& name, OtherMachines others,
                     std::vector<Cleaned>& all) {
  auto process = parse_process_id(name, temporary_mark);
  if (!process) process = parse_presence(name);
  if (!process || *process == ProcessId::self()) return;
  const Alive alive = process->alive();
  Cleaned cleaned{folder + "/" + name,
                  alive == Alive::no || (alive == Alive::unknown && others == OtherMachines::clean),
                  alive == Alive::no    ? "its process is no more"
                  : alive == Alive::yes ? "its process is at work"
                                        : "of a process on another machine or in another container"};
  std::error_code error;
  if (cleaned.removed) fs::remove_all(cleaned.path, error);
  if (error) cleaned = {cleaned.path, false, "cannot be removed: " + error.message()};
  all.push_back(cleaned);
}

std::vector<Cleaned> remove_leftovers_in(const std::string& folder, const std::string& prefix, OtherMachines others) {
  std::vector<Cleaned> all;
  for (const auto& name : names_in(folder))
    if (name.starts_with(prefix)) remove_leftover(folder, name, others, all);
  return all;
}

}  // namespace mixlab::store
