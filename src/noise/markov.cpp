// A function of a finite Markov chain. MATHEMATICS.md B.6.
#include <armadillo>
#include <cmath>
#include <limits>

#include "mixlab/core/error.h"
#include "mixlab/core/number_table.h"
#include "mixlab/core/text.h"
#include "mixlab/noise/process.h"
#include "mixlab/random/sampler.h"

namespace mixlab::noise {
namespace {

constexpr arma::uword most_states = 200;
constexpr std::int64_t most_lags = 10000000;  // phi of longer lags is bounded by the last

[[noreturn]] void bad(const std::string& key, const std::string& what, const std::string& rule) {
  throw KeyError("noise." + key, "bad value for noise." + key + ": '" + what + "' (must be " + rule +
                                     "); for instance transition = 0.9 0.1 / 0.2 0.8 and values = 1 -2");
}

arma::vec parse_vector(const std::string& key, const std::string& text) {
  const auto pieces = split_blanks(text);
  arma::vec values(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto value = parse_real(pieces[i]);
    if (!value) bad(key, text, "numbers");
    values(i) = *value;
  }
  return values;
}

struct Chain {
  arma::mat P;
  arma::vec stationary;
  arma::vec values;  ///< of each state, centred under the stationary law
};

/// A file holds the values in its first line, then the rows of the matrix: the same as the two parameters.
Values with_file(Values parameters, const Attachments& files) {
  if (!parameters.has("file")) return parameters;
  const std::string& path = parameters.text("file");
  const auto table = NumberTable(files.text(path, "noise.file"), path, "noise.file").rows();
  const auto row_text = [](const std::vector<double>& row) {
    return join(row, " ", [](double value) { return to_text(value); });
  };
  parameters.set("values", row_text(table.front()));
  parameters.set("transition", join(std::vector(table.begin() + 1, table.end()), " / ", row_text));
  return parameters;
}

Chain parse_chain(const Values& parameters) {
  const auto rows = split(parameters.text("transition"), '/');
  const auto n = static_cast<arma::uword>(rows.size());
  if (n < 2 || n > most_states) bad("transition", std::to_string(n) + " rows", "2 to 200 rows");
  Chain chain{arma::mat(n, n), {}, parse_vector("values", parameters.text("values"))};
  if (chain.values.n_elem != n) bad("values", parameters.text("values"), std::to_string(n) + " numbers, one a state");
  for (arma::uword i = 0; i < n; ++i) {
    const arma::vec row = parse_vector("transition", rows[i]);
    if (row.n_elem != n || row.min() < 0 || std::abs(arma::sum(row) - 1) > 1e-9)
      bad("transition", rows[i], "a square matrix with rows of probabilities that sum to 1");
    chain.P.row(i) = row.t() / arma::sum(row);
  }
  // pi (P - I) = 0, sum pi = 1
  arma::mat A = chain.P.t() - arma::eye(n, n);
  A.row(n - 1).ones();
  arma::vec right(n, arma::fill::zeros);
  right(n - 1) = 1;
  if (!arma::solve(chain.stationary, A, right, arma::solve_opts::no_approx) || chain.stationary.min() < -1e-12)
    bad("transition", parameters.text("transition"), "a chain with one stationary law");
  chain.stationary = arma::clamp(chain.stationary, 0, 1);
  chain.stationary /= arma::sum(chain.stationary);
  chain.values -= arma::dot(chain.stationary, chain.values);
  if (chain.values.max() - chain.values.min() <= 0) bad("values", parameters.text("values"), "not all the same");
  return chain;
}

void complete_transition(Values& parameters) {
  const bool inside = parameters.has("transition") || parameters.has("values");
  if (parameters.has("file") == inside)
    throw KeyError(
        inside ? "noise.file" : "noise.process",
        std::string(inside ? "both noise.file and a chain" : "no chain") +
            " in the study (must be noise.file, or noise.transition with noise.values); for instance transition = "
            "0.9 0.1 / 0.2 0.8 and values = 1 -2");
  if (!inside) return;
  for (const char* key : {"transition", "values"})
    if (!parameters.has(key)) bad(key, "", "given with the other");
  parse_chain(parameters);
}

class MarkovPath final : public Path {
 public:
  MarkovPath(const random::Stream& stream, const Chain& chain, const arma::mat& cumulative)
      : stream_(stream), chain_(chain), cumulative_(cumulative) {
    state_ = pick(arma::cumsum(chain.stationary).eval().memptr());
  }
  void next(std::span<double> eps) override {
    for (double& value : eps) {
      value = chain_.values(state_);
      state_ = pick(cumulative_.colptr(state_));
    }
  }

 private:
  arma::uword pick(const double* cumulative) {
    const double u = random::uniform(stream_.next());
    arma::uword state = 0;
    while (state + 1 < chain_.values.n_elem && cumulative[state] <= u) ++state;
    return state;
  }

  random::Stream stream_;
  const Chain& chain_;
  const arma::mat& cumulative_;  ///< column z: cumulative probabilities of the next state
  arma::uword state_ = 0;
};

/// The chain of the tilted law: K(z,y) = P(z,y) e^{h_s f(y)} r_{s+1}(y)/r_s(z), r_s = P (e^{h_s f} r_{s+1}).
class TwistedMarkov final : public TwistedPath {
 public:
  TwistedMarkov(const random::Stream& stream, const Twist& twist, const Chain& chain)
      : TwistedPath(stream, twist), chain_(chain), row_(chain.stationary.t()) {}

