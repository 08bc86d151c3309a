#!/usr/bin/python3
"""Prints statistics.csv: reference values of the statistics of a verdict. python3 statistics.py > statistics.csv

Written from MATHEMATICS.md D alone, without a look at the program it tests, in arithmetic of 40 digits. A row is
`statistic,arguments,values`, each blank-separated; `-` is a value that there is none of.

    python3 statistics.py --scipy      compares statistics.csv with SciPy, to 1e-10
"""
import math
import random
import sys
from decimal import Decimal, getcontext
from itertools import accumulate
from pathlib import Path

import mpmath as mp

getcontext().prec = mp.mp.dps = 40
rng = random.Random(20261116)


# ---- D.2: exact binomial statements ----------------------------------------------------------------------------------

def terms(n, p):
    """P(Bin(n,p) = i) for i = 0..n."""
    p = Decimal(p)
    row = [(1 - p)**n]
    for i in range(n):
        row.append(row[-1] * (n - i) * p / ((i + 1) * (1 - p)))
    return row


def tails(k, n, p):
    """P(Bin(n,p) >= k) and P(Bin(n,p) <= k)."""
    row = terms(n, p)
    return sum(row[k:]), sum(row[:k + 1])


def solve(rises, target):
    """The p in (0,1) at which the rising function takes the value `target`, to 20 digits."""
    low, high = Decimal(0), Decimal(1)
    while high - low > Decimal("1e-20") * high:
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < target else (low, middle)
    return (low + high) / 2


def clopper_pearson(k, n, alpha):
    half = Decimal(alpha) / 2
    return (solve(lambda p: tails(k, n, p)[0], half) if k > 0 else 0,
            solve(lambda p: -tails(k, n, p)[1], -half) if k < n else 1)


def detectable(n, delta, alpha, power):
    """The smallest true probability at which n trials reject `at most delta` at level alpha with this power."""
    above = list(accumulate(reversed(terms(n, delta))))[::-1]  # P(Bin >= k)
    rejecting = [k for k in range(1, n + 1) if above[k] <= Decimal(alpha)]
    return (solve(lambda p: tails(rejecting[0], n, p)[0], Decimal(power)) if rejecting else None,)


# ---- D.3: evidence at any time ---------------------------------------------------------------------------------------

def log_likelihood_ratio(k, n, delta, a, b, side):
    """log of the mean of p^k (1-p)^(n-k) / (delta^k (1-delta)^(n-k)) over a Beta(a,b) cut to p on one side of delta."""

    def log_integral(a, b):
        """log of the integral of p^(a-1) (1-p)^(b-1) over that side, by Gauss's hypergeometric function."""
        near, far, x = (a, b, delta) if side == "below" else (b, a, 1 - delta)
        return near * mp.log(x) + far * mp.log(1 - x) - mp.log(near) + mp.log(mp.hyp2f1(near + far, 1, near + 1, x))

    return log_integral(a + k, b + n - k) - log_integral(a, b) - k * mp.log(delta) - (n - k) * mp.log(1 - delta)


def log_e(k, n, delta):
    """log E+ and log E-."""
    delta = mp.mpf(delta)
    above = log_likelihood_ratio(k, n, delta, 5 * delta, 5 * (1 - delta), "above")
    below = log_likelihood_ratio(k, n, delta, mp.mpf(1) / 2, 1 / delta - 1, "below")
    never = (1 - delta)**-n if k == 0 else 0
    return above, mp.log((never + mp.exp(below)) / 2)


def hybrid(n_declared, delta, *looks):
    """p-values of "at most delta" and "above delta" after looks n, k, n, k, ...; n_declared 0: none was declared."""
    looks = list(zip(looks[::2], looks[1::2]))
    share = mp.mpf(1) / 10 if n_declared else 1
    p = [1, 1]
    for n, k in looks:
        fixed = [mp.mpf(str(tail)) / (mp.mpf(9) / 10) for tail in tails(k, n, delta)] if n == n_declared else (1, 1)
        evidence = [mp.exp(-value) / share for value in log_e(k, n, delta)]
        p = [min(both) for both in zip(p, fixed, evidence)]
    return tuple(p)


# ---- D.1 and D.4: p-values and quantiles -----------------------------------------------------------------------------

def calibration(*p):
    p, n = sorted(Decimal(min(1, x)) for x in p), len(p)
    excess = max(0, *(Decimal(i + 1) / n - x for i, x in enumerate(p)))
    simes = min(1, *(n * x / (i + 1) for i, x in enumerate(p)))
    return excess, (-2 * n * excess**2).exp() if excess else 1, simes


