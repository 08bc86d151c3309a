"""Coverage and regret over rounds, with exact intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import xarray
from scipy.stats import beta

from mixlab.results import NEVER, cell_rows, cell_value, round_rows

QUANTILES = (0.01, 0.25, 0.5, 0.75, 0.99)
NUMBERS_IN_MEMORY = 1 << 23  # of regret, at once: a file that has more goes by several times,
MOST_PASSES = 8  # but not more often


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
    return coverage_of(first, rounds, level).assign_attrs(cell=cell, set=confidence_set)


def coverage_of(first: np.ndarray, rounds: np.ndarray, level: float = 0.95) -> xarray.Dataset:
    """The same of a set whose first escapes are given."""
    misses = np.searchsorted(np.sort(first[first != NEVER]), rounds, side="right")
    covered = first.size - misses
    low, high = clopper_pearson(covered, first.size, level)
    share = covered / first.size if first.size else np.full(covered.shape, np.nan)
    return xarray.Dataset(
        {"coverage": ("round", share), "low": ("round", low), "high": ("round", high)},
        coords={"round": rounds},
        attrs={"trajectories": first.size},
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
    n_rounds, n_rows = results.sizes["round"], results.sizes["trajectory"]
    n_passes = min(MOST_PASSES, -(-n_rounds * n_rows // NUMBERS_IN_MEMORY))
    step = -(-n_rounds // max(1, n_passes))
    own: list[int] = []
    means: list[float] = []
    tails: list[np.ndarray] = []
    for start in range(0, n_rounds, step):
        for at, (mean, tail) in _of_rounds(results, cell, start, step, quantiles).items():
            own.append(at)
            means.append(mean)
            tails.append(tail)
    quantile = np.array(tails).reshape(-1, len(quantiles)).T
    return xarray.Dataset(
        {"mean": ("round", np.array(means)), "quantile": (("q", "round"), quantile)},
        coords={"round": results["round"].values[own], "q": list(quantiles)},
        attrs={"cell": cell, "trajectories": cell_rows(results, "completed", cell).size},
    )


def _quantiles(values: np.ndarray, quantiles: Sequence[float]) -> np.ndarray:
    """The least values that at least such shares do not exceed.

    numpy before 1.22 cannot be asked for these.
    """
    ranks = np.maximum(np.ceil(np.asarray(quantiles) * values.size).astype(int) - 1, 0)
    return np.partition(values, ranks)[ranks]


def _of_rounds(
    results: xarray.Dataset, cell: int, start: int, n_rounds: int, quantiles: Sequence[float]
) -> dict[int, tuple[float, np.ndarray]]:
    """Mean and quantiles of regret at each of some rounds, as far as they are the cell's own.

    The union of all checkpoints holds others. What was read is forgotten before more is.
    """
    values = round_rows(results, cell, slice(start, start + n_rounds))
    return {
        at: (of_round.mean(), _quantiles(of_round, quantiles))
        for at, of_round in enumerate(values, start)
        if of_round.size and not np.isnan(of_round[0])
    }
