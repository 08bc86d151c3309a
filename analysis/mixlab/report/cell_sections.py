"""The sections of the cells, each with its findings, figures and parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import xarray
from matplotlib.figure import Figure

from mixlab.report import page, tables
from mixlab.report.cells import (
    calibration_figure,
    coverage_figure,
    ratio_figure,
    regret_figure,
)
from mixlab.report.context import Report
from mixlab.report.layout import is_given, policy_words
from mixlab.report.policies import pair_figure, policies_figure
from mixlab.report.tables import Record
from mixlab.results import SECTIONS, cell_value
from mixlab.statistics import dkw_margin


def cell_section(report: Report, cell: int) -> str:
    """Everything about one cell."""
    label = cell_value(report.results, "label", cell)
    findings = report.findings_of(cell)
    parts = [f"<h3>Cell {cell}: {page.escape(label)}</h3>"]
    if findings:
        parts.append(tables.cell_verdict(findings))
        parts.append(bound_words(report, cell))
        parts.append(page.figures([*saved_drawings(report, cell, findings)]))
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


def saved_drawings(report: Report, cell: int, findings: Sequence[Record]) -> Iterator[str]:
    """Draw and save the figures of a cell, for the page."""
    for drawings in (own_drawings(report, cell, findings), rival_drawings(report, cell)):
        for drawing in drawings:
            svg = report.save(drawing.figure, f"cell-{cell:03d}", drawing.stem)
            yield page.figure(svg, drawing.heading, drawing.explanation)


def own_drawings(report: Report, cell: int, findings: Sequence[Record]) -> Iterator[Drawing]:
    """The figures of the cell alone."""
    results, alpha = report.results, report.verdict["alpha"]
    guaranteed = {finding["set"]: finding["guaranteed"] for finding in findings}
    sharpness = {f["set"]: (f["c"], f["c_low"], f["c_high"]) for f in findings}
    margin = dkw_margin(max(finding["n"] for finding in findings), alpha)
    sets = {name: look for name, look in report.sets.items() if name in guaranteed}
    colour = report.policies[policy_words(results, cell)].colour
    yield Drawing(
        "coverage",
        coverage_figure(results, cell, sets, guaranteed),
        "Coverage over rounds",
        "share of trajectories with θ* in the set at every round so far, pointwise exact 95 % "
        "band; open markers: no guarantee",
    )
    yield Drawing(
        "ratio",
        ratio_figure(results, cell, sets, sharpness),
        "How close to a miss",
        "the worst round of every trajectory; the black mark is the factor c on the squared "
        "radius that would give 1 − δ, with its interval",
    )
    yield Drawing(
        "calibration",
        calibration_figure(results, cell, sets, margin),
        "All levels at once",
        "share of trajectories that miss at level δ, for every δ; a valid set stays below the "
        f"diagonal, chance reaches the dashed line with probability {alpha:g}",
    )
    yield Drawing(
        "regret",
        regret_figure(results, cell, colour),
        "Regret",
        "mean and median; light band from 1 % to 99 %, dark from 25 % to 75 % of trajectories; "
        "dotted: the theorem",
    )


def rival_drawings(report: Report, cell: int) -> Iterator[Drawing]:
    """The policies that met the same noise as `cell`, if it is the first of them."""
    if any(comparison["cell_b"] == cell for comparison in report.comparisons):
        return
    rivals = [comparison for comparison in report.comparisons if comparison["cell_a"] == cell]
    if not rivals:
        return
    cells = [cell, *(comparison["cell_b"] for comparison in rivals)]
    names = {other: policy_words(report.results, other) for other in cells}
    yield Drawing(
        "policies",
        policies_figure(report.results, names, report.policies),
        "Policies on the same noise",
        "mean regret; thin line and band: all but 1 % of the trajectories on either side",
    )
    for comparison in rivals:
        other = comparison["cell_b"]
        difference = paired_difference(report, cell, other)
        yield Drawing(
            f"against-{other:03d}",
            pair_figure(difference, names[cell], names[other], comparison),
            f"{names[cell]} against {names[other]}",
            "difference of regret at the horizon, trajectory by trajectory, with the interval of "
            "its mean",
        )


def paired_difference(report: Report, cell: int, other: int) -> np.ndarray:
    """Regret at the horizon of one cell minus that of another, where both were run."""
    ours, theirs = (
        report.results["regret"].sel(cell=one)[:, report.horizon_index(one)].values
        for one in (cell, other)
    )
    difference = ours - theirs
    return difference[np.isfinite(difference)]
