// The user's own residuals, played again: sigma and phi are what the user declares, nothing is certified.
#include <algorithm>
#include <cmath>

#include "mixlab/core/attachments.h"
#include "mixlab/core/error.h"
#include "mixlab/core/text.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

class ReplayPath final : public Path {
 public:
  ReplayPath(random::Stream stream, const std::vector<double>& series)
      : series_(series),
        at_(static_cast<std::size_t>(random::uniform(stream.next()) * static_cast<double>(series.size()))) {}
  void next(std::span<double> eps) override {
    for (double& value : eps) {
      value = series_[at_];
      at_ = at_ + 1 == series_.size() ? 0 : at_ + 1;
    }
  }

 private:
  const std::vector<double>& series_;
  std::size_t at_;
};

class Replay final : public Process {
 public:
  Replay(std::vector<double> series, double proxy, Geometric declared, std::int64_t T)
      : series_(std::move(series)), proxy_(proxy), declared_(declared), T_(T) {}
  double sigma() const override { return proxy_; }
  double phi(std::int64_t d) const override { return declared_.C * std::exp(-static_cast<double>(d) / declared_.tau); }
  bool phi_is_exact() const override { return false; }
  std::optional<Geometric> geometric() const override { return declared_; }
  std::string outside_assumption() const override {
    return "sigma and phi of a replayed series are declared, not certified";
  }
  std::string caveat(std::int64_t n_trajectories) const override {
    const double uses =
        static_cast<double>(n_trajectories) * static_cast<double>(T_) / static_cast<double>(series_.size());
    std::string text = "replay: a series of " + std::to_string(series_.size()) + " values serves " +
                       std::to_string(n_trajectories) + " trajectories of " + std::to_string(T_) +
                       " rounds from random offsets, so each value is used about " + to_text(std::ceil(uses)) +
                       " times";
    if (uses > 1) text += ": trajectories overlap and are not independent, read the verdict with care";
    if (static_cast<std::size_t>(T_) > series_.size()) text += "; a trajectory wraps around the end of the series";
    return text;
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<ReplayPath>(stream, series_);
  }

 private:
  std::vector<double> series_;
  double proxy_;
  Geometric declared_;
  std::int64_t T_;
};

std::vector<double> centred_series(const std::string& text, const std::string& path, std::int64_t column) {
  std::vector<double> series;
  for (const auto& row : parse_table(text, path, "noise.file")) {
    if (static_cast<std::int64_t>(row.size()) < column)
      throw KeyError("noise.column", "bad value for noise.column: '" + std::to_string(column) + "' (must be at most " +
                                         std::to_string(row.size()) + ", the columns of " + path + "); lower it");
    series.push_back(row[static_cast<std::size_t>(column - 1)]);
  }
  if (series.size() < 2)
    throw KeyError("noise.file", "series too short: '" + path + "' (must have at least 2 values); give a longer one");
  double mean = 0;
  for (const double value : series) mean += value;
  mean /= static_cast<double>(series.size());
  for (double& value : series) value -= mean;
  return series;
}

}  // namespace

void register_replay() {
  processes().add(
      {.name = "replay",
       .summary = "your own residual series, each trajectory from its own offset",
       .formula = "eps_t = x_{(offset + t) mod n} - mean x, offset uniform;  phi_d = C exp(-d/tau) and sigma = proxy "
                  "as declared",
       .source = "",
       .parameters = {Parameter::file("file", "CSV or text file of numbers, or FILE.h5:DATASET"),
                      Parameter::integer("column", "1", "column of the file, from 1").at_least(1).at_most(1e6),
                      Parameter::real("proxy", "1", "declared sub-Gaussian constant of the series").above(0),
                      Parameter::real("C", "1", "declared constant of phi_d").at_least(0),
                      Parameter::real("tau", "10", "declared mixing time of phi_d").above(0)},
       .complete =
           [](Values& parameters) {
             if (!parameters.has("file"))
               throw KeyError("noise.process",
                              "no series for replay noise (noise.file is missing); for instance file = residuals.csv");
           }},
      [](const Request& request) {
        const std::string& path = request.parameters.text("file");
        return std::make_unique<Replay>(
            centred_series(request.files.text(path, "noise.file"), path, request.parameters.integer("column")),
            request.parameters.real("proxy"), Geometric{request.parameters.real("C"), request.parameters.real("tau")},
            request.T);
      });
}

}  // namespace mixlab::noise