  void plan(const Tilts& tilts) override {
    const std::size_t n = tilts.n_rounds();
    const auto n_states = chain_.values.n_elem;
    factor_.set_size(n_states, tilts.n_components, n);
    round_ = 0;
    for (std::size_t c = 0; c < tilts.n_components; ++c) {
      arma::vec r(n_states, arma::fill::ones);
      for (std::int64_t s = std::min(tilts.rounds_after, rounds_beyond); s > 0; --s)
        r = before(weighted(tilts.of_round(n - 1)[c], r));
      for (std::size_t i = n; i-- > 0;) {
        const arma::vec weight = weighted(tilts.of_round(i)[c], r);
        factor_.slice(i).col(c) = weight;
        r = before(weight);
      }
    }
  }

  double next(std::span<const double>) override {
    const arma::mat& factor = factor_.slice(round_++);
    const arma::rowvec masses = row_ * factor;  // r_s of the state we are in
    const double target = random::uniform(stream_.next()) * masses(drawn_);
    arma::uword state = 0, last = 0;
    for (double sum = 0; state < row_.n_elem; ++state) {
      if (row_(state) == 0) continue;
      last = state;
      if ((sum += row_(state) * factor(state, drawn_)) > target) break;
    }
    for (std::size_t c = 0; c < log_ratios_.size(); ++c) log_ratios_[c] += std::log(factor(last, c) / masses(c));
    row_ = chain_.P.row(last);
    return chain_.values(last);
  }

 private:
  static constexpr std::int64_t rounds_beyond = 32;  ///< of the last tilt, looked at after the planned ones

  arma::vec weighted(double h, const arma::vec& r) const {
    const arma::vec exponent = h * chain_.values;
    return arma::exp(exponent - exponent.max()) % r;
  }
  arma::vec before(const arma::vec& weight) const {
    const arma::vec r = chain_.P * weight;
    return r / r.max();
  }

  const Chain& chain_;
  arma::rowvec row_;   ///< law of the next state under P
  arma::cube factor_;  ///< e^{h f} r of each state and component, up to a factor of the component, per planned round
  std::size_t round_ = 0;
};

class Markov final : public Process {
 public:
  Markov(Chain chain, std::int64_t T) : chain_(std::move(chain)), cumulative_(arma::cumsum(chain_.P.t())) {
    arma::vec mean = chain_.values;  // P^d f
    const arma::vec visited = arma::conv_to<arma::vec>::from(chain_.stationary > 1e-14);
    for (std::int64_t d = 1; d <= std::min(T, most_lags); ++d) {
      mean = chain_.P * mean;
      const double largest = arma::abs(mean % visited).max();
      phi_.push_back(phi_.empty() ? largest : std::min(largest, phi_.back()));
      half_range_.push_back(half_range(mean));
      if (largest < 1e-18) break;
    }
    const arma::vec moduli = arma::sort(arma::abs(arma::eig_gen(chain_.P)), "descend");
    const double second = moduli(1);
    if (second > 1e-12 && second < 1) {
      Geometric certificate{0, -1 / std::log(second)};
      for (std::size_t i = 0; i < phi_.size() && phi_[i] > 1e-6 * sigma(); ++i)  // below, rounding speaks
        certificate.C = std::max(certificate.C, phi_[i] * std::exp(static_cast<double>(i + 1) / certificate.tau));
      geometric_ = certificate;
    }
  }

  double sigma() const override { return (chain_.values.max() - chain_.values.min()) / 2; }
  double phi(std::int64_t d) const override { return phi_[std::min(static_cast<std::size_t>(d), phi_.size()) - 1]; }
  bool phi_is_exact() const override { return true; }
  // (P^l f)(Z_{s-l}) has values in an interval of this length, given anything before
  double proxy(std::int64_t l, std::int64_t, Fields fields) const override {
    if (fields == Fields::two_sided) return std::numeric_limits<double>::infinity();
    return l == 0 ? sigma() : half_range_[std::min(static_cast<std::size_t>(l), half_range_.size()) - 1];
  }
  std::optional<Geometric> geometric() const override { return geometric_; }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<MarkovPath>(stream, chain_, cumulative_);
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedMarkov>(stream, twist, chain_);
  }

 private:
  /// Over the states that are visited.
  double half_range(const arma::vec& values) const {
    const arma::vec visited = values(arma::find(chain_.stationary > 1e-14));
    return (visited.max() - visited.min()) / 2;
  }

  Chain chain_;
  arma::mat cumulative_;
  std::vector<double> half_range_;  ///< of P f, P^2 f, ... as far as they matter
  std::vector<double> phi_;         ///< phi_1, phi_2, ... as far as they matter
  std::optional<Geometric> geometric_;
};

}  // namespace

void register_markov() {
  processes().add(
      {.name = "markov",
       .summary = "values of a finite Markov chain, centred, stationary start",
       .formula = "eps_t = f(Z_t), pi f = 0;  phi_d = max_z |(P^d f)(z)| exactly, sigma = (max f - min f)/2",
       .source = "MATHEMATICS.md B.6",
       .parameters = {Parameter::text("transition", "", "matrix P, rows separated by /"),
                      Parameter::text("values", "", "f of each state; its stationary mean is subtracted"),
                      Parameter::file("file", "CSV instead: first line f, then the rows of P")},
       .complete = complete_transition},
      [](const Request& request) {
        return std::make_unique<Markov>(parse_chain(with_file(request.parameters, request.files)), request.T);
      });
}

}  // namespace mixlab::noise
