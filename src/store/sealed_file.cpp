#include "mixlab/store/sealed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "mixlab/core/error.h"
#include "mixlab/core/hash.h"
#include "mixlab/core/process_id.h"
#include "mixlab/core/stop.h"
#include "mixlab/store/known_files.h"

namespace mixlab::store {
namespace {

constexpr const char* magic = "mixlab sealed file 2\n";
constexpr const char* magic_in_front = "mixlab sealed file 1\n";
constexpr std::size_t buffer_size = 1 << 20;

std::string seal_text(const char* first_line, const std::string& checksum, std::uint64_t size) {
  std::string text = first_line + ("xxh3-128 " + checksum + "\nbytes " + std::to_string(size) + "\n");
  text.resize(seal_size, '\0');
  return text;
}

void synchronise_folder(const std::string& path) {
  const std::string folder = std::filesystem::absolute(path).parent_path();
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);  // some network file systems refuse: the rename has happened all the same
  ::close(descriptor);
}

bool same_folder(const std::string& a, const std::string& b) {
  const auto folder = [](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path).parent_path());
  };
  return folder(a) == folder(b);
}

/// The seal that `size` bytes from `offset` on should have; of fewer if the file ends before.
std::string seal_of(const File& file, std::uint64_t offset, std::uint64_t size, const char* first_line,
                    Interruptible interruptible) {
  Hasher hasher;
  std::uint64_t total = 0;
  std::vector<char> buffer(buffer_size);
  while (total < size) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size - total));
    const std::size_t got = file.read_at(offset + total, buffer.data(), wanted);
    if (got == 0) break;
    if (interruptible == Interruptible::yes) Stop::check();
    hasher.add(buffer.data(), got);
    total += got;
  }
  return seal_text(first_line, hasher.hex(), total);
}

void copy(const File& from, File& to, Interruptible interruptible) {
  std::vector<char> buffer(buffer_size);
  std::uint64_t at = 0;
  while (const std::size_t got = from.read_at(at, buffer.data(), buffer.size())) {
    if (interruptible == Interruptible::yes) Stop::check();
    to.write_at(at, buffer.data(), got);
    at += got;
  }
}

/// Where a file carries its seal, and how long what it seals is.
struct SealPlace {
  enum class Side { none, front, back } side = Side::none;
  std::uint64_t image_size = 0;
  std::string text;
};

SealPlace find_seal(const File& file) {
  const std::uint64_t size = file.size();
  const auto text_at = [&](std::uint64_t offset) {
    std::string text(seal_size, '\0');
    file.read_at(offset, text.data(), text.size());
    return text;
  };
  if (const std::string front = text_at(0); front.starts_with(magic_in_front))
    return {SealPlace::Side::front, size < seal_size ? 0 : size - seal_size, front};
  if (size < seal_size) return {};
  const std::string back = text_at(size - seal_size);
  if (!back.starts_with(magic)) return {};
  return {SealPlace::Side::back, size - seal_size, back};
}

}  // namespace

std::string temporary_name(const std::string& path) {
  return path + temporary_mark + unique_name();
}

Temporary::~Temporary() {
  if (!is_named_) ::unlink(path().c_str());
}

std::optional<struct stat> Temporary::become(const std::string& path) {
  const auto fail = [&] {
    throw WriteError("cannot write " + path +
                     ": somebody put another file in its place (the folder must be one in "
                     "which nobody else moves your files); choose another place");
  };
  file_.synchronise();
  const struct stat written = file_.status();
  file_.close();
  struct stat there {};
  if (::lstat(file_.path().c_str(), &there) == 0 && !same_file(there, written)) fail();
  if (::rename(file_.path().c_str(), path.c_str()) != 0) fail_write(path, "rename", errno);
  is_named_ = true;
  synchronise_folder(path);
  if (::lstat(path.c_str(), &there) != 0 || there.st_ino != written.st_ino) {
    if (S_ISLNK(there.st_mode)) fail();
    return {};
  }
  return there;
}

void write_sealed(const std::string& path, const std::vector<char>& image) {
  Hasher hasher;
  hasher.add(image.data(), image.size());
  const std::string text = seal_text(magic, hasher.hex(), image.size());
  Temporary temporary(path);
  temporary.file().write_at(0, image.data(), image.size());
  temporary.file().write_at(image.size(), text.data(), text.size());
  temporary.become(path);
}

void write_text(const std::string& path, const std::string& text) {
  Temporary temporary(path);
  temporary.file().write_at(0, text.data(), text.size());
  temporary.become(path);
}

void seal(Temporary& made, const std::string& path, Interruptible interruptible) {
  const std::uint64_t size = made.file().size();
  const std::string text = seal_of(made.file(), 0, size, magic, interruptible);
  made.file().write_at(size, text.data(), text.size());
  if (same_folder(made.path(), path)) {
    if (const auto named = made.become(path)) remember_file(*named, Vetted::written_here);
    return;
  }
  Temporary near(path);
  copy(made.file(), near.file(), interruptible);
  near.become(path);
}

Seal examine_seal(const File& file) {
  const SealPlace seal = find_seal(file);
  if (seal.side == SealPlace::Side::none) return Seal::missing;
  const bool in_front = seal.side == SealPlace::Side::front;
  const std::string right =
      seal_of(file, in_front ? seal_size : 0, seal.image_size, in_front ? magic_in_front : magic, Interruptible::yes);
  return seal.text == right ? Seal::good : Seal::broken;
}

bool has_seal(const std::string& path) {
  try {
    return find_seal(File::open(path)).side != SealPlace::Side::none;
  } catch (const InputError&) {
    return false;
  }
}

}  // namespace mixlab::store
