#!/usr/bin/python3
"""Telescopes, chains, lag paths and the regret with additive delay, transcribed from MATHEMATICS.md F and G.

Written from the formulas alone, without a look at the program it tests; decimal with 50 digits, as in sets.py.

    python3 telescope.py telescope > telescope.csv  radius and p-value of the sets below
    python3 telescope.py lag_paths > lag_paths.csv  the shortest lag path (F6)
    python3 telescope.py additive > additive.csv    the regret theorem (F8) and the two sides of (F9) at c = 1
    python3 telescope.py --selftest                 against the numbers of the page and against sets.py

Numbers have 17 significant digits, so that they read back as the very doubles that were used; results are the
correctly rounded values for these doubles.

telescope.csv. `sigma` is `scale`; `fields` is `one` (one-sided, proxies (F2)) or `two` (two-sided, proxies (F3)) and
has no meaning for chains, tight-kappa and tight-root; q and logdet as in sets.py; log_p is the natural logarithm,
unclipped.

    telescope           (F4), (F7) on the path `lags`. If its last lag is below the delay `d`, the last lag takes the
                        place of d in b_t. The union form is used exactly where H < 1
    anytime-telescope   (G3), the equal-step path `step:M` without end, lag schedule `schedule`; never the union form
    chains              (G2) with d_0 = max(3, d(10^4)); D and bias are empty
    tight-kappa         F.6 with margin 1; D and bias are empty
    tight-root          (F13); margin 1, or the best one of F.6 for the horizon `T`; D is empty

`schedule` is `constant:L`, that is d(t) = min(t, L), or `schedule:geometric`, (G1) with the first rule of G.1; then
`d` is d(t).

lag_paths.csv. `lags` is empty where (F6) comes within a part in 10^9 of a tie at a lag of the path.

additive.csv. worst_case and gap_bound are minimised over c in 1 .7 .5 .3 .2 .1, each on its own.
"""
import math
import random
import sys
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache

import sets
from sets import ell, log, r_tilde, sqrt

CONSTANTS = [Decimal(c) for c in ("1", ".7", ".5", ".3", ".2", ".1")]
ONE = Decimal(1)


# ---- what a noise process certifies, B.2, B.3, F.1, F.3 ------------------------------------------------------------

@dataclass(frozen=True)
class Noise:
    process: str                                                        # sticky, or ar1: signs of unit variance
    rho: Decimal
    scale: Decimal

    @property
    def sigma(self):
        return self.scale

    @cached_property
    def C(self):
        """phi_l = C e^{-l/tau}."""
        return self.scale * (sqrt((1 + abs(self.rho)) / (1 - abs(self.rho))) if self.process == "ar1" else 1)

    @cached_property
    def tau(self):
        return 1 / log(1 / abs(self.rho))

    def phi(self, lag):
        return self.C * abs(self.rho)**lag

    def proxy(self, fields, low, high):
        """s_j of the level between the lags low and high."""
        if fields == "one":                                             # (F2)
            return self.sigma if low == 0 else min(self.sigma, self.phi(low))
        gap = abs(self.rho)**(high - low)                               # (F3)
        square = 1 - gap**2 if self.process == "ar1" else kearns_saul(gap)
        return self.scale * abs(self.rho)**low * sqrt(square)


def kearns_saul(mean):
    """2 m/log((1 + m)/(1 - m)), whose first two terms are all that 50 digits see of a small m."""
    return 1 - mean**2 / 3 if mean < Decimal("1e-15") else 2 * mean / log((1 + mean) / (1 - mean))


# ---- lag paths, F.1, F.2 -------------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Level:
    lag: int                                                            # l_j
    step: int                                                           # n_j
    length: Decimal                                                     # s_j sqrt(n_j)


@lru_cache(maxsize=None)
def level(noise, fields, low, high):
    return Level(low, high - low, noise.proxy(fields, low, high) * sqrt(high - low))


def levels_of(noise, fields, lags):
    return [level(noise, fields, low, high) for low, high in zip(lags, lags[1:])]


def squared_length(levels):
    """D of Theorem F.1."""
    return sum(x.length for x in levels)**2


@lru_cache(maxsize=None)
def endless_D(noise, fields, step):
    """D of the path 0, step, 2 step, ... (G4); the levels fall geometrically, so that the rest is below 50 digits."""
    total, low = Decimal(0), 0
    while True:
        length = level(noise, fields, low, low + step).length
        if length < total * Decimal("1e-55"):
            return total**2
        total, low = total + length, low + step


