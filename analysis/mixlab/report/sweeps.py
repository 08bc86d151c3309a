"""The figures that show all cells of a sweep: side by side, or as curves over a swept key."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mixlab.report.cells import Curves, draw_coverage
from mixlab.report.drawing import (
    INK,
    SMALL,
    TARGET_DASH,
    End,
    grid,
    label_ends,
    label_room,
    linear_ticks,
    log_x,
    log_y,
    n_columns_of,
)
from mixlab.report.looks import Looks
from mixlab.results import cell_value

MOST_COLUMNS = 3


def side_by_side_figure(
    results: xarray.Dataset,
    curves: Mapping[int, Curves],
    sets: Looks,
    guaranteed: Mapping[int, Mapping[str, bool]],
) -> Figure:
    """Draw coverage over rounds, one panel per cell; `guaranteed`: cell -> set -> whether."""
    titles = _wrapped([cell_value(results, "label", cell) for cell in curves])
    figure, axes = _titled_grid(titles, sets)
    for ax, (cell, of_cell) in zip(axes, curves.items()):
        ends = draw_coverage(ax, results, cell, of_cell, sets, guaranteed[cell])
        ax.set_label("round t")
        ax.set_ylim(0, 1.04)
        if _ends_row(axes, ax):
            label_ends(ax, ends)
    _name_axes(figure, "round t", "covered at every round up to t")
    return figure


class Curve(NamedTuple):
    """Values of one set or policy over a swept key."""

    name: str
    x: list[float]
    y: list[float]
    low: list[float]
    high: list[float]


class Multiple(NamedTuple):
    """One panel of small multiples: its title, its curves, and the target of the curves."""

    title: str
    curves: list[Curve]
    target: list[float]


class Scale(NamedTuple):
    """What the axes of small multiples mean."""

    x_name: str
    y_name: str
    ticks: list[str] | None = None  # words at 0, 1, ... when the swept key is no number
    log_y: bool = False


def multiples_figure(multiples: Sequence[Multiple], looks_of: Looks, scale: Scale) -> Figure:
    """Draw small multiples over a swept key."""
    curves = [curve for multiple in multiples for curve in multiple.curves]
    titles = _wrapped([multiple.title for multiple in multiples])
    figure, axes = _titled_grid(titles, dict.fromkeys(curve.name for curve in curves))
    x = sorted({value for curve in curves for value in curve.x})
    y = np.concatenate(
        [np.ravel(values) for curve in curves for values in (curve.y, curve.low, curve.high)]
        + [np.asarray(multiple.target, dtype=float) for multiple in multiples]
    )
    for ax, multiple in zip(axes, multiples):
        _draw_multiple(ax, multiple, looks_of)
        _scale_x(ax, x, scale.ticks)
        _scale_y(ax, y[np.isfinite(y)], scale.log_y)
        ax.set_label(scale.x_name)
        if _ends_row(axes, ax):
            label_ends(
                ax,
                [
                    End(curve.name, curve.name, looks_of[curve.name].colour, curve.y[-1])
                    for curve in multiple.curves
                ],
            )
    _name_axes(figure, scale.x_name, scale.y_name)
    return figure


def _wrapped(titles: Sequence[str]) -> list[str]:
    width = 96 // n_columns_of(len(titles), MOST_COLUMNS)
    return [textwrap.fill(title, width, break_on_hyphens=False) for title in titles]


def _titled_grid(titles: Sequence[str], names: Mapping[str, object]) -> tuple[Figure, list[Axes]]:
    """One panel per title, with room for the names of curves at the right."""
    n_lines = max(title.count("\n") + 1 for title in titles)
    figure, axes = grid(len(titles), MOST_COLUMNS, title_lines=n_lines, right=label_room(names))
    for ax, title in zip(axes, titles):
        ax.set_title(title, fontsize=SMALL)
    return figure, axes


def _ends_row(axes: Sequence[Axes], ax: Axes) -> bool:
    n_before = axes.index(ax) + 1
    return n_before == len(axes) or n_before % n_columns_of(len(axes), MOST_COLUMNS) == 0


def _name_axes(figure: Figure, x_name: str, y_name: str) -> None:
    """Names that all panels share."""
    figure.text(0.5, 0.05 / figure.get_figheight(), x_name, size=8, ha="center", va="bottom")
    figure.text(
        0.05 / figure.get_figwidth(), 0.5, y_name, size=8, ha="left", va="center", rotation=90
    )


def _draw_multiple(ax: Axes, multiple: Multiple, looks_of: Looks) -> None:
    for curve in multiple.curves:
        look = looks_of[curve.name]
        ax.vlines(
            curve.x,
            curve.low,
            curve.high,
            color=look.colour,
            linewidth=1.2,
            gid=f"set:{curve.name}",
        )
        ax.plot(
            curve.x,
            curve.y,
            color=look.colour,
            linestyle=look.dash,
            linewidth=1.2,
            marker=look.marker,
            markersize=3.4,
            markerfacecolor="white",
            gid=f"series:{curve.name}",
            clip_on=False,
        )
    if multiple.target:
        ax.plot(
            multiple.curves[0].x,
            multiple.target,
            color=INK,
            linestyle=TARGET_DASH,
            linewidth=0.8,
            zorder=1.5,
            gid="line:target",
        )


def _scale_x(ax: Axes, x: Sequence[float], ticks: Sequence[str] | None) -> None:
    if ticks:
        ax.set_xticks(range(len(ticks)))
        ax.set_xticklabels(ticks, rotation=30, ha="right")
        ax.set_xlim(-0.3, len(ticks) - 0.7)
    elif x[0] > 0 and x[-1] / x[0] >= 20:
        log_x(ax)
        ax.set_xlim(x[0] / 1.15, x[-1] * 1.15)
    else:
        linear_ticks(ax.xaxis, 5)
        margin = 0.04 * (x[-1] - x[0]) or 0.5
        ax.set_xlim(x[0] - margin, x[-1] + margin)


def _scale_y(ax: Axes, y: np.ndarray, logarithmic: bool) -> None:
    low, high = (y.min(), y.max()) if y.size else (0, 1)
    positive = y[y > 0]
    if logarithmic and positive.size:
        log_y(ax)
        ax.set_ylim(positive.min() / 1.3, high * 1.3)
    else:
        linear_ticks(ax.yaxis, 5)
        margin = 0.05 * (high - low) or 0.05
        ax.set_ylim(low - margin, high + margin)
