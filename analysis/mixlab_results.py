"""Read a mixlab results file: coverage and regret as xarray objects.

    from mixlab_results import open_results, anytime_coverage
    with open_results("study.h5") as results:
        curve = anytime_coverage(results, cell=0, set="paper")
        curve.coverage.plot(xscale="log")

A trajectory counts where `completed` is 1; FORMAT.md describes every variable of the file.
"""

import math
import os
from typing import NamedTuple

import numpy as np
import xarray as xr

FORMAT = "mixlab results"
REQUIRED = {
    "regret": ("cell", "trajectory", "round"),
    "first_violation": ("cell", "trajectory", "set"),
    "completed": ("cell", "trajectory"),
    "guaranteed": ("cell", "set"),
    "study_horizon": ("cell",),
    "confidence_delta": ("cell",),
    **{name: (name,) for name in ("cell", "trajectory", "round", "set")},
}
NEVER = 0  # first_violation of a trajectory that theta* never leaves; a negative value: not run


class ResultsError(Exception):
    """Bad input, as one line: what failed: offending value (rule); remedy."""


class Misses(NamedTuple):
    """`count` of `trajectories` have theta* outside the set at some round."""

    count: int
    trajectories: int


def open_results(path):
    """The results file as a Dataset that loads on demand, values as stored.

    Integers stay integers, the -1 of a row not run included. Close it, or use `with`.
    """
    path = os.fspath(path)
    if not os.path.exists(path):
        raise ResultsError(f"no results file: {path} (it must exist); create it with mixlab run or mixlab merge")
    if not os.path.isfile(path):
        raise ResultsError(f"not a results file: {path} (a regular file is needed); name the .h5 file itself")
    results = _open_netcdf(path)
    try:
        _require_mixlab(results, path)
    except ResultsError:
        results.close()
        raise
    return results


def _open_netcdf(path):
    reasons = []
    for engine in ("h5netcdf", "netcdf4"):
        try:
            # Without decode_cf: a fill value would turn integers into floats, a unit of seconds into time spans.
            return xr.open_dataset(path, engine=engine, decode_cf=False)
        except Exception as error:  # the engines share no base class for "cannot read this"
            reasons.append(f"{engine}: {_first_line(error)}")
    raise ResultsError(f"unreadable results file: {path} ({'; '.join(reasons)}); write it again with mixlab merge")


def _first_line(error):
    return (str(error).splitlines() or [type(error).__name__])[0]


def _require_mixlab(results, path):
    found = as_text(results.attrs.get("format", ""))
    if found != FORMAT:
        raise ResultsError(f"foreign file: {path} (root attribute format is '{found}', not '{FORMAT}'); "
                           "name the OUT.h5 of mixlab run or merge")
    missing = [name for name, dimensions in REQUIRED.items()
               if name not in results.variables or results[name].dims != dimensions]
    if missing:
        raise ResultsError(f"incomplete results file: {path} (lacks {', '.join(missing)} as FORMAT.md has them); "
                           "write it again with mixlab merge")


def as_text(value):
    """Text of an attribute or string variable, whether the library hands out bytes, str or a 0-d array."""
    if isinstance(value, np.ndarray):
        value = value.item() if value.size == 1 else " ".join(map(as_text, value))
    # The HDF5 libraries read UTF-8 in a string tagged ASCII as lone surrogates.
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "replace")


def set_names(results):
    """Names of the confidence sets, in file order."""
    return [as_text(name) for name in results["set"].values]


def cell_value(results, name, cell):
    """Value of a per-cell variable such as `noise_rho` in one cell: int, float or str."""
    if name not in results:
        raise ResultsError(f"no such parameter: {name} (not a variable of this file); list(results) shows them all")
    value = results[name].isel(cell=_cell_index(results, cell)).values[()]
    return value.item() if isinstance(value, np.number) else as_text(value)


def is_guaranteed(results, cell, set):
    """Whether the theory covers `set` for the policy that collected the data of `cell`."""
    return bool(results["guaranteed"].isel(cell=_cell_index(results, cell), set=_set_index(results, set)).item())


def n_completed(results, cell):
    """Number of trajectories of `cell` that were run."""
    return int(_completed(results, cell).sum())


def misses(results, cell, set):
    """How many trajectories of `cell` leave `set` at some round, and out of how many."""
    first = _first_violations(results, cell, set)
    return Misses(int((first != NEVER).sum()), first.size)


def anytime_coverage(results, cell, set, rounds=None, level=0.95):
    """Share of trajectories with theta* in `set` at every round up to t, with a pointwise exact band.

    Dataset over `round` with `coverage`, `low` and `high` (Clopper-Pearson at `level`), a step function of t given at
    `rounds` (default 1..T); NaN when the set was watched on no trajectory.
    """
    if rounds is None:
        rounds = np.arange(1, cell_value(results, "study_horizon", cell) + 1)
    first = _first_violations(results, cell, set)
    violations = np.sort(first[first != NEVER])
    covered = first.size - np.searchsorted(violations, rounds, side="right")
    low, high = clopper_pearson(covered, first.size, level)
    coverage = covered / first.size if first.size else np.full(covered.shape, np.nan)
    return xr.Dataset({"coverage": ("round", coverage), "low": ("round", low), "high": ("round", high)},
                      coords={"round": rounds}, attrs={"cell": cell, "set": set, "trajectories": first.size})