def shortest_path(noise, fields, d):
    """(F6): the lags, D, and the least gap between the best and the next best choice at a lag of the path."""
    length, choice, margin = {d: Decimal(0)}, {}, {}
    for low in range(d - 1, -1, -1):
        options = sorted((level(noise, fields, low, high).length + length[high], high)
                         for high in range(low + 1, d + 1))
        length[low], choice[low] = options[0]
        margin[low] = options[1][0] / options[0][0] - 1 if len(options) > 1 else Decimal("Infinity")
    lags = [0]
    while lags[-1] < d:
        lags.append(choice[lags[-1]])
    return lags, length[0]**2, min(margin[low] for low in lags[:-1])


# ---- lag schedules, G.1 --------------------------------------------------------------------------------------------

@lru_cache(maxsize=None)
def schedule(noise, kind, step, T):
    """[d(1), ..., d(T)]; `step` is 1 for a set without a path."""
    kind, _, value = kind.partition(":")
    if kind == "constant":
        return [min(t, int(value)) for t in range(1, T + 1)]
    if (kind, value) != ("schedule", "geometric"):
        raise ValueError(f"unknown schedule {kind}:{value}")
    t0, ratio = max(math.ceil(3 * noise.tau), 2 * step), noise.C / noise.sigma
    growth, k, reached = abs(noise.rho)**-step, 0, ONE                  # reached = e^{k step/tau}
    d = []
    for t in range(1, T + 1):
        while ratio * (t + t0) > reached or k == 0:                     # the least k >= 1 with tau/n log(..) <= k
            k, reached = k + 1, reached * growth
        d.append(min(d[-1] + 1, max(d[-1], k * step)) if d else 1)      # (G1) with rule(t) = k step
    return d


# ---- the sets ------------------------------------------------------------------------------------------------------

class Ridge:
    """Radius (b + sqrt(lambda B^2 + D (Gamma + 2 A log(1/delta) + 2 extra)))^2: (F4), (F7), (G3)."""

    def __init__(self, D, bias, A=ONE, extra=ONE):
        self.D, self.bias, self.A, self.extra = D, bias, A, extra

    def radius2(self, B, delta, lam, logdet):
        inside = lam * B**2 + self.D * (logdet + 2 * self.A * log(1 / delta) + 2 * self.extra)
        return (self.bias + sqrt(inside))**2

    def log_p(self, B, lam, logdet, q):
        n = max(sqrt(q) - self.bias, Decimal(0))
        return (self.extra - (n**2 - lam * B**2 - self.D * logdet) / (2 * self.D)) / self.A


class Constrained:
    """Radius base + 4 lambda B^2 + 2 sigma^2 (count log(1/delta)): (G2) and F.6, D.1."""

    D = bias = None

    def __init__(self, sigma, base, count):
        self.sigma, self.base, self.count = sigma, base, count

    def radius2(self, B, delta, lam, logdet):
        return self.base + 4 * lam * B**2 + 2 * self.sigma**2 * self.count * log(1 / delta)

    def log_p(self, B, lam, logdet, q):
        return -(q - self.base - 4 * lam * B**2) / (2 * self.sigma**2 * self.count)


def telescope(noise, fields, lags, t):
    levels = levels_of(noise, fields, lags)
    D, end = squared_length(levels), lags[-1]
    A = H = spent = Decimal(0)
    for x in levels:
        w = x.length / sqrt(D)
        rounds = t - x.lag if fields == "one" else t
        active = min(ONE, Decimal(max(rounds, 0)) / x.step)
        A += w * active
        H += w * log(x.step / w)
        spent += w * active * log(x.step / w)
    bias = noise.phi(end) * sqrt(max(t - end, 0) if fields == "one" else t)
    return Ridge(D, bias, A, spent if H < 1 else ONE)


def anytime_telescope(noise, fields, step, kind, t):
    d = schedule(noise, kind, step, t)
    bias2 = Decimal(0)
    for s in range(1, t + 1):
        if s > d[s - 1]:
            g = d[s - 1] // step * step
            assert g >= step, "G.2 asks for d(t) >= l_1 wherever t > d(t)"
            bias2 += noise.phi(g)**2
    return Ridge(endless_D(noise, fields, step), sqrt(bias2))


