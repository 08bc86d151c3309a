#!/usr/bin/env python3
"""What a results file holds, in a few lines of your own: tables of coverage and regret.

usage: python3 analysis/example.py OUT.h5   (of mixlab run; ./studies/quickstart leaves one behind)
"""

import sys

import pandas

import mixlab

if len(sys.argv) != 2:
    sys.exit(__doc__)
try:
    results = mixlab.open_results(sys.argv[1])
except mixlab.ResultsError as error:
    sys.exit(f"example.py: {error}")

# One row per trajectory and set. first_violation is the first round with theta* outside the set,
# 0 if there is none.
table = mixlab.frame(results)
table["covered"] = table["first_violation"] == 0
sets = table.groupby(["cell", "label", "set"], sort=False).agg(
    trajectories=("covered", "size"),
    coverage=("covered", "mean"),
    median_ratio=("sup_ratio", "median"),
)
print("Coverage at every round, and the median of the largest squared distance of theta* over")
print("squared radius:\n")
print(sets.to_string(), end="\n\n")

# Mean and quantiles over trajectories, at every round that the file keeps; the last of a cell is
# its horizon.
rows = []
for cell in results["cell"].values:
    at_horizon = mixlab.regret(results, cell, quantiles=(0.5, 0.99)).isel(round=-1)
    median, high = at_horizon["quantile"].values
    rows.append(
        {
            "label": mixlab.cell_value(results, "label", cell),
            "round": int(at_horizon["round"]),
            "mean": float(at_horizon["mean"]),
            "50 %": median,
            "99 %": high,
        }
    )
print("Regret at the horizon:\n")
table = pandas.DataFrame(rows)
print(table.to_string(index=False, float_format="{:.1f}".format), end="\n\n")

# One curve over rounds; with matplotlib, curve.coverage.plot() draws it and
# matplotlib.pyplot.show() shows it.
curve = mixlab.coverage(results, cell=0, confidence_set=results["set"].values[0])
print(
    f"Cell 0, {curve.set}: coverage {curve.coverage[-1]:.4f} after {curve['round'].values[-1]} "
    f"rounds, 95 % interval {curve.low[-1]:.4f} to {curve.high[-1]:.4f}"
)
