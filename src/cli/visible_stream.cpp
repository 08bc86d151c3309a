#include "visible_stream.h"

#include <iostream>

#include "mixlab/core/text.h"

namespace mixlab::cli {
namespace {

constexpr char lead_of_two = '\xc2';

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
  stream_.flush();
  stream_.rdbuf(buffer_.sink());
}

int VisibleStream::Buffer::overflow(int c) {
  if (traits_type::eq_int_type(c, traits_type::eof())) return traits_type::not_eof(c);
  const char byte = traits_type::to_char_type(c);
  return xsputn(&byte, 1) == 1 ? c : traits_type::eof();
}

std::streamsize VisibleStream::Buffer::xsputn(const char* bytes, std::streamsize size) {
  std::string text = half_ + std::string(bytes, static_cast<std::size_t>(size));
  half_.clear();
  if (text.ends_with(lead_of_two)) {
    half_ = lead_of_two;
    text.pop_back();
  }
  const std::string shown = visible(text);
  const auto length = static_cast<std::streamsize>(shown.size());
  return sink_->sputn(shown.data(), length) == length ? size : 0;
}

std::ostream& terminal() {
  return raw_error();
}

}  // namespace mixlab::cli