def bias_constant(sigma, p, B, margin=ONE):
    """kappa of (A9) and F.6."""
    return 2 * B if 2 * B >= margin * sigma else sqrt(4 * B**2 + (margin * sigma)**2 / (p + 2))


def chains(noise, kind, p, B, t):
    sigma, d = noise.sigma, schedule(noise, kind, 1, t)
    d0 = max(3, schedule(noise, kind, 1, 10**4)[-1])
    queue = []                                                          # (last member, length), oldest first
    started, regret, bias, a = 0, Decimal(0), Decimal(0), Decimal(0)
    for s in range(1, t + 1):
        if len(queue) < d[s - 1]:
            started, k = started + 1, 1
            a += log(Decimal(10) / 9) if started <= d0 else log(Decimal(10 * started * (started + 1)) / (d0 * (d0 + 1)))
        else:
            last, k = queue.pop(0)
            k += 1
            assert last == s - d[s - 1], "G.3: the member before t is t - d(t)"
        queue.append((s, k))
        regret += r_tilde(k, p, B / sigma) - r_tilde(k - 1, p, B / sigma)
        bias += noise.phi(d[s - 1]) if s > d[s - 1] else 0
    base = 2 * sigma**2 * (regret + a + d0) + 2 * bias_constant(sigma, p, B) * bias
    return Constrained(sigma, base, d[-1])


def r_margin(k, p, B, margin):
    """r~_p(k; m) of F.6 at sigma = 1."""
    if k == 0:
        return Decimal(0)
    if k * margin**2 <= p * (p + 2):
        return p * log((B + margin) / margin) + k * margin**2 / (2 * (p + 2))
    return p * log(B + margin) + Decimal(p) / 2 * log(Decimal(k) / (p * (p + 2))) + Decimal(p) / 2


def tight_kappa(noise, d, p, B, t, margin=ONE):
    sigma = noise.sigma
    regret = sum(r_margin(k, p, B / sigma, margin) for k in sets.block_counts(t, d))
    bias = 2 * max(t - d, 0) * bias_constant(sigma, p, B, margin) * noise.phi(d)
    return Constrained(sigma, 2 * sigma**2 * (regret + ell(t, d, ONE)) + bias, min(t, d))   # ell(.., 1): without delta


class Root:
    """(F13) for one margin, and its p-value of D.1."""

    D = None

    def __init__(self, noise, d, p, B, t, margin):
        self.sigma, self.active = noise.sigma, min(t, d)
        counts = sets.block_counts(t, d)
        free = sum(r_margin(k, p, B / self.sigma, margin) for k in counts) + ell(t, d, ONE)
        v = sum(min(k * margin**2 / (p + 2), Decimal(p)) for k in counts)
        e = sqrt(2 * free + v) - sqrt(2 * free)
        self.bias = noise.phi(d) * sqrt(max(t - d, 0))
        self.inside = self.bias**2 + 2 * self.sigma**2 * free + 2 * self.sigma * self.bias * e

    def radius2(self, B, delta, lam, logdet):
        merged = 2 * self.sigma**2 * self.active * log(1 / delta)
        return (self.bias + sqrt(self.inside + merged + 4 * lam * B**2))**2

    def log_p(self, B, lam, logdet, q):
        n = max(sqrt(q) - self.bias, Decimal(0))
        return -(n**2 - self.inside - 4 * lam * B**2) / (2 * self.active * self.sigma**2)


MARGINS = [ONE, *(Decimal(2)**(Decimal(k) / 8) for k in range(-64, 17) if k != 0)]


def best_margin(noise, d, p, B, delta, lam, T):
    """The margin of F.6 with the least radius at T, which must be a clear one."""
    radii2 = sorted((Root(noise, d, p, B, T, m).radius2(B, delta, lam, None), m) for m in MARGINS)
    assert radii2[1][0] > radii2[0][0] * (1 + Decimal("1e-9")), "a tie between margins"
    return radii2[0][1]


# ---- regret with additive delay, F.4 -------------------------------------------------------------------------------

def largest_logdet(p, lam, t):
    return p * log(1 + t / (lam * p))


def good(c):
    return log(1 + 1 / (1 + c))


