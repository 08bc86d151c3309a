#include "verdict_json.h"

#include "command.h"
#include "mixlab/core/text.h"
#include "verdict_fields.h"

namespace mixlab::cli {
namespace {

constexpr int verdict_version = 2;

}  // namespace

ExitCode exit_code_of(const verdict::Verdict& verdict, Undecided undecided) {
  const auto outcome = verdict.outcome();
  const bool is_acceptable = outcome == verdict::Outcome::as_expected ||
                             (outcome == verdict::Outcome::undecided && undecided == Undecided::is_acceptable);
  return is_acceptable ? ExitCode::done : ExitCode::contradicted;
}

void print_verdict_json(std::ostream& out, const verdict::Verdict& verdict, const verdict::Verdict& shown,
                        ExitCode exit_code) {
  out << "{\"verdict_version\": " << verdict_version << ", \"file\": " << json(verdict.file)
      << ", \"title\": " << json(verdict.title) << ", \"overrides\": " << json(verdict.overrides)
      << ", \"swept\": " << json(verdict.swept) << ", \"alpha\": " << json_text(verdict.alpha)
      << ", \"deltas\": " << json_text(verdict.deltas) << ", \"complete\": " << json_text(verdict.complete())
      << ", \"completed\": " << verdict.completed << ", \"trajectories\": " << verdict.trajectories
      << ", \"n_comparisons\": " << verdict.n_words << ", \"outcome\": " << json(name_of(verdict.outcome()))
      << ", \"contradicted\": " << json_text(verdict.contradicted())
      << ", \"exploratory\": " << json_text(verdict.exploratory()) << ", \"promise\": " << json(verdict.promise())
      << ", \"sentence\": " << json(verdict.sentence()) << ", \"exit\": " << static_cast<int>(exit_code);
  print_json_list(out, "findings", finding_fields(verdict), shown.findings);
  print_json_list(out, "bounds", bound_fields(verdict), shown.bounds);
  print_json_list(out, "comparisons", comparison_fields(verdict), shown.comparisons);
  print_json_list(out, "rates", rate_fields(verdict), shown.rates);
  print_json_list(out, "summaries", summary_fields(verdict), shown.summaries);
  out << "}\n";
}

void mention_missing_rows(const verdict::Verdict& verdict) {
  if (!verdict.complete())
    say(std::to_string(verdict.trajectories - verdict.completed) +
        " trajectories have not been run; the verdict is on the others");
}

}  // namespace mixlab::cli
