#include "mixlab/store/trace_file.h"

#include "mixlab/store/hdf5_writer.h"
#include "mixlab/store/sealed_file.h"

namespace mixlab::store {
namespace {

// Armadillo is column-major: a p x T matrix lies in memory as (t, component).
std::span<const double> span_of(const arma::mat& values) {
  return {values.memptr(), values.n_elem};
}

}  // namespace

void write_trace(const std::string& path, const engine::Experiment& experiment, std::int64_t trajectory,
                 const engine::Trace& trace) {
  Writer file = Writer::in_memory();
  const Values& values = experiment.cell.values;
  file.attribute("format", "mixlab trace");
  file.attribute("format_version", std::int64_t{1});
  file.attribute("cell", std::int64_t{experiment.cell.index});
  file.attribute("label", experiment.cell.label);
  file.attribute("trajectory", trajectory);
  file.attribute("seed", std::to_string(experiment.seed));
  file.attribute("policy", values.text("policy.name"));
  file.attribute("policy_set", values.text("policy.set"));
  file.attribute("d", experiment.d);
  file.attribute("lag", experiment.lag);
  file.attribute("lambda", values.real("confidence.lambda"));
  file.attribute("policy_lambda", values.real("policy.lambda"));
  file.attribute("B", experiment.B);
  file.attribute("sigma", experiment.sigma);
  file.attribute("phi", experiment.phi);
  file.attribute("delta", experiment.delta);

  std::vector<std::string> sets;
  for (const auto& monitored : experiment.sets)
    file.attribute("lambda_" + monitored.name, experiment.lambdas[monitored.ridge]);
  for (const auto& monitored : experiment.sets) sets.push_back(monitored.name);
  file.dimension("t", 1, static_cast<std::int64_t>(trace.reward.n_elem), "round");
  if (trace.instance.arms.n_cols > 0)
    file.dimension("arm", 0, static_cast<std::int64_t>(trace.instance.arms.n_cols), "arm");
  file.dimension("component", 0, experiment.p, "component of a vector");
  file.dimension("set", sets, "confidence set");

  file.put<double>("theta_star", {"component"}, span_of(trace.instance.theta), "true parameter");
  if (!trace.arms.is_empty())
    file.put<double>("arms", {"t", "arm", "component"}, {trace.arms.memptr(), trace.arms.n_elem},
                     "decision set of each round");
  else if (trace.instance.arms.n_cols > 0)
    file.put<double>("arms", {"arm", "component"}, span_of(trace.instance.arms), "decision set");
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
  file.put<double>("regret", {"t"}, span_of(trace.regret), "cumulative pseudo-regret");
  write_sealed(path, file.image());
}

}  // namespace mixlab::store
