"""The section that shows all cells of a sweep together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import xarray

from mixlab.report import page
from mixlab.report.cells import Curves
from mixlab.report.context import Report
from mixlab.report.layout import Layout, lay_out, policy_words, short, words_without_policy
from mixlab.report.looks import Looks
from mixlab.report.sweeps import Curve, Multiple, Scale, multiples_figure, side_by_side_figure
from mixlab.report.tables import Record
from mixlab.results import cell_value
from mixlab.statistics import QUANTILES

MOST_PANELS = 12  # of one figure
MOST_SIDE_BY_SIDE = 6  # cells


def sweep_section(
    report: Report,
    curves: Mapping[int, Curves],
    regrets: Mapping[int, xarray.Dataset],
) -> str:
    """Coverage of few cells side by side; curves over a swept key that has enough values."""
    layout = lay_out(report.results)
    if layout is None:
        return ""
    n_cells = len(report.cells)
    pieces: list[str] = []
    if n_cells <= MOST_SIDE_BY_SIDE:
        pieces += side_by_side(report, curves)
    if len(layout.values) > 2 or n_cells > MOST_SIDE_BY_SIDE:
        pieces += curves_over_key(report, layout, regrets)
    return f'<h2>All cells together</h2><div class="wides">{"".join(pieces)}</div>'


def side_by_side(report: Report, curves: Mapping[int, Curves]) -> Iterator[str]:
    """Coverage over rounds, one panel per cell that was run."""
    guaranteed: dict[int, dict[str, bool]] = {}
    for finding in report.findings:
        guaranteed.setdefault(finding["cell"], {})[finding["set"]] = finding["guaranteed"]
    found = {cell: curves[cell] for cell in report.cells if cell in guaranteed}
    if not found:
        return
    drawing = side_by_side_figure(report.results, found, report.sets, guaranteed)
    yield page.figure(
        report.save(drawing, "side-by-side"),
        "Coverage over rounds",
        "share of trajectories with θ* in the set at every round so far, pointwise exact 95 % "
        "band; open markers: no guarantee",
        wide=True,
    )


def curves_over_key(
    report: Report, layout: Layout, regrets: Mapping[int, xarray.Dataset]
) -> Iterator[str]:
    """Coverage, sharpness and regret over the swept key."""
    x_name, ticks = short(layout.key), layout.ticks()
    yield from _pages(
        report,
        coverage_multiples(report, layout),
        report.sets,
        Scale(x_name, "anytime coverage", ticks),
        "coverage",
        "Anytime coverage",
        "share of trajectories with θ* in the set at every round, exact interval; dashed: 1 − δ",
    )
    yield from _pages(
        report,
        sharpness_multiples(report, layout),
        report.sets,
        Scale(x_name, "radius factor √c", ticks, log_y=True),
        "sharpness",
        "Sharpness",
        "factor on the radius that would give coverage 1 − δ exactly, with its interval; above "
        "the dashed 1 the set misses too often, far below it is wider than needed",
    )
    yield from _pages(
        report,
        regret_multiples(report, layout, regrets),
        report.policies,
        Scale(x_name, "regret at the horizon", ticks, log_y=True),
        "regret",
        "Regret at the horizon",
        "mean over trajectories; bar: from 1 % to 99 % of them",
    )


def _pages(
    report: Report,
    multiples: Sequence[Multiple],
    looks_of: Looks,
    scale: Scale,
    stem: str,
    heading: str,
    explanation: str,
) -> Iterator[str]:
    """Small multiples, as figures of at most a dozen panels."""
    for first in range(0, len(multiples), MOST_PANELS):
        number = f"-{first // MOST_PANELS + 1}" if len(multiples) > MOST_PANELS else ""
        drawing = multiples_figure(multiples[first:first + MOST_PANELS], looks_of, scale)
        svg = report.save(drawing, f"{stem}{number}")
        yield page.figure(svg, heading, explanation, wide=True)


def coverage_multiples(report: Report, layout: Layout) -> list[Multiple]:
    """Anytime coverage of every set, against 1 - delta."""
    fields = ("coverage", "coverage_low", "coverage_high")
    return _finding_multiples(report, layout, fields, lambda finding: 1 - finding["delta"], float)


def sharpness_multiples(report: Report, layout: Layout) -> list[Multiple]:
    """Factor on the radius of every set, against 1."""
    fields = ("c", "c_low", "c_high")
    return _finding_multiples(report, layout, fields, lambda finding: 1.0, math.sqrt)


def _finding_multiples(
    report: Report,
    layout: Layout,
    fields: Sequence[str],
    target: Callable[[Record], float],
    transform: Callable[[float], float],
) -> list[Multiple]:
    """One panel per group of cells, one curve per set, from the verdict."""
    of = {(finding["cell"], finding["set"]): finding for finding in report.findings}

    def number(value: float | None) -> float:
        return math.nan if value is None else transform(value)

    multiples = []
    for words, cells in layout.groups.items():
        curves, targets = [], []
        for name in report.sets:
            keys = [v for v in layout.values if v in cells and (cells[v], name) in of]
            findings = [of[cells[value], name] for value in keys]
            columns = [[number(finding[field]) for finding in findings] for field in fields]
            if findings:
                curves.append(Curve(name, [layout.place(value) for value in keys], *columns))
                targets = [target(finding) for finding in findings]
        if curves:
            multiples.append(Multiple(words, curves, targets))
    return multiples


class Point(NamedTuple):
    """Regret of one cell at its horizon: place on the axis, mean, 1 % and 99 % quantile."""

    x: float
    mean: float
    low: float
    high: float


def regret_multiples(
    report: Report, layout: Layout, regrets: Mapping[int, xarray.Dataset]
) -> list[Multiple]:
    """Regret at the horizon: one panel per group of cells that differ in policy only."""
    results = report.results
    panels: dict[str, dict[str, list[Point]]] = {}
    for cells in layout.groups.values():
        words = words_without_policy(results, next(iter(cells.values())), layout.key)
        for value, cell in cells.items():
            if regrets[cell].trajectories == 0:
                continue
            horizon = cell_value(results, "study_horizon", cell)
            point = _regret_point(layout.place(value), regrets[cell].sel(round=horizon))
            curves = panels.setdefault(words, {})
            curves.setdefault(policy_words(results, cell), []).append(point)
    return [
        Multiple(words, [_regret_curve(name, points) for name, points in curves.items()], [])
        for words, curves in panels.items()
    ]


def _regret_point(x: float, summary: xarray.Dataset) -> Point:
    quantile = dict(zip(QUANTILES, map(float, summary["quantile"])))
    return Point(x, float(summary["mean"]), quantile[0.01], quantile[0.99])


def _regret_curve(name: str, points: Sequence[Point]) -> Curve:
    x, mean, low, high = zip(*sorted(points))
    return Curve(name, list(x), list(mean), list(low), list(high))
