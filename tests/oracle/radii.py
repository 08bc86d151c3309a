#!/usr/bin/python3
"""Prints radii.csv: reference values of the radius and the p-value of every set (sets.py). python3 radii.py > radii.csv

Numbers have 17 significant digits, so that they read back as the very doubles that were used; radius2 and log_p are
the correctly rounded values for these doubles. logdet is used by selfnorm and oful only, lambda not by theorem1 and
excess-loss; log_p is the natural logarithm.
"""
import math
import random

import sets

COLUMNS = "set p B sigma phi d delta lambda t logdet q radius2 log_p".split()
rng = random.Random(20240601)


def cycle(*values):
    """The values again and again, each pass in a new order: balanced, but not aligned with the other factors."""
    while True:
        yield from rng.sample(values, len(values))


print(",".join(COLUMNS))
for name in sets.SETS:
    p_, B_, sigma_, phi_ = cycle(1, 2, 10), cycle(.5, 1, 3), cycle(1, .5, 2), cycle(0, 1e-4, .1)
    delta_, lambda_, near_ = cycle(.2, .05, 1e-3), cycle("1", "d", "any"), cycle("inside", "edge", "outside", "zero")
    for d in (1, 2, 3, 75):
        for t in (1, 2, 4, 10, d + 1, 2 * d + 1, 3 * d, 7 * d + d // 2, 20 * d + 1, 150 * d + d // 3, 1000, 5003,
                  *((5, 7) if d <= 3 else (d - 1, d))):
            a = dict(p=next(p_), B=next(B_), sigma=next(sigma_), phi=next(phi_), d=d, delta=next(delta_), t=t)
            own = a["sigma"]**2 / a["B"]**2
            a["lam"] = {"1": own, "d": d * own, "any": 10**rng.uniform(-2, 2)}[next(lambda_)]
            a["logdet"] = rng.random() * a["p"] * math.log1p(t / (a["lam"] * a["p"]))
            radius2 = sets.radius2(name, **a)
            q = radius2 * {"inside": rng.random(), "edge": rng.uniform(.95, 1.05), "outside": 1 + rng.expovariate(.5),
                           "zero": 0}[next(near_)]
            row = dict(a, set=name, q=q, radius2=radius2, log_p=sets.log_p(name, q=q, **a))
            row["lambda"] = row["lam"]
            print(",".join(format(row[c], ".17g") if isinstance(row[c], float) else str(row[c]) for c in COLUMNS))
