#!/usr/bin/python3
"""Sets whose state is more than V_t: joint, adaptive-sticky, hac-tau, hac-lrv, block dispersion. MATHEMATICS.md H, F.7.

Written from the formulas alone, without a look at the program it tests; decimal with 50 digits, as in sets.py.

    python3 memory.py > memory.csv     distance, radius and p-value on small samples
    python3 memory.py --selftest       against other forms of the same statements

A row says what a set makes of the first t samples of a data set. Numbers have 17 significant digits, so that they read
back as the very doubles that were used; results are correctly rounded for these doubles.

Data. draw() is the generator x -> (1664525 x + 1013904223) mod 2^32, started at `seed`, without its lower 16 bits. In
this order: theta*, p components B (draw() % 17 - 8)/16; ARMS arms of p components (draw() % 17 - 8)/16; then three
draws u, v, w for each round. The arm is number v % ARMS in round 1 and where u % 3 = 0, else that of the round before.
`noise` is `flip:PERCENT`, signs of scale sigma, the first one + where w is even, then the other one of the round before
where w % 100 < PERCENT; or `any`, sigma (w % 257 - 128)/64; or `grow`, sigma (-1)^t t^2/64. All of these are doubles,
and so is Y.

    joint               H.3 with s = sigma
    adaptive-sticky     H.2; `rho` is rho_max, `d` the delay of all classes, `class` the rho_g of round t
    hac-tau, hac-lrv    H.4; `class` is the D of round t
    selfnorm            dispersion, (F10), for the certificate of `process` with `rho` at lag d
    telescope           dispersion, (F11), the same on the path `lags` in `fields` (telescope.py); in union form where
                        (F4) is: with 2 sum_j w_j alpha_j log(n_j/(w_j delta)) for 2 A_t log(1/delta) + 2

`distance2` is that of `times` theta*, with Disp(t) added for dispersion; `log_p_round` is the term of round t, `log_p`
the smallest term of rounds 1..t, unclipped; `own_lambda` the default lambda. Columns without a meaning are empty.
"""
import collections
import math
import random
import sys
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache

import telescope
from sets import ell, log, sqrt
from telescope import Noise, cycle, print_table

ARMS = 4
ONE = Decimal(1)
GRID = [Decimal(x) for x in (.5, .6, .7, .75, .8, .85, .875, .9, .92, .94, .95, .96, .97, .98)]
HAC_LAGS = [0, 1, 2, 4, 8, 16, 32, 64, 128]


# ---- data ----------------------------------------------------------------------------------------------------------

class Generator:
    def __init__(self, seed):
        self.state = seed

    def draw(self):
        self.state = (1664525 * self.state + 1013904223) % 2**32
        return self.state >> 16

    def vector(self, p):
        return [Decimal(self.draw() % 17 - 8) / 16 for _ in range(p)]


def samples(seed, noise, p, B, sigma, T):
    """theta*, [(X_1, Y_1), ..., (X_T, Y_T)]."""
    generator = Generator(seed)
    theta = [B * x for x in generator.vector(p)]
    arms = [generator.vector(p) for _ in range(ARMS)]
    kind, _, percent = noise.partition(":")
    rows, arm, sign = [], None, None
    for t in range(1, T + 1):
        u, v, w = (generator.draw() for _ in range(3))
        if t == 1 or u % 3 == 0:
            arm = v % ARMS
        if t == 1:
            sign = 1 if w % 2 == 0 else -1
        elif kind == "flip" and w % 100 < int(percent):
            sign = -sign
        eps = {"flip": Decimal(sign), "any": Decimal(w % 257 - 128) / 64, "grow": Decimal((-1)**t * t**2) / 64}[kind]
        rows.append((arms[arm], dot(theta, arms[arm]) + sigma * eps))
    return theta, rows


# ---- linear algebra ------------------------------------------------------------------------------------------------

def dot(a, b):
    return sum((x * y for x, y in zip(a, b)), Decimal(0))


