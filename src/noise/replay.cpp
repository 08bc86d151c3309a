// The user's own residuals, played again: sigma and phi are what the user declares, nothing is certified.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "mixlab/core/attachments.h"
#include "mixlab/core/error.h"
#include "mixlab/core/number_table.h"
#include "mixlab/core/text.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

/// A series without its mean.
struct Centred {
  std::vector<double> values;
  double mean = 0;
};

Centred centred(std::vector<double> values) {
  double mean = 0;
  for (const double value : values) mean += value;
  mean /= static_cast<double>(values.size());
  for (double& value : values) value -= mean;
  return {std::move(values), mean};
}

double autocovariance(const std::vector<double>& centred, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = lag; i < centred.size(); ++i) sum += centred[i] * centred[i - lag];
  return sum / static_cast<double>(centred.size());
}

std::string figure(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

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
  Replay(Centred series, double proxy, Geometric declared, std::int64_t T)
      : series_(std::move(series.values)), mean_(series.mean), proxy_(proxy), declared_(declared), T_(T) {}
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
  std::span<const double> recorded() const override { return series_; }
  std::string data_in_figures() const override {
    const auto [least, largest] = std::minmax_element(series_.begin(), series_.end());
    const double variance = autocovariance(series_, 0);
    std::string text = std::to_string(series_.size()) + " values, mean " + figure(mean_) + " (taken off), sd " +
                       figure(std::sqrt(variance)) + ", from " + figure(*least + mean_) + " to " +
                       figure(*largest + mean_);
    std::vector<std::string> lags, correlations;
    for (const std::size_t lag : {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000}) {
      if (4 * lag > series_.size() || variance == 0) break;
      lags.push_back(std::to_string(lag));
      correlations.push_back(figure(autocovariance(series_, lag) / variance));
    }
    return lags.empty() ? text : text + "; autocorrelation " + join(correlations) + " at lags " + join(lags);
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<ReplayPath>(stream, series_);
  }

 private:
  std::vector<double> series_;  ///< centred
  double mean_;                 ///< before
  double proxy_;
  Geometric declared_;
  std::int64_t T_;
};

}  // namespace

void register_replay() {
  processes().add(
      {.name = "replay",
       .summary = "your own residual series, each trajectory from its own offset",
       .formula = "eps_t = x_{(offset + t) mod n} - mean x, offset uniform;  phi_d = C exp(-d/tau) and sigma = proxy "
                  "as declared",
       .source = "",
       .parameters = {Parameter::file("file", "CSV or text file of numbers, or FILE.h5:DATASET"),
                      Parameter::text("column", "1",
                                      "column of the file: its number from 1, or its name in the first line"),
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
        auto series = NumberTable(request.files.text(path, "noise.file"), path, "noise.file")
                          .column(request.parameters.text("column"), "noise.column");
        if (series.size() < 2)
          throw KeyError("noise.file",
                         "series too short: '" + path + "' (must have at least 2 values); give a longer one");
        return std::make_unique<Replay>(centred(std::move(series)), request.parameters.real("proxy"),
                                        Geometric{request.parameters.real("C"), request.parameters.real("tau")},
                                        request.T);
      });
}

}  // namespace mixlab::noise