def regret_summary(results, cell):
    """Cumulative regret over the trajectories of `cell`: Dataset over its rounds with mean, median, q01 and q99."""
    in_horizon = results["round"].values <= cell_value(results, "study_horizon", cell)
    regret = results["regret"].isel(cell=_cell_index(results, cell)).values
    regret = regret[_completed(results, cell)][:, in_horizon]
    reached = ~np.isnan(regret).all(axis=0)  # the union of checkpoints may hold rounds that this cell does not
    regret = regret[:, reached]
    rounds = results["round"].values[in_horizon][reached]
    mean = regret.sum(axis=0) / max(len(regret), 1)
    q01, median, q99 = np.quantile(regret, (0.01, 0.5, 0.99), axis=0) if regret.size else np.empty((3, 0))
    columns = {"mean": mean, "median": median, "q01": q01, "q99": q99}
    return xr.Dataset({name: ("round", column) for name, column in columns.items()},
                      coords={"round": rounds}, attrs={"cell": cell, "trajectories": len(regret)})


def clopper_pearson(successes, trials, level=0.95):
    """Exact two-sided binomial confidence limits (low, high), one pair per entry of `successes`."""
    successes = np.asarray(successes)
    if trials == 0:
        return np.full(successes.shape, np.nan), np.full(successes.shape, np.nan)
    # A coverage curve repeats few counts over many rounds.
    counts, position = np.unique(successes, return_inverse=True)
    alpha = (1 - level) / 2
    low = _lower_limit(counts, trials, alpha)[position]
    high = 1 - _lower_limit(trials - counts, trials, alpha)[position]
    return low.reshape(successes.shape), high.reshape(successes.shape)


def incomplete_beta(a, b, x):
    """Regularised incomplete beta function I_x(a, b), elementwise for 0 < x < 1; P(Bin(n, x) >= k) = I_x(k, n-k+1)."""
    a, b, x = np.broadcast_arrays(*(np.asarray(value, dtype=float) for value in (a, b, x)))
    mirrored = x > (a + 1) / (a + b + 2)  # the continued fraction converges fast on the other side only
    a, b, x = np.where(mirrored, b, a), np.where(mirrored, a, b), np.where(mirrored, 1 - x, x)
    tail = beta_density(a, b, x) * x * (1 - x) / a * _beta_fraction(a, b, x)
    return np.where(mirrored, 1 - tail, tail)


def beta_density(a, b, x):
    """Density of the Beta(a, b) law, the derivative of the incomplete beta function."""
    return np.exp((a - 1) * np.log(x) + (b - 1) * np.log1p(-x) + _lgamma(a + b) - _lgamma(a) - _lgamma(b))


def _lower_limit(successes, trials, alpha):
    """The p with P(Bin(trials, p) >= k) = alpha, by Newton steps kept inside a shrinking bracket; 0 for k = 0."""
    a = np.maximum(successes, 1).astype(float)
    b = trials - a + 1
    low, high, p = np.zeros(a.shape), np.ones(a.shape), a / (a + b)
    for _ in range(100):
        excess = incomplete_beta(a, b, p) - alpha
        low, high = np.where(excess < 0, p, low), np.where(excess < 0, high, p)
        newton = p - excess / beta_density(a, b, p)
        previous, p = p, np.where((low <= newton) & (newton <= high), newton, (low + high) / 2)
        if np.all(np.abs(p - previous) <= 1e-10 * p):
            return np.where(successes == 0, 0.0, p)
    raise ArithmeticError(f"binomial limit: no convergence in {trials} trials")


def _beta_fraction(a, b, x, tolerance=1e-14, max_steps=100_000):
    """Continued fraction of the incomplete beta function (DLMF 8.17.22), modified Lentz method."""
    c = np.ones(x.shape)
    d = 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, max_steps):
        before = fraction
        for numerator in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                          -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 / _away_from_zero(1 + numerator * d)
            c = _away_from_zero(1 + numerator / c)
            fraction = fraction * c * d
        if np.all(np.abs(fraction - before) <= tolerance * np.abs(fraction)):
            return fraction
    raise ArithmeticError("incomplete beta function: the continued fraction did not converge")


def _away_from_zero(value):
    return np.where(np.abs(value) < 1e-300, 1e-300, value)


_lgamma = np.vectorize(math.lgamma, otypes=[float])


def _completed(results, cell):
    return results["completed"].isel(cell=_cell_index(results, cell)).values == 1


def _first_violations(results, cell, set):
    """First violation round of every trajectory on which the set was watched."""
    first = results["first_violation"].isel(cell=_cell_index(results, cell), set=_set_index(results, set)).values
    return first[_completed(results, cell) & (first >= NEVER)]


def _cell_index(results, cell):
    found = np.flatnonzero(results["cell"].values == cell)
    if found.size == 0:
        raise ResultsError(f"no such cell: {cell} (cells are 0 to {results.sizes['cell'] - 1}); "
                           "mixlab check lists them")
    return int(found[0])


def _set_index(results, set):
    names = set_names(results)
    if set not in names:
        raise ResultsError(f"no such set: {set} (this file has {', '.join(names)}); [confidence] monitor chooses them")
    return names.index(set)
