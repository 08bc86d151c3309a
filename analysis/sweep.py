"""How the cells of a study lie: one swept key along an axis, the others beside each other."""

from typing import NamedTuple

import mixlab_results
from mixlab_results import cell_value


class Layout(NamedTuple):
    """`key` runs along an axis through `values`; cells that share the other keys are a group with these words."""

    key: str
    values: list
    groups: dict  # words -> {value of the key: cell}


def layout(results):
    """The layout of the cells, or None for a single one. The axis is the number with the most values, else the word."""
    keys = mixlab_results.swept(results)
    if results.sizes["cell"] < 2 or not keys:
        return None
    key = max(keys, key=lambda name: (is_number(results, name), len(distinct(results, name)), -keys.index(name)))
    groups = {}
    for cell in results["cell"].values.tolist():
        words = describe(results, cell, [name for name in keys if name != key])
        groups.setdefault(words, {})[cell_value(results, key, cell)] = cell
    values = distinct(results, key)
    return Layout(key, sorted(values) if is_number(results, key) else values, groups)


def distinct(results, name):
    """The values of a swept key, in the order of the cells, without those of cells that do not have it."""
    return [value for value in dict.fromkeys(results[name].values.tolist()) if is_given(value)]


def is_number(results, name):
    return results[name].dtype.kind in "if"


def is_given(value):
    return value == value and value not in ("", -1)


def short(name):
    """`noise_rho` in words."""
    return name.split("_", 1)[1].replace("_", " ") if name != "policy_name" else "policy"


def describe(results, cell, names):
    """`sticky, rho = 0.9, arms circle:8`: the parameters that this cell has; a process or policy says what it is."""
    values = [(name, cell_value(results, name, cell)) for name in names]
    return ", ".join(value if name in ("noise_process", "policy_name") else
                     f"{short(name)} {value}" if isinstance(value, str) else f"{short(name)} = {value:g}"
                     for name, value in values if is_given(value))


def policy_words(results, cell):
    """The policy of a cell, with the swept keys that tell it from others of its name."""
    others = [name for name in mixlab_results.swept(results) if name.startswith("policy_") and name != "policy_name"]
    told = describe(results, cell, others)
    name = cell_value(results, "policy_name", cell)
    return f"{name} ({told})" if told else name
