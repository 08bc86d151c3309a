"""The figure of one trajectory in the plane, at the round at which theta* leaves a set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from mixlab.report.drawing import GREY, INK, PALE, SMALL, linear_ticks
from mixlab.report.ellipse import Ellipse, ellipse_of
from mixlab.report.looks import Look, Looks, set_looks

Ellipses = Mapping[str, Optional[Ellipse]]

SIZE, LEFT, BOTTOM, TOP, NAMES = 2.7, 0.44, 0.28, 0.42, 1.9  # inches: a panel, what is around it
ARM = "#A8A8A8"
TRUTH = {"marker": "*", "markersize": 10, "color": INK, "markeredgecolor": "white"}
ESTIMATE = {"marker": "s", "markersize": 4.5, "color": INK, "markerfacecolor": "white"}
CENTRE = {"marker": "+", "markersize": 7, "color": INK}


class Escape(NamedTuple):
    """The round that is drawn: the first at which theta* is outside of `confidence_set`."""

    confidence_set: str
    round: int
    is_outside: bool  # if not, the round at which it came closest to leaving

    def words(self) -> str:
        """`θ* leaves oful at round 37`"""
        if self.is_outside:
            return f"θ* leaves {self.confidence_set} at round {self.round}"
        return f"θ* stays inside; closest to leaving {self.confidence_set} at round {self.round}"


def find_escape(trace: xarray.Dataset, confidence_set: str | None = None) -> Escape:
    """Choose what to draw: the first escape from this set, or from any."""
    names = trace["set"].values.tolist()
    columns = [names.index(confidence_set)] if confidence_set else list(range(len(names)))
    ratio = (trace["q"].values / trace["radius2"].values)[:, columns]
    is_outside = trace["q"].values[:, columns] > trace["radius2"].values[:, columns]
    if is_outside.any():
        at = int(is_outside.any(axis=1).argmax())
        column = int(is_outside[at].argmax())
    else:
        at, column = (int(i) for i in np.unravel_index(np.argmax(ratio), ratio.shape))
    return Escape(names[columns[column]], at + 1, bool(is_outside.any()))


def escape_figure(trace: xarray.Dataset, escape: Escape) -> Figure:
    """Draw theta*, estimates, arms and every set, whole and near theta*."""
    at, bound = trace.sel(t=escape.round), float(trace.attrs["B"])
    sets = {
        name: ellipse_of(at["quadric"].values[i], float(at["radius2"][i]))
        for i, name in enumerate(trace["set"].values.tolist())
    }
    looks_of, left = set_looks(sets), sets[escape.confidence_set]
    figure, whole, near = _panels(escape.words(), _origin(trace))
    for ax in (whole, near):
        _draw_plane(ax, at, bound)
        for name, ellipse in sets.items():
            if ellipse:
                _draw_set(ax, ellipse, looks_of[name], name, name == escape.confidence_set)
        _draw_points(ax, at, left)
    _frame(whole, np.zeros(2), 1.12 * max(1.0, bound))
    _frame(near, *_surroundings(at, left))
    _draw_window(whole, near)
    _write_names(near, at, sets, looks_of, escape)
    return figure


def _origin(trace: xarray.Dataset) -> str:
    """`Trajectory 3 of cell 1 (linucb)`"""
    label = trace.attrs["label"]
    words = "Trajectory {trajectory} of cell {cell}".format(**trace.attrs)
    return f"{words} ({label})" if label else words


def _panels(title: str, origin: str) -> tuple[Figure, Axes, Axes]:
    """Two square panels with room for names at the right."""
    width, height = 2 * (SIZE + LEFT) + NAMES, SIZE + BOTTOM + TOP
    figure = Figure(figsize=(width, height))
    whole, near = (
        figure.add_axes([left / width, BOTTOM / height, SIZE / width, SIZE / height])
        for left in (LEFT, 2 * LEFT + SIZE)
    )
    at = {"x": LEFT / width, "va": "top"}
    figure.text(y=1 - 0.05 / height, s=title, fontweight="bold", **at)
    origin += "; right: enlarged"
    figure.text(y=1 - 0.22 / height, s=origin, color=GREY, fontsize=SMALL, **at)
    return figure, whole, near


def _draw_plane(ax: Axes, at: xarray.Dataset, bound: float) -> None:
    """The ball of radius B that theta* is known to lie in, and the arms."""
    angle = np.linspace(0, 2 * np.pi, 241)
    x, y = bound * np.cos(angle), bound * np.sin(angle)
    ax.fill(x, y, color=PALE, alpha=0.35, linewidth=0)
    ax.plot(x, y, color=GREY, linewidth=0.7, gid="line:ball")
    if "arms" in at:
        for x, y in at["arms"].values:
            ax.plot([0, x], [0, y], color=ARM, linewidth=0.6, zorder=1.2)
            ax.plot([x], [y], marker=".", markersize=4, color=ARM, zorder=1.2, gid="line:arm")


def _draw_set(ax: Axes, ellipse: Ellipse, look: Look, name: str, is_left: bool) -> None:
    x, y = ellipse.outline().T
    if is_left:
        ax.fill(x, y, color=look.colour, alpha=0.16, linewidth=0)
    zorder = 3 if is_left else 2
    ax.plot(x, y, zorder=zorder, gid=f"set:{name}", **_stroke(look, is_left))


def _stroke(look: Look, is_left: bool) -> dict[str, Any]:
    """The set that theta* leaves is drawn with a heavy line."""
    return {
        "color": look.colour,
        "linestyle": "-" if is_left else look.dash,
        "linewidth": 2.0 if is_left else 1.1,
    }


def _draw_points(ax: Axes, at: xarray.Dataset, ellipse: Ellipse | None) -> None:
    """The estimate in the ball, the centre of the set in question, and theta*."""
    ax.plot(*at["theta_hat"].values, zorder=4, gid="line:theta_hat", **ESTIMATE)
    if ellipse:
        ax.plot(*ellipse.centre, zorder=4, gid="line:centre", **CENTRE)
    ax.plot(*at["theta_star"].values, zorder=5, gid="line:theta_star", **TRUTH)


def _surroundings(at: xarray.Dataset, ellipse: Ellipse | None) -> tuple[np.ndarray, float]:
    """Middle and half width of a square that holds theta*, estimate and the set in question."""
    points = [at["theta_star"].values, at["theta_hat"].values]
    points += list(ellipse.outline()) if ellipse else []
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    return (low + high) / 2, float(0.56 * max(*(high - low), 1e-6))


def _frame(ax: Axes, middle: np.ndarray, half: float) -> None:
    ax.set_xlim(middle[0] - half, middle[0] + half)
    ax.set_ylim(middle[1] - half, middle[1] + half)
    for axis in (ax.xaxis, ax.yaxis):
        linear_ticks(axis, 4)
    for side in ("top", "right"):
        ax.spines[side].set_visible(True)


def _draw_window(whole: Axes, near: Axes) -> None:
    """Show in the whole what the other panel enlarges."""
    (left, right), (bottom, top) = near.get_xlim(), near.get_ylim()
    if right - left < np.ptp(whole.get_xlim()):
        window = Rectangle((left, bottom), right - left, top - bottom)
        window.set(fill=False, edgecolor=INK, linewidth=0.7, zorder=6)
        whole.add_patch(window)


def _write_names(
    ax: Axes, at: xarray.Dataset, sets: Ellipses, looks_of: Looks, escape: Escape
) -> None:
    """Name what is drawn, at the right: sets with the distance of theta* over their radius."""
    names = Names(ax)
    names.add("θ*, the truth", TRUTH)
    names.add("estimate in the ball", ESTIMATE)
    names.add(f"centre of {escape.confidence_set}", CENTRE)
    names.head("distance of θ* / radius")
    for i, (name, ellipse) in enumerate(sets.items()):
        is_left = name == escape.confidence_set
        ratio = float(np.sqrt(max(at["q"].values[i], 0) / at["radius2"].values[i]))
        words = f"{name}  {ratio:.4g}" + " ✗" * (ratio > 1)
        if ellipse is None:
            words += " (no ellipse)"
        elif not _is_seen(ax, ellipse):
            words += " (beyond)"
        weight = "bold" if is_left else "normal"
        names.add(words, _stroke(looks_of[name], is_left), looks_of[name].colour, weight)


def _is_seen(ax: Axes, ellipse: Ellipse) -> bool:
    """Whether a boundary runs through a panel, not all around it."""
    x, y = ellipse.outline().T
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    return bool(np.any((left < x) & (x < right) & (bottom < y) & (y < top)))


class Names:
    """A list of marks and words at the right of a panel."""

    def __init__(self, ax: Axes) -> None:
        self.ax, self.y = ax, 0.98

    def head(self, words: str) -> None:
        """Begin a group of names."""
        self.y -= 0.03
        self._write(1.05, words, GREY)

    def add(
        self, words: str, mark: Mapping[str, Any], colour: str = INK, weight: str = "normal"
    ) -> None:
        """Name a mark: a point, or a piece of a line."""
        x = [1.085] if "marker" in mark else [1.05, 1.12]
        self.ax.plot(x, [self.y] * len(x), clip_on=False, transform=self.ax.transAxes, **mark)
        self._write(1.15, words, colour, weight)

    def _write(self, x: float, words: str, colour: str, weight: str = "normal") -> None:
        self.ax.text(
            x,
            self.y,
            words,
            va="center",
            color=colour,
            fontsize=SMALL,
            fontweight=weight,
            transform=self.ax.transAxes,
        )
        self.y -= 0.07
