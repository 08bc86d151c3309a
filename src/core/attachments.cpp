#include "mixlab/core/attachments.h"

#include <filesystem>
#include <sstream>

#include "mixlab/core/error.h"
#include "mixlab/core/file.h"

namespace mixlab {
namespace {

constexpr std::size_t largest_file = 256u << 20;

std::string read(const std::string& file, const std::string& key) {
  std::string text;
  try {
    text = read_text_file(file, largest_file);
  } catch (const InputError& error) {
    throw KeyError(key, key + ": " + error.what());
  }
  if (text.find('\0') != std::string::npos)
    throw KeyError(key, "not a text file for " + key + ": '" + file +
                            "' (must be numbers in lines; for HDF5 write FILE.h5:DATASET); check it");
  return text;
}

}  // namespace

const std::string& Attachments::load(const std::string& path, const std::string& key) {
  if (const auto found = texts_.find(path); found != texts_.end()) return found->second;
  if (folder_.empty())
    throw KeyError(key, "file missing beside the stored study: '" + path + "' (it is named by " + key +
                            "); run the study again from its study file");
  const auto full = [&](const std::string& name) { return (std::filesystem::path(folder_) / name).string(); };
  const auto colon = path.rfind(':');
  if (colon != std::string::npos && read_series_) {
    try {
      return texts_[path] = read_series_(full(path.substr(0, colon)), path.substr(colon + 1));
    } catch (const InputError& error) {
      throw KeyError(key, error.what());
    }
  }
  return texts_[path] = read(full(path), key);
}

const std::string& Attachments::text(const std::string& path, const std::string& key) const {
  const auto found = texts_.find(path);
  if (found == texts_.end())
    throw KeyError(key, "undeclared file for " + key + ": '" + path +
                            "' (a key that names a file must be declared by Parameter::file); declare it so");
  return found->second;
}

}  // namespace mixlab
