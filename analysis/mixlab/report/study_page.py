"""The page about one study: what is drawn for it, and how it is put together."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import xarray

from mixlab.report import page
from mixlab.report.cell_sections import (
    calibration_drawing,
    cell_section,
    coverage_drawing,
    figures_of,
    pair_drawing,
    policies_drawing,
    ratio_drawing,
    regret_drawing,
    rivals_of,
    saved,
)
from mixlab.report.cells import coverage_curves
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
from mixlab.statistics import regret


class Drawn(NamedTuple):
    """The sections of a page that have figures."""

    escape: str
    sweep: str
    rare: str
    cells: Sequence[str]


Tasks = dict[Hashable, Callable[[], Any]]  # what is to be done, by name
Answers = Mapping[Hashable, Any]  # what came of it


def reading_tasks(report: Report, rare: xarray.Dataset | None) -> Tasks:
    """All that reads the rows of the file, each column once; what takes longest comes first."""
    results, cells = report.results, report.cells
    tasks: Tasks = {("regret of", cell): partial(regret, results, cell) for cell in cells}
    for cell in cells:
        if not report.findings_of(cell):
            continue
        tasks[cell, "ratio"] = partial(saved, report, cell, ratio_drawing)
        tasks[cell, "calibration"] = partial(saved, report, cell, calibration_drawing)
        tasks["curves of", cell] = partial(coverage_curves, results, cell)
        for other in rivals_of(report, cell):
            pair = partial(saved, report, cell, pair_drawing, other)
            tasks[cell, f"against-{other:03d}"] = pair
    tasks["escape"] = partial(escape_section, report)
    tasks["rare"] = partial(rare_section, report, rare)
    return tasks


def drawing_tasks(report: Report, read: Answers) -> Tasks:
    """What is drawn of that."""
    curves = {cell: read.get(("curves of", cell), {}) for cell in report.cells}
    regrets = {cell: read["regret of", cell] for cell in report.cells}
    tasks: Tasks = {"sweep": partial(sweep_section, report, curves, regrets)}
    for cell in report.cells:
        makers = {
            "coverage": partial(saved, report, cell, coverage_drawing, curves[cell]),
            "regret": partial(saved, report, cell, regret_drawing, regrets[cell]),
            "policies": partial(saved, report, cell, policies_drawing, regrets),
        }
        names = figures_of(report, cell)
        tasks.update({(cell, name): task for name, task in makers.items() if name in names})
    return tasks


def as_drawn(report: Report, answers: Answers) -> Drawn:
    """The sections, of the answers of all tasks."""
    cells = [
        cell_section(report, cell, [answers[cell, name] for name in figures_of(report, cell)])
        for cell in report.cells
    ]
    return Drawn(answers["escape"], answers["sweep"], answers["rare"], cells)


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
