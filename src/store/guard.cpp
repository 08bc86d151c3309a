#include "mixlab/store/guard.h"

#include <algorithm>

#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"
#include "mixlab/store/known_files.h"
#include "mixlab/store/limited_child.h"
#include "mixlab/store/sealed_file.h"
#include "mixlab/store/soundness.h"

namespace mixlab::store {
namespace {

constexpr std::size_t most_memory = std::size_t{2} << 30;
constexpr std::size_t most_answer = std::size_t{256} << 20;
constexpr hsize_t block_elements = 1 << 17;

/// Small files get 4 s, large ones as much as slow decompression needs.
Limits limits_for(const File& file) {
  return {4 + static_cast<double>(file.size()) / 20e6, most_memory, most_answer};
}

/// Everything that we might ever ask HDF5 for, in pieces as we do.
void read_whole(const Reader& file) {
  for (const auto& name : file.attributes()) file.read_attribute("", name);
  for (const auto& name : file.variables()) {
    if (!file.has_own_filters(name))
      throw InputError("hostile file: '" + file.path() + "' (" + name +
                       " went through a filter that mixlab does not use); recompute it");
    file.require_whole(name);
  }
  const auto checked = require_sound(file);
  for (const auto& name : file.variables()) {
    for (const auto& attribute : file.attributes(name)) file.read_attribute(name, attribute);
    file.dimensions(name);
    if (file.is_text(name))
      file.read_text(name);
    else if (!checked.contains(name))
      for_each_block(file.extent(name), block_elements,
                     [&](const Extent& start, const Extent& count) { file.read_raw(name, start, count); });
  }
}

/// What a file without our seal is, found out without trusting it.
std::string describe_stranger(File& file) {
  const std::string path = file.path();
  try {
    return run_limited("unreadable", limits_for(file), [&]() -> std::string {
      const Reader reader(std::move(file));
      const auto names = reader.attributes();
      if (std::find(names.begin(), names.end(), "format") != names.end() &&
          reader.text_attribute("format").starts_with("mixlab "))
        return "damaged file: '" + path + "' (it calls itself '" + reader.text_attribute("format") +
               "' but has lost its checksum, as files do that are cut short or that another tool has rewritten)";
      return "not a mixlab file: '" + path + "' (an HDF5 file of something else)";
    });
  } catch (const InputError&) {
    return "not a mixlab file: '" + path + "' (neither a mixlab file nor readable as HDF5; perhaps cut short)";
  }
}

void require_good_seal(File& file) {
  switch (examine_seal(file)) {
    case Seal::broken:
      throw DamagedFile("damaged file: '" + file.path() +
                        "' (its checksum does not match: truncated or changed since it was " +
                        "written); restore it, or delete it and run the study again");
    case Seal::missing:
      throw DamagedFile(describe_stranger(file) + "; give a file as mixlab wrote it");
    case Seal::good:
      break;
  }
}

/// Everything that it holds, in a limited child, which has a copy of `file`.
void require_harmless(File& file) {
  try {
    run_limited("hostile file: '" + file.path() + "'", limits_for(file), [&]() -> std::string {
      read_whole(Reader(std::move(file)));
      return {};
    });
  } catch (const InputError& error) {
    throw DamagedFile(error.what());
  }
}

}  // namespace

Reader open_guarded(const std::string& path, Links links) {
  File file = File::open(path, links);
  const struct stat status = file.status();
  const Vetted known = vetted(status);
  if (known == Vetted::yes) return Reader(std::move(file));
  require_good_seal(file);
  if (known == Vetted::no) require_harmless(file);
  if (!unwritten(status, file.status()))
    throw InputError("file in motion: '" + path + "' (somebody wrote to it while it was checked); try again");
  remember_file(status, Vetted::yes);
  return Reader(std::move(file));
}

std::string read_series(const std::string& path, const std::string& dataset) {
  File file = File::open(path);
  return run_limited("cannot use " + path + ":" + dataset, limits_for(file), [&] {
    const Reader reader(std::move(file));
    if (reader.extent(dataset).size() != 1 || reader.is_text(dataset))
      throw InputError("cannot read " + path + ":" + dataset +
                       " (must be a one-dimensional dataset of numbers); check it");
    if (!reader.has_known_filters(dataset))
      throw InputError("cannot read " + path + ":" + dataset +
                       " (went through another filter than gzip and shuffle); write it anew, as by h5repack -f GZIP=6");
    reader.require_whole(dataset);
    std::string text;
    for (const double value : reader.read<double>(dataset)) text += to_text(value) + "\n";
    return text;
  });
}

}  // namespace mixlab::store