class Moments:
    """lambda I + sum of x x', and the sum of x y."""

    def __init__(self, p, lam):
        self.p, self.lam, self.count = p, lam, 0
        self.V = [[lam if i == j else Decimal(0) for j in range(p)] for i in range(p)]
        self.y = [Decimal(0)] * p
        self.solved = None

    def absorb(self, x, y):
        self.count, self.solved = self.count + 1, None
        for i in range(self.p):
            self.y[i] += x[i] * y
            for j in range(self.p):
                self.V[i][j] += x[i] * x[j]

    def solve(self):
        """V^{-1} y and log det V."""
        self.solved = self.solved or self.eliminate()
        return self.solved

    def eliminate(self):
        rows = [[*row, y] for row, y in zip(self.V, self.y)]
        determinant = ONE
        for i, pivot in enumerate(rows):
            determinant *= pivot[i]
            for low in rows[i + 1:]:
                factor = low[i] / pivot[i]
                for j in range(i, self.p + 1):
                    low[j] -= factor * pivot[j]
        solution = [Decimal(0)] * self.p
        for i in reversed(range(self.p)):
            solution[i] = (rows[i][-1] - dot(rows[i][i + 1:-1], solution[i + 1:])) / rows[i][i]
        return solution, log(determinant)

    def gamma(self):
        """log det(V/lambda): Gamma_t."""
        return self.solve()[1] - self.p * log(self.lam)

    def ridge(self):
        return self.solve()[0]

    def energy(self):
        """y' V^{-1} y."""
        return dot(self.y, self.ridge())

    def form(self, a, b):
        return dot(a, [dot(row, b) for row in self.V])

    def distance2(self, theta):
        gap = [a - b for a, b in zip(theta, self.ridge())]
        return self.form(gap, gap)


# ---- the sets ------------------------------------------------------------------------------------------------------

class Set:
    """What a set makes of the samples absorbed so far."""

    lags = fields = process = rho = None

    def __init__(self, p, B, sigma, lam, d):
        self.p, self.B, self.sigma, self.lam, self.d, self.t = p, B, sigma, lam, d, 0
        self.ridge = Moments(p, lam)

    def absorb(self, x, y):
        self.t += 1
        self.ridge.absorb(x, y)

    def distance2(self, theta):
        return self.ridge.distance2(theta)

    def learned(self, level):
        """The column `class`."""


class Joint(Set):
    name = "joint"

    def __init__(self, *a):
        super().__init__(*a)
        self.moments, self.before = Moments(2 * self.p + 1, self.lam), None

    def own_lambda(self):
        return self.sigma**2 / self.B**2

    def absorb(self, x, y):
        super().absorb(x, y)
        if self.before:
            past_x, past_y = self.before
            self.moments.absorb([past_y, *x, *past_x], y)
        self.before = x, y

    def distance2(self, theta):
        zero, hat = [Decimal(0)] * self.p, self.moments.ridge()
        e0 = [a - b for a, b in zip([Decimal(0), *theta, *zero], hat)]
        c1 = [ONE, *zero, *(-x for x in theta)]
        r = -self.moments.form(c1, e0) / self.moments.form(c1, c1)
        r = max(-ONE, min(ONE, r))
        e = [a + r * b for a, b in zip(e0, c1)]
        return self.moments.form(e, e)

    def base(self):
        return self.lam * (1 + 2 * self.B**2) + self.sigma**2 * self.moments.gamma()

    def radius2(self, level):                                           # (H2)
        return self.base() + 2 * self.sigma**2 * log(1 / level)

    def log_p(self, q):
        return -(q - self.base()) / (2 * self.sigma**2)


