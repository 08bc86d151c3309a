#include "mixlab/store/trace_file.h"

#include "mixlab/engine/facts.h"
#include "mixlab/engine/trace.h"
#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/layout.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

// Armadillo is column-major: a p x T matrix lies in memory as (t, component).
std::span<const double> span_of(const arma::mat& values) {
  return {values.memptr(), values.n_elem};
}

}  // namespace

std::vector<char> trace_image(const engine::CellFacts& cell, const engine::Trace& trace) {
  Writer file = Writer::in_memory();
  file.attribute("format", "mixlab trace");
  file.attribute("format_version", format_version);
  file.attribute("cell", trace.cell);
  file.attribute("label", cell.label);
  file.attribute("trajectory", trace.trajectory);
  file.attribute("seed", std::to_string(trace.seed));
  file.attribute("policy", cell.values.text("policy.name"));
  file.attribute("policy_set", cell.values.text("policy.set"));
  file.attribute("d", cell.values.integer("confidence.delay"));
  file.attribute("lag", cell.values.integer("policy.delay"));
  file.attribute("lambda", cell.values.real("confidence.lambda"));
  file.attribute("policy_lambda", cell.values.real("policy.lambda"));
  file.attribute("B", cell.values.real("problem.norm_bound"));
  file.attribute("sigma", cell.values.real("noise.subgaussian"));
  file.attribute("phi", cell.values.real("confidence.phi"));
  file.attribute("delta", cell.values.real("confidence.delta"));

  const std::vector<std::string> sets = cell.set_names();
  for (std::size_t i = 0; i < sets.size(); ++i) file.attribute("lambda_" + sets[i], trace.lambda[i]);
  file.dimension("t", 1, static_cast<std::int64_t>(trace.reward.n_elem), "round");
  if (!trace.arms.is_empty()) file.dimension("arm", 0, static_cast<std::int64_t>(trace.arms.n_cols), "arm");
  file.dimension("component", 0, static_cast<std::int64_t>(trace.theta_star.n_elem), "component of a vector");
  file.dimension("set", sets, "confidence set");

  file.put<double>("theta_star", {"component"}, span_of(trace.theta_star), "true parameter");
  const std::span<const double> arms(trace.arms.memptr(), trace.arms.n_elem);
  if (trace.arms.n_slices > 1)
    file.put<double>("arms", {"t", "arm", "component"}, arms,
                     "decision set of each round, NaN where an arm is not on offer");
  else if (!trace.arms.is_empty())
    file.put<double>("arms", {"arm", "component"}, arms, "decision set");
  file.put<double>("action", {"t", "component"}, span_of(trace.action), "X_t");
  const std::vector<std::int64_t> action_index(trace.action_index.begin(), trace.action_index.end());
  file.put<std::int64_t>("action_index", {"t"}, std::span<const std::int64_t>(action_index),
                         "arm played, from 0; -1 in the ball");
  file.put<double>("reward", {"t"}, span_of(trace.reward), "Y_t");
  file.put<double>("noise", {"t"}, span_of(trace.noise), "eps_t");
  file.put<double>("theta_hat", {"t", "component"}, span_of(trace.theta_hat),
                   "constrained least squares from samples 1..t");
  file.put<double>("theta_ridge", {"t", "component"}, span_of(trace.theta_ridge), "ridge regression from samples 1..t");
  file.put<double>("q", {"t", "set"}, span_of(trace.q), "squared distance of theta* from the centre of C_t");
  file.put<double>("radius2", {"t", "set"}, span_of(trace.radius2), "squared radius of C_t");
  if (!trace.quadric.is_empty()) {
    file.dimension("term", std::vector<std::string>{"1", "x", "y", "x^2", "x y", "y^2"}, "power of theta = (x, y)");
    const std::span<const double> quadric(trace.quadric.memptr(), trace.quadric.n_elem);
    file.put<double>("quadric", {"t", "set", "term"}, quadric,
                     "squared distance of theta from the centre of C_t: sum over terms; NaN if it is no quadric");
  }
  file.put<double>("regret", {"t"}, span_of(trace.regret), "cumulative pseudo-regret");
  return file.image();
}

void write_trace(const std::string& path, const engine::CellFacts& cell, const engine::Trace& trace) {
  write_sealed(path, trace_image(cell, trace));
}

}  // namespace mixlab::store
