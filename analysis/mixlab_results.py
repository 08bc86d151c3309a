"""Read a mixlab results file into xarray and pandas.

    import mixlab_results
    results = mixlab_results.open("study.h5")
    linucb = mixlab_results.select(results, policy_name="linucb", noise_rho=0.9)
    curve = mixlab_results.coverage(linucb, cell=3, set="paper")     # over rounds, with its exact band
    table = mixlab_results.frame(linucb)                             # a row a trajectory and set

A trajectory counts where `completed` is 1; FORMAT.md describes every variable of the file. example.py shows more.
"""

import contextlib
import os

import numpy as np
import xarray
from scipy.stats import beta

FORMAT = "mixlab results"
FORMAT_VERSION = 1
REQUIRED = {
    "regret": ("cell", "trajectory", "round"),
    "first_violation": ("cell", "trajectory", "set"),
    "log10_p": ("cell", "trajectory", "set"),
    "sup_ratio": ("cell", "trajectory", "set"),
    "completed": ("cell", "trajectory"),
    "label": ("cell",),
    "study_horizon": ("cell",),
    "confidence_delta": ("cell",),
    **{name: (name,) for name in ("cell", "trajectory", "round", "set")},
}
SECTIONS = ("study_", "problem_", "noise_", "policy_", "confidence_")
NEVER = 0  # first_violation of a trajectory that theta* never leaves; a negative value: not run or not watched


class ResultsError(Exception):
    """Bad input, as one line: what failed: offending value (rule); remedy."""


def open(path, group=None):
    """The file as a Dataset that loads on demand, values as stored: the -1 of a row not run stays an integer.

    Coordinates of the root come along into a `group`, where xarray alone forgets them.
    """
    path = os.fspath(path)
    if not os.path.exists(path):
        raise ResultsError(f"no results file: {path} (it must exist); create it with mixlab run or mixlab merge")
    if not os.path.isfile(path):
        raise ResultsError(f"not a results file: {path} (a regular file is needed); name the .h5 file itself")
    opened = contextlib.ExitStack()
    root = opened.enter_context(_open_netcdf(path))
    try:
        _require_mixlab(root, path)
        data = root if group is None else opened.enter_context(_open_netcdf(path, group))
        data = _with_text(_with_root_coordinates(data, root))
        data.set_close(opened.close)  # what xarray derives from a Dataset forgets how to close it
        return data
    except ResultsError:
        opened.close()
        raise


def _open_netcdf(path, group=None):
    try:
        # Without decode_cf: a fill value would turn integers into floats, a unit of seconds into time spans.
        return xarray.open_dataset(path, group=group, engine="h5netcdf", decode_cf=False)
    except Exception as error:  # HDF5, h5netcdf and xarray share no base class for "cannot read this"
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ResultsError(f"unreadable results file: {path} ({reason}); write it again with mixlab merge") from error


def _require_mixlab(results, path):
    found = as_text(results.attrs.get("format", ""))
    if found != FORMAT:
        raise ResultsError(f"foreign file: {path} (root attribute format is '{found}', not '{FORMAT}'); "
                           "name the OUT.h5 of mixlab run or merge")
    version = int(np.ravel(results.attrs.get("format_version", 0))[0])
    if version != FORMAT_VERSION:
        raise ResultsError(f"unknown format version: {version} in {path} (this reader knows {FORMAT_VERSION}); "
                           "use the mixlab_results.py of the mixlab that wrote it")
    missing = [name for name, dimensions in REQUIRED.items()
               if name not in results.variables or results[name].dims != dimensions]
    if missing:
        raise ResultsError(f"incomplete results file: {path} (lacks {', '.join(missing)} as FORMAT.md has them); "
                           "write it again with mixlab merge")


def _with_root_coordinates(data, root):
    return data.assign_coords({name: root[name] for name in data.dims if name in root.coords})


def _with_text(results):
    """String variables and attributes as str; the libraries hand out bytes, str, or str with lone surrogates."""
    texts = {name: (variable.dims, np.array([as_text(value) for value in variable.values.ravel()],
                                            dtype=object).reshape(variable.shape), variable.attrs)
             for name, variable in results.variables.items() if variable.dtype.kind in "OSU"}
    results = results.assign({name: text for name, text in texts.items() if name not in results.coords})
    results = results.assign_coords({name: text for name, text in texts.items() if name in results.coords})
    results.attrs = {name: as_text(value) if isinstance(value, (str, bytes)) else value
                     for name, value in results.attrs.items()}
    return results


def as_text(value):
    # HDF5 reads UTF-8 in a string tagged ASCII as lone surrogates.
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogateescape")
    return raw.decode("utf-8", "replace")


def select(results, set=None, **parameters):
    """The cells whose parameters have these values (`noise_rho=0.9, policy_name="linucb"`), and one `set` or several."""
    chosen = np.ones(results.sizes["cell"], dtype=bool)
    for name, value in parameters.items():
        if name not in results or results[name].dims != ("cell",):
            raise ResultsError(f"no such parameter: {name} (not a variable over cells); list(results) shows them all")
        chosen &= results[name].values == value
    if not chosen.any():
        wanted = ", ".join(f"{name}={value}" for name, value in parameters.items())
        raise ResultsError(f"no such cell: {wanted} (no cell has these values); results.label lists the cells")
    selected = results.isel(cell=np.flatnonzero(chosen))
    if set is None:
        return selected
    sets = [set] if isinstance(set, str) else list(set)
    return selected.isel(set=[_set_index(results, name) for name in sets])


