#include "mixlab/cluster/job_script.h"

#include <algorithm>
#include <map>

#include "mixlab/core/error.h"
#include "mixlab/core/parameter.h"
#include "mixlab/core/text.h"
#include "mixlab/core/version.h"

namespace mixlab::cluster {
namespace {

// Slurm may warn up to a minute early, and a busy controller takes its time to queue a job again.
constexpr double longest_warning = 120, shortest_warning = 20;
constexpr int max_crashes = 3;
constexpr int max_idle_runs = 3;  // that met the time limit before a part was finished

std::string option(const std::string& name, const std::string& value) {
  return value.empty() ? "" : "#SBATCH --" + name + "=" + sbatch_word(value) + "\n";
}

std::string more_options(const JobSettings& settings) {
  std::string line;
  for (const auto& word : settings.more) line += " " + sbatch_word(word);
  return line.empty() ? "" : "#SBATCH" + line + "\n";
}

std::string common_options(const JobSettings& settings, const std::string& job_name) {
  return option("job-name", job_name) + option("chdir", settings.folder) + option("partition", settings.partition) +
         option("account", settings.account) + option("qos", settings.qos) + option("time", settings.time) +
         option("mem", settings.mem) + more_options(settings) + "#SBATCH --open-mode=append\n#SBATCH --requeue\n";
}

std::string preparations(const JobSettings& settings) {
  std::string lines;
  for (const auto& module : split_blanks(settings.modules)) lines += "module load " + shell_word(module) + "\n";
  if (!settings.prologue.empty()) lines += ". " + shell_word(settings.prologue) + "\n";
  return lines.empty() ? "" : lines + "\n";
}

/// @NAME@ in `text` replaced by its value; values are not looked into again.
std::string filled(const std::string& text, const std::map<std::string, std::string>& values) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = text.find('@', at);
    const auto end = begin == std::string::npos ? begin : text.find('@', begin + 1);
    if (end == std::string::npos) return result + text.substr(at);
    const auto value = values.find(text.substr(begin + 1, end - begin - 1));
    result += text.substr(at, begin - at) + (value == values.end() ? "@" : value->second);
    at = value == values.end() ? begin + 1 : end + 1;
  }
  return result;
}

constexpr const char* array_text = R"sh(#!/bin/bash
# Written by mixlab submit, version @VERSION@.
# One task of the array computes one of @SHARDS@ shards. By hand:
#   sbatch --array=0-@LAST@ --output=shard-%5a.log @SCRIPT@
@OPTIONS@#SBATCH --cpus-per-task=@CPUS@
#SBATCH --signal=B:USR1@@WARNING@

mixlab=@MIXLAB@
out=@OUT@
# Many shards need several arrays: the argument is where this one begins.
shard=$((SLURM_ARRAY_TASK_ID + ${1:-0}))
# SLURM_JOB_ID will not do: that of one task names the whole array.
task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID
restarts=${SLURM_RESTART_COUNT:-0}
log=shard-$(printf %05d "$shard").log
export OMP_NUM_THREADS=${SLURM_CPUS_PER_TASK:-${SLURM_CPUS_ON_NODE:-1}}
export OPENBLAS_NUM_THREADS=1

say() {
  echo "$(date -u +%FT%TZ) shard $shard/@SHARDS@ job $task" \
    "node ${SLURMD_NODENAME:-$HOSTNAME} restart $restarts: $*"
}
requeue() {
  say "$*; requeues itself"
  scontrol requeue "$task" || say "cannot requeue itself; exit code $code"
}

@PREPARE@# Slurm signals this shell, which passes on to the program the warning before
# the time limit and the order to end.
signalled=yes
warned=no
told=no
trap 'signalled=yes; warned=yes; kill -USR1 $!' USR1
trap 'signalled=yes; told=yes; kill -TERM $!' TERM
say "starts, $OMP_NUM_THREADS threads"
"$mixlab" run "$out" --shard "$shard/@SHARDS@" --require-progress@MIXED@ &
while [ $signalled = yes ]; do  # a signal ends the wait, not the program
  signalled=no
  wait $!
  code=$?
done

# Not finished: at the time limit, or where other shards must come first, go on
# later; killed, try again; told to end, end.
idle_runs=$(grep -c "no part was finished" "$log")
if [ $code = 75 ] && [ $warned = yes ] && [ $restarts -lt @REQUEUES@ ]; then
  requeue "stopped before the time limit"
elif [ $code = 75 ] && [ $told = no ] && [ $restarts -lt @REQUEUES@ ]; then
  requeue "waits for other shards"
elif [ $code -gt 128 ] && [ $restarts -lt @CRASHES@ ]; then
  requeue "killed by signal $((code - 128))"
elif [ $code = 1 ] && [ $warned = yes ] && [ "$idle_runs" -lt @IDLE@ ]; then
  requeue "came to nothing before the time limit, perhaps on a bad node"
else
  say "ends with exit code $code"
fi
exit $code
)sh";

constexpr const char* finish_text = R"sh(#!/bin/bash
# Written by mixlab submit, version @VERSION@.
# After the last shard: one file, the verdict, the report.
@OPTIONS@
mixlab=@MIXLAB@
out=@OUT@

say() {
  echo "$(date -u +%FT%TZ) job $SLURM_JOB_ID" \
    "node ${SLURMD_NODENAME:-$HOSTNAME}: $*"
}

@PREPARE@say "merges"
"$mixlab" merge "$out"@MIXED@ || exit
"$mixlab" check "$out"
verdict=$?
"$mixlab" report "$out" || say "no report; the results are complete without it"
say "ends with exit code $verdict"
exit $verdict
)sh";

std::string script(const char* text, const JobSettings& settings, const std::string& job_name) {
  return filled(text, {{"VERSION", version()},
                       {"SHARDS", std::to_string(settings.n_shards)},
                       {"LAST", std::to_string(settings.n_shards - 1)},
                       {"SCRIPT", shell_word(settings.folder + "/array.sh")},
                       {"OPTIONS", common_options(settings, job_name)},
                       {"CPUS", std::to_string(settings.cpus_per_task)},
                       {"WARNING", std::to_string(settings.warning_seconds)},
                       {"MIXLAB", shell_word(settings.program)},
                       {"OUT", shell_word(settings.out)},
                       {"PREPARE", preparations(settings)},
                       {"MIXED", settings.allow_mixed ? " --allow-mixed" : ""},
                       {"REQUEUES", std::to_string(settings.max_requeues)},
                       {"CRASHES", std::to_string(max_crashes)},
                       {"IDLE", std::to_string(max_idle_runs)}});
}

}  // namespace

std::string sbatch_word(const std::string& text) {
  if (text.find('\n') != std::string::npos)
    throw InputError("bad option for a job script: '" + text + "' (must not hold a line break); choose another");
  if (is_plain_word(text)) return text;
  std::string word = "\"";
  for (const char c : text) word += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return word + "\"";
}

int warning_for(double time_limit) {
  return static_cast<int>(std::clamp(time_limit / 10, shortest_warning, longest_warning));
}

std::string array_script(const JobSettings& settings) {
  return script(array_text, settings, settings.name);
}

std::string finish_script(const JobSettings& settings) {
  return script(finish_text, settings, settings.name + "-finish");
}

}  // namespace mixlab::cluster
