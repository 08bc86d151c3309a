"""The page about one study: what is drawn for it, and how it is put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import xarray

from mixlab.report import page
from mixlab.report.cell_sections import cell_section
from mixlab.report.context import Report
from mixlab.report.escape_section import escape_section
from mixlab.report.files import replace_file
from mixlab.report.rare_section import rare_section
from mixlab.report.sections import (
    comparison_section,
    head,
    rate_section,
    study_section,
    summary_section,
    verdict_section,
)
from mixlab.report.sweep_section import sweep_section
from mixlab.results import cell_value


class Drawn(NamedTuple):
    """The sections of a page that have figures."""

    escape: str
    sweep: str
    rare: str
    cells: Sequence[str]


def drawing_tasks(report: Report, rare: xarray.Dataset | None) -> list[Callable[[], str]]:
    """What has to be drawn for a page, piece by piece."""
    return [
        partial(escape_section, report),
        partial(sweep_section, report),
        partial(rare_section, report, rare),
        *(partial(cell_section, report, cell) for cell in report.cells),
    ]


def as_drawn(answers: Sequence[str]) -> Drawn:
    """Name the answers of the tasks."""
    return Drawn(answers[0], answers[1], answers[2], answers[3:])


def write_study_page(report: Report, drawn: Drawn) -> Path:
    """Write report.html in the folder of the report; returns its path."""
    labels = [(cell, cell_value(report.results, "label", cell)) for cell in report.cells]
    cells = page.controls(labels, report.sets) + "\n".join(drawn.cells)
    body = "\n".join(
        [
            head(report),
            verdict_section(report),
            drawn.escape,
            drawn.sweep,
            drawn.rare,
            comparison_section(report),
            rate_section(report),
            summary_section(report),
            f'<div class="cells"><h2>Cell by cell</h2>{cells}</div>',
            study_section(report),
        ]
    )
    path = report.folder / "report.html"
    replace_file(path, page.page(report.results.attrs["title"], body).encode("utf-8"))
    return path
