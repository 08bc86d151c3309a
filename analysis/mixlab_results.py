"""Former name of the package `mixlab`, for scripts that call `mixlab_results.open(...)`.

Everything of `mixlab` is here, too; `open` is `mixlab.open_results`, and `set=` means
`confidence_set=`.
"""

from __future__ import annotations

import functools
from typing import Any, Callable

import mixlab
from mixlab.results import COLUMNS, FORMAT, NEVER, SECTIONS, as_text
from mixlab.results import NEWEST_VERSION as FORMAT_VERSION
from mixlab.results import ResultsError, cell_value, frame, swept
from mixlab.statistics import clopper_pearson, regret

__all__ = [
    "COLUMNS",
    "FORMAT",
    "FORMAT_VERSION",
    "NEVER",
    "SECTIONS",
    "ResultsError",
    "as_text",
    "cell_rows",
    "cell_value",
    "clopper_pearson",
    "coverage",
    "frame",
    "open",
    "regret",
    "select",
    "swept",
]


def _with_former_keyword(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if "set" in keywords:
            keywords["confidence_set"] = keywords.pop("set")
        return function(*arguments, **keywords)

    return call


open = mixlab.open_results  # noqa: A001
cell_rows = _with_former_keyword(mixlab.cell_rows)
coverage = _with_former_keyword(mixlab.coverage)
select = _with_former_keyword(mixlab.select)