def swept(results):
    """Names of the swept parameters (`noise_rho`), as the study lists them."""
    names, section = [], ""
    for line in results.attrs["study"].splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif "," in line:
            names.append(f"{section}_{line.split('=')[0].strip()}")
    return [name for name in names if name in results]  # a title may have a comma, too


def cell_value(results, name, cell):
    """Value of a variable over cells such as `noise_rho` in one cell: int, float or str."""
    value = results[name].values[_cell_index(results, cell)]
    return value.item() if isinstance(value, np.generic) else value


def cell_rows(results, name, cell, set=None):
    """Values of a variable (`regret`, `sup_ratio`, ...) for the trajectories of a cell that were run."""
    at = _cell_index(results, cell)
    completed = results["completed"][at].values == 1
    data = results[name][at]
    if set is None:
        return data.values[completed]
    column = _set_index(results, set)
    watched = results["first_violation"][at, :, column].values >= NEVER
    return data[:, column].values[completed & watched]


def coverage(results, cell, set, rounds=None, level=0.95):
    """Share of trajectories with theta* in `set` at every round up to t, with a pointwise exact band.

    Dataset over `round` with `coverage`, `low` and `high` (Clopper-Pearson at `level`), a step function of t given at
    `rounds` (default 1..T); NaN when the set was watched on no trajectory.
    """
    if rounds is None:
        rounds = np.arange(1, cell_value(results, "study_horizon", cell) + 1)
    first = cell_rows(results, "first_violation", cell, set)
    covered = first.size - np.searchsorted(np.sort(first[first != NEVER]), rounds, side="right")
    low, high = clopper_pearson(covered, first.size, level)
    share = covered / first.size if first.size else np.full(covered.shape, np.nan)
    return xarray.Dataset({"coverage": ("round", share), "low": ("round", low), "high": ("round", high)},
                          coords={"round": rounds}, attrs={"cell": cell, "set": set, "trajectories": first.size})


def clopper_pearson(successes, trials, level=0.95):
    """Exact two-sided binomial confidence limits (low, high), a pair an entry of `successes`."""
    counts, position = np.unique(successes, return_inverse=True)  # a coverage curve repeats few counts
    if trials == 0:
        return np.full((2, position.size), np.nan)
    tail = (1 - level) / 2
    low = np.where(counts > 0, beta.ppf(tail, np.maximum(counts, 1), trials - counts + 1), 0.0)
    high = np.where(counts < trials, beta.ppf(1 - tail, counts + 1, np.maximum(trials - counts, 1)), 1.0)
    return low[position], high[position]


def regret(results, cell, quantiles=(0.01, 0.25, 0.5, 0.75, 0.99)):
    """Cumulative regret over the trajectories of `cell`: Dataset over its rounds with `mean` and `quantile`.

    A quantile is the smallest value with at least that share of the trajectories at or below it, as in `mixlab check`.
    """
    values = cell_rows(results, "regret", cell)
    own = ~np.isnan(values).all(axis=0)  # the union of all checkpoints holds rounds that this cell does not
    values = values[:, own]
    if not values.size:
        values = np.full((1, np.count_nonzero(own)), np.nan)
    return xarray.Dataset({"mean": ("round", values.mean(axis=0)),
                           "quantile": (("q", "round"), np.quantile(values, quantiles, axis=0, method="inverted_cdf"))},
                          coords={"round": results["round"].values[own], "q": list(quantiles)},
                          attrs={"cell": cell, "trajectories": len(values)})


def frame(results, *variables):
    """Tidy pandas frame: a row a trajectory and set (or round, for `regret`) that was run, with the swept parameters.

    `variables` share their dimensions; by default first_violation, log10_p and sup_ratio.
    """
    variables = list(variables or ("first_violation", "log10_p", "sup_ratio"))
    table = results[variables].to_dataframe(dim_order=list(results[variables[0]].dims)).reset_index()
    if "trajectory" in table:
        completed = results["completed"].to_dataframe().reset_index()
        table = table.merge(completed[completed["completed"] == 1].drop(columns="completed"))
    if "first_violation" in table:
        table = table[table["first_violation"] >= NEVER]
    if "round" in table:
        table = table.dropna(subset=variables)
    of_cell = results[["label", *swept(results)]].to_dataframe().reset_index()
    return of_cell.merge(table).reset_index(drop=True)


def _cell_index(results, cell):
    found = np.flatnonzero(results["cell"].values == cell)
    if found.size == 0:
        raise ResultsError(f"no such cell: {cell} (this data has {_words(results['cell'].values)}); "
                           "results.label lists the cells")
    return int(found[0])


def _set_index(results, set):
    names = list(results["set"].values)
    if set not in names:
        raise ResultsError(f"no such set: {set} (this data has {_words(names)}); [confidence] monitor chooses them")
    return names.index(set)


def _words(values):
    return ", ".join(map(str, values))
