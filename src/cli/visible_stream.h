// What goes to standard output and error is only text: a title with an escape sequence in it is shown, not obeyed.
#pragma once

#include <ostream>
#include <streambuf>
#include <string>

namespace mixlab::cli {

/// As long as this lives, control characters that are written to the stream appear as "\x1b".
class VisibleStream {
 public:
  explicit VisibleStream(std::ostream& stream);
  ~VisibleStream();
  VisibleStream(const VisibleStream&) = delete;
  VisibleStream& operator=(const VisibleStream&) = delete;

 private:
  class Buffer : public std::streambuf {
   public:
    explicit Buffer(std::streambuf* sink) : sink_(sink) {}
    std::streambuf* sink() const { return sink_; }
    /// Nothing follows: the beginning of a character is none.
    void finish();

   protected:
    int overflow(int c) override;
    std::streamsize xsputn(const char* bytes, std::streamsize size) override;
    int sync() override { return sink_->pubsync(); }

   private:
    std::streambuf* sink_;
    std::string begun_;  ///< the first bytes of a character
  };

  std::ostream& stream_;
  Buffer buffer_;
};

/// Standard error as it is, for what moves the cursor itself: only our own words may go there.
std::ostream& terminal();

}  // namespace mixlab::cli
