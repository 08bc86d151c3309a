#!/usr/bin/python3
"""Confidence sets, their p-values and the regret bounds, transcribed from MATHEMATICS.md.

Written from the formulas alone, without a look at the program it tests. Slow and plain on purpose: all arithmetic
is decimal with 50 digits, the arguments are taken as the exact binary numbers they are, only the result is rounded.

    radius2(set, p=, B=, sigma=, phi=, d=, delta=, lam=, t=, logdet=)       beta_t^2
    log_p(set, p=, B=, sigma=, phi=, d=, lam=, t=, q=, logdet=)             log of the p-value of round t, unclipped

`logdet` = log det(I + Lambda_t/lambda), used by selfnorm and oful only. `q` is the squared distance of theta* from
the centre in the set's own norm:

    paper proof tight otc   constrained least squares, V_t = Lambda_t + lambda I
    theorem1                constrained least squares, Lambda_t
    excess-loss             2 (L_t(theta*) - L_t(theta_hat_t))
    selfnorm oful           ridge V_t^{-1} b_t, V_t

Self-check: python3 sets.py --selftest
"""
import math
import random
import sys
from decimal import Decimal, getcontext
from functools import lru_cache

getcontext().prec = 50
SETS = ["paper", "proof", "tight", "selfnorm", "oful", "otc", "theorem1", "excess-loss"]
E = Decimal(1).exp()


@lru_cache(maxsize=None)
def log(x):
    return Decimal(x).ln()


def sqrt(x):
    return Decimal(x).sqrt()


# ---- pieces --------------------------------------------------------------------------------------------------------

def block_counts(t, d):
    """t_j(t), j = 1..d: how many of the rounds j, j+d, j+2d, ... are <= t (section 0)."""
    return [len(range(j, t + 1, d)) for j in range(1, d + 1)]


@lru_cache(maxsize=None)
def r(k, p, B):
    """Regret of one forecaster over k rounds, MATHEMATICS.md (A2)."""
    if k == 0:
        return Decimal(0)
    return p * log(B + 1) + Decimal(p) / 2 * log(Decimal(max(p, k)) / p) + Decimal(min(k, p)) / 2


@lru_cache(maxsize=None)
def r_tilde(k, p, B):
    """The same with the second moment c^2/(p+2) of the uniform law on a ball, MATHEMATICS.md (A3)."""
    if k == 0:
        return Decimal(0)
    if k <= p * (p + 2):
        return p * log(B + 1) + Decimal(k) / (2 * (p + 2))
    return p * log(B + 1) + Decimal(p) / 2 * log(Decimal(k) / (p * (p + 2))) + Decimal(p) / 2


def ell(t, d, delta):
    """The delta term of MATHEMATICS.md (A6): union bound for d <= 2, else E.2."""
    m = min(t, d)
    return m * log(d / delta) if d <= 2 else m * log(1 / delta) + d


# ---- squared radius ------------------------------------------------------------------------------------------------

def _radius2(name, p, B, sigma, phi, d, delta, lam, t, logdet):
    s2, m, late = sigma**2, min(t, d), max(t - d, 0)
    if name == "paper":                                                 # (A5), A.4
        return _radius2("theorem1", p, B, sigma, phi, d, delta, lam, t, logdet) + 4 * lam * B**2
    if name == "otc":                                                   # D.1: paper with d = 1, phi = 0
        return _radius2("paper", p, B, sigma, Decimal(0), 1, delta, lam, t, logdet)
    if name in ("theorem1", "excess-loss"):                             # D.1: paper without 4 lambda B^2
        return (s2 * d * p * log((B / sigma + 1)**2 * E * max(d * p, t + d) / (d * p))
                + 2 * t * (B + sigma) * phi + 2 * s2 * d * log(d / delta))
    if name == "proof":                                                 # (A4), A.4
        return (2 * s2 * sum(r(k, p, B / sigma) for k in block_counts(t, d)) + 4 * lam * B**2
                + 2 * late * (2 * B + sigma) * phi + 2 * s2 * m * log(d / delta))
    if name == "tight":                                                 # (A6), A.4
        return (2 * s2 * sum(r_tilde(k, p, B / sigma) for k in block_counts(t, d)) + 4 * lam * B**2
                + 2 * late * (2 * B + sigma) * phi + 2 * s2 * ell(t, d, delta))
    if name == "selfnorm":                                              # E.3
        return (phi * sqrt(late) + sqrt(lam * B**2 + s2 * d * logdet + 2 * s2 * ell(t, d, delta)))**2
    if name == "oful":                                                  # Abbasi-Yadkori, Pal, Szepesvari 2011
        return (sigma * sqrt(logdet + 2 * log(1 / delta)) + sqrt(lam) * B)**2
    raise ValueError(f"unknown set {name!r}")


