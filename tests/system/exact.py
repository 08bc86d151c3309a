"""The statistics of a verdict, by summing and bisection, and what `check` must say about a file."""
import math

import numpy as np

from harness import stored

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


def detectable(n, delta, alpha, power=0.9):
    """The smallest miss probability that n trials find to be above delta with this power."""
    enough = [k for k in range(1, n + 1) if upper_tail(k, n, delta) <= alpha]
    return bisect(lambda p: upper_tail(enough[0], n, p) < power) if enough else None


def holm(p_values):
    """Adjusted p-values: H_i is rejected at alpha when the i-th is at most alpha."""
    adjusted, largest = list(p_values), 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def quantile(sample, q):
    """The smallest value with at least share q of the sample at or below it."""
    return np.sort(sample)[max(math.ceil(q * len(sample) - 1e-9), 1) - 1]


def quantile_interval(sample, q, alpha):
    """Order statistics around the q-quantile, at most alpha / 2 outside on each side; None: no such one."""
    n = len(sample)
    below = max(k for k in range(n + 1) if k == 0 or lower_tail(k - 1, n, q) <= alpha / 2)
    above = min(k for k in range(1, n + 2) if upper_tail(k, n, q) <= alpha / 2)
    return sample[below - 1] if below > 0 else None, sample[above - 1] if above <= n else None


def verdict_of(path, expected, alpha=ALPHA, delta=None):
    """What `check` must say: a dictionary for each (cell, set). `expected` maps (cell, set) to any, holds or broken."""
    values, _ = stored(path)
    findings = []
    for cell, label in enumerate(values["label"]):
        own = values["confidence_delta"][cell]
        for s, name in enumerate(values["set"]):
            run = (values["completed"][cell] == 1) & (values["first_violation"][cell, :, s] >= 0)
            missed = (values["first_violation"][cell, run, s] > 0 if delta in (None, own)
                      else values["log10_p"][cell, run, s] < math.log10(delta))
            k, n, level = int(missed.sum()), int(run.sum()), delta or own
            lower, upper = clopper_pearson(k, n, alpha)
            at_horizon = int(np.sum(values["horizon_log10_p"][cell, run, s] < math.log10(level)))
            horizon_lower, horizon_upper = clopper_pearson(at_horizon, n, alpha)
            ratio = np.sort(values["sup_ratio"][cell, run, s])
            c = quantile(ratio, 1 - level)
            c_low, c_high = quantile_interval(ratio, 1 - level, alpha)
            p = np.minimum(1, 10**np.sort(values["log10_p"][cell, run, s]))
            rank = np.arange(1, n + 1)
            excess = max(0.0, np.max(rank / n - p))
            findings.append({
                "cell": cell, "label": label, "set": name, "delta": level, "n": n, "misses": k,
                "coverage": 1 - k / n, "coverage_low": 1 - upper, "coverage_high": 1 - lower,
                "horizon_misses": at_horizon, "horizon_coverage": 1 - at_horizon / n,
                "horizon_low": 1 - horizon_upper, "horizon_high": 1 - horizon_lower, "expected": expected[cell, name],
                "p_violated": upper_tail(k, n, level), "p_certified": lower_tail(k, n, level),
                "guaranteed": bool(values["guaranteed"][cell, s]), "c": c, "c_low": c_low, "c_high": c_high,
                "radius_factor": math.sqrt(c), "ratio_median": quantile(ratio, 0.5), "ratio_largest": ratio[-1],
                "dkw_statistic": excess, "dkw_p": math.exp(-2 * n * excess**2),
                "simes_p": min(1.0, np.min(n * p / rank))})
    tested = [finding for finding in findings if finding["expected"] != "any"]
    for kind in ("violated", "certified"):
        for finding in findings:
            finding[f"holm_{kind}"] = finding[f"p_{kind}"]
        for finding, p in zip(tested, holm([finding[f"p_{kind}"] for finding in tested])):
            finding[f"holm_{kind}"] = p
    for finding in findings:
        level = alpha / max(1, len(tested)) if finding["expected"] != "any" else alpha
        finding["detectable"] = detectable(finding["n"], finding["delta"], level)
        finding["state"] = ("violated" if finding["holm_violated"] <= alpha else
                            "certified" if finding["holm_certified"] <= alpha else "undecided")
        finding["contradicted"] = (finding["expected"] == "holds" and finding["state"] == "violated"
                                   or finding["expected"] == "broken" and finding["state"] != "violated")
    return findings