def additive(*, d, p, B, lam, T, radius2, gap, constants=CONSTANTS):
    """(F8), its gap form, and the right-hand sides of (F9) at c = 1."""
    B, lam, radius2, gap = map(Decimal, (B, lam, radius2, gap))
    G, worst = largest_logdet(p, lam, T), max(B**2, radius2)
    stale = [2 * B * d + 2 * B * (d - 1) * G / log(1 + c) for c in constants]
    return dict(worst_case=min(x + sqrt(4 / good(c) * T * worst * G) for x, c in zip(stale, constants)),
                gap_bound=min(x + 4 / (gap * good(c)) * worst * G for x, c in zip(stale, constants)),
                stale_rounds=(d - 1) * G / log(2), fresh_potential=G / good(1))


# ---- tables --------------------------------------------------------------------------------------------------------

def text(value):
    if value is None:
        return ""
    return format(float(value), ".17g") if isinstance(value, (float, Decimal)) else str(value)


def print_table(columns, rows):
    print(",".join(columns))
    for row in rows:
        print(",".join(text(row[c]) for c in columns))


def cycle(rng, *values):
    """The values again and again, each pass in a new order: balanced, but not aligned with the other factors."""
    while True:
        yield from rng.sample(values, len(values))


def noises(rng):
    process, rho, scale = cycle(rng, "sticky", "ar1"), cycle(rng, .3, .6, .9), cycle(rng, 1.0, .5, 2.0, 1.3)
    while True:
        yield Noise(next(process), Decimal(next(rho)), Decimal(next(scale)))


def telescope_cases(rng):
    """(set, noise, row) with the columns of `row` that say which set it is, at which round."""
    noise, fields = noises(rng), cycle(rng, "one", "two")
    paths = ["0 1", "0 2", "0 1 2", "0 3", "0 1 3", "0 2 5", "0 1 2 3 4", "0 3 7 12", "0 12", "0 4 8 12",
             "0 1 4 9 16 20",
             "0 12 24 36 48 61 75", "0 30 42 54 65 75", "0 75", " ".join(map(str, range(21)))]
    for lags in paths:
        end = int(lags.split()[-1])
        for t in (1, end - 1, end, end + 1, 3 * end + 2, 500, 20011):
            if t >= 1:
                yield "telescope", next(noise), dict(fields=next(fields), lags=lags, d=end, t=t)
    for lags, d in (("0 1", 2), ("0 2 4", 5), ("0 3 7 12", 15), ("0 12 24 36 48 60 72", 75)):   # ends below the delay
        end = int(lags.split()[-1])
        for t in (end, d, d + 1, 700):
            yield "telescope", next(noise), dict(fields=next(fields), lags=lags, d=d, t=t)


