"""The statistics of a verdict, by summing and bisection, and what `check` must say about a file."""
import math
from functools import lru_cache

import numpy as np
from scipy import special, stats

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


SHARES = (0.1, 0.03, 0.01, 0.003, 0.001)  # of the level, kept for looks at any time


@lru_cache(maxsize=None)
def log_e(n, delta):
    """log E+ and log E- for 0..n misses among n."""
    k = np.arange(n + 1)
    null = k * math.log(delta) + (n - k) * math.log1p(-delta)

    def mixture(a, b, below):
        def side(a, b):
            return special.betainc(a, b, delta) if below else special.betainc(b, a, 1 - delta)

        with np.errstate(divide="ignore"):
            return (special.betaln(a + k, b + n - k) + np.log(side(a + k, b + n - k))
                    - special.betaln(a, b) - math.log(side(a, b)) - null)

    above, below = mixture(5 * delta, 5 * (1 - delta), False), mixture(0.5, 1 / delta - 1, True)
    never = np.where(k == 0, -n * math.log1p(-delta), -np.inf)
    return above, np.logaddexp(never, below) - math.log(2)


def chance_of_word(kind, n_declared, delta, rejects, x):
    """The probability at exactly delta that the exact test or a look at any time says it: of 0..n_declared misses,
    `rejects` are those with which the test does; a look does from evidence x on."""
    alive = np.ones(1)
    for n in range(1, n_declared + 1):
        alive = np.append((1 - delta) * alive, 0) + np.append(0, delta * alive)
        evidence = log_e(n, delta)[kind]
        alive[evidence >= math.log(x)] = 0
    return 1 - np.sum((alive * (1 - np.exp(evidence) / x))[~rejects])


@lru_cache(maxsize=None)
def split(n_declared, delta, level):
    """The share of the looks, and which of 0..n_declared misses the exact test rejects, for either direction."""
    law = stats.binom(n_declared, delta).pmf(np.arange(n_declared + 1))
    tails = np.cumsum(law[::-1])[::-1], np.cumsum(law)
    for share in SHARES:
        rejects = [tail <= level for tail in tails]
        if all(chance_of_word(kind, n_declared, delta, rejects[kind], 1 / (share * level)) <= level for kind in (0, 1)):
            return share, rejects
    return SHARES[0], [tail <= (1 - SHARES[0]) * level for tail in tails]


def evidence(looks, n_declared, delta, level):
    """p-values of "at most delta" and "above delta"."""
    share, rejects = split(n_declared, delta, level)
    p_values = []
    for kind, tail in enumerate((upper_tail, lower_tail)):
        p = min((math.exp(-log_e(n, delta)[kind][k]) / share for n, k in looks), default=1)
        fixed = [k for n, k in looks if n == n_declared]
        if fixed:
            p = min(p, tail(fixed[0], n_declared, delta) / (1 - share))
        if fixed and rejects[kind][fixed[0]]:
            p = min(p, level)
        elif level < p < level / (1 - share):
            p = level / (1 - share)
        p_values.append(min(1.0, p))
    return p_values


def detectable(n, n_declared, delta, level, power=0.9):
    """The smallest miss probability that is found to be above delta with this probability."""
    share, rejects = split(n_declared, delta, level)
    enough = [(n, log_e(n, delta)[0] >= -math.log(share * level))]
    if n_declared <= n:
        enough.append((n_declared, rejects[0]))
    return min((bisect(lambda p: upper_tail(int(np.argmax(words)), size, p) < power) for size, words in enough
                if words.any()), default=None)


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
            p_violated, p_certified = evidence(looks, n_declared, level, alpha / words)
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
