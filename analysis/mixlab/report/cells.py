"""The figures of one cell: coverage over rounds, distance to a miss, all levels at once, regret."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mixlab.report.drawing import (
    GREY,
    HEIGHT,
    INK,
    PALE,
    SMALL,
    TARGET_DASH,
    End,
    empty,
    label_ends,
    label_room,
    linear_ticks,
    log_x,
    log_y,
    number,
    panel,
)
from mixlab.report.looks import DASHES, Look, Looks
from mixlab.results import cell_value, set_rows
from mixlab.statistics import QUANTILES, coverage_of

# Coverage


Curves = Mapping[str, xarray.Dataset]  # set -> its coverage at the rounds where it changes


def coverage_curves(results: xarray.Dataset, cell: int) -> Curves:
    """Anytime coverage of the sets that were watched in a cell."""
    horizon = cell_value(results, "study_horizon", cell)
    rounds = np.unique(np.geomspace(1, max(horizon, 2), 200).round().astype(int))
    return {
        name: corners(coverage_of(escapes, rounds).assign_attrs(set=name))
        for name, escapes in set_rows(results, "first_violation", cell).items()
        if escapes.size
    }


def coverage_figure(
    results: xarray.Dataset,
    cell: int,
    curves: Curves,
    sets: Looks,
    guaranteed: Mapping[str, bool],
) -> Figure:
    """Draw coverage over rounds; `guaranteed`: whether the theory covers a set."""
    figure, ax = panel(label_room(sets))
    label_ends(ax, draw_coverage(ax, results, cell, curves, sets, guaranteed))
    ax.set_xlabel("round t")
    ax.set_ylabel("covered at every round up to t")
    return figure


def draw_coverage(
    ax: Axes,
    results: xarray.Dataset,
    cell: int,
    curves: Curves,
    sets: Looks,
    guaranteed: Mapping[str, bool],
) -> list[End]:
    """Draw anytime coverage over rounds against 1 - delta; returns where the curves end."""
    horizon = cell_value(results, "study_horizon", cell)
    target = 1 - cell_value(results, "confidence_delta", cell)
    lowest, ends = target, []
    for index, (name, look) in enumerate(sets.items()):
        if name not in curves:
            continue
        curve = curves[name]
        # None hides under a later one.
        width = np.linspace(2.2, 1.1, len(sets))[index] if len(sets) > 1 else 1.6
        marks = marker_places(1, horizon, index, len(sets))
        _draw_coverage_curve(ax, curve, look, width, marks, bool(guaranteed.get(name)))
        lowest = min(lowest, float(curve.low.min()))
        ends.append(End(name, name, look.colour, float(curve.coverage[-1])))
    _draw_coverage_target(ax, target)
    log_x(ax)
    linear_ticks(ax.yaxis, 5)
    ax.set_xlim(1, max(horizon, 2))
    floor = max(0.0, np.floor(10 * lowest - 0.2) / 10)
    ax.set_ylim(floor, 1 + 0.04 * (1 - floor))
    return ends


def _draw_coverage_curve(
    ax: Axes,
    curve: xarray.Dataset,
    look: Look,
    width: float,
    marks: np.ndarray,
    is_guaranteed: bool,
) -> None:
    at, name = curve["round"].values, curve.attrs["set"]
    ax.fill_between(
        at,
        curve.low,
        curve.high,
        step="post",
        color=look.colour,
        alpha=0.2,
        linewidth=0,
        gid=f"set:{name}",
    )
    ax.plot(
        at,
        curve.coverage,
        drawstyle="steps-post",
        linewidth=width,
        color=look.colour,
        linestyle=look.dash,
        gid=f"series:{name}",
    )
    ax.plot(
        marks,
        curve.coverage.values[np.searchsorted(at, marks, side="right") - 1],
        linestyle="none",
        marker=look.marker,
        markersize=3.8,
        markeredgewidth=0.9,
        color=look.colour,
        markerfacecolor=look.colour if is_guaranteed else "white",
        clip_on=False,
        zorder=3,
        gid=f"set:{name}",
    )


def _draw_coverage_target(ax: Axes, target: float) -> None:
    ax.axhline(
        target, color=INK, linestyle=TARGET_DASH, linewidth=0.8, zorder=1.5, gid="line:target"
    )
    ax.annotate(
        f"1 − δ = {target:.10g}",
        (0, target),
        xytext=(3, -2),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="top",
        fontsize=SMALL,
    )


def marker_places(first: float, last: float, index: int, n_curves: int) -> np.ndarray:
    """Where curve `index` of `n_curves` has markers.

    Never where another has its own, so that equal curves all show.
    """
    n_markers = min(5, max(2, 20 // n_curves))
    share = (np.arange(n_markers) + (index + 0.5) / n_curves) / n_markers
    return first * (last / first) ** share


def corners(curve: xarray.Dataset) -> xarray.Dataset:
    """Drop the rounds of a step function at which nothing happens."""
    values = curve["coverage"].values
    keep = np.r_[True, values[1:] != values[:-1]]
    keep[-1] = True
    return curve.isel(round=keep)


# Distance to a miss


def ratio_figure(
    results: xarray.Dataset,
    cell: int,
    sets: Looks,
    sharpness: Mapping[str, tuple[float, float, float]],
) -> Figure:
    """Draw the distribution of the largest q/beta^2 of a trajectory, one row per set.

    `sharpness`: name -> (c, low, high), where c would give 1 - delta exactly.
    """
    ratios = set_rows(results, "sup_ratio", cell)
    samples = {}
    for name in sets:
        sample = ratios.pop(name)
        sample = sample[np.isfinite(sample) & (sample > 0)]
        if sample.size:
            samples[name] = sample
    figure, ax = panel(0.12, max(HEIGHT, 0.55 + 0.3 * len(samples)))
    if not samples:
        return empty(ax, "no finite ratio")
    low = min(min(sample.min() for sample in samples.values()), 0.7)
    high = max(max(sample.max() for sample in samples.values()), 1.4)
    edges = np.geomspace(low / 1.1, high * 1.1, 91)
    ax.axvspan(1, edges[-1], color=PALE, alpha=0.6, linewidth=0, zorder=0)
    ax.axvline(1, color=INK, linewidth=0.8, zorder=1)
    names = [*reversed(samples)]
    for row, name in enumerate(names):
        _draw_ridge(ax, row, edges, samples[name], sets[name], name)
        if name in sharpness:
            _draw_sharpness(ax, row, sharpness[name], name)
    log_x(ax)
    ax.set_xlim(edges[0], edges[-1])
    ax.set_ylim(-0.15, len(names) + 0.22)
    ax.set_yticks(range(len(names)))
    ax.set_yticklabels(names, rotation=90 if len(names) < 4 else 0, va="bottom")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.text(1, len(names) + 0.2, " a miss →", va="top", fontsize=SMALL)
    ax.set_xlabel("largest squared distance of θ* over squared radius")
    return figure


def _draw_ridge(
    ax: Axes, row: int, edges: np.ndarray, sample: np.ndarray, look: Look, name: str
) -> None:
    density = np.histogram(sample, edges)[0].astype(float)
    density *= 0.85 / density.max()
    left, height, gid = edges[:-1], row + density, f"set:{name}"
    ax.fill_between(
        left, row, height, step="post", color=look.colour, alpha=0.35, linewidth=0, gid=gid
    )
    ax.step(left, height, where="post", color=look.colour, linewidth=1.0, gid=gid)
    ax.axhline(row, color=look.colour, linewidth=0.5)


def _draw_sharpness(
    ax: Axes, row: int, sharpness: tuple[float, float, float], name: str
) -> None:
    c, low, high = sharpness
    ax.plot(
        [low, high],
        [row, row],
        color=INK,
        linewidth=2.2,
        solid_capstyle="butt",
        zorder=4,
        gid=f"line:interval of {name}",
    )
    ax.plot(
        [c],
        [row],
        marker="|",
        markersize=9,
        markeredgewidth=1.4,
        color=INK,
        zorder=4,
        linestyle="none",
        gid=f"line:c of {name}",
    )


# All levels at once


def calibration_figure(results: xarray.Dataset, cell: int, sets: Looks, margin: float) -> Figure:
    """Draw the P-P plot of the anytime p-values.

    The share at or below each level, which a valid set keeps under the diagonal; `margin`: what
    chance may add to it.
    """
    figure, ax = panel(label_room(sets))
    levels = np.linspace(0, 0.999, 334)
    chance = [margin, 1 + margin]
    ax.fill_between([0, 1], chance, [2, 2], color=PALE, alpha=0.6, linewidth=0)
    ax.plot([0, 1], [0, 1], color=INK, linewidth=0.8, gid="line:diagonal")
    ax.plot([0, 1], chance, color=INK, linewidth=0.6, linestyle=TARGET_DASH, gid="line:chance")
    ends = []
    logarithms = set_rows(results, "log10_p", cell)
    for name, look in sets.items():
        log10_p = logarithms.pop(name)
        if not log10_p.size:
            continue
        p = np.sort(10.0 ** log10_p[log10_p < 0])
        share = np.searchsorted(p, levels, side="right") / log10_p.size
        ax.plot(
            levels,
            share,
            color=look.colour,
            linestyle=look.dash,
            linewidth=1.4,
            gid=f"series:{name}",
            clip_on=False,
        )
        ends.append(End(name, name, look.colour, share[-1]))
    for axis in (ax.xaxis, ax.yaxis):
        linear_ticks(axis, 5)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.text(0.3, 0.68, "too many misses", ha="center", fontsize=SMALL, color=GREY)
    ax.text(0.72, 0.3, "valid", ha="center", fontsize=SMALL, color=GREY)
    label_ends(ax, ends)
    ax.set_xlabel("level δ")
    ax.set_ylabel("share of p-values up to δ")
    return figure


# Regret


def regret_figure(
    results: xarray.Dataset, cell: int, summary: xarray.Dataset, colour: str
) -> Figure:
    """Draw cumulative regret over rounds on logarithmic axes, from the `regret` of the cell.

    Mean, quantile bands, the theorem and the trivial 2Bt.
    """
    rounds, horizon = summary["round"].values, cell_value(results, "study_horizon", cell)
    quantile = dict(zip(QUANTILES, summary["quantile"].values))
    figure, ax = panel(label_room(["median 12345"]))
    if not rounds.size or not quantile[0.99].max() > 0:
        return empty(ax, "no regret at any round")
    mean = summary["mean"].values
    ends = [
        *_draw_trajectories(ax, rounds, quantile, mean, colour),
        *_draw_bounds(ax, results, cell, rounds),
    ]
    log_x(ax)
    log_y(ax)
    first = rounds[np.argmax(mean > 0)]
    ax.set_xlim(first, max(horizon, first + 1))
    smallest = min(values[values > 0].min(initial=np.inf) for values in quantile.values())
    largest = max(quantile[0.99][-1], *(end.y for end in ends if end.name in ("2Bt", "theorem")))
    ax.set_ylim(max(smallest, quantile[0.99][-1] / 1e4), largest * 1.3)
    label_ends(ax, ends)
    ax.set_xlabel("round t")
    ax.set_ylabel("cumulative regret")
    return figure


def _draw_trajectories(
    ax: Axes,
    rounds: np.ndarray,
    quantile: Mapping[float, np.ndarray],
    mean: np.ndarray,
    colour: str,
) -> list[End]:
    """What the trajectories did: mean, median and bands; returns where the curves end."""
    for low, high, alpha in ((0.01, 0.99, 0.15), (0.25, 0.75, 0.3)):
        ax.fill_between(
            rounds, quantile[low], quantile[high], color=colour, alpha=alpha, linewidth=0
        )
    curves: tuple[tuple[str, np.ndarray, dict[str, Any]], ...] = (
        ("99 %", quantile[0.99], {"linewidth": 0.7}),
        ("mean", mean, {"linewidth": 1.8}),
        ("median", quantile[0.5], {"linewidth": 1.1, "linestyle": DASHES[1]}),
        ("1 %", quantile[0.01], {"linewidth": 0.7}),
    )
    ends = []
    for name, values, line in curves:
        ax.plot(rounds, values, color=colour, gid=f"series:{name}", **line)
        words = f"{name} {number(float(f'{values[-1]:.3g}'))}"
        ends.append(End(name, words, colour, float(values[-1])))
    return ends


def _draw_bounds(
    ax: Axes, results: xarray.Dataset, cell: int, rounds: np.ndarray
) -> list[End]:
    """What regret is measured against: the trivial bound and the theorem, if one applies."""
    slope = 2 * cell_value(results, "problem_norm_bound", cell)
    horizon = cell_value(results, "study_horizon", cell)
    ax.plot(rounds, slope * rounds, color=GREY, linewidth=0.9, gid="series:2Bt")
    ends = [End("2Bt", "2Bt, trivial", GREY, slope * horizon)]
    bound = results["bound_worst_case"].sel(cell=cell).dropna("round")
    if bound.size:
        ax.plot(
            bound["round"],
            bound,
            color=INK,
            linewidth=1.1,
            linestyle=DASHES[3],
            gid="series:theorem",
        )
        ends.append(End("theorem", "theorem", INK, float(bound[-1])))
    return ends