def anytime_cases(rng):
    noise, fields = noises(rng), cycle(rng, "one", "two")
    for step in (1, 2, 5, 12):
        for t in (1, 2, step, 3 * step + 1, 60, 400, 3000):
            yield ("anytime-telescope", next(noise),
                   dict(fields=next(fields), lags=f"step:{step}", schedule="schedule:geometric", t=t))
        for d in (step, 2 * step + step // 2, 40):
            for t in (1, d, d + 1, 1500):
                yield ("anytime-telescope", next(noise),
                       dict(fields=next(fields), lags=f"step:{step}", schedule=f"constant:{d}", d=d, t=t))


def constrained_cases(rng):
    noise = noises(rng)
    for t in (1, 2, 7, 20, 21, 60, 61, 150, 400, 1000, 2500, 5000):
        for _ in range(2):
            yield "chains", next(noise), dict(fields="one", schedule="schedule:geometric", t=t)
    for d in (1, 2, 3, 20):
        for t in (1, d, 2 * d + 1, 900):
            yield "chains", next(noise), dict(fields="one", schedule=f"constant:{d}", d=d, t=t)
    for d in (1, 2, 3, 8, 75):
        for t in (1, max(1, d - 1), d, 3 * d + 1, 40 * d + d // 2, 5003):
            yield "tight-kappa", next(noise), dict(fields="one", d=d, t=t)


def root_cases(rng):
    noise = noises(rng)
    for d in (1, 2, 3, 8, 31):
        for t in (1, max(1, d - 1), d, 3 * d + 1, 40 * d + d // 2, 5003):
            for T in (None, 6000):
                yield "tight-root", next(noise), dict(fields="one", d=d, t=t, T=T)


def build(name, noise, row, p, B):
    if name == "tight-root":
        margin = best_margin(noise, row["d"], p, B, Decimal(row["delta"]), Decimal(row["lambda"]),
                             row["T"]) if row["T"] else ONE
        return Root(noise, row["d"], p, B, row["t"], margin)
    if name == "telescope":
        return telescope(noise, row["fields"], [int(x) for x in row["lags"].split()], row["t"])
    if name == "anytime-telescope":
        return anytime_telescope(noise, row["fields"], int(row["lags"].split(":")[1]), row["schedule"], row["t"])
    if name == "chains":
        return chains(noise, row["schedule"], p, B, row["t"])
    return tight_kappa(noise, row["d"], p, B, row["t"])


def radii():
    rng = random.Random(20261118)
    p_, B_, delta_ = cycle(rng, 1, 2, 3, 10), cycle(rng, .25, 1.0, 3.0), cycle(rng, .2, .05, 1e-3)
    lambda_, near_ = cycle(rng, "default", "any"), cycle(rng, "inside", "edge", "outside", "zero")
    cases = [*telescope_cases(rng), *anytime_cases(rng), *constrained_cases(rng), *root_cases(random.Random(31))]
    for name, noise, row in cases:
        p, B, delta, t = next(p_), next(B_), next(delta_), row["t"]
        if row.get("schedule") == "schedule:geometric":
            step = int(row["lags"].split(":")[1]) if row.get("lags") else 1
            row["d"] = schedule(noise, row["schedule"], step, t)[-1]
        row = {"lags": None, "schedule": None, "T": None, **row, "delta": delta}
        D = None if name == "tight-root" else build(name, noise, row, p, Decimal(B)).D
        default = (p * D if D is not None else noise.sigma**2) / Decimal(B)**2
        lam = float(default) if next(lambda_) == "default" else 10**rng.uniform(-1, 2)
        row["lambda"] = lam
        bound = build(name, noise, row, p, Decimal(B))
        logdet = rng.random() * p * math.log1p(t / (lam * p))
        arguments = dict(B=Decimal(B), lam=Decimal(lam), logdet=Decimal(logdet))
        radius2 = bound.radius2(delta=Decimal(delta), **arguments)
        q = float(radius2) * {"inside": rng.random(), "edge": rng.uniform(.95, 1.05),
                              "outside": 1 + rng.expovariate(.5), "zero": 0.0}[next(near_)]
        yield {**row, "set": name, "process": noise.process, "rho": noise.rho, "scale": noise.scale, "p": p, "B": B,
               "logdet": logdet, "q": q, "D": bound.D, "bias": bound.bias, "radius2": radius2,
               "log_p": bound.log_p(q=Decimal(q), **arguments)}


def paths():
    rng = random.Random(6)
    scale, keep = cycle(rng, 1.0, .5, 2.0), cycle(rng, True, False)
    for process in ("sticky", "ar1"):
        for rho in (.3, .6, .9):
            for fields in ("one", "two"):
                for d in (1, 2, 3, 5, 8, 12, 20, 40, 75, 120):
                    if next(keep):
                        noise = Noise(process, Decimal(rho), Decimal(next(scale)))
                        lags, D, margin = shortest_path(noise, fields, d)
                        unique = " ".join(map(str, lags)) if margin > Decimal("1e-9") else None
                        yield dict(process=process, rho=rho, scale=noise.scale, fields=fields, d=d, lags=unique, D=D)


def regrets():
    rng = random.Random(8)
    T_ = cycle(rng, 1, 10, 500, 5000, 10**6, 10**9)
    for d in (1, 2, 3, 20, 75, 400):
        for _ in range(10):
            B, lam, radius2, gap = (10**rng.uniform(-1, 1) for _ in range(4))
            row = dict(d=d, p=rng.choice([1, 2, 10]), B=B, lam=lam, T=next(T_), gap=gap,
                       radius2=radius2 * rng.choice([.01, 1, 100]))
            yield {**row, "lambda": lam, **additive(**row)}


TABLES = {"telescope": ("set process rho scale fields lags schedule p B d T delta lambda t logdet q D bias radius2 "
                        "log_p", radii),
          "lag_paths": ("process rho scale fields d lags D", paths),
          "additive": ("d p B lambda T radius2 gap worst_case gap_bound stale_rounds fresh_potential", regrets)}


# ---- self-check ----------------------------------------------------------------------------------------------------

def close(a, b, tol=1e-12):
    a, b = float(a), float(b)
    assert abs(a - b) <= tol * max(1, abs(a), abs(b)), (a, b)


def printed(value, digits):
    """`value` is the printed `digits` up to one unit of the last place: the page rounds or cuts."""
    places = len(digits.partition(".")[2])
    assert abs(Decimal(value) - Decimal(digits)) <= Decimal(10)**-places, (value, digits)


def largest_radius2(bound, p, lam, t, B=ONE, delta=Decimal(".05")):
    return bound.radius2(B, delta, lam, largest_logdet(p, lam, t))


def check_page():
    """The numbers of the page: F.1, 0.4, F.6."""
    sticky, ar1 = (Noise(process, Decimal(".9"), ONE) for process in ("sticky", "ar1"))

    def path(noise, fields, d, lags, D):
        found = shortest_path(noise, fields, d)
        assert not lags or found[0] == lags, found
        printed(found[1], D)
        return found[0]

    one = path(sticky, "one", 75, [0, 12, 24, 36, 48, 61, 75], "23.289")
    two = path(sticky, "two", 75, [0, 11, 22, 33, 44, 55, 65, 75], "22.557")
    half = Noise("sticky", Decimal(".5"), ONE)
    path(half, "one", 12, list(range(0, 13, 2)), "3.554")
    path(half, "two", 12, list(range(0, 13, 2)), "3.479")
    path(ar1, "one", 75, [0, 30, 42, 54, 65, 75], "40.470")
    path(ar1, "two", 75, list(range(76)), "18.986")
    slow = Noise("sticky", Decimal(".98"), ONE)
    path(slow, "one", 388, None, "121.45")
    path(slow, "two", 388, None, "117.58")
    printed(squared_length(levels_of(Noise("sticky", Decimal(".6"), ONE), "one", [0, 1, 3, 6])), "4.940")

    equal = list(range(0, 73, 12))
    for fields, lags, factor, value in (("one", one, 1, "428.70"), ("one", one, 2, "420.12"), ("two", two, 1, "416.69"),
                                        ("two", two, 2, "408.37"), ("one", equal, 2, "420.41")):
        bound = telescope(sticky, fields, lags, 5000)
        printed(largest_radius2(bound, 2, factor * bound.D, 5000), value)
    for t, value, kappa1 in ((1, "102", None), (10, "181", None), (75, "260", None), (1000, "348", None),
                             (5000, "420", "1287")):
        bound = telescope(sticky, "one", one, t)
        printed(largest_radius2(bound, 2, 2 * bound.D, t), value)
        if kappa1:
            printed(largest_radius2(tight_kappa(sticky, 75, 2, ONE, t), 2, ONE, t), kappa1)
    for t, value in ((1, "166"), (10, "273"), (75, "1047"), (1000, "1069"), (5000, "1163")):
        margin = Decimal(2)**(Decimal(-14) / 8)
        printed(largest_radius2(tight_kappa(sticky, 75, 2, ONE, t, margin), 2, ONE, t), value)
    printed(min(largest_radius2(tight_kappa(sticky, d, 2, ONE, 5000), 2, ONE, 5000) for d in range(30, 70)), "987")


def check_root():
    """(F13): the numbers of the page, and what it loses against S6, which it must not undercut."""
    sticky, delta = Noise("sticky", Decimal(".9"), ONE), Decimal(".05")
    for d, t, value in ((75, 1, "166"), (75, 75, "1047"), (75, 1000, "1068"), (75, 5000, "1158"), (31, 5000, "670")):
        margin = best_margin(sticky, d, 2, ONE, delta, ONE, 5000)
        printed(largest_radius2(Root(sticky, d, 2, ONE, t, margin), 2, ONE, t), value)
        assert d == 31 or margin == Decimal(2)**(Decimal(-14) / 8)
    for d in (1, 2, 5, 31, 60):
        for p, B, margin in ((1, ".25", "1"), (2, "1", ".5"), (10, "3", "2")):
            B, margin = Decimal(B), Decimal(margin)
            for t in (1, d, 3 * d + 1, 5000):
                G = sum(r_margin(k, p, B, margin) for k in sets.block_counts(t, d)) + ell(t, d, delta)
                v = sum(min(k * margin**2 / (p + 2), Decimal(p)) for k in sets.block_counts(t, d))
                b = sticky.phi(d) * sqrt(max(t - d, 0))
                exact = (b + sqrt(b**2 + 2 * G + v))**2 - v + 4 * B**2
                ours = Root(sticky, d, p, B, t, margin).radius2(B, delta, ONE, None)
                assert exact * (1 - Decimal("1e-30")) <= ours <= Decimal("1.25") * exact, (d, t, p, exact, ours)


def check_page_without_horizon():
    """The numbers of the page: F.4, G.1 to G.3."""
    sticky = Noise("sticky", Decimal(".9"), ONE)
    assert schedule(sticky, "schedule:geometric", 12, 5000)[-1] == 84
    bound = anytime_telescope(sticky, "one", 12, "schedule:geometric", 5000)
    printed(bound.D, "23.305")
    printed(bound.bias, ".0735")
    printed(largest_radius2(bound, 2, bound.D, 5000), "430.95")
    printed(largest_radius2(bound, 2, 2 * bound.D, 5000), "422.34")
    single = schedule(sticky, "schedule:geometric", 1, 10**4)
    assert (single[4999], single[9999]) == (81, 88)
    printed(largest_radius2(chains(sticky, "schedule:geometric", 2, ONE, 5000), 2, ONE, 5000), "1407")

    def informative(T, constants):
        """(F8) below 2 B T: telescope in steps of 12 without end, lambda = 2 D, d by the paper's rule (0.5)."""
        d, D = sets.paper_delay(tau=sticky.tau, C=1, B=1, sigma=1, p=2, T=T), endless_D(sticky, "one", 12)
        last = d // 12 * 12
        radius2 = largest_radius2(Ridge(D, sticky.phi(last) * sqrt(T - last)), 2, 2 * D, T)
        bounds = additive(d=d, p=2, B=1, lam=2 * D, T=T, radius2=radius2, gap=1, constants=constants)
        return bounds["worst_case"] < 2 * T

    for constants, T in ((CONSTANTS[:1], 14100), (CONSTANTS, 12800)):
        assert not informative(T - 100, constants) and informative(T + 100, constants)


def check_reductions(rng):
    """Closed forms, and sets of sets.py that the new ones contain."""
    noise_ = noises(rng)
    for _ in range(120):
        noise, p, B, t = next(noise_), rng.choice([1, 2, 10]), Decimal(rng.choice([.25, 1, 3])), rng.randrange(1, 400)
        d, delta = rng.choice([1, 2, 3, 20]), Decimal(rng.choice([.2, .001]))
        lam, logdet, q = (Decimal(rng.uniform(.1, 20)) for _ in range(3))
        rho, sigma = noise.rho, noise.sigma
        common = dict(p=p, B=B, sigma=sigma, phi=noise.phi(d), d=d, lam=lam, t=t, logdet=logdet)
        whole = telescope(noise, "one", [0, d], t)                      # F.1: the path (0, d) is selfnorm
        close(whole.radius2(B, delta, lam, logdet), sets.radius2("selfnorm", delta=delta, **common))
        close(whole.log_p(B, lam, logdet, q), sets.log_p("selfnorm", q=q, **common))

        kappa = tight_kappa(noise, d, p, B, t)                          # F.6: as tight, other bias constant
        spared = 2 * max(t - d, 0) * noise.phi(d) * (2 * B + sigma - bias_constant(sigma, p, B))
        close(kappa.radius2(B, delta, lam, logdet) + spared, sets.radius2("tight", delta=delta, **common))
        close(kappa.log_p(B, lam, logdet, q), sets.log_p("tight", q=q + spared, **common))
        assert bias_constant(sigma, p, B) < 2 * B + sigma

        chain = chains(noise, f"constant:{d}", p, B, t)                 # G.3: a constant lag gives blocks
        d0 = max(3, d)
        charge = min(t, d) * log(Decimal(10) / 9) + d0 - ell(t, d, ONE)
        close(chain.radius2(B, delta, lam, logdet), kappa.radius2(B, delta, lam, logdet) + 2 * sigma**2 * charge)

        n = rng.choice([1, 2, 5, 12])                                   # (G4) and its two-sided forms
        if noise.process == "sticky":
            close(endless_D(noise, "one", n), n * sigma**2 / (1 - rho**n)**2)
            close(endless_D(noise, "two", n), n * sigma**2 * kearns_saul(rho**n) / (1 - rho**n)**2)
        else:
            close(endless_D(noise, "two", n), n * sigma**2 * (1 + rho**n) / (1 - rho**n))
            tail = sum(min(sigma, noise.phi(j * n)) for j in range(1, 700))
            close(endless_D(noise, "one", n), n * (sigma + tail)**2)
            close(squared_length(levels_of(noise, "two", list(range(d + 1)))),
                  sigma**2 * (1 + rho) / (1 - rho) * (1 - rho**d)**2)   # F.3

        days = schedule(noise, "schedule:geometric", n, t)              # G.2: the bias stays bounded
        t0 = max(math.ceil(3 * noise.tau), 2 * n)
        assert days[0] == 1 and all(0 <= b - a <= 1 for a, b in zip(days, days[1:]))
        for s, lag in enumerate(days, 1):
            assert s == lag or noise.phi(lag // n * n) * (s + t0 - n) <= sigma * (1 + Decimal("1e-40"))
        steady = anytime_telescope(noise, "one", n, "schedule:geometric", t)
        assert steady.bias**2 <= sigma**2 / (t0 - n)


def check_paths(rng):
    """(F6) against all paths, and Theorem F.1's remarks about them."""
    for _ in range(12):
        noise = next(noises(rng))
        for fields in ("one", "two"):
            lags, D, _ = shortest_path(noise, fields, 9)
            every = ([0, *(i for i in range(1, 9) if mask >> i & 1), 9] for mask in range(0, 512, 2))
            close(D, min(squared_length(levels_of(noise, fields, x)) for x in every), 1e-30)
            close(D, squared_length(levels_of(noise, fields, lags)), 1e-30)
            assert D <= 9 * noise.sigma**2
    for exponent in (14, 16, 30):                                       # the two branches of the proxy meet
        small = Decimal(10)**-exponent
        close(kearns_saul(small), 1 - small**2 / 3, 1e-30)


def check_tables():
    """{q > radius2} = {p < delta}, both p-value forms are present, scaling of A.4 and F.1."""
    unions = 0
    for row in radii():
        noise, p, B = Noise(row["process"], row["rho"], row["scale"]), row["p"], Decimal(row["B"])
        bound = build(row["set"], noise, row, p, B)
        arguments = dict(B=B, lam=Decimal(row["lambda"]), logdet=Decimal(row["logdet"]))
        for delta in (Decimal(row["delta"]), Decimal(".3")):
            edge = bound.radius2(delta=delta, **arguments)
            close(bound.log_p(q=edge, **arguments), log(delta), 1e-30)
            for q in (edge * Decimal(".999"), edge * Decimal("1.001")):
                assert (q > edge) == (bound.log_p(q=q, **arguments) < log(delta))
        unions += row["set"] == "telescope" and bound.extra != 1
        unit = build(row["set"], Noise(noise.process, noise.rho, ONE), row, p, B / noise.scale)
        scaled = unit.radius2(delta=Decimal(row["delta"]), **dict(arguments, B=B / noise.scale))
        close(row["radius2"], noise.scale**2 * scaled)
    assert unions >= 20, unions

    for row in regrets():                                               # the least over c of (F8) as printed
        B, G = row["B"], row["p"] * math.log1p(row["T"] / (row["lam"] * row["p"]))
        stale, worst = row["stale_rounds"] * Decimal(2).ln(), max(B * B, row["radius2"])
        by_hand = [(2 * B * (row["d"] + float(stale) / math.log1p(c)), 4 * worst * G / math.log1p(1 / (1 + c)))
                   for c in (1, .7, .5, .3, .2, .1)]
        close(row["worst_case"], min(a + math.sqrt(row["T"] * b) for a, b in by_hand), 1e-9)
        close(row["gap_bound"], min(a + b / row["gap"] for a, b in by_hand), 1e-9)


def selftest():
    check_page()
    check_root()
    check_page_without_horizon()
    check_reductions(random.Random(1))
    check_paths(random.Random(2))
    check_tables()
    print("telescope.py: self-check passed")


if __name__ == "__main__":
    if sys.argv[1:] == ["--selftest"]:
        selftest()
    elif len(sys.argv) == 2 and sys.argv[1] in TABLES:
        columns, rows = TABLES[sys.argv[1]]
        print_table(columns.split(), rows())
    else:
        sys.exit(f"usage: telescope.py {'|'.join(TABLES)}|--selftest")
