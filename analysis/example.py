#!/usr/bin/env python3
"""What a results file holds, in a few lines of your own: coverage and regret of every cell as pandas tables.

usage: python3 analysis/example.py OUT.h5      (of mixlab run; ./studies/quickstart leaves one behind)
"""

import sys

import pandas

import mixlab_results

if len(sys.argv) != 2:
    sys.exit(__doc__)
try:
    results = mixlab_results.open(sys.argv[1])
except mixlab_results.ResultsError as error:
    sys.exit(f"example.py: {error}")

# A row a trajectory and set. first_violation is the first round with theta* outside the set, 0 if there is none.
table = mixlab_results.frame(results)
table["covered"] = table["first_violation"] == 0
sets = table.groupby(["cell", "label", "set"], sort=False).agg(
    trajectories=("covered", "size"), coverage=("covered", "mean"), median_ratio=("sup_ratio", "median"))
print("Coverage at every round, and the median of the largest squared distance of theta* over squared radius:\n")
print(sets.to_string(), end="\n\n")

# Mean and quantiles over trajectories, at every round that the file keeps; the last of a cell is its horizon.
regret = pandas.DataFrame([
    {"label": mixlab_results.cell_value(results, "label", cell), "round": int(at_horizon["round"]),
     "mean": float(at_horizon["mean"]), **{f"{100 * q:g} %": float(at_horizon["quantile"].sel(q=q)) for q in (0.5, 0.99)}}
    for cell in results["cell"].values
    for at_horizon in [mixlab_results.regret(results, cell, quantiles=(0.5, 0.99)).isel(round=-1)]])
print("Regret at the horizon:\n")
print(regret.to_string(index=False, float_format="{:.1f}".format), end="\n\n")

# One curve over rounds; with matplotlib, curve.coverage.plot() draws it and matplotlib.pyplot.show() shows it.
curve = mixlab_results.coverage(results, cell=0, set=results["set"].values[0])
print(f"Cell 0, {curve.set}: coverage {curve.coverage[-1]:.4f} after {curve['round'].values[-1]} rounds, "
      f"95 % interval {curve.low[-1]:.4f} to {curve.high[-1]:.4f}")
