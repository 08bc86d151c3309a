#include "mixlab/store/output_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {

namespace fs = std::filesystem;

namespace {

/// `path` without what would lead into a link instead of to it.
std::string without_slashes(std::string path) {
  while (path.size() > 1 && (path.ends_with('/') || path.ends_with("/."))) path.pop_back();
  return path;
}

}  // namespace

void refuse_links_of_others(const std::string& path) {
  struct stat link {};
  if (::lstat(without_slashes(path).c_str(), &link) == 0 && S_ISLNK(link.st_mode) && link.st_uid != geteuid())
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
  std::vector<std::string> names;
  try {
    names = names_in(folder);
  } catch (const InputError&) {  // one may write where one may not look
  }
  for (const auto& name : names)
    if (name.starts_with(prefix)) remove_leftover(folder, name, others, all);
  return all;
}

std::vector<Cleaned> remove_leftovers_of(const std::string& path) {
  const std::string plain = without_slashes(path);
  return remove_leftovers_in(folder_of(plain), fs::path(plain).filename().string() + temporary_mark,
                             OtherMachines::keep);
}

std::vector<Cleaned> remove_leftovers_below(const std::string& folder, OtherMachines others) {
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    files.push_back(entry->path());
  std::vector<Cleaned> all;
  for (const auto& file : files) remove_leftover(file.parent_path(), file.filename(), others, all);
  return all;
}

}  // namespace mixlab::store