def radius2(name, *, p, B, sigma, phi, d, delta, lam, t, logdet=0):
    B, sigma, phi, delta, lam, logdet = map(Decimal, (B, sigma, phi, delta, lam, logdet))
    return float(_radius2(name, int(p), B, sigma, phi, int(d), delta, lam, int(t), logdet))


# ---- p-value of one round, MATHEMATICS.md D.1 ----------------------------------------------------------------------

def _log_p(name, p, B, sigma, phi, d, lam, t, q, logdet):
    s2, m, late = sigma**2, min(t, d), max(t - d, 0)
    if name == "otc":
        return _log_p("paper", p, B, sigma, Decimal(0), 1, lam, t, q, logdet)
    if name in ("paper", "theorem1", "excess-loss"):
        A = (s2 * d * p * log((B / sigma + 1)**2 * E * max(d * p, t + d) / (d * p)) + 2 * t * (B + sigma) * phi
             + (4 * lam * B**2 if name == "paper" else 0))
        return log(d) - (q - A) / (2 * d * s2)
    if name in ("proof", "tight"):
        regret = r if name == "proof" else r_tilde
        A = (2 * s2 * sum(regret(k, p, B / sigma) for k in block_counts(t, d)) + 4 * lam * B**2
             + 2 * late * (2 * B + sigma) * phi)
        if name == "tight" and d > 2:
            return -(q - A - 2 * d * s2) / (2 * m * s2)
        return log(d) - (q - A) / (2 * m * s2)
    if name == "selfnorm":
        n = max(sqrt(q) - phi * sqrt(late), Decimal(0))
        A = lam * B**2 + s2 * d * logdet
        return -(n**2 - A - 2 * d * s2) / (2 * m * s2) if d > 2 else log(d) - (n**2 - A) / (2 * m * s2)
    if name == "oful":
        n = max(sqrt(q) - sqrt(lam) * B, Decimal(0))
        return -(n**2 - s2 * logdet) / (2 * s2)
    raise ValueError(f"unknown set {name!r}")


def log_p(name, *, p, B, sigma, phi, d, lam, t, q, logdet=0, delta=None):
    """Natural logarithm. `delta` is accepted and ignored, so that radius2 and log_p take the same arguments."""
    B, sigma, phi, lam, q, logdet = map(Decimal, (B, sigma, phi, lam, q, logdet))
    return float(_log_p(name, int(p), B, sigma, phi, int(d), lam, int(t), q, logdet))


# ---- delay rule and regret bounds ----------------------------------------------------------------------------------

def paper_delay(*, tau, C, B, sigma, p, T):
    """d = ceil(tau log(B C T/p)) in 1..T (A.6 no. 19), for phi_d = C e^{-d/tau}; B and C in units of sigma."""
    B, C = Decimal(B) / Decimal(sigma), Decimal(C) / Decimal(sigma)
    if B * C * T <= p:
        return 1
    return max(1, min(T, math.ceil(Decimal(tau) * log(B * C * T / p))))


def potential_bound(*, d, p, lam, T):
    """sum_{d<t<=T} min(1, ||X_t||^2 in V_{t-d}^{-1}) <= 2 d p log(1 + T/(lambda d p)) (A.6 no. 26, 27)."""
    return float(2 * d * p * log(1 + T / (Decimal(lam) * d * p)))


def worst_case_bound(*, d, p, B, lam, T, radius2_T):
    """A.6 no. 27."""
    B, lam = Decimal(B), Decimal(lam)
    return float(2 * d * B + sqrt(8 * d * p * T * max(B**2, Decimal(radius2_T)) * log(1 + T / (lam * d * p))))


def gap_bound(*, d, p, B, lam, T, radius2_T, gap):
    """A.6 no. 29; gap = Delta > 0 between the best and the second best arm."""
    B, lam = Decimal(B), Decimal(lam)
    return float(2 * d * B + 8 * d * p / Decimal(gap) * max(B**2, Decimal(radius2_T)) * log(1 + T / (lam * d * p)))


