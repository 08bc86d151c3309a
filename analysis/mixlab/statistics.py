"""Coverage and regret over rounds, with exact intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import xarray
from scipy.stats import beta

from mixlab.results import NEVER, cell_rows, cell_value

QUANTILES = (0.01, 0.25, 0.5, 0.75, 0.99)


def coverage(
    results: xarray.Dataset,
    cell: int,
    confidence_set: str,
    rounds: np.ndarray | None = None,
    level: float = 0.95,
) -> xarray.Dataset:
    """Share of trajectories with theta* in the set at every round up to t, with an exact band.

    Dataset over `round` with `coverage`, `low` and `high` (pointwise Clopper-Pearson at `level`),
    a step function of t given at `rounds` (default 1..T); NaN when the set was watched on no
    trajectory.
    """
    if rounds is None:
        rounds = np.arange(1, cell_value(results, "study_horizon", cell) + 1)
    first = cell_rows(results, "first_violation", cell, confidence_set)
    misses = np.searchsorted(np.sort(first[first != NEVER]), rounds, side="right")
    covered = first.size - misses
    low, high = clopper_pearson(covered, first.size, level)
    share = covered / first.size if first.size else np.full(covered.shape, np.nan)
    return xarray.Dataset(
        {"coverage": ("round", share), "low": ("round", low), "high": ("round", high)},
        coords={"round": rounds},
        attrs={"cell": cell, "set": confidence_set, "trajectories": first.size},
    )


def clopper_pearson(
    successes: np.ndarray, trials: int, level: float = 0.95
) -> tuple[np.ndarray, np.ndarray]:
    """Exact two-sided binomial confidence limits: low and high, each of one per success count."""
    # A coverage curve repeats few counts.
    counts, position = np.unique(successes, return_inverse=True)
    if trials == 0:
        return np.full(position.size, np.nan), np.full(position.size, np.nan)
    tail = (1 - level) / 2
    below, above = np.maximum(counts, 1), np.maximum(trials - counts, 1)
    low = np.where(counts > 0, beta.ppf(tail, below, trials - counts + 1), 0.0)
    high = np.where(counts < trials, beta.ppf(1 - tail, counts + 1, above), 1.0)
    return low[position], high[position]


def dkw_margin(trials: int, alpha: float) -> float:
    """Margin above its expectation that an empirical distribution exceeds with probability alpha.

    One-sided Dvoretzky-Kiefer-Wolfowitz inequality, as in `mixlab check`.
    """
    return math.sqrt(math.log(1 / alpha) / (2 * trials))


def regret(
    results: xarray.Dataset, cell: int, quantiles: Sequence[float] = QUANTILES
) -> xarray.Dataset:
    """Cumulative regret over the trajectories of `cell`: its rounds with `mean` and `quantile`.

    A quantile is the smallest value with at least that share of the trajectories at or below it,
    as in `mixlab check`.
    """
    values = cell_rows(results, "regret", cell)
    # The union of all checkpoints holds rounds that this cell does not.
    own = ~np.isnan(values).all(axis=0)
    values = values[:, own]
    if not values.size:
        values = np.full((1, np.count_nonzero(own)), np.nan)
    quantile = np.quantile(values, quantiles, axis=0, method="inverted_cdf")
    return xarray.Dataset(
        {"mean": ("round", values.mean(axis=0)), "quantile": (("q", "round"), quantile)},
        coords={"round": results["round"].values[own], "q": list(quantiles)},
        attrs={"cell": cell, "trajectories": len(values)},
    )
