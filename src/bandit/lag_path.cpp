#include "mixlab/bandit/lag_path.h"

#include <algorithm>
#include <cmath>

namespace mixlab::bandit {
namespace {

constexpr std::int64_t longest_exact_search = 1000;
constexpr double grid_ratio = 1.02;
constexpr double negligible = 1e-13;  ///< against the sum so far; the rest enters by its bound
constexpr std::int64_t most_infinite_levels = 1 << 20;

double root(std::int64_t n) {
  return std::sqrt(static_cast<double>(n));
}

std::int64_t next_on_grid(std::int64_t lag) {
  if (lag < longest_exact_search) return lag + 1;
  return std::max(lag + 1, static_cast<std::int64_t>(static_cast<double>(lag) * grid_ratio));
}

void add_level(LagPath& path, std::int64_t lag, std::int64_t width, double proxy) {
  if (proxy > 0) path.levels.push_back({lag, width, proxy});
}

std::int64_t common_width(const std::vector<std::int64_t>& lags) {
  const std::int64_t width = lags[1] - lags[0];
  for (std::size_t j = 2; j < lags.size(); ++j)
    if (lags[j] - lags[j - 1] != width) return 0;
  return width;
}

}  // namespace

double LagPath::D() const {
  if (levels.size() == 1) return levels[0].proxy * levels[0].proxy * static_cast<double>(levels[0].width);
  double sum = 0;
  for (const LagLevel& level : levels) sum += level.proxy * root(level.width);
  return sum * sum;
}

LagPath given_lags(const LagCertificate& certificate, const std::vector<std::int64_t>& lags, noise::Fields fields) {
  LagPath path{.levels = {}, .end = lags.back(), .fields = fields, .step = common_width(lags)};
  for (std::size_t j = 0; j + 1 < lags.size(); ++j)
    add_level(path, lags[j], lags[j + 1] - lags[j], certificate.proxy(lags[j], lags[j + 1], fields));
  return path;
}

LagPath equal_steps(const LagCertificate& certificate, std::int64_t d, std::int64_t n, noise::Fields fields) {
  LagPath path{.levels = {}, .end = d / n * n, .fields = fields, .step = n};
  for (std::int64_t lag = 0; lag < path.end; lag += n) add_level(path, lag, n, certificate.proxy(lag, lag + n, fields));
  return path;
}

/// Shortest paths from 0 over a grid of lags that grows with what is asked for.
class LagCertificate::Search {
 public:
  Search(const LagCertificate& certificate, noise::Fields fields)
      : certificate_(certificate), fields_(fields), nodes_(1) {}

  LagPath to(std::int64_t d) {
    if (certificate_.noise().proxies_add(fields_)) return unit_steps_to(d);
    while (next_on_grid(nodes_.back().lag) < d)
      nodes_.push_back(best_step_to(next_on_grid(nodes_.back().lag), nodes_.size()));
    const auto shorter = std::partition_point(nodes_.begin(), nodes_.end(), [&](const Node& n) { return n.lag < d; });
    std::vector<Node> steps = {best_step_to(d, static_cast<std::size_t>(shorter - nodes_.begin()))};
    while (nodes_[steps.back().previous].lag > 0) steps.push_back(nodes_[steps.back().previous]);
    std::reverse(steps.begin(), steps.end());
    LagPath path{.levels = {}, .end = d, .fields = fields_, .step = steps.front().lag};
    std::int64_t lag = 0;
    for (const Node& step : steps) {
      if (step.lag - lag != path.step) path.step = 0;
      add_level(path, lag, step.lag - lag, step.proxy);
      lag = step.lag;
    }
    return path;
  }

 private:
  struct Node {
    std::int64_t lag = 0;
    double cost = 0;  ///< least sum of s_j sqrt(n_j) up to this lag
    std::size_t previous = 0;
    double proxy = 0;  ///< of the step that leads here
  };

  /// From one of the first n_nodes.
  Node best_step_to(std::int64_t lag, std::size_t n_nodes) const {
    Node best{.lag = lag, .cost = std::numeric_limits<double>::infinity()};
    for (std::size_t i = n_nodes; i-- > 0;) {
      const double proxy = certificate_.proxy(nodes_[i].lag, lag, fields_);
      const double cost = nodes_[i].cost + proxy * root(lag - nodes_[i].lag);
      if (cost < best.cost) best = {.lag = lag, .cost = cost, .previous = i, .proxy = proxy};
    }
    return best;
  }

  // sqrt(n) (sum of n squares)^{1/2} is at least the sum: no longer step is cheaper.
  LagPath unit_steps_to(std::int64_t d) {
    for (auto lag = static_cast<std::int64_t>(unit_proxies_.size()); lag < d; ++lag)
      unit_proxies_.push_back(certificate_.proxy(lag, lag + 1, fields_));
    LagPath path{.levels = {}, .end = d, .fields = fields_, .step = 1};
    for (std::int64_t lag = 0; lag < d; ++lag) add_level(path, lag, 1, unit_proxies_[static_cast<std::size_t>(lag)]);
    return path;
  }

  const LagCertificate& certificate_;
  noise::Fields fields_;
  std::vector<Node> nodes_;  ///< of the grid, in order
  std::vector<double> unit_proxies_;
};

LagCertificate::LagCertificate(const noise::Process& noise, double scale, double factor,
                               std::optional<double> declared_bias)
    : noise_(noise), scale_(scale), factor_(factor), declared_bias_(declared_bias) {}

LagCertificate::~LagCertificate() = default;

double LagCertificate::proxy(std::int64_t l, std::int64_t m, noise::Fields fields) const {
  const double certified = scale_ * noise_.proxy(l, m, fields);
  if (l == 0) return certified;
  return fields == noise::Fields::one_sided ? std::min(sigma(), factor_ * certified) : factor_ * certified;
}

double LagCertificate::proxy_tail(std::int64_t l, std::int64_t n, noise::Fields fields) const {
  return factor_ * scale_ * noise_.proxy_tail(l, n, fields);
}

LagPath LagCertificate::shortest_path(std::int64_t d, noise::Fields fields) const {
  auto& search = fields == noise::Fields::one_sided ? one_sided_ : two_sided_;
  if (!search) search = std::make_unique<Search>(*this, fields);
  return search->to(d);
}

InfiniteLagPath infinite_path(const LagCertificate& certificate, std::int64_t step, noise::Fields fields) {
  double sum = 0, rest = 0;
  for (std::int64_t lag = 0; lag < most_infinite_levels * step; lag += step) {
    sum += certificate.proxy(lag, lag + step, fields);
    rest = certificate.proxy_tail(lag + step, step, fields);
    if (!(rest > negligible * sum && std::isfinite(sum + rest)) ||
        (step == 1 && certificate.noise().proxies_add(fields)))
      break;
  }
  return {.step = step, .fields = fields, .D = static_cast<double>(step) * (sum + rest) * (sum + rest)};
}

InfiniteLagPath best_infinite_path(const LagCertificate& certificate, noise::Fields fields) {
  InfiniteLagPath best = infinite_path(certificate, 1, fields);
  if (certificate.noise().proxies_add(fields)) return best;
  const double first = certificate.proxy(0, 1, fields);
  for (std::int64_t step = 2; best.exists() && static_cast<double>(step) * first * first < best.D; ++step)
    if (const InfiniteLagPath path = infinite_path(certificate, step, fields); path.D < best.D) best = path;
  return best;
}

}  // namespace mixlab::bandit
