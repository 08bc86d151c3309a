"""Results files as xarray Datasets and pandas frames.

A trajectory counts where `completed` is 1; FORMAT.md describes every variable of the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Union

import numpy as np
import pandas
import xarray

FORMAT = "mixlab results"
RARE_FORMAT = "mixlab rare"
TRACE_FORMAT = "mixlab trace"
NEWEST_VERSION = 3
# What this package reads by name: (dimensions, since format version). The rest comes as it is.
COLUMNS: dict[str, tuple[tuple[str, ...], int]] = {
    "cell": (("cell",), 1),
    "trajectory": (("trajectory",), 1),
    "round": (("round",), 1),
    "set": (("set",), 1),
    "swept": (("swept",), 2),
    "regret": (("cell", "trajectory", "round"), 1),
    "first_violation": (("cell", "trajectory", "set"), 1),
    "log10_p": (("cell", "trajectory", "set"), 1),
    "sup_ratio": (("cell", "trajectory", "set"), 1),
    "completed": (("cell", "trajectory"), 1),
    "guaranteed": (("cell", "set"), 1),
    "expected": (("cell", "set"), 1),
    "bound_worst_case": (("cell", "round"), 1),
    "radius2": (("cell", "set", "round"), 1),
    "label": (("cell",), 1),
    "sweep": (("cell", "swept"), 2),
    "caveat": (("cell",), 2),
}
OPTIONAL = ("swept", "sweep")  # only where the study sweeps something
# Of the variables SECTION_KEY, those that every study has and that this package reads.
PARAMETERS = ("study_horizon", "confidence_delta", "problem_norm_bound", "policy_name")
SECTIONS = ("study_", "problem_", "noise_", "policy_", "confidence_")
ROWS_PER_BLOCK = 1 << 14
# Root attributes of several lines; also the texts of files that the study names.
TEXTS = ("study", "study_file", "study_overrides", "runs")
FILE_ATTRIBUTE = "file:"
# What a terminal or a browser obeys: control characters, and those that turn the direction of text.
ORDERS = "\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069"
NEVER = 0  # first_violation where theta* never leaves the set; below 0: not run, not watched

CellValue = Union[int, float, str]


class ResultsError(Exception):
    """Bad input, as one line: what failed: offending value (rule); remedy."""


def open_results(path: str | os.PathLike[str], group: str | None = None) -> xarray.Dataset:
    """Open a file as a Dataset that loads on demand, values as stored.

    The -1 of a row not run stays an integer. Coordinates of the root come along into a `group`,
    where xarray alone forgets them.
    """
    path = os.fspath(path)
    if not os.path.exists(path):
        raise ResultsError(
            f"no results file: {path} (it must exist); create it with mixlab run or mixlab merge"
        )
    if not os.path.isfile(path):
        raise ResultsError(
            f"not a results file: {path} (a regular file is needed); name the .h5 file itself"
        )
    opened = [_open_netcdf(path)]

    def close() -> None:
        for dataset in reversed(opened):
            dataset.close()

    try:
        _require_format(opened[0], path)
        if group is not None:
            opened.append(_open_netcdf(path, group))
        data = _with_text(_with_coordinates(opened[-1], opened[0]))
    except ResultsError:
        close()
        raise
    _remember_to_close(data, close)
    return data


def _remember_to_close(data: xarray.Dataset, close: Callable[[], None]) -> None:
    """What xarray derives from a Dataset forgets how to close it."""
    if hasattr(data, "set_close"):  # not before xarray 0.17
        data.set_close(close)


def open_rare(path: str | os.PathLike[str]) -> xarray.Dataset:
    """Open the file of `mixlab rare -o`: one estimate per row, and every twisted path."""
    return _open_as(os.fspath(path), RARE_FORMAT, "mixlab rare -o")


def open_trace(path: str | os.PathLike[str]) -> xarray.Dataset:
    """Open the file of `mixlab trace -o`: one trajectory, round by round."""
    return _open_as(os.fspath(path), TRACE_FORMAT, "mixlab trace -o")


def _open_as(path: str, wanted: str, command: str) -> xarray.Dataset:
    if not os.path.isfile(path):
        raise ResultsError(f"no such file: {path} (it must exist); create it with {command}")
    data = _open_netcdf(path)
    found = as_text(data.attrs.get("format", ""))
    if found != wanted:
        data.close()
        raise ResultsError(
            f"foreign file: {path} (root attribute format is '{found}', not '{wanted}'); "
            f"name the file of {command}"
        )
    opened = _with_text(data)
    _remember_to_close(opened, data.close)
    return opened


def _open_netcdf(path: str, group: str | None = None) -> xarray.Dataset:
    try:
        # With decode_cf a fill value would turn integers into floats, seconds into time spans.
        return xarray.open_dataset(path, group=group, engine="h5netcdf", decode_cf=False)
    except Exception as error:  # HDF5, h5netcdf and xarray share no base class for "unreadable"
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise ResultsError(
            f"unreadable results file: {path} ({reason}); write it again with mixlab merge"
        ) from error


def _require_format(root: xarray.Dataset, path: str) -> None:
    found = as_text(root.attrs.get("format", ""))
    if found != FORMAT:
        raise ResultsError(
            f"foreign file: {path} (root attribute format is '{found}', not '{FORMAT}'); "
            "name the OUT.h5 of mixlab run or merge"
        )
    version = format_version(root)
    if not 1 <= version <= NEWEST_VERSION:
        raise ResultsError(
            f"unknown format version: {version} in {path} (this reader knows 1 to "
            f"{NEWEST_VERSION}); use the Python package of the mixlab that wrote it"
        )
    wanted = {
        name: dims
        for name, (dims, since) in COLUMNS.items()
        if since <= version and (name in root.variables or name not in OPTIONAL)
    }
    wanted.update({name: ("cell",) for name in PARAMETERS})
    missing = [
        name
        for name, dims in wanted.items()
        if name not in root.variables or root[name].dims != dims
    ]
    if version > 1 and "swept" not in root.attrs:
        missing.append("attribute swept")
    if missing:
        raise ResultsError(
            f"incomplete results file: {path} (lacks {_words(missing)} as FORMAT.md has them); "
            "write it again with mixlab merge"
        )


def format_version(results: xarray.Dataset) -> int:
    """Version of the format that the file was written in."""
    return int(np.ravel(results.attrs.get("format_version", 0))[0])


def _with_coordinates(data: xarray.Dataset, root: xarray.Dataset) -> xarray.Dataset:
    names = [str(name) for name in data.dims if name in root.coords]
    return data.assign_coords({name: root[name] for name in names})


def _with_text(results: xarray.Dataset) -> xarray.Dataset:
    """Give string variables and attributes as str that is fit to be shown.

    The libraries hand out bytes, str, or str with lone surrogates. Values are of one line, and so
    are attributes that are no texts.
    """
    texts = {
        str(name): (variable.dims, _as_texts(variable.values), variable.attrs)
        for name, variable in results.variables.items()
        if variable.dtype.kind in "OSU"
    }
    coordinates = {name: text for name, text in texts.items() if name in results.coords}
    others = {name: text for name, text in texts.items() if name not in coordinates}
    results = results.assign(others).assign_coords(coordinates)
    results.attrs = {
        name: _attribute(str(name), value) if isinstance(value, (str, bytes)) else value
        for name, value in results.attrs.items()
    }
    return results


def _as_texts(values: np.ndarray) -> np.ndarray:
    texts = np.array([one_line(as_text(value)) for value in values.ravel()], dtype=object)
    return texts.reshape(values.shape)


def _attribute(name: str, value: str | bytes) -> str:
    text = as_text(value)
    return text if name in TEXTS or name.startswith(FILE_ATTRIBUTE) else one_line(text)


def as_text(value: object) -> str:
    r"""UTF-8 as visible str; bytes that are none appear as `\x9b`.

    HDF5 reads UTF-8 as lone surrogates in a string tagged ASCII.
    """
    if not isinstance(value, bytes):
        value = str(value).encode("utf-8", "surrogateescape")
    return visible(value.decode("utf-8", "backslashreplace"))


def visible(text: str) -> str:
    r"""Show characters that a terminal would obey: `\x1b`, `\u202e`.

    Line breaks and tabs stay.
    """
    return re.sub(rf"[{ORDERS}]|\r(?!\n)", _shown, text)


def one_line(text: str) -> str:
    """Show those and line breaks: what stands in a line of a table must not begin another."""
    return re.sub(rf"[{ORDERS}\r\n]", _shown, text)


def _shown(found: re.Match[str]) -> str:
    number = ord(found[0])
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}"


def select(
    results: xarray.Dataset,
    confidence_set: str | Iterable[str] | None = None,
    **parameters: CellValue,
) -> xarray.Dataset:
    """Keep the cells with these parameters, and one confidence set or several.

    `select(results, "paper", noise_rho=0.9, policy_name="linucb")`
    """
    chosen = np.ones(results.sizes["cell"], dtype=bool)
    for name, value in parameters.items():
        if name not in results or results[name].dims != ("cell",):
            raise ResultsError(
                f"no such parameter: {name} (not a variable over cells); "
                "list(results) shows them all"
            )
        chosen &= results[name].values == value
    if not chosen.any():
        wanted = _words(f"{name}={value}" for name, value in parameters.items())
        raise ResultsError(
            f"no such cell: {wanted} (no cell has these values); results.label lists the cells"
        )
    selected = results.isel(cell=np.flatnonzero(chosen))
    if confidence_set is None:
        return selected
    names = [confidence_set] if isinstance(confidence_set, str) else list(confidence_set)
    return selected.isel(set=[_set_index(results, name) for name in names])


def swept(results: xarray.Dataset) -> list[str]:
    """Names of the swept parameters (`noise_rho`), in the order of the study."""
    if format_version(results) == 1:
        names = _swept_of_version_1(results.attrs["study"])
    else:
        names = [key.replace(".", "_", 1) for key in results.attrs["swept"].split()]
    return [name for name in names if name in results]  # a title of version 1 may have a comma


def _swept_of_version_1(study: str) -> list[str]:
    """Keys with a comma in the text of the study: files of version 1 say it nowhere else."""
    names, section = [], ""
    for line in study.splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif "," in line:
            names.append(f"{section}_{line.split('=')[0].strip()}")
    return names


def cell_value(results: xarray.Dataset, name: str, cell: int) -> Any:
    """Value of a variable over cells such as `noise_rho` in one cell: int, float or str."""
    value = results[name].values[_cell_index(results, cell)]
    return value.item() if isinstance(value, np.generic) else value


def cell_rows(
    results: xarray.Dataset, name: str, cell: int, confidence_set: str | None = None
) -> np.ndarray:
    """Values of a variable (`regret`, `sup_ratio`) for the trajectories of a cell that were run.

    With a confidence set, only the trajectories on which it was watched.
    """
    at = _cell_index(results, cell)
    completed = results["completed"][at].values == 1
    data = results[name][at]
    if confidence_set is None:
        return data.values[completed]
    column = _set_index(results, confidence_set)
    watched = results["first_violation"][at, :, column].values >= NEVER
    return data[:, column].values[completed & watched]


def set_rows(results: xarray.Dataset, name: str, cell: int) -> dict[str, np.ndarray]:
    """The same as `cell_rows` for every confidence set, by reading the file once.

    Chunks hold all sets: reading them set by set would decompress everything for each.
    """
    at = _cell_index(results, cell)
    n_rows, n_sets = results.sizes["trajectory"], results.sizes["set"]
    columns = [np.empty(n_rows, results[name].dtype) for _ in range(n_sets)]
    ends = [0] * n_sets
    for rows in _blocks(n_rows):
        completed = results["completed"][at, rows].values == 1
        escapes = results["first_violation"][at, rows].values
        data = escapes if name == "first_violation" else results[name][at, rows].values
        for i, column in enumerate(columns):
            kept = data[completed & (escapes[:, i] >= NEVER), i]
            column[ends[i] : ends[i] + kept.size] = kept
            ends[i] += kept.size
    names = map(str, results["set"].values)
    return {s: column[:end] for s, column, end in zip(names, columns, ends)}


def round_rows(results: xarray.Dataset, cell: int, rounds: slice) -> np.ndarray:
    """Regret of the trajectories of a cell that were run, a row per round, of some rounds."""
    at = _cell_index(results, cell)
    completed = results["completed"][at].values == 1
    rows_of = np.cumsum(completed)
    n_rounds = len(range(*rounds.indices(results.sizes["round"])))
    values = np.empty((n_rounds, int(completed.sum())))
    for rows in _blocks(completed.size):
        first = int(rows_of[rows.start] - completed[rows.start])
        block = results["regret"][at, rows].values
        if not completed[rows].all():
            block = block[completed[rows]]
        values[:, first : first + len(block)] = block[:, rounds].T
    return values


def _blocks(n_rows: int) -> Iterator[slice]:
    """Rows some at a time, so that little memory is needed beside what is kept."""
    for first in range(0, n_rows, ROWS_PER_BLOCK):
        yield slice(first, min(first + ROWS_PER_BLOCK, n_rows))


def frame(results: xarray.Dataset, *variables: str) -> pandas.DataFrame:
    """Tidy pandas frame with the swept parameters: one row per trajectory and set that was run.

    With `"regret"`, one row per trajectory and round. `variables` share their dimensions; by
    default first_violation, log10_p and sup_ratio.
    """
    names = list(variables or ("first_violation", "log10_p", "sup_ratio"))
    order = list(results[names[0]].dims)
    table = results[names].to_dataframe(dim_order=order).reset_index()
    if "trajectory" in table:
        completed = results["completed"].to_dataframe().reset_index()
        table = table.merge(completed[completed["completed"] == 1].drop(columns="completed"))
    if "first_violation" in table:
        table = table[table["first_violation"] >= NEVER]
    if "round" in table:
        table = table.dropna(subset=names)
    of_cell = results[["label", *swept(results)]].to_dataframe().reset_index()
    return of_cell.merge(table).reset_index(drop=True)


def _cell_index(results: xarray.Dataset, cell: int) -> int:
    cells = results["cell"].values.tolist()
    if cell not in cells:
        raise ResultsError(
            f"no such cell: {cell} (this data has {_words(cells)}); results.label lists the cells"
        )
    return cells.index(cell)


def _set_index(results: xarray.Dataset, name: str) -> int:
    names: Sequence[str] = results["set"].values.tolist()
    if name not in names:
        raise ResultsError(
            f"no such set: {name} (this data has {_words(names)}); "
            "[confidence] monitor chooses them"
        )
    return names.index(name)


def _words(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
