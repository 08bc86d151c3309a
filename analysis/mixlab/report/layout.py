"""How the cells of a study lie: one swept key along an axis, the others beside each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import xarray

from mixlab.results import CellValue, cell_value, swept


class Layout(NamedTuple):
    """One swept key and the cells along it."""

    key: str
    values: list[CellValue]
    groups: dict[str, dict[CellValue, int]]  # words for the other keys -> value of key -> cell
    is_number: bool

    def place(self, value: CellValue) -> float:
        """Where a value of the key lies on an axis; words lie at 0, 1, ..."""
        return float(value) if self.is_number else self.values.index(value)

    def ticks(self) -> list[str] | None:
        """Words along the axis, if the key is no number."""
        return None if self.is_number else [str(value) for value in self.values]


def lay_out(results: xarray.Dataset) -> Layout | None:
    """Choose the layout of the cells; None for a single cell.

    The axis is the number with the most values, else the word.
    """
    keys = swept(results)
    if results.sizes["cell"] < 2 or not keys:
        return None
    key = max(
        keys,
        key=lambda name: (
            is_number(results, name),
            len(distinct(results, name)),
            -keys.index(name),
        ),
    )
    others = [name for name in keys if name != key]
    groups: dict[str, dict[CellValue, int]] = {}
    for cell in results["cell"].values.tolist():
        words = describe(results, cell, others)
        groups.setdefault(words, {})[cell_value(results, key, cell)] = cell
    values = distinct(results, key)
    numeric = is_number(results, key)
    return Layout(key, sorted(values) if numeric else values, groups, numeric)


def distinct(results: xarray.Dataset, name: str) -> list[CellValue]:
    """Values of a swept key in the order of the cells, without those of cells that lack it."""
    return [value for value in dict.fromkeys(results[name].values.tolist()) if is_given(value)]


def is_number(results: xarray.Dataset, name: str) -> bool:
    """Whether a parameter is a number in all cells."""
    return results[name].dtype.kind in "if"


def is_given(value: CellValue) -> bool:
    """Whether a cell has a parameter: the file says NaN, "" or -1 where it has not."""
    return value == value and value not in ("", -1)


def short(name: str) -> str:
    """`noise_rho` in words."""
    return "policy" if name == "policy_name" else name.split("_", 1)[1].replace("_", " ")


def describe(results: xarray.Dataset, cell: int, names: Iterable[str]) -> str:
    """`sticky, rho = 0.9, arms circle:8`: those of the parameters `names` that the cell has."""
    values = [(name, cell_value(results, name, cell)) for name in names]
    return ", ".join(_words(name, value) for name, value in values if is_given(value))


def _words(name: str, value: CellValue) -> str:
    if name in ("noise_process", "policy_name"):
        return str(value)  # says what it is
    return f"{short(name)} {value}" if isinstance(value, str) else f"{short(name)} = {value:g}"


def policy_words(results: xarray.Dataset, cell: int) -> str:
    """Name the policy of a cell, with the swept keys that tell it from others of its name."""
    others = [
        name for name in swept(results) if name.startswith("policy_") and name != "policy_name"
    ]
    told = describe(results, cell, others)
    name = cell_value(results, "policy_name", cell)
    return f"{name} ({told})" if told else name


def words_without_policy(results: xarray.Dataset, cell: int, key: str) -> str:
    """Describe a cell by its swept keys, without `key` and those of the policy."""
    names = [name for name in swept(results) if name != key and not name.startswith("policy_")]
    return describe(results, cell, names)
