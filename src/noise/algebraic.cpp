// Linear processes with power-law memory. MATHEMATICS.md B.4.
#include <algorithm>
#include <cmath>
#include <vector>

#include "convolution.h"
#include "innovations.h"
#include "law.h"
#include "mixlab/noise/process.h"

namespace mixlab::noise {
namespace {

// Quadrature of j^{-(r+1)} = Gamma(r+1)^{-1} int x^r e^{-jx} dx by the trapezoid rule in log x: at this step and with
// these ends the coefficients are right to about 1e-5 over the whole memory.
constexpr double log_step = 0.5;
constexpr double largest_x = 40;
constexpr double smallest_x_memory = 1e-2;

/// a_j = c sum_m w_m rho_m^j, scaled to unit variance over all j: the process is defined by these weights, so its
/// certificate is exact.
struct Exponentials {
  std::vector<double> weight;  ///< c w_m
  std::vector<double> rho;

  Exponentials(double r, double shift, double memory, double s) {
    const auto first = static_cast<int>(std::floor(std::log(smallest_x_memory / memory) / log_step));
    const auto last = static_cast<int>(std::ceil(std::log(largest_x) / log_step));
    for (int m = first; m <= last; ++m) {
      const double x = std::exp(m * log_step);
      const double w = std::exp((r + 1) * m * log_step - shift * x);
      if (w == 0) continue;
      weight.push_back(w);
      rho.push_back(std::exp(-x));
    }
    const double scale = 1 / (s * std::sqrt(sum2_from(0)));
    for (double& w : weight) w *= scale;
  }

  /// sum_{j >= d} a_j^2
  double sum2_from(double d) const {
    double sum = 0;
    for (std::size_t m = 0; m < rho.size(); ++m)
      for (std::size_t n = 0; n < rho.size(); ++n)
        sum += weight[m] * weight[n] * std::pow(rho[m] * rho[n], d) / (1 - rho[m] * rho[n]);
    return sum;
  }
  double coefficient(double j) const {
    double sum = 0;
    for (std::size_t m = 0; m < rho.size(); ++m) sum += weight[m] * std::pow(rho[m], j);
    return sum;
  }
  /// sum_{l <= j < m} a_j^2, without cancellation
  double sum2_between(double l, double m) const {
    if (m == l + 1) return coefficient(l) * coefficient(l);
    double sum = 0;
    for (std::size_t i = 0; i < rho.size(); ++i)
      for (std::size_t j = 0; j < rho.size(); ++j) {
        const double both = rho[i] * rho[j];
        sum += weight[i] * weight[j] * std::pow(both, l) * (1 - std::pow(both, m - l)) / (1 - both);
      }
    return sum;
  }
  /// sum_{j >= d} a_j
  double tail(double d) const {
    double sum = 0;
    for (std::size_t m = 0; m < rho.size(); ++m) sum += weight[m] * std::pow(rho[m], d) / (1 - rho[m]);
    return sum;
  }
};

/// One state a term, all driven by the same innovations.
class ExponentialsPath final : public Path {
 public:
  ExponentialsPath(const random::Stream& stream, const Exponentials& terms, BoundedLaw law, std::int64_t burn_in)
      : stream_(stream), terms_(terms), law_(law), state_(terms.rho.size()) {
    for (std::int64_t t = 0; t < burn_in; ++t) advance();
  }
  void next(std::span<double> eps) override {
    for (double& value : eps) {
      advance();
      value = 0;
      for (std::size_t m = 0; m < state_.size(); ++m) value += terms_.weight[m] * state_[m];
    }
  }

 private:
  void advance() {
    const double u = law_.draw(stream_.next());
    for (std::size_t m = 0; m < state_.size(); ++m) state_[m] = terms_.rho[m] * state_[m] + u;
  }

