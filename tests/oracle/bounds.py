"""Prints bounds.csv: the regret theorems and the potential lemma on a random design, from sets.py."""
import random

import sets

rng = random.Random(2)
print("d,p,B,lambda,T,radius2,gap,potential,worst_case,gap_dependent")
for _ in range(80):
    d, p, T = rng.choice([1, 2, 20, 75]), rng.choice([1, 2, 10]), rng.choice([1, 10, 5000, 10**6])
    B, lam, radius2, gap = (10 ** rng.uniform(-1, 1) for _ in range(4))
    radius2 *= rng.choice([0.01, 1, 100])
    common = dict(d=d, p=p, B=B, lam=lam, T=T, radius2_T=radius2)
    row = [d, p, B, lam, T, radius2, gap, sets.potential_bound(d=d, p=p, lam=lam, T=T), sets.worst_case_bound(**common),
           sets.gap_bound(gap=gap, **common)]
    print(",".join(f"{value:.17g}" for value in row))