class Hac(Set):
    def __init__(self, *a):
        super().__init__(*a)
        self.rows = []

    def own_lambda(self):
        return self.p * self.sigma**2 * endless_sticky(Decimal(".9")) / self.B**2

    def absorb(self, x, y):
        super().absorb(x, y)
        self.rows.append((x, y))
        vars(self).pop("D", None)

    def autocovariances(self):
        """{l: c_l} of (H4)."""
        theta = self.ridge.ridge()
        e = [y - dot(theta, x) for x, y in self.rows]
        return {lag: dot(e[lag:], e) / (self.sigma**2 * self.t) for lag in HAC_LAGS}

    @cached_property
    def D(self):
        return self.spread(self.autocovariances())

    def learned(self, level):
        return self.D

    def bound(self):
        return telescope.Ridge(self.sigma**2 * self.D, Decimal(0))

    def radius2(self, level):
        return self.bound().radius2(self.B, level, self.lam, self.ridge.gamma())

    def log_p(self, q):
        return self.bound().log_p(self.B, self.lam, self.ridge.gamma(), q)


@lru_cache(maxsize=None)
def endless_sticky(r):
    """min_n n/(1 - r^n)^2, (G4); it falls, then rises, at most at n = 1.26 tau."""
    n, best = 1, 1 / (1 - r)**2
    while True:
        n += 1
        value = n / (1 - r**n)**2
        if value > best:
            return best
        best = value


class HacTau(Hac):
    name = "hac-tau"

    def spread(self, c):
        r = c[1] / c[0] + 2 / sqrt(self.t)
        return endless_sticky(max(Decimal(0), min(Decimal(".999"), r)))


class HacLrv(Hac):
    name = "hac-lrv"

    def spread(self, c):
        alive, heights = True, []
        for lag in HAC_LAGS:
            alive = alive and c[lag] >= c[0] * sqrt(Decimal(lag) / self.t)
            heights.append(c[lag] if alive else Decimal(0))
        v = 2 * sum((b - a) * (x + y) / 2 for a, b, x, y in zip(HAC_LAGS, HAC_LAGS[1:], heights, heights[1:]))
        return Decimal("1.5") * max(ONE, v)


class AdaptiveSticky(Set):
    name = "adaptive-sticky"

    def __init__(self, p, B, sigma, lam, d, rho_max):
        super().__init__(p, B, sigma, lam, d)
        self.rho, self.classes = rho_max, classes(sigma, d, rho_max)
        self.pairs = self.flips = 0
        self.before, self.evidence = None, [Decimal(0)] * len(self.classes)         # log E*_g
        self.evidence[-1] = Decimal("Infinity")

    def own_lambda(self):
        return self.p * sqrt(self.classes[0].D * self.classes[-1].D) / self.B**2

    def absorb(self, x, y):
        super().absorb(x, y)
        if self.before and self.before[0] == x:
            assert abs(y - self.before[1]) in (0, 2 * self.sigma)
            self.pairs += 1
            self.flips += y != self.before[1]
            for g, each in enumerate(self.classes):
                f = (1 - each.rho) / 2
                if f * self.pairs <= self.flips:
                    self.evidence[g] = max(self.evidence[g], log_mixture(self.pairs, self.flips, f))
        self.before = x, y

    def bounds(self):
        return [each.bound(self.t) for each in self.classes]

    def chosen(self, level):
        return next(g for g, e in enumerate(self.evidence) if e >= log(2 / level))

    def learned(self, level):
        return self.classes[self.chosen(level)].rho

    def radius2(self, level):
        arguments = self.B, level / 2, self.lam, self.ridge.gamma()
        return max(b.radius2(*arguments) for b in self.bounds()[:self.chosen(level) + 1])

    def log_p(self, q):                                                 # (H3)
        gamma, best, worst = self.ridge.gamma(), Decimal("Infinity"), Decimal("-Infinity")
        for bound, evidence in zip(self.bounds(), self.evidence):
            worst = max(worst, bound.log_p(self.B, self.lam, gamma, q))
            best = min(best, max(-evidence, worst))
        return log(2) + best


class Class:
    """Class g of H.2 at delay d."""

    def __init__(self, rho, sigma, d):
        self.rho, self.noise = rho, Noise("sticky", rho, sigma)
        self.lags, self.D, margin = telescope.shortest_path(self.noise, "one", d)
        assert margin > Decimal("1e-9"), "a tie: A_t would depend on the path"

    def bound(self, t):
        return telescope.telescope(self.noise, "one", self.lags, t)


