#include "mixlab/store/guard.h"

#include <sys/stat.h>

#include <algorithm>

#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"
#include "mixlab/store/known_files.h"
#include "mixlab/store/limited_child.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

constexpr std::size_t most_memory = std::size_t{2} << 30;
constexpr std::size_t most_answer = std::size_t{256} << 20;
constexpr hsize_t block_elements = 1 << 17;

/// Small files get 4 s, large ones as much as slow decompression needs.
Limits limits_for(double file_size) {
  return {4 + file_size / 20e6, most_memory, most_answer};
}

/// Everything that we might ever ask HDF5 for, in pieces as we do.
void read_whole(const Reader& file) {
  for (const auto& name : file.attributes()) file.read_attribute("", name);
  for (const auto& name : file.variables()) {
    for (const auto& attribute : file.attributes(name)) file.read_attribute(name, attribute);
    file.dimensions(name);
    if (file.is_text(name))
      file.read_text(name);
    else
      for_each_block(file.extent(name), block_elements,
                     [&](const Extent& start, const Extent& count) { file.read_raw(name, start, count); });
  }
}

/// What a file without our seal is, found out without trusting it.
std::string describe_stranger(const std::string& path, double size) {
  try {
    return run_limited("unreadable", limits_for(size), [&]() -> std::string {
      const Reader file(path);
      const auto names = file.attributes();
      if (std::find(names.begin(), names.end(), "format") != names.end() &&
          file.text_attribute("format").starts_with("mixlab "))
        return "damaged file: '" + path + "' (it calls itself '" + file.text_attribute("format") +
               "' but has lost its checksum, as files do that are cut short or that another tool has rewritten)";
      return "not a mixlab file: '" + path + "' (an HDF5 file of something else)";
    });
  } catch (const InputError&) {
    return "not a mixlab file: '" + path + "' (neither a mixlab file nor readable as HDF5; perhaps cut short)";
  }
}

void require_good_seal(const std::string& path, double size) {
  switch (examine_seal(path)) {
    case Seal::broken:
      throw DamagedFile("damaged file: '" + path +
                        "' (its checksum does not match: truncated or changed since it was " +
                        "written); restore it, or delete it and run the study again");
    case Seal::missing:
      throw DamagedFile(describe_stranger(path, size) + "; give a file as mixlab wrote it");
    case Seal::good:
      break;
  }
}

/// Everything that it holds, in a limited child.
void require_harmless(const std::string& path, double size) {
  try {
    run_limited("hostile file: '" + path + "'", limits_for(size), [&]() -> std::string {
      read_whole(Reader(path));
      return {};
    });
  } catch (const InputError& error) {
    throw DamagedFile(error.what());
  }
}

}  // namespace

Reader open_guarded(const std::string& path) {
  struct stat file {};
  const Vetted known = ::stat(path.c_str(), &file) == 0 ? vetted(file) : Vetted::no;
  if (known == Vetted::yes) return Reader(path);
  const auto size = static_cast<double>(file.st_size);
  require_good_seal(path, size);
  if (known == Vetted::no) require_harmless(path, size);
  remember_file(file, Vetted::yes);
  return Reader(path);
}

std::string read_series(const std::string& path, const std::string& dataset) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode))
    throw InputError("no such file: '" + path + "' (must be an HDF5 file); check the path");
  return run_limited("cannot use " + path + ":" + dataset, limits_for(static_cast<double>(file.st_size)), [&] {
    const Reader reader(path);
    if (reader.extent(dataset).size() != 1 || reader.is_text(dataset))
      throw InputError("cannot read " + path + ":" + dataset +
                       " (must be a one-dimensional dataset of numbers); check it");
    std::string text;
    for (const double value : reader.read<double>(dataset)) text += to_text(value) + "\n";
    return text;
  });
}

}  // namespace mixlab::store
