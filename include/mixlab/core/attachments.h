// The files a study names: read once, as text, and carried with the study wherever it goes, so that results can be
// recomputed after the originals are gone.
#pragma once

#include <map>
#include <string>

namespace mixlab {

/// A one-dimensional HDF5 dataset as numbers, one per line; given by who knows HDF5. Throws InputError.
using ReadSeries = std::string (*)(const std::string& file, const std::string& dataset);

class Attachments {
 public:
  /// Knows only what is added: a study that was stored with its files must not read others.
  Attachments() = default;
  /// Relative paths are looked up from `folder`.
  explicit Attachments(const std::string& folder, ReadSeries read_series = nullptr)
      : folder_(folder.empty() ? "." : folder), read_series_(read_series) {}

  void add(const std::string& path, std::string text) { texts_[path] = std::move(text); }
  /// Reads the file unless it is here already. "x.h5:name" is a one-dimensional HDF5 dataset, as numbers, if there is a
  /// reader for it. Throws KeyError for `key`.
  const std::string& load(const std::string& path, const std::string& key);
  /// The text of a file that the study declares. Throws KeyError for `key` if it does not: what is not declared would
  /// not be part of the study's identity.
  const std::string& text(const std::string& path, const std::string& key) const;
  const std::map<std::string, std::string>& all() const { return texts_; }

 private:
  std::string folder_;
  ReadSeries read_series_ = nullptr;
  std::map<std::string, std::string> texts_;
};

}  // namespace mixlab
