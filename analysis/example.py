#!/usr/bin/env python3
"""What a results file holds, in a few lines of your own: coverage and regret of every cell as pandas tables.

usage: example.py OUT.h5
"""

import sys

import mixlab_results

results = mixlab_results.open(sys.argv[1])

table = mixlab_results.frame(results)  # a row a trajectory and set
keys = ["cell", *mixlab_results.swept(results), "set"]
sets = table.assign(covered=table["first_violation"] == 0).groupby(keys, sort=False, dropna=False).agg(
    trajectories=("covered", "size"), coverage=("covered", "mean"), median_ratio=("sup_ratio", "median"))
print(sets, end="\n\n")

last = results["round"].values.max()
regret = mixlab_results.frame(results, "regret").query("round == @last")  # a row a trajectory
print(regret.groupby("label", sort=False)["regret"].describe(percentiles=[0.5, 0.99]))

curve = mixlab_results.coverage(results, cell=0, set=results["set"].values[0])  # over rounds; curve.coverage.plot() draws it
print(f"\ncell 0, {curve.set}: coverage {curve.coverage[-1]:.4f} after {curve['round'].values[-1]} rounds, "
      f"95 % interval {curve.low[-1]:.4f} to {curve.high[-1]:.4f}")