# ---- self-check ----------------------------------------------------------------------------------------------------

def selftest():
    rng = random.Random(1)

    def close(a, b, tol=1e-12):
        a, b = float(a), float(b)
        assert abs(a - b) <= tol * max(1, abs(a), abs(b)), (a, b)

    def draw():
        d = rng.choice([1, 2, 3, 5, 75])
        return dict(p=rng.choice([1, 2, 3, 10]), B=rng.choice([.5, 1, 3]), sigma=rng.choice([1, .5, 2]),
                    phi=rng.choice([0, 1e-4, .1]), d=d, delta=rng.choice([.2, .05, 1e-3]),
                    lam=10**rng.uniform(-2, 2), t=rng.choice([1, 2, d, d + 1, rng.randrange(1, 20 * d + 200)]),
                    logdet=rng.uniform(0, 30))

    for _ in range(400):
        a = draw()
        R = {s: radius2(s, **a) for s in SETS}
        for s in SETS:
            close(log_p(s, q=R[s], **a), math.log(a["delta"]))          # {q > radius2} = {p < delta}
            for factor in (0, rng.random(), 1 - 1e-9, 1 + 1e-9, 1 + rng.random(), 10):
                q = factor * R[s]
                assert (q > R[s]) == (log_p(s, q=q, **a) < math.log(a["delta"])), (s, q, a)
            unit = dict(a, B=a["B"] / a["sigma"], phi=a["phi"] / a["sigma"], sigma=1)
            close(R[s], a["sigma"]**2 * radius2(s, **unit))             # A.4
        close(R["paper"], R["theorem1"] + 4 * a["lam"] * a["B"]**2)
        close(R["otc"], radius2("paper", **dict(a, d=1, phi=0)))
        assert radius2("proof", **dict(a, phi=0)) <= radius2("paper", **dict(a, phi=0))
        assert radius2("selfnorm", **dict(a, d=1, phi=0)) <= R["oful"]  # E.3: improves OFUL

        p, B, d, t = a["p"], Decimal(a["B"]), a["d"], a["t"]            # blocks: sum and closed form, A.2
        quotient, rest = divmod(t, d)
        for f in (r, r_tilde):
            by_hand = rest * f(quotient + 1, p, B) + (d - rest) * f(quotient, p, B)
            close(sum(f(k, p, B) for k in block_counts(t, d)), by_hand)
        assert sum(block_counts(t, d)) == t and sum(max(k - 1, 0) for k in block_counts(t, d)) == max(t - d, 0)

    for p in (1, 2, 5):                                                 # (A2), (A3) are infima over c in (0, 1]
        for k in (1, 2, 3, 8, 15, 16, 40, 1000):
            for f, moment in ((r, 1), (r_tilde, p + 2)):
                low = min(p * math.log(2 / c) + k * c * c / (2 * moment) for c in (i / 20000 for i in range(1, 20001)))
                close(float(f(k, p, Decimal(1))), low, 1e-6)

    for _ in range(200):                                                # the rule gives phi_d <= p sigma^2/(B T)
        a = dict(tau=rng.uniform(.5, 50), C=rng.uniform(.1, 10), B=rng.choice([.5, 1, 3]), sigma=rng.choice([.5, 1, 2]),
                 p=rng.choice([1, 2, 10]), T=rng.choice([100, 10000]))
        d = paper_delay(**a)
        assert 1 <= d <= a["T"]
        if d < a["T"]:
            assert a["C"] * math.exp(-d / a["tau"]) <= a["p"] * a["sigma"]**2 / (a["B"] * a["T"]) * (1 + 1e-12)
    bound = dict(d=3, p=2, lam=.7, T=1000)
    close(worst_case_bound(B=1, radius2_T=9, **bound), 6 + math.sqrt(4 * 1000 * 9 * potential_bound(**bound)))
    close(gap_bound(B=1, radius2_T=9, gap=.1, **bound), 6 + 4 * 9 / .1 * potential_bound(**bound))
    print("sets.py: self-check passed")


if __name__ == "__main__":
    if sys.argv[1:] != ["--selftest"]:
        sys.exit("usage: sets.py --selftest")
    selftest()
