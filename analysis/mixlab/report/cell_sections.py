"""The sections of the cells, each with its findings, figures and parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import xarray
from matplotlib.figure import Figure

from mixlab.report import page, tables
from mixlab.report.cells import (
    Curves,
    calibration_figure,
    coverage_figure,
    ratio_figure,
    regret_figure,
)
from mixlab.report.context import Report
from mixlab.report.layout import is_given, policy_words
from mixlab.report.looks import Looks
from mixlab.report.policies import pair_figure, policies_figure
from mixlab.report.tables import Record
from mixlab.results import SECTIONS, cell_value
from mixlab.statistics import dkw_margin


def cell_section(report: Report, cell: int, figures: Sequence[str]) -> str:
    """Everything about one cell, around its figures."""
    label = cell_value(report.results, "label", cell)
    findings = report.findings_of(cell)
    parts = [f"<h3>Cell {cell}: {page.escape(label)}</h3>"]
    if findings:
        parts.append(tables.cell_verdict(findings))
        parts.append(bound_words(report, cell))
        parts.append(page.figures(figures))
    else:
        parts.append("<p>No trajectory of this cell has been run.</p>")
    parts.append(page.details("Parameters of this cell", parameters(report.results, cell)))
    return f'<section class="cell" id="cell-{cell}">{"".join(parts)}</section>'


def bound_words(report: Report, cell: int) -> str:
    """What the verdict says of regret theorem and potential lemma."""
    bound = next((bound for bound in report.verdict["bounds"] if bound["cell"] == cell), None)
    if bound is None:
        return ""
    lemma = (
        f'Potential lemma: {bound["potential_violations"]} trajectories above it; the largest '
        f'potential is {page.digits(bound["potential_largest"])}, the lemma allows '
        f'{page.digits(bound["potential_bound"])}.'
    )
    if not bound["applies"]:
        return f"<p>No regret theorem speaks about this policy. {lemma}</p>"
    trivial = " (above the trivial 2BT)" if bound["vacuous"] else ""
    return (
        f'<p>Regret theorem: {page.state_mark(bound["state"])} {bound["violations"]} of '
        f'{bound["n"]} trajectories exceed it at some round; at the horizon it is '
        f'{page.digits(bound["bound"], 4)}{trivial}, the largest regret '
        f'{page.digits(bound["regret_largest"], 4)}. {lemma}</p>'
    )


def parameters(results: xarray.Dataset, cell: int) -> str:
    """Every parameter that the cell has, as it took effect."""
    pairs = []
    for name in map(str, results.data_vars):
        if name.startswith(SECTIONS) and results[name].dims == ("cell",):
            value = cell_value(results, name, cell)
            if is_given(value):
                words = value if isinstance(value, str) else f"{value:.10g}"
                pairs.append((name.replace("_", ".", 1), words))
    return page.definitions(pairs)


# Figures


class Drawing(NamedTuple):
    """A figure, the name of its files, and what the page says about it."""

    stem: str
    figure: Figure
    heading: str
    explanation: str


def figures_of(report: Report, cell: int) -> list[str]:
    """Names of the figures of a cell, in the order of the page."""
    if not report.findings_of(cell):
        return []
    rivals = rivals_of(report, cell)
    own = ["coverage", "ratio", "calibration", "regret"]
    return [*own, *["policies"][:len(rivals)], *(f"against-{other:03d}" for other in rivals)]


def saved(report: Report, cell: int, make: Callable[..., Drawing], *of: Any) -> str:
    """Draw and save a figure of a cell, for the page."""
    drawing = make(report, cell, *of)
    svg = report.save(drawing.figure, f"cell-{cell:03d}", drawing.stem)
    return page.figure(svg, drawing.heading, drawing.explanation)


def coverage_drawing(report: Report, cell: int, curves: Curves) -> Drawing:
    """Coverage over rounds, as it was read."""
    guaranteed = {found["set"]: found["guaranteed"] for found in report.findings_of(cell)}
    return Drawing(
        "coverage",
        coverage_figure(report.results, cell, curves, sets_of(report, cell), guaranteed),
        "Coverage over rounds",
        "share of trajectories with θ* in the set at every round so far, pointwise exact 95 % "
        "band; open markers: no guarantee",
    )


def ratio_drawing(report: Report, cell: int) -> Drawing:
    """The largest distance of every trajectory."""
    found = report.findings_of(cell)
    sharpness = {f["set"]: (f["c"], f["c_low"], f["c_high"]) for f in found}
    return Drawing(
        "ratio",
        ratio_figure(report.results, cell, sets_of(report, cell), sharpness),
        "How close to a miss",
        "the worst round of every trajectory; the black mark is the factor c on the squared "
        "radius that would give 1 − δ, with its interval",
    )


def calibration_drawing(report: Report, cell: int) -> Drawing:
    """Misses at every level."""
    alpha = report.verdict["alpha"]
    margin = dkw_margin(max(found["n"] for found in report.findings_of(cell)), alpha)
    return Drawing(
        "calibration",
        calibration_figure(report.results, cell, sets_of(report, cell), margin),
        "All levels at once",
        "share of trajectories that miss at level δ, for every δ; a valid set stays below the "
        f"diagonal, chance reaches the dashed line with probability {alpha:g}",
    )


def regret_drawing(report: Report, cell: int, summary: xarray.Dataset) -> Drawing:
    """Regret over rounds, as it was read."""
    colour = report.policies[policy_words(report.results, cell)].colour
    return Drawing(
        "regret",
        regret_figure(report.results, cell, summary, colour),
        "Regret",
        "mean and median; light band from 1 % to 99 %, dark from 25 % to 75 % of trajectories; "
        "dotted: the theorem",
    )


def policies_drawing(
    report: Report, cell: int, regrets: Mapping[int, xarray.Dataset]
) -> Drawing:
    """The policies that met the same noise as `cell`."""
    cells = [cell, *rivals_of(report, cell)]
    names = {other: policy_words(report.results, other) for other in cells}
    return Drawing(
        "policies",
        policies_figure(report.results, names, regrets, report.policies),
        "Policies on the same noise",
        "mean regret; thin line and band: all but 1 % of the trajectories on either side",
    )


def pair_drawing(report: Report, cell: int, other: int) -> Drawing:
    """One of these policies against that of `cell`."""
    name, rival = (policy_words(report.results, one) for one in (cell, other))
    difference = paired_difference(report, cell, other)
    return Drawing(
        f"against-{other:03d}",
        pair_figure(difference, name, rival, rivals_of(report, cell)[other]),
        f"{name} against {rival}",
        "difference of regret at the horizon, trajectory by trajectory, with the interval of "
        "its mean",
    )


def sets_of(report: Report, cell: int) -> Looks:
    """The sets of which something was found in a cell."""
    names = {found["set"] for found in report.findings_of(cell)}
    return {name: look for name, look in report.sets.items() if name in names}


def rivals_of(report: Report, cell: int) -> dict[int, Record]:
    """The cells that are compared with `cell`, if it is the first on its noise."""
    if any(comparison["cell_b"] == cell for comparison in report.comparisons):
        return {}
    return {
        comparison["cell_b"]: comparison
        for comparison in report.comparisons
        if comparison["cell_a"] == cell
    }


def paired_difference(report: Report, cell: int, other: int) -> np.ndarray:
    """Regret at the horizon of one cell minus that of another, where both were run."""
    ours, theirs = (
        report.results["regret"].sel(cell=one)[:, report.horizon_index(one)].values
        for one in (cell, other)
    )
    difference = ours - theirs
    return difference[np.isfinite(difference)]
