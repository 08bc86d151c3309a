#include "visible_stream.h"

#include <algorithm>
#include <iostream>
#include <string_view>

#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

/// Bytes at the end that others may complete to a character.
std::size_t n_begun(std::string_view text) {
  for (std::size_t n = 1; n <= std::min<std::size_t>(3, text.size()); ++n) {
    const auto byte = static_cast<unsigned char>(text[text.size() - n]);
    if ((byte & 0xc0) == 0x80) continue;
    const std::size_t size = byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    return n < size ? n : 0;
  }
  return 0;
}

std::ostream& raw_error() {
  static std::ostream stream(std::cerr.rdbuf());
  return stream;
}

}  // namespace

VisibleStream::VisibleStream(std::ostream& stream) : stream_(stream), buffer_(stream.rdbuf()) {
  raw_error();  // before standard error is ours
  stream_.rdbuf(&buffer_);
}

VisibleStream::~VisibleStream() {
  buffer_.finish();
  stream_.flush();
  stream_.rdbuf(buffer_.sink());
}

int VisibleStream::Buffer::overflow(int c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
}

std::streamsize VisibleStream::Buffer::xsputn(const char* bytes, std::streamsize size) {
  std::string text = begun_ + std::string(bytes, static_cast<std::size_t>(size));
  begun_ = text.substr(text.size() - n_begun(text));
  text.resize(text.size() - begun_.size());
  const std::string shown = visible(text);
  const auto length = static_cast<std::streamsize>(shown.size());
  return sink_->sputn(shown.data(), length) == length ? size : 0;
}

void VisibleStream::Buffer::finish() {
  const std::string shown = visible(begun_);
  begun_.clear();
  sink_->sputn(shown.data(), static_cast<std::streamsize>(shown.size()));
}

std::ostream& terminal() {
  return raw_error();
}

}  // namespace mixlab::cli