  random::Stream stream_;
  const Exponentials& terms_;
  BoundedLaw law_;
  std::vector<double> state_;
};

/// Tilts u_s by sum_j a_j h_{s+j}, the last planned tilt for all rounds after it: one recursion per term.
class TwistedExponentials final : public TwistedRounds {
 public:
  TwistedExponentials(const random::Stream& stream, const Twist& twist, const Exponentials& terms, BoundedLaw law,
                      std::int64_t burn_in)
      : TwistedRounds(stream, twist, TiltedLaw(law)), terms_(terms), state_(terms.rho.size()) {
    for (std::int64_t t = 0; t < burn_in; ++t) advance(plain_innovation());
  }
  void plan(const Tilts& tilts) override {
    const std::size_t n = tilts.n_rounds();
    plan_rounds(n);
    for (std::size_t i = 0; i < n; ++i) std::ranges::fill(planned(i), 0.0);
    std::vector<double> ahead(tilts.n_components);  // h_s + rho h_{s+1} + ...
    for (std::size_t m = 0; m < state_.size(); ++m) {
      const double rho = terms_.rho[m], after = geometric_sum(rho, tilts.rounds_after);
      for (std::size_t c = 0; c < ahead.size(); ++c) ahead[c] = after * tilts.of_round(n - 1)[c];
      for (std::size_t i = n; i-- > 0;) {
        const auto h = tilts.of_round(i);
        const auto g = planned(i);
        for (std::size_t c = 0; c < h.size(); ++c) {
          ahead[c] = h[c] + rho * ahead[c];
          g[c] += terms_.weight[m] * ahead[c];
        }
      }
    }
  }
  double next(std::span<const double>) override {
    advance(next_innovation());
    double eps = 0;
    for (std::size_t m = 0; m < state_.size(); ++m) eps += terms_.weight[m] * state_[m];
    return eps;
  }

 private:
  void advance(double u) {
    for (std::size_t m = 0; m < state_.size(); ++m) state_[m] = terms_.rho[m] * state_[m] + u;
  }

  const Exponentials& terms_;
  std::vector<double> state_;
};

/// The moving average sum_{j <= J} a_j u_{t-j} by fast convolution, many rounds at a time.
class ConvolutionPath final : public Path {
 public:
  ConvolutionPath(const random::Stream& stream, const ConvolutionWeights& weights, BoundedLaw law)
      : stream_(stream),
        law_(law),
        sums_(weights, [this](std::span<double> u) { draw(u); }),
        ready_(sums_.n_rounds()),
        used_(ready_.size()) {}
  void next(std::span<double> eps) override {
    for (double& value : eps) {
      if (used_ == ready_.size()) {
        draw(ready_);
        sums_.next(ready_);
        used_ = 0;
      }
      value = ready_[used_++];
    }
  }

 private:
  void draw(std::span<double> u) {
    for (double& value : u) value = law_.draw(stream_.next());
  }

  random::Stream stream_;
  BoundedLaw law_;
  Convolution sums_;
  std::vector<double> ready_;
  std::size_t used_;
};

/// The same with innovations that are tilted as they come: those before round 1 by fast convolution, the others one by
/// one, at a cost of T^2/2 operations.
class TwistedConvolution final : public TwistedRounds {
 public:
  TwistedConvolution(const random::Stream& stream, const Twist& twist, const std::vector<double>& a,
                     const std::vector<double>& tail, const ConvolutionWeights& weights, BoundedLaw law)
      : TwistedRounds(stream, twist, TiltedLaw(law)), a_(a), tail_(tail) {
    Convolution sums(weights, [this](std::span<double> innovations) {
      for (double& u : innovations) u = plain_innovation();
    });
    while (from_before_.size() < weights.memory()) {
      const std::size_t first = from_before_.size();
      from_before_.resize(first + sums.n_rounds());
      sums.next(std::span(from_before_).subspan(first));
    }
  }
  void plan(const Tilts& tilts) override {
    const std::size_t n = tilts.n_rounds();
    plan_rounds(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double after = from(n - i) - from(n - i + static_cast<std::size_t>(tilts.rounds_after));
      for (std::size_t c = 0; c < tilts.n_components; ++c) planned(i)[c] = after * tilts.of_round(n - 1)[c];
      for (std::size_t j = 0; i + j < n && j < tail_.size(); ++j) {
        const auto h = tilts.of_round(i + j);
        for (std::size_t c = 0; c < h.size(); ++c) planned(i)[c] += a_[j] * h[c];
      }
    }
  }
  double next(std::span<const double>) override {
    innovations_.push_back(next_innovation());
    const std::size_t t = innovations_.size();  // round
    double eps = t <= from_before_.size() ? from_before_[t - 1] : 0;
    for (std::size_t j = 0; j < std::min(t, a_.size()); ++j) eps += a_[j] * innovations_[t - 1 - j];
    return eps;
  }