@lru_cache(maxsize=None)
def classes(sigma, d, rho_max):
    """The grid points below rho_max, then rho_max."""
    return [Class(rho, sigma, d) for rho in [*(x for x in GRID if x < rho_max), rho_max]]


@lru_cache(maxsize=None)
def log_beta(a, b):
    """log B(a, b) for integers."""
    value = Fraction(math.factorial(a - 1) * math.factorial(b - 1), math.factorial(a + b - 1))
    return log(value.numerator) - log(value.denominator)


def log_mixture(n, k, f):
    """log E(f) of (H1)."""
    return log_beta(1 + k, 9 + n - k) - log_beta(1, 9) - k * log(f) - (n - k) * log(1 - f)


class Dispersion(Set):
    """(F10), (F11): `blocks` blocks; a subclass says what the bound is."""

    def __init__(self, p, B, sigma, lam, d, process, rho):
        super().__init__(p, B, sigma, lam, d)
        self.process, self.rho, self.noise = process, rho, Noise(process, rho, sigma)
        self.parts = [Moments(p, lam / self.blocks()) for _ in range(self.blocks())]

    def absorb(self, x, y):
        super().absorb(x, y)
        self.parts[self.t % self.blocks()].absorb(x, y)

    def dispersion(self):
        return sum(part.energy() for part in self.parts if part.count) - self.ridge.energy()

    def distance2(self, theta):
        return super().distance2(theta) + self.dispersion()

    def gamma(self):
        return sum(part.gamma() for part in self.parts if part.count) / self.blocks()


class SelfnormDispersion(Dispersion):
    name = "selfnorm"

    def own_lambda(self):
        return self.d * self.sigma**2 / self.B**2

    def blocks(self):
        return self.d

    def bias(self):
        return self.noise.phi(self.d) * sqrt(max(self.t - self.d, 0))

    def base(self):
        return self.lam * self.B**2 + self.sigma**2 * self.d * self.gamma()

    def radius2(self, level):
        return (self.bias() + sqrt(self.base() + 2 * self.sigma**2 * ell(self.t, self.d, level)))**2

    def log_p(self, q):                                                 # D.1, selfnorm
        spent = max(sqrt(q) - self.bias(), Decimal(0))**2 - self.base()
        active = 2 * min(self.t, self.d) * self.sigma**2
        return log(self.d) - spent / active if self.d <= 2 else -(spent - 2 * self.d * self.sigma**2) / active


class TelescopeDispersion(Dispersion):
    name = "telescope"

    def __init__(self, p, B, sigma, lam, d, process, rho, fields, lags):
        self.fields, self.lags, self.path = fields, lags, [int(x) for x in lags.split()]
        super().__init__(p, B, sigma, lam, d, process, rho)

    def own_lambda(self):
        return self.p * telescope.squared_length(telescope.levels_of(self.noise, self.fields, self.path)) / self.B**2

    def blocks(self):
        return math.gcd(*(b - a for a, b in zip(self.path, self.path[1:])))

    def bound(self):
        return telescope.telescope(self.noise, self.fields, self.path, self.t)

    def radius2(self, level):
        return self.bound().radius2(self.B, level, self.lam, self.gamma())

    def log_p(self, q):
        return self.bound().log_p(self.B, self.lam, self.gamma(), q)


# ---- the table -----------------------------------------------------------------------------------------------------

COLUMNS = ("set seed noise times p B sigma process rho fields lags d delta lambda t class own_lambda distance2 radius2 "
           "log_p_round log_p").split()


DISPERSED = (("0 1", 1, "sticky", .5, 1), ("0 1 2 3", 3, "ar1", .6, 2), ("0 2", 2, "sticky", .3, 2),
             ("0 2 4", 5, "ar1", .9, 3), ("0 2 6 12", 12, "sticky", .6, 2), ("0 3 6 12", 12, "ar1", .6, 1),
             ("0 4 8 12 16 20", 21, "sticky", .9, 2), ("0 12 24 36", 40, "sticky", .9, 3),
             ("0 2 5", 5, "sticky", .6, 2))