def ranks(n, q, alpha):
    """l, u with P(Bin < l) and P(Bin >= u) at most alpha/2, as near to each other as can be."""
    row, half = terms(n, q), Decimal(alpha) / 2
    below, above = list(accumulate(row)), list(accumulate(reversed(row)))[::-1]
    lower = max(k for k in range(n + 1) if k == 0 or below[k - 1] <= half)
    upper = min(k for k in range(1, n + 2) if k == n + 1 or above[k] <= half)
    return lower, upper


# ---- D.6 and D.7: regret ---------------------------------------------------------------------------------------------

def student_quantile(dof, tail):
    """x with P(t > x) = tail."""
    share = solve(lambda z: Decimal(mp.nstr(mp.betainc(mp.mpf(dof) / 2, 0.5, 0, mp.mpf(str(z)), regularized=True), 30)),
                  2 * Decimal(tail))
    return (dof * (1 / share - 1)).sqrt()


def paired(alpha, *values):
    half = len(values) // 2
    a, b = [Decimal(x) for x in values[:half]], [Decimal(x) for x in values[half:]]
    difference = [x - y for x, y in zip(a, b)]
    n, mean = half, sum(difference) / half
    interval = (None, None)
    if n > 1:
        error = (sum((x - mean)**2 for x in difference) / (n - 1) / n).sqrt()
        reach = student_quantile(n - 1, alpha / 2) * error
        interval = (mean - reach, mean + reach)
    wins = sum(x < 0 for x in difference)

    def quantile(sample, percent):
        return sorted(sample)[max(1, math.ceil(percent * n / 100)) - 1]

    return (mean, *interval, wins, sum(x == 0 for x in difference), *clopper_pearson(wins, n, alpha),
            *(value for sample in (a, b) for value in (sum(sample) / n, quantile(sample, 50), quantile(sample, 90),
                                                       quantile(sample, 99), max(sample))))


def slope(*values):
    half = len(values) // 2
    x, y = [Decimal(v).ln() for v in values[:half]], [Decimal(v).ln() for v in values[half:]]
    mean_x, mean_y = sum(x) / half, sum(y) / half
    return (sum((u - mean_x) * (v - mean_y) for u, v in zip(x, y)) / sum((u - mean_x)**2 for u in x),)


# ---- the table -------------------------------------------------------------------------------------------------------

