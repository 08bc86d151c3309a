"""The statistics of a verdict, by summing and bisection, and what `check` must say about a file."""
import importlib.util
import math

import numpy as np

from harness import PROJECT, stored

_spec = importlib.util.spec_from_file_location("oracle", PROJECT / "tests" / "oracle" / "statistics.py")
oracle = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(oracle)

ALPHA = 0.05


def upper_tail(k, n, p):
    """P(X >= k), X ~ Binomial(n, p)."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k, n + 1))


def lower_tail(k, n, p):
    return math.fsum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k + 1))


def bisect(is_low):
    """The p in [0, 1] where is_low(p) turns from true to false."""
    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return low


def clopper_pearson(k, n, alpha):
    """Exact two-sided interval at level 1 - alpha."""
    lower = 0.0 if k == 0 else bisect(lambda p: upper_tail(k, n, p) < alpha / 2)
    upper = 1.0 if k == n else bisect(lambda p: lower_tail(k, n, p) > alpha / 2)
    return lower, upper


SHARE = 0.1  # of the level, kept for looks at any time


def evidence(looks, n_declared, delta):
    """p-values of "at most delta" and "above delta"."""
    return [float(min(1, p)) for p in oracle.hybrid(n_declared, delta, *(int(x) for look in looks for x in look))]


def detectable(n, n_declared, delta, level, power=0.9):
    """The smallest miss probability that is found to be above delta with this probability."""
    def decides(k):
        share = SHARE if n_declared else 1
        return oracle.log_e(k, n, delta)[0] >= -math.log(share * level)

    found = []
    if enough := [k for k in range(1, n + 1) if decides(k)]:
        found.append(bisect(lambda p: upper_tail(enough[0], n, p) < power))
    if 0 < n_declared <= n:
        enough = [k for k in range(1, n_declared + 1) if upper_tail(k, n_declared, delta) <= (1 - SHARE) * level]
        found += [bisect(lambda p: upper_tail(enough[0], n_declared, p) < power)] if enough else []
    return min(found, default=None)


def looks_of(n, n_declared):
    return sorted({64 * 2**i for i in range(30) if 64 * 2**i <= n} | {n, min(n, n_declared)} - {0})


def declared(values, expected):
    """M: everything that prints a word."""
    theorems = np.sum(~np.all(np.isnan(values["bound_worst_case"]), axis=1) & (values["bound_vacuous"] == 0))
    return max(1, int(theorems) + sum({"any": 0, "broken": 1, "holds": 2}[word] for word in expected.values()))


def quantile(sample, q):
    """The smallest value with at least share q of the sample at or below it."""
    return np.sort(sample)[max(math.ceil(q * len(sample) - 1e-9), 1) - 1]


def quantile_interval(sample, q, alpha):
    """Order statistics around the q-quantile, at most alpha / 2 outside on each side; None: no such one."""
    n = len(sample)
    below = max(k for k in range(n + 1) if k == 0 or lower_tail(k - 1, n, q) <= alpha / 2)
    above = min(k for k in range(1, n + 2) if upper_tail(k, n, q) <= alpha / 2)
    return sample[below - 1] if below > 0 else None, sample[above - 1] if above <= n else None


def verdict_of(path, expected, alpha=ALPHA, delta=None, words=None):
    """What `check` must say: a dictionary for each (cell, set). `expected` maps (cell, set) to any, holds or broken;
    `words` counts what is said, if it is not what the study declares."""
    values, _ = stored(path)
    words = words or declared(values, expected)
    findings = []
    for cell, label in enumerate(values["label"]):
        own, n_declared = values["confidence_delta"][cell], int(values["n_declared"][cell])
        completed = values["completed"][cell] == 1
        gapless = int(np.argmin(completed)) if not completed.all() else len(completed)
        for s, name in enumerate(values["set"]):
            run = completed & (values["first_violation"][cell, :, s] >= 0)
            misses = (values["first_violation"][cell, :, s] > 0 if delta in (None, own)
                      else values["log10_p"][cell, :, s] < math.log10(delta))
            k, n, level = int(misses[run].sum()), int(run.sum()), delta or own
            looks = [(m, int(misses[:m].sum())) for m in looks_of(gapless, n_declared)]
            p_violated, p_certified = evidence(looks, n_declared, level)
            lower, upper = clopper_pearson(k, n, alpha)
            at_horizon = int(np.sum(values["horizon_log10_p"][cell, run, s] < math.log10(level)))
            horizon_lower, horizon_upper = clopper_pearson(at_horizon, n, alpha)
            ratio = np.sort(values["sup_ratio"][cell, run, s])
            c = quantile(ratio, 1 - level)
            c_low, c_high = quantile_interval(ratio, 1 - level, alpha)
            findings.append({
                "cell": cell, "label": label, "set": name, "delta": level, "n": n, "misses": k,
                "n_looked": gapless, "n_declared": n_declared,
                "coverage": 1 - k / n, "coverage_low": 1 - upper, "coverage_high": 1 - lower,
                "horizon_misses": at_horizon, "horizon_coverage": 1 - at_horizon / n,
                "horizon_low": 1 - horizon_upper, "horizon_high": 1 - horizon_lower, "expected": expected[cell, name],
                "p_violated": p_violated, "p_certified": p_certified,
                "guaranteed": bool(values["guaranteed"][cell, s]), "c": c, "c_low": c_low, "c_high": c_high,
                "radius_factor": math.sqrt(c), "ratio_median": quantile(ratio, 0.5), "ratio_largest": ratio[-1],
                "exploratory": level != own,
                **calibration(values["log10_p"][cell, :n_declared, s] if gapless >= n_declared else [])})
    for finding in findings:
        judge(finding, alpha, words)
    return findings


def calibration(log10_p):
    n = len(log10_p)
    if n == 0:
        return {"dkw_statistic": None, "dkw_p": None, "simes_p": None}
    p = np.minimum(1, 10**np.sort(log10_p))
    rank = np.arange(1, n + 1)
    excess = max(0.0, np.max(rank / n - p))
    return {"dkw_statistic": excess, "dkw_p": math.exp(-2 * n * excess**2), "simes_p": min(1.0, np.min(n * p / rank))}


def judge(finding, alpha, words):
    if finding["expected"] == "any":
        finding.update(state="none", contradicted=False, detectable=None, adjusted_p_violated=None,
                       adjusted_p_certified=None, adjusted_p=None)
        return
    level = alpha / words
    for kind in ("violated", "certified"):
        finding[f"adjusted_p_{kind}"] = min(1.0, words * finding[f"p_{kind}"])
    finding["detectable"] = detectable(finding["n_looked"], finding["n_declared"], finding["delta"], level)
    finding["state"] = ("violated" if finding["p_violated"] <= level else
                        "certified" if finding["p_certified"] <= level else "undecided")
    contradictions = (("holds", "violated"), ("broken", "certified"))
    finding["contradicted"] = (finding["expected"], finding["state"]) in contradictions


def outcome_of(findings):
    return ("CONTRADICTED" if any(finding["contradicted"] for finding in findings) else
            "UNDECIDED" if any(finding["state"] == "undecided" for finding in findings) else "AS EXPECTED")
