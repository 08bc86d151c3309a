"""The figures that show all cells of a sweep: side by side, or as curves over a swept key."""

import textwrap
from typing import NamedTuple

import numpy as np

from cell_figures import draw_coverage
from drawing import INK, SMALL, grid, label_ends, label_room, linear_axis, log_axis
from mixlab_results import cell_value


def side_by_side_figure(results, cells, sets, guaranteed):
    """Coverage over rounds, a panel a cell; `guaranteed`: cell -> set -> whether."""
    n_columns = min(len(cells), 3)
    titles = [textwrap.fill(cell_value(results, "label", cell), 96 // n_columns, break_on_hyphens=False)
              for cell in cells]
    figure, axes = grid(len(cells), title_lines=max(title.count("\n") + 1 for title in titles), right=label_room(sets))
    for i, (ax, cell, title) in enumerate(zip(axes, cells, titles)):
        ends = draw_coverage(ax, results, cell, sets, guaranteed[cell])
        ax.set_title(title, fontsize=SMALL)
        ax.set_label("round t")
        ax.set_ylim(0, 1.04)
        if (i + 1) % n_columns == 0 or i + 1 == len(cells):
            label_ends(ax, ends)
    name_axes(figure, "round t", "covered at every round up to t")
    return figure


def name_axes(figure, x_name, y_name):
    """Names that all panels share."""
    figure.supxlabel(x_name, fontsize=8, y=0.05 / figure.get_figheight(), va="bottom")
    figure.supylabel(y_name, fontsize=8, x=0.05 / figure.get_figwidth(), ha="left")


class Curve(NamedTuple):
    """Values of one set or policy over a swept key."""

    name: str
    x: list
    y: list
    low: list
    high: list


class Multiple(NamedTuple):
    """One panel of small multiples: its title, curves, and the dashed line that they are measured against."""

    title: str
    curves: list
    target: list


def multiples_figure(multiples, looks_of, x_name, y_name, ticks=None, log_y=False):
    """Small multiples over a swept key. `ticks`: words at 0, 1, ... when the key is no number."""
    names = list(dict.fromkeys(curve.name for multiple in multiples for curve in multiple.curves))
    n_columns = min(len(multiples), 3)
    titles = [textwrap.fill(multiple.title, 96 // n_columns, break_on_hyphens=False) for multiple in multiples]
    figure, axes = grid(len(multiples), title_lines=max(title.count("\n") + 1 for title in titles),
                        right=label_room(names))
    values = np.concatenate([np.ravel(numbers) for multiple in multiples for curve in multiple.curves
                             for numbers in (curve.y, curve.low, curve.high)]
                            + [np.asarray(multiple.target, dtype=float) for multiple in multiples])
    x = sorted({value for multiple in multiples for curve in multiple.curves for value in curve.x})
    for i, (ax, title, multiple) in enumerate(zip(axes, titles, multiples)):
        draw_multiple(ax, multiple, looks_of)
        scale_multiple(ax, x, values[np.isfinite(values)], ticks, log_y)
        ax.set_title(title, fontsize=SMALL)
        ax.set_label(x_name)
        if (i + 1) % n_columns == 0 or i + 1 == len(multiples):
            label_ends(ax, [(curve.name, looks_of[curve.name].colour, curve.y[-1]) for curve in multiple.curves])
    name_axes(figure, x_name, y_name)
    return figure


def draw_multiple(ax, multiple, looks_of):
    for curve in multiple.curves:
        look = looks_of[curve.name]
        ax.vlines(curve.x, curve.low, curve.high, color=look.colour, linewidth=1.2, gid=f"set:{curve.name}")
        ax.plot(curve.x, curve.y, color=look.colour, linestyle=look.dash, linewidth=1.2, marker=look.marker,
                markersize=3.4, markerfacecolor="white", gid=f"series:{curve.name}", clip_on=False)
    if len(multiple.target):
        ax.plot(multiple.curves[0].x, multiple.target, color=INK, linestyle=(0, (3, 2)), linewidth=0.8, zorder=1.5,
                gid="line:target")


def scale_multiple(ax, x, values, ticks, log_y):
    if ticks:
        ax.set_xticks(range(len(ticks)), ticks, rotation=30, ha="right")
        ax.set_xlim(-0.3, len(ticks) - 0.7)
    elif x[0] > 0 and x[-1] / x[0] >= 20:
        log_axis(ax.xaxis)
        ax.set_xlim(x[0] / 1.15, x[-1] * 1.15)
    else:
        linear_axis(ax.xaxis, 5)
        margin = 0.04 * (x[-1] - x[0]) or 0.5
        ax.set_xlim(x[0] - margin, x[-1] + margin)
    low, high = (values.min(), values.max()) if values.size else (0, 1)
    if log_y:
        low = values[values > 0].min()
        log_axis(ax.yaxis)
        ax.set_ylim(low / 1.3, high * 1.3)
    else:
        linear_axis(ax.yaxis, 5)
        margin = 0.05 * (high - low) or 0.05
        ax.set_ylim(low - margin, high + margin)
