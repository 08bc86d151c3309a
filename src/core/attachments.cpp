#include "mixlab/core/attachments.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "mixlab/core/error.h"

namespace mixlab {
namespace {

constexpr std::uintmax_t largest_file = 256u << 20;

std::string read(const std::string& file, const std::string& key) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error))
    throw KeyError(key, "no such file for " + key + ": '" + file + "' (must be a readable text file); check the path");
  if (std::filesystem::file_size(file, error) > largest_file)
    throw KeyError(key, "file too large for " + key + ": '" + file + "' (at most 256 MiB); cut it");
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (text.str().find('\0') != std::string::npos)
    throw KeyError(key, "not a text file for " + key + ": '" + file +
                            "' (must be numbers in lines; for HDF5 write FILE.h5:DATASET); check it");
  return text.str();
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
