"""How the figures are drawn: colour-blind safe, readable in grey, labelled where the eye is.

What belongs to a set or policy carries its name as gid (`series:NAME` has values to show,
`set:NAME` none) and a line of reference its own (`line:NAME`); see svg.py.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

from mixlab.report.looks import Dash

INK, GREY, PALE = "#222222", "#666666", "#E4E4E4"

TARGET_DASH: Dash = (0, (3, 2))

WIDTH, HEIGHT = 3.6, 2.45  # inches, of a panel
LEFT, BOTTOM, TOP = 0.56, 0.42, 0.08  # its margins
NARROWEST = 0.6  # its axis, beside long names
SMALL = 7.5  # points
STYLE = {
    "font.sans-serif": ["DejaVu Sans", "Verdana"],
    "font.size": 8,
    "axes.labelsize": 8,
    "axes.titlesize": 8,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "axes.titlelocation": "left",
    "axes.titlepad": 4,
    "axes.labelpad": 2.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "text.color": INK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "xtick.major.size": 3,
    "ytick.major.size": 3,
    "xtick.minor.size": 1.5,
    "ytick.minor.size": 1.5,
    "lines.solid_capstyle": "butt",
    "pdf.fonttype": 42,
    "svg.fonttype": "none",
    "svg.hashsalt": "mixlab",
    "text.parse_math": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
}


@contextmanager
def style() -> Iterator[None]:
    """Context in which figures are made and saved: matplotlib's defaults come back after it.

    It is silent about glyphs that its own font lacks: browsers have others.
    """
    known = {key: value for key, value in STYLE.items() if key in matplotlib.rcParams}
    with matplotlib.rc_context(known), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph ")
        yield


# Panels


def panel(right: float = 0.1, height: float = HEIGHT, top: float = TOP) -> tuple[Figure, Axes]:
    """Make a figure with one axis, whose right margin (inches) holds the labels of the curves."""
    figure = Figure(figsize=(WIDTH, height))
    width_share = 1 - (LEFT + right) / WIDTH
    height_share = 1 - (BOTTOM + top) / height
    ax = figure.add_axes([LEFT / WIDTH, BOTTOM / height, width_share, height_share])
    return figure, ax


def grid(
    n_panels: int,
    most_columns: int = 3,
    title_lines: int = 1,
    right: float = 0.75,
    row: float = 1.75,
) -> tuple[Figure, list[Axes]]:
    """Make a figure with `n_panels` axes for small multiples that share their scales."""
    n_columns = n_columns_of(n_panels, most_columns)
    n_rows = -(-n_panels // n_columns)
    head = 0.06 + 0.15 * title_lines
    height = n_rows * row + 0.28
    width = {1: WIDTH, 2: 5.6}.get(n_columns, 7.2)
    figure = Figure(figsize=(width, height))
    wide, gap = (width - LEFT - right) / n_columns, 0.14
    axes = []
    for i in range(n_panels):
        line, column = divmod(i, n_columns)
        left, bottom = LEFT + column * wide, height - (line + 1) * row + 0.1
        ax = figure.add_axes(
            [left / width, bottom / height, (wide - gap) / width, (row - head - 0.1) / height]
        )
        is_lowest = i + n_columns >= n_panels
        ax.tick_params(which="both", labelleft=column == 0, labelbottom=is_lowest)
        axes.append(ax)
    return figure, axes


def n_columns_of(n_panels: int, most_columns: int) -> int:
    """Columns of a grid whose rows are about equally long: four panels are 2 + 2, not 3 + 1."""
    n_rows = -(-n_panels // most_columns)
    return -(-n_panels // n_rows)


def empty(ax: Axes, words: str) -> Figure:
    """Say in a panel why there is nothing to see."""
    ax.axis("off")
    ax.text(0.5, 0.5, words, ha="center", va="center", color=GREY)
    return ax.figure


# Axes


def number(value: float) -> str:
    """Write a value on an axis or label: 1000, 0.05, 10⁵."""
    if value and not 1e-3 <= abs(value) < 1e5:
        exponent = int(np.floor(np.log10(abs(value)) + 1e-9))
        mantissa = value / 10.0**exponent
        power = "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return power if abs(mantissa - 1) < 1e-6 else f"{mantissa:.3g}·{power}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def log_x(ax: Axes) -> None:
    """Make the horizontal axis logarithmic."""
    ax.set_xscale("log")
    _log_ticks(ax.xaxis)


def log_y(ax: Axes) -> None:
    """Make the vertical axis logarithmic."""
    ax.set_yscale("log")
    _log_ticks(ax.yaxis)


def _log_ticks(axis: Axis) -> None:
    axis.set_major_locator(LogLocator(numticks=7))
    axis.set_minor_locator(LogLocator(subs=(2, 5), numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_formatter(
        FuncFormatter(lambda value, _: _minor_number(value, axis.get_view_interval()))
    )


def _minor_number(value: float, view: Sequence[float]) -> str:
    """Where an axis has few powers of ten, 2 and 5 between them are named, too."""
    return number(value) if view[1] / view[0] < 100 else ""


def linear_ticks(axis: Axis, n_ticks: int = 6) -> None:
    """Put at most `n_ticks` round values on a linear axis."""
    axis.set_major_locator(MaxNLocator(n_ticks, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 12))))


# Labels


class End(NamedTuple):
    """Right end of the curve of `name`, with the words that stand beside it."""

    name: str
    words: str
    colour: str
    y: float


def label_ends(ax: Axes, ends: Iterable[End]) -> None:
    """Name curves beside their right ends, moved apart where the names would overlap."""
    ends = [end for end in ends if np.isfinite(end.y)]
    if not ends:
        return
    wanted = [float(np.clip(_height_share(ax, end.y), 0, 1)) for end in ends]
    places = spread_out(wanted, (SMALL + 1.3) / _points(ax)[1], 0.0, 1.0)
    point = 1 / _points(ax)[0]
    for end, at, place in zip(ends, wanted, places):
        common = {"color": end.colour, "gid": f"set:{end.name}", "clip_on": False}
        common["transform"] = ax.transAxes
        ax.plot([1, 1 + 8 * point], [at, place], linewidth=0.5, **common)
        ax.text(1 + 9 * point, place, end.words, va="center", fontsize=SMALL, **common)


def spread_out(wanted: Sequence[float], gap: float, low: float, high: float) -> np.ndarray:
    """Positions near the wanted ones, in their order and at least `gap` apart.

    They lie within low..high where they fit.
    """
    order = np.argsort(wanted, kind="stable")
    placed = np.clip(np.asarray(wanted, dtype=float)[order], low, high)
    for i in range(1, placed.size):
        placed[i] = max(placed[i], placed[i - 1] + gap)
    placed[-1:] = np.minimum(placed[-1:], high)
    for i in range(placed.size - 2, -1, -1):
        placed[i] = min(placed[i], placed[i + 1] - gap)
    result = np.empty_like(placed)
    result[order] = placed
    return result


def label_room(names: Iterable[str]) -> float:
    """Right margin that holds these names, in inches; very long ones end at the edge."""
    return min(0.2 + 0.062 * max(map(len, names), default=0), WIDTH - LEFT - NARROWEST)


def _height_share(ax: Axes, y: float) -> float:
    """Where a value lies between the lower and the upper end of the vertical axis."""
    place = ax.transData.transform((ax.get_xlim()[1], y))
    return float(ax.transAxes.inverted().transform(place)[1])


def _points(ax: Axes) -> tuple[float, float]:
    """Width and height of an axis, in points."""
    box = ax.get_position()
    return box.width * ax.figure.get_figwidth() * 72, box.height * ax.figure.get_figheight() * 72