def cases():
    """Class of the set, its own arguments from d on, noise of the data, p, rounds."""
    for p in (1, 2, 3):
        for kind in (Joint, HacTau, HacLrv):
            for noise, T in (("any", 60), ("flip:10", 60), ("flip:60", 25)):
                yield kind, [None], noise, p, T
        yield Joint, [None], "grow", p, 20                              # r is clipped
    yield HacTau, [None], "flip:40", 2, 200
    yield HacLrv, [None], "flip:2", 2, 200
    yield HacLrv, [None], "flip:5", 1, 300
    for d, rho_max, noise, p, T in ((1, .9, "flip:10", 2, 60), (2, .75, "flip:30", 1, 60), (5, .98, "flip:5", 2, 120),
                                    (7, .99, "flip:1", 3, 60), (12, .95, "flip:25", 2, 150), (3, .65, "flip:45", 3, 60),
                                    (4, .5625, "flip:50", 1, 40), (12, .9375, "flip:45", 2, 150)):
        yield AdaptiveSticky, [d, Decimal(rho_max)], noise, p, T
    for d, process, rho, p in ((1, "sticky", .5, 2), (2, "ar1", .3, 1), (3, "sticky", .9, 3), (5, "ar1", .6, 2),
                               (20, "sticky", .9, 2), (75, "sticky", .9, 1)):
        yield SelfnormDispersion, [d, process, Decimal(rho)], "any" if d == 5 else "flip:5", p, 60
    for lags, d, process, rho, p in DISPERSED:
        for fields in ("one", "two"):
            yield TelescopeDispersion, [d, process, Decimal(rho), fields, lags], "flip:5" if d % 2 else "any", p, 60


def setups():
    """Each case with its data: (set, seed, noise, times, delta, point, samples)."""
    rng = random.Random(17)
    B_, sigma_ = cycle(rng, .25, 1.0, 3.0), cycle(rng, 1.0, .5, 1.25, 2.0)
    delta_, lambda_, times_ = cycle(rng, .2, .05, 1e-3, .5), cycle(rng, "default", "any"), cycle(rng, 1, 3, -6, 16)
    for seed, (kind, arguments, noise, p, T) in enumerate(cases(), 1):
        B, sigma, delta = (Decimal(next(x)) for x in (B_, sigma_, delta_))
        lam = 10**rng.uniform(-1, 1.5)
        if next(lambda_) == "default":
            lam = float(kind(p, B, sigma, ONE, *arguments).own_lambda())
        theta, rows = samples(seed, noise, p, B, sigma, T)
        times = next(times_)
        yield (kind(p, B, sigma, Decimal(lam), *arguments), seed, noise, times, delta, [times * x for x in theta], rows)