 private:
  /// a_j + a_{j+1} + ...
  double from(std::size_t j) const { return j < tail_.size() ? tail_[j] : 0; }

  const std::vector<double>& a_;
  const std::vector<double>& tail_;
  std::vector<double> from_before_;  ///< what the innovations before round 1 add to the noise of each round
  std::vector<double> innovations_;
};

class AlgebraicProcess : public Process {
 public:
  AlgebraicProcess(double r, std::int64_t memory, BoundedLaw law) : r_(r), memory_(memory), law_(law) {}
  bool phi_is_exact() const override { return true; }
  // What the innovations of lags l..m-1 contribute: independent of all before (F3).
  double proxy(std::int64_t l, std::int64_t m, Fields fields) const override {
    return proxies_add(fields) ? law_.s * std::sqrt(sum2_between(l, m)) : Process::proxy(l, m, fields);
  }
  // A cold start has no innovations before round 1: one-sided fields and two-sided ones are the same.
  bool proxies_add(Fields fields) const override { return fields == Fields::two_sided || starts_cold(); }
  // In unit steps the proxies are s a_l, s a_{l+1}, ...
  double proxy_tail(std::int64_t l, std::int64_t n, Fields fields) const override {
    return n == 1 && proxies_add(fields) ? law_.s * phi(l) : Process::proxy_tail(l, n, fields);
  }
  std::optional<Algebraic> algebraic() const override { return Algebraic{.C = C_, .r = r_}; }

 protected:
  virtual bool starts_cold() const = 0;
  virtual double sum2_between(std::int64_t l, std::int64_t m) const = 0;

  /// C = max_d phi_d d^r over all lags that can occur.
  template <class Phi>
  void certify(Phi phi_of, std::int64_t T) {
    for (std::int64_t d = 1; d <= std::max(memory_, T); ++d)
      C_ = std::max(C_, phi_of(d) * std::pow(static_cast<double>(d), r_));
    C_ *= 1 + 1e-12;
  }
  double r_;
  std::int64_t memory_;
  BoundedLaw law_;
  double C_ = 0;
};

class SumOfExponentials final : public AlgebraicProcess {
 public:
  SumOfExponentials(double r, double shift, std::int64_t memory, BoundedLaw law, std::int64_t burn_in, std::int64_t T)
      : AlgebraicProcess(r, memory, law), terms_(r, shift, static_cast<double>(memory), law.s), burn_in_(burn_in) {
    certify([this](std::int64_t d) { return phi(d); }, T);
  }
  double phi(std::int64_t d) const override { return terms_.tail(static_cast<double>(d)); }
  // What a cold start leaves out of the variance of round 1 is too little to see.
  bool starts_stationary() const override {
    return terms_.sum2_from(static_cast<double>(burn_in_)) < 1e-6 * terms_.sum2_from(0);
  }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<ExponentialsPath>(stream, terms_, law_, burn_in_);
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedExponentials>(stream, twist, terms_, law_, burn_in_);
  }

 private:
  bool starts_cold() const override { return burn_in_ == 0; }
  double sum2_between(std::int64_t l, std::int64_t m) const override {
    return terms_.sum2_between(static_cast<double>(l), static_cast<double>(m));
  }