def questions():
    """Random ones, and the edges: none or all missed, one trial, tiny levels."""
    for n in (1, 1, 2, 7, 59, 200, 200, 1000):
        for k in {0, n, rng.randint(0, n), min(n, rng.randint(0, 1 + n // 10))}:
            yield tails, (k, n, rng.choice((1e-12, 1e-6, 0.01, 0.05, 0.1, rng.random(), 1 - 1e-6)))
            yield clopper_pearson, (k, n, rng.choice((0.05, 1e-6, 0.3, 0.05 / 48)))
    for n in (1, 5, 58, 59, 200, 1000):
        for delta in (1e-9, 0.01, 0.05, 0.1, 0.5):
            yield detectable, (n, delta, rng.choice((0.05, 0.05 / 12, 1e-4)), 0.9)
    for n in (1, 2, 3, 20, 40, 73, 200, 2000):
        for q in (0.95, 0.5, 0.99, rng.random(), 1e-9):
            yield ranks, (n, q, rng.choice((0.05, 0.01)))
    for n in (1, 2, 5, 40, 40):
        yield calibration, tuple(rng.random() for _ in range(n))
        yield calibration, tuple(10**rng.uniform(-300, 1) for _ in range(n))
        yield calibration, tuple(rng.random()**0.5 * 1.3 for _ in range(n))
    yield calibration, (0.0, 1e-320, 1.0, 5.0)
    for n in (1, 2, 3, 10, 30):
        for scale in (1e-6, 1, 1e6):
            a = [rng.gauss(0, scale) + 10 * scale for _ in range(n)]
            b = [x if rng.random() < 0.2 else x + rng.gauss(0, scale) for x in a]
            yield paired, (rng.choice((0.05, 0.01)), *a, *b)
    for n in (2, 3, 10):
        yield slope, (*(10**rng.uniform(0, 6) for _ in range(2 * n)),)
    for n in (0, 1, 2, 64, 200, 2000):
        for delta in (1e-9, 0.001, 0.01, 0.05, 0.1, 0.5, 0.9):
            for k in sorted({0, n, round(n * delta), rng.randint(0, n), min(n, rng.randint(0, 1 + n // 10))}):
                yield log_e, (k, n, delta)
    for mu in (0.0, 0.02, 0.05, 0.08, 0.5):
        for n_declared, sizes in ((0, (64, 128, 200)), (200, (64, 128)), (200, (64, 128, 200)),
                                  (70, (64, 70, 128, 300)),
                                  (1000, (64, 128, 256, 512, 1000, 1024, 1500)), (10, (10,))):
            path = list(accumulate(rng.random() < mu for _ in range(sizes[-1])))
            yield hybrid, (n_declared, 0.05, *(number for n in sizes for number in (n, path[n - 1])))


def written(value):
    if value is None:
        return "-"
    if isinstance(value, int):
        return str(value)
    return format(float(value), ".17g")


def table():
    for statistic, arguments in questions():
        yield ",".join((statistic.__name__, " ".join(map(written, arguments)),
                        " ".join(map(written, statistic(*arguments)))))


# ---- what SciPy says -------------------------------------------------------------------------------------------------

def scipy_values(name, arguments):
    import numpy as np
    from scipy import special, stats

    if name == "tails":
        k, n, p = arguments
        return [special.betainc(k, n - k + 1, p) if k > 0 else 1, special.bdtr(k, int(n), p) if k < n else 1]
    if name == "clopper_pearson":
        k, n, alpha = arguments
        interval = stats.binomtest(int(k), int(n)).proportion_ci(1 - alpha, method="exact")
        return [interval.low, interval.high]
    if name == "detectable":
        n, delta, alpha, power = arguments
        k = np.arange(1, n + 1)
        rejecting = k[special.betainc(k, n - k + 1, delta) <= alpha]
        return [special.betaincinv(rejecting[0], n - rejecting[0] + 1, power) if len(rejecting) else math.nan]
    if name == "calibration":
        p = np.minimum(1, arguments)
        excess = stats.kstest(p, "uniform", alternative="greater").statistic
        return [max(0, excess), math.exp(-2 * len(p) * max(0, excess)**2),
                min(1, np.min(len(p) * np.sort(p) / np.arange(1, len(p) + 1)))]
    if name == "ranks":
        n, q, alpha = arguments
        k = np.arange(0, n + 1)
        below, above = special.bdtr(k, int(n), q), special.bdtrc(k - 1, int(n), q)
        return [max([0, *(k[below <= alpha / 2] + 1)]), min([n + 1, *k[(k > 0) & (above <= alpha / 2)]])]
    if name == "paired":
        alpha, a, b = arguments[0], *np.reshape(arguments[1:], (2, -1))
        n, wins = len(a), int(np.sum(a < b))
        interval = [math.nan, math.nan]
        if n > 1:  # stats.t.ppf itself is good to 1e-9 only
            share = special.betaincinv((n - 1) / 2, 0.5, alpha)
            reach = math.sqrt((n - 1) * (1 / share - 1)) * stats.sem(a - b)
            interval = [np.mean(a - b) - reach, np.mean(a - b) + reach]
        share = stats.binomtest(wins, n).proportion_ci(1 - alpha, method="exact")
        spread = [value for sample in (a, b) for value in
                  (np.mean(sample), *np.quantile(sample, (0.5, 0.9, 0.99), method="inverted_cdf"), np.max(sample))]
        return [np.mean(a - b), *interval, wins, int(np.sum(a == b)), share.low, share.high, *spread]
    if name == "slope":
        x, y = np.log(np.reshape(arguments, (2, -1)))
        return [stats.linregress(x, y).slope]
    raise AssertionError(name)


def compare_with_scipy():
    n_compared = 0
    for line in Path(__file__).with_suffix(".csv").read_text().splitlines():
        name, arguments, values = line.split(",")
        if name in ("log_e", "hybrid"):  # SciPy's tails leave the range of its numbers
            continue
        theirs = scipy_values(name, [float(word) for word in arguments.split()])
        for mine, other in zip([math.nan if word == "-" else float(word) for word in values.split()], theirs,
                               strict=True):
            same = math.isnan(other) if math.isnan(mine) else abs(mine - other) <= 1e-10 * max(1, abs(mine))
            assert same, f"{name}({arguments}): {mine} here, {other} by SciPy"
            n_compared += 1
    assert n_compared > 500
    print(f"{n_compared} values agree with SciPy to 1e-10")


if __name__ == "__main__":
    if sys.argv[1:] == ["--scipy"]:
        compare_with_scipy()
    else:
        print("\n".join(table()))