def table():
    for each, seed, noise, times, delta, point, rows in setups():
        least, T = Decimal("Infinity"), len(rows)
        for t, (x, y) in enumerate(rows, 1):
            each.absorb(x, y)
            q = each.distance2(point)
            term = each.log_p(q)
            least = min(least, term)
            if t in (1, 2, 3, T // 4, T // 2, T - 1, T):
                row = {name: getattr(each, name) for name in "p B sigma process rho fields lags d".split()}
                yield {**row, "set": each.name, "seed": seed, "noise": noise, "times": times, "delta": delta,
                       "lambda": each.lam, "t": t, "class": each.learned(delta), "own_lambda": each.own_lambda(),
                       "distance2": q, "radius2": each.radius2(delta), "log_p_round": term, "log_p": least}


# ---- self-check ----------------------------------------------------------------------------------------------------

def close(a, b, tol=1e-30):
    assert abs(a - b) <= Decimal(tol) * max(1, abs(a), abs(b)), (a, b)


def check_linear_algebra(rng):
    moments = Moments(3, Decimal("1.7"))
    for _ in range(9):
        moments.absorb([Decimal(rng.uniform(-1, 1)) for _ in range(3)], Decimal(rng.gauss(0, 1)))
    (a, b, c), (_, e, f), (_, _, i) = moments.V
    close(moments.solve()[1], log(a * (e * i - f * f) - b * (b * i - f * c) + c * (b * f - e * c)))
    for row, y in zip(moments.V, moments.y):
        close(dot(row, moments.ridge()), y)


def check_pieces():
    assert str(round(endless_sticky(Decimal(".9")), 3)) == "23.305"     # (G4), as printed
    for r in (Decimal(0), Decimal(".3"), Decimal(".97")):
        close(endless_sticky(r), min(n / (1 - r**n)**2 for n in range(1, 200)))
    for n in (1, 5, 30):                                                # (H1): E(f) has mean 1
        for f in (Decimal(".05"), Decimal(".4")):
            mean = sum(math.comb(n, k) * f**k * (1 - f)**(n - k) * log_mixture(n, k, f).exp() for k in range(n + 1))
            close(mean, ONE)


def lowest_flip_rate(n, k, level):
    """f_low of (H1) at delta_1 = level, by bisection in doubles."""
    if k == 0:
        return 0.
    beta = math.lgamma(1 + k) + math.lgamma(9 + n - k) - math.lgamma(10 + n) + math.log(9)
    low, high = 0., k / n                                               # E falls from infinity at 0 to its least at k/n
    while high - low > 1e-15 * k / n:
        f = (low + high) / 2
        if beta - k * math.log(f) - (n - k) * math.log1p(-f) >= math.log(1 / level):
            low = f
        else:
            high = f
    return low


def check_adaptive():
    """(H1) by its root, its running minimum, and the grid."""
    for each, _, _, _, delta, _, rows in setups():
        if not isinstance(each, AdaptiveSticky):
            continue
        rho_bar = float(each.rho)
        for x, y in rows:
            each.absorb(x, y)
            rho_bar = min(rho_bar, 1 - 2 * lowest_flip_rate(each.pairs, each.flips, float(delta / 2)))
            above = next(g for g, c in enumerate(each.classes) if c.rho >= rho_bar)
            assert above == each.chosen(delta), (above, each.chosen(delta))
        D = [c.D for c in each.classes]
        assert D == sorted(D), "D_g grows with rho_g"


def check_joint(each, theta):
    """The minimum over r, against a grid; says whether it is at an end."""
    def at(r):
        gap = [a - b for a, b in zip([r, *theta, *(-r * x for x in theta)], each.moments.ridge())]
        return each.moments.form(gap, gap)
    least, step = each.distance2(theta), Decimal(".01")
    grid = [at(k * step) for k in range(-100, 101)]
    assert all(least <= value + Decimal("1e-40") for value in grid)
    curvature = (at(ONE) + at(-ONE)) / 2 - at(Decimal(0))
    assert min(grid) - least <= curvature * step**2
    return min(grid) in (grid[0], grid[-1])


def check_dispersion(each, theta):
    """The identity of F.7.1 at theta*, and Disp >= 0; one block is no dispersion."""
    total = Decimal(0)
    for part in each.parts:
        total += part.distance2(theta)
    close(total, each.distance2(theta))
    assert each.dispersion() >= -Decimal("1e-40")
    assert each.gamma() <= each.ridge.gamma() + Decimal("1e-40")        # concavity
    if each.blocks() == 1:
        close(each.dispersion(), Decimal(0))
        close(each.gamma(), each.ridge.gamma())
    if isinstance(each, SelfnormDispersion):                            # the path (0, d), one-sided
        twin = TelescopeDispersion(each.p, each.B, each.sigma, each.lam, each.d, each.process, each.rho, "one",
                                   f"0 {each.d}")
        twin.parts, twin.ridge, twin.t = each.parts, each.ridge, each.t
        close(twin.radius2(Decimal(".1")), each.radius2(Decimal(".1")))
        close(twin.log_p(Decimal(30)), each.log_p(Decimal(30)))


def check_hac(each):
    """c_l once more, from lagged moments of the data; the integral as a sum of rectangles."""
    theta, c = each.ridge.ridge(), each.autocovariances()
    for lag in HAC_LAGS:
        total = Decimal(0)
        for (x, y), (x2, y2) in zip(each.rows[lag:], each.rows):
            total += y * y2 - y * dot(theta, x2) - y2 * dot(theta, x) + dot(theta, x) * dot(theta, x2)
        close(c[lag] * each.sigma**2 * each.t, total)
    if isinstance(each, HacLrv):
        last = next((lag for lag in HAC_LAGS if c[lag] < c[0] * sqrt(Decimal(lag) / each.t)), 1000)

        def height(lag):
            return c[lag] if lag < last else Decimal(0)
        v = Decimal(0)
        for low, high in zip(HAC_LAGS, HAC_LAGS[1:]):
            for quarter in range(4 * low, 4 * high):                    # midpoints are exact for straight lines
                part = (Decimal(quarter) / 4 + Decimal(".125") - low) / (high - low)
                v += (height(low) * (1 - part) + height(high) * part) / 4
        close(each.D, Decimal("1.5") * max(ONE, 2 * v))


def check_edges(each):
    """{q > radius2} = {p < delta} in a round."""
    for level in (Decimal(".5"), Decimal(".07"), Decimal("1e-4")):
        edge = each.radius2(level)
        for factor in (Decimal(".9999"), Decimal("1.0001")):
            assert (factor > 1) == (each.log_p(edge * factor) < log(level)), (each, level, factor)


def check_sets():
    seen = collections.Counter()                                        # branches that the table must take
    for each, _, _, _, delta, point, rows in setups():
        for t, (x, y) in enumerate(rows, 1):
            each.absorb(x, y)
            if t not in (1, 2, len(rows) // 2, len(rows)):
                continue
            check_edges(each)
            q = each.distance2(point)
            seen[each.name, "miss" if each.log_p(q) < log(delta) else "hit"] += 1
            if isinstance(each, Joint):
                seen["clipped" if check_joint(each, point) else "free"] += 1
            elif isinstance(each, Hac):
                check_hac(each)
                seen[each.name, "least" if each.D <= Decimal("1.5") else "more"] += 1
            elif isinstance(each, Dispersion):
                check_dispersion(each, point)
                if isinstance(each, TelescopeDispersion):
                    seen["union" if each.bound().extra != 1 else "merged"] += 1
            else:
                seen["class", each.chosen(delta)] += 1
                seen["evidence" if log(2) - each.log_p(q) in each.evidence[1:] else "radius"] += 1
    classes_seen = collections.Counter({x: n for x, n in seen.items() if x[0] == "class"})
    others = seen - classes_seen
    assert len(classes_seen) >= 8 and len(others) == 22 and min(others.values()) >= 2, seen


def check_scale():
    """A.4: theta*, B, sigma and Y times 2 with the same lambda is everything squared times 4, and the same p-value.

    Not of joint, whose r has no unit.
    """
    for kind, arguments in ((HacTau, [None]), (HacLrv, [None]), (AdaptiveSticky, [5, Decimal(".9")]),
                            (SelfnormDispersion, [5, "sticky", Decimal(".9")]),
                            (TelescopeDispersion, [9, "ar1", Decimal(".6"), "two", "0 3 9"])):
        results = []
        for scale in (1, 2):
            B, sigma = Decimal(".5") * scale, Decimal("1.25") * scale
            each = kind(2, B, sigma, Decimal(3), *arguments)
            theta, rows = samples(5, "flip:20", 2, B, sigma, 30)
            for x, y in rows:
                each.absorb(x, y)
            q = each.distance2(theta)
            results.append((q / scale**2, each.radius2(Decimal(".1")) / scale**2, each.log_p(q)))
        for one, two in zip(*results):
            close(one, two)


def selftest():
    check_linear_algebra(random.Random(3))
    check_pieces()
    check_adaptive()
    check_sets()
    check_scale()
    print("memory.py: self-check passed")


if __name__ == "__main__":
    if sys.argv[1:] == ["--selftest"]:
        selftest()
    elif not sys.argv[1:]:
        print_table(COLUMNS, table())
    else:
        sys.exit("usage: memory.py [--selftest]")