  Exponentials terms_;
  std::int64_t burn_in_;
};

class ExactPowerLaw final : public AlgebraicProcess {
 public:
  ExactPowerLaw(double r, double shift, std::int64_t memory, BoundedLaw law, std::int64_t T)
      : AlgebraicProcess(r, memory, law),
        a_(unit_weights(r, shift, memory, law.s)),
        tail_(sums_from(a_, [](double a) { return a; })),
        tail2_(sums_from(a_, [](double a) { return a * a; })),
        weights_(a_) {
    certify([this](std::int64_t d) { return phi(d); }, T);
  }
  double phi(std::int64_t d) const override { return from(tail_, d); }
  std::unique_ptr<Path> start(const random::Stream& stream) const override {
    return std::make_unique<ConvolutionPath>(stream, weights_, law_);
  }
  std::unique_ptr<TwistedPath> start_twisted(const random::Stream& stream, const Twist& twist) const override {
    return std::make_unique<TwistedConvolution>(stream, twist, a_, tail_, weights_, law_);
  }

 private:
  /// f(a_d) + f(a_{d+1}) + ... for every d, the small ones first.
  static std::vector<double> sums_from(const std::vector<double>& a, double (*f)(double)) {
    std::vector<double> sums(a.size());
    double sum = 0;
    for (std::size_t j = a.size(); j-- > 0;) sums[j] = sum += f(a[j]);
    return sums;
  }
  static std::vector<double> unit_weights(double r, double shift, std::int64_t memory, double s) {
    std::vector<double> a(static_cast<std::size_t>(memory) + 1);
    for (std::size_t j = 0; j < a.size(); ++j) a[j] = std::pow(static_cast<double>(j) + shift, -(r + 1));
    const double norm = std::sqrt(sums_from(a, [](double x) { return x * x; })[0]);
    for (double& x : a) x /= s * norm;
    return a;
  }
  static double from(const std::vector<double>& sums, std::int64_t d) {
    return static_cast<std::size_t>(d) < sums.size() ? sums[static_cast<std::size_t>(d)] : 0;
  }
  bool starts_cold() const override { return false; }
  double sum2_between(std::int64_t l, std::int64_t m) const override { return from(tail2_, l) - from(tail2_, m); }

  std::vector<double> a_;
  std::vector<double> tail_;   ///< sum_{j >= d} a_j
  std::vector<double> tail2_;  ///< sum_{j >= d} a_j^2
  ConvolutionWeights weights_;
};

std::unique_ptr<const Process> make(const Request& request) {
  const Values& values = request.parameters;
  const double r = values.real("r");
  const double shift = values.real("shift");
  const std::int64_t memory = values.integer("memory");
  const BoundedLaw law = bounded_law(values.text("law"));
  if (values.text("generator") == "fft") return std::make_unique<ExactPowerLaw>(r, shift, memory, law, request.T);
  return std::make_unique<SumOfExponentials>(r, shift, memory, law, values.integer("burn_in"), request.T);
}

}  // namespace

void register_algebraic() {
  processes().add(
      {.name = "algebraic",
       .summary = "linear process with power-law memory, unit variance",
       .formula =
           "eps_t = sum_j a_j u_{t-j}, a_j = c (j+shift)^{-(r+1)};  phi_d = sum_{j>=d} a_j <= C d^{-r}, C certified",
       .source = "MATHEMATICS.md B.4",
       .parameters = {Parameter::real("r", "1.5", "exponent of phi_d").above(0).at_most(10),
                      Parameter::real("shift", "10", "j0: larger is stronger dependence").at_least(1).at_most(1e4),
                      Parameter::text("generator", "exponentials", "sum of exponentials, or exact convolution")
                          .one_of({"exponentials", "fft"}),
                      Parameter::integer("memory", "100000", "lags that follow the power law").at_least(1).at_most(1e7),
                      Parameter::integer("burn_in", "0",
                                         "rounds before round 1; 0 is a cold, admissible start (exponentials)")
                          .at_least(0)
                          .at_most(1e7),
                      bounded_law_parameter()}},
      make);
}

}  // namespace mixlab::noise
