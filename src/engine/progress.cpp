#include "mixlab/engine/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>

namespace mixlab::engine {
namespace {

constexpr double live_interval = 0.25;
constexpr double plain_interval = 30;

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::size_t terminal_width() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

std::string rate_text(double rounds_per_second) {
  char text[32];
  if (rounds_per_second >= 1e6)
    std::snprintf(text, sizeof text, "%.1fM", rounds_per_second / 1e6);
  else
    std::snprintf(text, sizeof text, "%.0fk", rounds_per_second / 1e3);
  return text;
}

}  // namespace

std::string clock_text(double seconds) {
  const auto total = static_cast<long long>(std::ceil(seconds));
  char text[48];
  if (total >= 3600)
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", total / 3600, total / 60 % 60, total % 60);
  else
    std::snprintf(text, sizeof text, "%lld:%02lld", total / 60, total % 60);
  return text;
}

std::string progress_line(const Tally& tally, double seconds, std::size_t width) {
  std::string line = std::to_string(tally.done) + "/" + std::to_string(tally.total) + " trajectories";
  if (tally.total > 0) line += " " + std::to_string(100 * tally.done / tally.total) + "%";
  if (seconds > 0 && tally.computed > 0) {
    if (tally.rounds > 0) line += "  " + rate_text(tally.rounds / seconds) + " rounds/s";
    const double left = seconds / static_cast<double>(tally.computed) * static_cast<double>(tally.total - tally.done);
    line += tally.done < tally.total ? "  " + clock_text(left) + " left" : "  " + clock_text(seconds);
  }
  const bool some_were_done = tally.computed < tally.done;
  std::string misses;
  for (std::size_t i = 0; i < tally.sets.size(); ++i) {
    const std::string next = (i == 0 ? some_were_done ? "  misses in this run: " : "  misses: " : ", ") +
                             tally.sets[i] + " " + std::to_string(tally.misses[i]);
    if (line.size() + misses.size() + next.size() > width) return (line + misses).substr(0, width);
    misses += next;
  }
  return (line + misses).substr(0, width);
}

Progress::Style Progress::style_for(int file_descriptor) {
  return isatty(file_descriptor) ? Style::live : Style::plain;
}

Progress::Progress(std::ostream& out, Style style, Clock clock)
    : out_(out), style_(style), clock_(std::move(clock)), start_(clock_()), last_(start_) {}

Progress::Progress(Listener listener) : Progress(std::clog, Style::quiet, seconds_now) {
  listener_ = std::move(listener);
}

void Progress::show(const Tally& tally) {
  if (listener_) listener_(tally);
  if (style_ == Style::quiet || clock_() - last_ < (style_ == Style::live ? live_interval : plain_interval)) return;
  print(tally);
}

void Progress::finish(const Tally& tally) {
  if (listener_) listener_(tally);
  if (style_ == Style::quiet) return;
  print(tally);
  if (style_ == Style::live) out_ << "\n" << std::flush;
}

void Progress::print(const Tally& tally) {
  last_ = clock_();
  if (style_ == Style::live)
    out_ << "\r\033[K" << progress_line(tally, seconds(), terminal_width() - 1) << std::flush;
  else
    out_ << progress_line(tally, seconds(), std::string::npos) << std::endl;
}

}  // namespace mixlab::engine
