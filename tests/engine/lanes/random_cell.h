// Random cells: every family of arms, policy, set, noise process and corner of the parameters, from one stream.
#pragma once

#include <string>
#include <vector>

#include "mixlab/engine/experiment.h"
#include "mixlab/study/study_file.h"
#include "seed.h"

namespace mixlab::engine {

inline const std::string all_sets =
    "paper proof tight selfnorm oful otc theorem1 excess-loss telescope chains tight-kappa tight-root";

inline std::string number(double x) {
  return to_text(Value{x});
}

class RandomCell {
 public:
  RandomCell(random::Stream& stream, std::int64_t longest) : stream_(stream) {
    draw_problem();
    noise_ = pick(noises());
    text_ =
        "[study]\ntrajectories=64\nseed=" + std::to_string(integer_in(stream_, 0, 1 << 30)) + "\nhorizon=" +
        std::to_string(integer_in(stream_, 1, 8) == 1 ? integer_in(stream_, 1, 12) : integer_in(stream_, 20, longest)) +
        "\n[problem]\n" + problem_ + "[noise]\n" + noise_ + "\nsigma=" + pick({"1", "1", "0.1", "0.5", "3"}) +
        "\n[policy]\n" + policy() + "[confidence]\n" + confidence();
  }

  const std::string& text() const { return text_; }

  Experiment experiment() const {
    return std::move(make_experiments(study::Study(study::parse_study_text(text_, "random.cfg", {}, files_))).front());
  }

 private:
  std::string pick(const std::vector<std::string>& from) {
    return from[static_cast<std::size_t>(integer_in(stream_, 0, static_cast<std::int64_t>(from.size()) - 1))];
  }
  bool one_in(int n) { return integer_in(stream_, 1, n) == 1; }

  void draw_problem() {
    const std::string family =
        pick({"sphere", "sphere", "sphere", "circle", "basis", "gap", "file", "fresh", "ball", "ball"});
    const auto p = family == "circle" ? 2 : one_in(3) ? integer_in(stream_, 1, 32) : integer_in(stream_, 1, 10);
    const double B = one_in(3) ? std::stod(pick({"0.2", "0.5", "2", "10"})) : 1;
    const double norm = B * std::stod(pick({"1", "1", "1", "0.9", "0.5", "0.01"}));
    const std::string K = std::to_string(one_in(4) ? integer_in(stream_, 2, 4) : integer_in(stream_, 5, 40));
    std::string arms = family == "basis" || family == "ball" ? family : family + ":" + K;
    if (family == "gap") arms += ":" + number(uniform_in(stream_, 0.05, 1.9) * norm);
    if (family == "file") arms = "file:" + write_arms(p);
    problem_ = "dimension=" + std::to_string(p) + "\narms=" + arms + "\n";
    if (family == "circle" && one_in(3))  // on an arm or halfway between two: scores tie
      problem_ += "norm_bound=1\ntheta=" + pick({"1 0", "0 -1", "0.6 0.6"}) + "\n";
    else
      problem_ += "norm_bound=" + number(B) + "\ntheta_norm=" + number(norm) + "\n";
    if (one_in(4)) problem_ += "draw=cell\n";
  }

  /// Some arms twice, some in a plane, some very short: what strangers' files look like.
  std::string write_arms(std::int64_t p) {
    std::string table, line;
    const auto K = integer_in(stream_, 1, 30);
    const auto n_used = one_in(3) ? integer_in(stream_, 1, p) : p;
    const double longest = std::stod(pick({"1", "1", "0.3", "0.01"}));
    for (std::int64_t k = 0; k < K; ++k) {
      if (k == 0 || !one_in(5)) {
        arma::vec x(static_cast<arma::uword>(p), arma::fill::zeros);
        for (std::int64_t i = 0; i < n_used; ++i) x(static_cast<arma::uword>(i)) = normal_in(stream_);
        x *= longest * uniform_in(stream_, 0.1, 0.999) / arma::norm(x);
        line.clear();
        for (const double component : x) line += number(component) + " ";
      }
      table += line + "\n";
    }
    files_.add("arms.csv", table);
    return "arms.csv";
  }

  std::vector<std::string> noises() {
    std::string series;
    for (int i = 0; i < 500; ++i) series += number(normal_in(stream_)) + "\n";
    files_.add("series.csv", series);
    return {"process=iid",
            "process=iid\nlaw=rademacher",
            "process=sticky\nrho=0.9",
            "process=sticky\nrho=-0.5",
            "process=ar1\nrho=0.8",
            "process=gaussian-ar1\nrho=0.7",
            "process=algebraic\nr=1.5",
            "process=moving-average\nweights=3 2 1",
            "process=block-repeat\nlength=7",
            "process=frozen-sign\nfrozen=0.3",
            "process=frozen-block\nfrozen=0.2\nlength=4",
            "process=markov\ntransition=0.9 0.1 / 0.2 0.8\nvalues=1 -2",
            "process=replay\nfile=series.csv",
            "process=sign-chasing\nfrozen=0.3\nlag=1",
            "process=sign-chasing\nfrozen=0.8\nlaw=rademacher\nlag=12"};
  }

  std::string policy() {
    const std::string name = pick({"mixing-linucb", "mixing-linucb", "mixing-linucb", "linucb", "linucb", "thompson",
                                   "greedy", "round-robin", "random", "oracle"});
    std::string text = "name=" + name + "\n";
    if (name.ends_with("linucb") && one_in(4)) text += "ucb=ellipsoid_ball\n";
    if (one_in(3)) text += "set=" + pick(split_blanks(all_sets)) + "\n";
    if (one_in(2)) text += "delay=" + delay() + "\n";
    if (one_in(3)) text += "lambda=" + pick({"0.01", "0.3", "1", "20"}) + "\n";
    return text;
  }

  /// The schedule that this noise can have; empty if none.
  std::string schedule() const {
    for (const char* geometric : {"sticky", "ar1", "moving-average"})
      if (noise_.find(geometric) != std::string::npos) return "schedule:geometric";
    return noise_.find("algebraic") != std::string::npos ? "schedule:algebraic" : "";
  }
  std::string delay() {
    return one_in(3) && !schedule().empty() ? schedule() : std::to_string(integer_in(stream_, 1, 30));
  }

  std::string monitored() {
    std::string sets = one_in(4) ? pick(split_blanks(all_sets)) : all_sets;
    if (one_in(2) && !schedule().empty()) sets += " anytime-telescope";
    return one_in(4) ? pick({"coin", "coin " + sets, sets + " coin"}) + "\ncoin_miss=0.5" : sets;
  }

  std::string confidence() {
    std::string text = "delay=" + std::to_string(one_in(3) ? 1 : integer_in(stream_, 2, 30)) +
                       "\nmonitor=" + monitored() + "\nphi=" + pick({"certified", "0.001", "0.05", "0"}) +
                       "\ndelta=" + pick({"0.05", "0.2", "0.001"}) + "\n";
    if (one_in(4)) text += "lambda=" + pick({"0.05", "1", "7"}) + "\n";
    return text;
  }

  random::Stream& stream_;
  Attachments files_;
  std::string problem_;
  std::string noise_;
  std::string text_;
};

}  // namespace mixlab::engine
