"""Read and draw the results of mixlab, a laboratory for linear bandits under dependent noise.

    import mixlab
    results = mixlab.open_results("study.h5")
    linucb = mixlab.select(results, policy_name="linucb", noise_rho=0.9)
    curve = mixlab.coverage(linucb, cell=3, confidence_set="paper")  # over rounds, with exact band
    table = mixlab.frame(linucb)                            # one row per trajectory and set

`python3 -m mixlab.report` writes the page of `mixlab report`.
"""

from mixlab.results import (
    ResultsError,
    cell_rows,
    cell_value,
    frame,
    open_rare,
    open_results,
    select,
    swept,
)
from mixlab.statistics import clopper_pearson, coverage, regret

__all__ = [
    "ResultsError",
    "cell_rows",
    "cell_value",
    "clopper_pearson",
    "coverage",
    "frame",
    "open_rare",
    "open_results",
    "regret",
    "select",
    "swept",
]
