"""The figures of a report, one function each: colour-blind safe, readable in grey, labelled where the eye is.

Every figure is drawn once and is saved as SVG and PDF; the same SVG goes into the page. What belongs to a set or policy
carries its name there, and every axis its scale, so that the page can show values and set one curve off.
"""

import io
import json
import re
import textwrap
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

import mixlab_results
from mixlab_results import cell_rows, cell_value

# Okabe-Ito.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, BROWN = "#E69F00", "#56B4E9", "#000000", "#7F5539"
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK, BROWN)
DASHES = ("-", (0, (5, 1.5)), (0, (6, 1.5, 1, 1.5)), (0, (1.2, 1.2)), (0, (9, 2)), (0, (4, 1.5, 1, 1.5, 1, 1.5)),
          (0, (2.5, 1)), (0, (7, 1.5, 2, 1.5)))
POLICY_COLOURS = (BLACK, ORANGE, SKY, PURPLE, GREEN, BLUE, VERMILLION, BROWN)  # apart from the first sets
MARKERS = "os^Dv<>P"
INK, GREY, PALE = "#222222", "#666666", "#E4E4E4"

WIDTH, HEIGHT = 3.6, 2.45  # inches, of a panel
LEFT, BOTTOM, TOP = 0.56, 0.42, 0.08  # its margins
SMALL = 7.5  # points
STYLE = {
    "font.sans-serif": ["DejaVu Sans", "Verdana"], "font.size": 8, "axes.labelsize": 8, "xtick.labelsize": SMALL, "ytick.labelsize": SMALL, "axes.titlesize": 8,
    "axes.titlelocation": "left", "axes.titlepad": 4, "axes.labelpad": 2.5,
    "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6, "text.color": INK,
    "axes.edgecolor": GREY, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.minor.width": 0.4, "ytick.minor.width": 0.4,
    "xtick.major.size": 3, "ytick.major.size": 3, "xtick.minor.size": 1.5, "ytick.minor.size": 1.5,
    "lines.solid_capstyle": "butt", "pdf.fonttype": 42, "svg.fonttype": "none", "svg.hashsalt": "mixlab",
    "text.parse_math": False, "figure.facecolor": "none", "axes.facecolor": "none",
}
matplotlib.rcParams.update(STYLE)


class Look(NamedTuple):
    """How one set or policy is drawn, the same in all figures of a report."""

    colour: str
    dash: object
    marker: str


def looks(names, colours=COLOURS):
    return {name: Look(colours[i % len(colours)], DASHES[i % len(DASHES)], MARKERS[i % len(MARKERS)])
            for i, name in enumerate(names)}


# Panels


def panel(right=0.1, height=HEIGHT, top=TOP):
    """A figure with one axis, whose right margin (inches) holds the labels of the curves."""
    figure = Figure(figsize=(WIDTH, height))
    ax = figure.add_axes([LEFT / WIDTH, BOTTOM / height, 1 - (LEFT + right) / WIDTH, 1 - (BOTTOM + top) / height])
    return figure, ax


def grid(n_panels, most_columns=3, title_lines=1, right=0.75, row=1.75):
    """A figure with `n_panels` axes for small multiples that share their scales."""
    n_columns = min(n_panels, most_columns)
    n_rows = -(-n_panels // n_columns)
    head = 0.06 + 0.15 * title_lines
    height = n_rows * row + 0.28
    width = {1: WIDTH, 2: 5.6}.get(n_columns, 7.2)
    figure = Figure(figsize=(width, height))
    wide, gap = (width - LEFT - right) / n_columns, 0.14
    axes = []
    for i in range(n_panels):
        line, column = divmod(i, n_columns)
        ax = figure.add_axes([(LEFT + column * wide) / width, (height - (line + 1) * row + 0.1) / height,
                              (wide - gap) / width, (row - head - 0.1) / height])
        ax.tick_params(which="both", labelleft=column == 0, labelbottom=i + n_columns >= n_panels)
        axes.append(ax)
    return figure, axes


def number(value):
    """A value on an axis or label: 1000, 0.05, 10⁵."""
    if value and not 1e-3 <= abs(value) < 1e5:
        exponent = int(np.floor(np.log10(abs(value)) + 1e-9))
        mantissa = value / 10.0**exponent
        power = "10" + str(exponent).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))
        return power if abs(mantissa - 1) < 1e-6 else f"{mantissa:.3g}·{power}"
    return f"{value:.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def log_axis(axis):
    axis._set_axes_scale("log")
    axis.set_major_locator(LogLocator(numticks=7))
    axis.set_minor_locator(LogLocator(subs=range(2, 10), numticks=12))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(value)))
    axis.set_minor_formatter(FuncFormatter(lambda value, _: minor_number(value, axis.get_view_interval())))


def minor_number(value, view):
    """Where an axis has few powers of ten, 2 and 5 between them are named, too."""
    leading = f"{value:e}"[0]
    return number(value) if leading in "25" and view[1] / view[0] < 100 else ""


def linear_axis(axis, n_ticks=6):
    axis.set_major_locator(MaxNLocator(n_ticks, steps=[1, 2, 2.5, 5, 10]))
    axis.set_major_formatter(FuncFormatter(lambda value, _: number(round(value, 12))))


def spread_out(wanted, gap, low, high):
    """Positions near the wanted ones, in their order, at least `gap` apart and within low..high where they fit."""
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


def label_ends(ax, ends):
    """Names of curves beside their right ends, moved apart where they would overlap; `ends` of (name, colour, y)."""
    ends = [end for end in ends if np.isfinite(end[2])]
    if not ends:
        return
    to_axes = lambda y: ax.transAxes.inverted().transform(ax.transData.transform((ax.get_xlim()[1], y)))[1]
    wanted = [float(np.clip(to_axes(y), 0, 1)) for _, _, y in ends]
    height = ax.get_position().height * ax.figure.get_figheight() * 72
    places = spread_out(wanted, (SMALL + 1.3) / height, 0.0, 1.0)
    for (name, colour, _), at, place in zip(ends, wanted, places):
        ax.annotate(name, (1, at), xytext=(1 + 9 / width_of(ax), place), xycoords="axes fraction",
                    textcoords="axes fraction", va="center", fontsize=SMALL, color=colour, annotation_clip=False,
                    arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 0,
                                "relpos": (0, 0.5)}, gid=f"set:{name.split(' ')[0]}")


def width_of(ax):
    return ax.get_position().width * ax.figure.get_figwidth() * 72


def label_room(names):
    """Right margin that holds these names, in inches."""
    return 0.2 + 0.062 * max(map(len, names), default=0)


def marker_places(first, last, index, n_curves):
    """Where curve `index` of `n_curves` has markers: never where another has its own, so that equal curves all show."""
    n_markers = min(5, max(2, 20 // n_curves))
    share = (np.arange(n_markers) + (index + 0.5) / n_curves) / n_markers
    return first * (last / first) ** share


# One cell


def draw_coverage(ax, results, cell, sets, guaranteed):
    """Anytime coverage over rounds against 1 - delta; returns where the curves end."""
    horizon = cell_value(results, "study_horizon", cell)
    target = 1 - cell_value(results, "confidence_delta", cell)
    rounds = np.unique(np.geomspace(1, max(horizon, 2), 200).round().astype(int))
    lowest, ends = target, []
    for index, (name, look) in enumerate(sets.items()):
        curve = mixlab_results.coverage(results, cell, name, rounds)
        if curve.trajectories == 0:
            continue
        curve = corners(curve)
        width = np.linspace(2.2, 1.1, len(sets))[index] if len(sets) > 1 else 1.6  # none hides under a later one
        at = curve["round"].values
        ax.fill_between(at, curve.low, curve.high, step="post", color=look.colour, alpha=0.2, linewidth=0,
                        gid=f"set:{name}")
        ax.plot(at, curve.coverage, drawstyle="steps-post", linewidth=width, color=look.colour, linestyle=look.dash,
                gid=f"series:{name}")
        marks = marker_places(1, horizon, index, len(sets))
        ax.plot(marks, curve.coverage.values[np.searchsorted(at, marks, side="right") - 1], linestyle="none",
                marker=look.marker, markersize=3.8, markeredgewidth=0.9, color=look.colour,
                markerfacecolor=look.colour if guaranteed.get(name) else "white", clip_on=False, zorder=3,
                gid=f"set:{name}")
        lowest = min(lowest, float(curve.low.min()))
        ends.append((name, look.colour, float(curve.coverage[-1])))
    ax.axhline(target, color=INK, linestyle=(0, (3, 2)), linewidth=0.8, zorder=1.5)
    ax.annotate(f"1 − δ = {target:.10g}", (0, target), xytext=(3, -2), xycoords=("axes fraction", "data"),
                textcoords="offset points", va="top", fontsize=SMALL)
    log_axis(ax.xaxis)
    linear_axis(ax.yaxis, 5)
    ax.set_xlim(1, max(horizon, 2))
    floor = max(0.0, np.floor(10 * lowest - 0.2) / 10)
    ax.set_ylim(floor, 1 + 0.04 * (1 - floor))
    return ends


def corners(curve):
    """The step function without the rounds at which nothing happens."""
    values = curve["coverage"].values
    keep = np.r_[True, values[1:] != values[:-1]]
    keep[-1] = True
    return curve.isel(round=keep)


def coverage_figure(results, cell, sets, guaranteed):
    figure, ax = panel(label_room(sets))
    label_ends(ax, draw_coverage(ax, results, cell, sets, guaranteed))
    ax.set_xlabel("round t")
    ax.set_ylabel("covered at every round up to t")
    return figure


def ratio_figure(results, cell, sets, sharpness):
    """Distribution of the largest q/beta^2 of a trajectory, a row a set, with the c that would give 1 - delta exactly.

    `sharpness`: name -> (c, low, high).
    """
    samples = {name: cell_rows(results, "sup_ratio", cell, name) for name in sets}
    samples = {name: sample[np.isfinite(sample) & (sample > 0)] for name, sample in samples.items()}
    samples = {name: sample for name, sample in samples.items() if sample.size}
    figure, ax = panel(0.12, max(HEIGHT, 0.55 + 0.3 * len(samples)))
    if not samples:
        return empty(ax, "no finite ratio")
    low = min(min(sample.min() for sample in samples.values()), 0.7)
    high = max(max(sample.max() for sample in samples.values()), 1.4)
    edges = np.geomspace(low / 1.1, high * 1.1, 91)
    ax.axvspan(1, edges[-1], color=PALE, alpha=0.6, linewidth=0, zorder=0)
    ax.axvline(1, color=INK, linewidth=0.8, zorder=1)
    for row, (name, sample) in enumerate(reversed(samples.items())):
        draw_ridge(ax, row, edges, sample, sets[name], name)
        if name in sharpness:
            c, c_low, c_high = sharpness[name]
            ax.plot([c_low, c_high], [row, row], color=INK, linewidth=2.2, solid_capstyle="butt", zorder=4)
            ax.plot([c], [row], marker="|", markersize=9, markeredgewidth=1.4, color=INK, zorder=4, linestyle="none")
    log_axis(ax.xaxis)
    ax.set_xlim(edges[0], edges[-1])
    ax.set_ylim(-0.15, len(samples) + 0.22)
    ax.set_yticks(range(len(samples)), [*reversed(samples)], rotation=90 if len(samples) < 4 else 0, va="bottom")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.text(1, len(samples) + 0.2, " a miss →", va="top", fontsize=SMALL)
    ax.set_xlabel("largest squared distance of θ* over squared radius")
    return figure


def draw_ridge(ax, row, edges, sample, look, name):
    density = np.histogram(sample, edges)[0].astype(float)
    density *= 0.85 / density.max()
    ax.fill_between(edges[:-1], row, row + density, step="post", color=look.colour, alpha=0.35, linewidth=0,
                    gid=f"set:{name}")
    ax.step(edges[:-1], row + density, where="post", color=look.colour, linewidth=1.0, gid=f"set:{name}")
    ax.axhline(row, color=look.colour, linewidth=0.5)


def empty(ax, words):
    ax.axis("off")
    ax.text(0.5, 0.5, words, ha="center", va="center", color=GREY)
    return ax.figure


def calibration_figure(results, cell, sets, margin):
    """P-P plot of the anytime p-values: share at or below each level, which a valid set keeps under the diagonal.

    `margin`: what chance may add to it (one-sided Dvoretzky-Kiefer-Wolfowitz).
    """
    figure, ax = panel(label_room(sets))
    levels = np.linspace(0, 0.999, 334)
    ax.fill_between([0, 1], [margin, 1 + margin], [2, 2], color=PALE, alpha=0.6, linewidth=0)
    ax.plot([0, 1], [0, 1], color=INK, linewidth=0.8)
    ax.plot([0, 1], [margin, 1 + margin], color=INK, linewidth=0.6, linestyle=(0, (3, 2)))
    ends = []
    for name, look in sets.items():
        p = np.sort(10.0 ** np.minimum(cell_rows(results, "log10_p", cell, name), 0))
        if not p.size:
            continue
        share = np.searchsorted(p, levels, side="right") / p.size
        ax.plot(levels, share, color=look.colour, linestyle=look.dash, linewidth=1.4, gid=f"series:{name}",
                clip_on=False)
        ends.append((name, look.colour, share[-1]))
    for axis in (ax.xaxis, ax.yaxis):
        linear_axis(axis, 5)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    ax.text(0.3, 0.68, "too many misses", ha="center", fontsize=SMALL, color=GREY)
    ax.text(0.72, 0.3, "valid", ha="center", fontsize=SMALL, color=GREY)
    label_ends(ax, ends)
    ax.set_xlabel("level δ")
    ax.set_ylabel("share of p-values up to δ")
    return figure


def regret_figure(results, cell, colour):
    """Cumulative regret over rounds: mean, quantile bands, the theorem and the trivial 2Bt, on logarithmic axes."""
    regret = mixlab_results.regret(results, cell)
    rounds, horizon = regret["round"].values, cell_value(results, "study_horizon", cell)
    quantile = {q: regret["quantile"].sel(q=q).values for q in (0.01, 0.25, 0.5, 0.75, 0.99)}
    figure, ax = panel(label_room(["median 12345"]))
    if not rounds.size or not quantile[0.99].max() > 0:
        return empty(ax, "no regret at any round")
    ax.fill_between(rounds, quantile[0.01], quantile[0.99], color=colour, alpha=0.15, linewidth=0)
    ax.fill_between(rounds, quantile[0.25], quantile[0.75], color=colour, alpha=0.3, linewidth=0)
    ends = []
    for name, values, style in (("99 %", quantile[0.99], {"linewidth": 0.7}),
                                ("mean", regret["mean"].values, {"linewidth": 1.8}),
                                ("median", quantile[0.5], {"linewidth": 1.1, "linestyle": DASHES[1]}),
                                ("1 %", quantile[0.01], {"linewidth": 0.7})):
        ax.plot(rounds, values, color=colour, gid=f"series:{name}", **style)
        ends.append((f"{name} {number(float(f'{values[-1]:.3g}'))}", colour, values[-1]))
    slope = 2 * cell_value(results, "problem_norm_bound", cell)
    ax.plot(rounds, slope * rounds, color=GREY, linewidth=0.9, gid="series:2Bt")
    ends.append(("2Bt, trivial", GREY, slope * horizon))
    largest = max(slope * horizon, quantile[0.99][-1])
    bound = results["bound_worst_case"].sel(cell=cell).dropna("round")
    if bound.size:
        ax.plot(bound["round"], bound, color=INK, linewidth=1.1, linestyle=DASHES[3], gid="series:theorem")
        ends.append(("theorem", INK, float(bound[-1])))
        largest = max(largest, float(bound[-1]))
    first = np.argmax(regret["mean"].values > 0)
    positive = np.concatenate([values[values > 0] for values in quantile.values()])
    log_axis(ax.xaxis)
    log_axis(ax.yaxis)
    ax.set_xlim(rounds[first], max(horizon, rounds[first] + 1))
    ax.set_ylim(max(positive.min(), quantile[0.99][-1] / 1e4), largest * 1.3)
    label_ends(ax, ends)
    ax.set_xlabel("round t")
    ax.set_ylabel("cumulative regret")
    return figure


# Several cells


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
        ax.plot(multiple.curves[0].x, multiple.target, color=INK, linestyle=(0, (3, 2)), linewidth=0.8, zorder=1.5)


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


def pair_figure(difference, first, second, comparison):
    """Regret of `first` minus regret of `second` on the same noise; mean, interval and wins are the verdict's."""
    figure, ax = panel(0.12, top=0.22)
    low, high = np.quantile(difference, (0.001, 0.999))
    edges = np.linspace(min(low, 0), max(high, 0), 61) if high > low else np.linspace(low - 1, low + 1, 3)
    counts = np.histogram(np.clip(difference, edges[0], edges[-1]), edges)[0] / difference.size
    ax.fill_between(edges, 0, np.r_[counts, counts[-1]], step="post", color=SKY, alpha=0.6, linewidth=0)
    ax.step(edges, np.r_[counts, counts[-1]], where="post", color=BLUE, linewidth=0.8, gid="series:share")
    ax.axvline(0, color=INK, linewidth=0.8)
    mean, above = comparison["difference"], 1.08 * counts.max()
    ax.plot([comparison["difference_low"], comparison["difference_high"]], [above, above], color=VERMILLION, linewidth=2.5)
    ax.plot([mean], [above], marker="|", markersize=9, markeredgewidth=1.6, color=VERMILLION)
    ax.text(mean, 1.04 * above, f"mean {mean:+.3g}", ha="center", va="bottom", fontsize=SMALL, color=VERMILLION)
    ax.set_ylim(0, 1.3 * counts.max())
    ax.set_xlim(edges[0], edges[-1])
    losses = comparison["n"] - comparison["wins"] - comparison["ties"]
    for place, side, name, wins in ((0.0, "left", first, comparison["wins"]), (1.0, "right", second, losses)):
        ax.text(place, 1.02, f"{name} ahead: {100 * wins / comparison['n']:.3g} %", ha=side, va="bottom",
                fontsize=SMALL, color=GREY, transform=ax.transAxes)
    linear_axis(ax.xaxis)
    linear_axis(ax.yaxis, 4)
    ax.set_xlabel(f"regret of {first} − regret of {second}, same noise")
    ax.set_ylabel("share of trajectories")
    return figure


def policies_figure(results, policies, looks_of):
    """Mean regret of each policy (cell -> name), with the band that holds all but 1 % of its trajectories on either side."""
    figure, ax = panel(label_room([f"{name} 99 %" for name in policies.values()]))
    largest, ends = 0.0, []
    for cell, name in policies.items():
        regret = mixlab_results.regret(results, cell, (0.01, 0.99))
        rounds, look = regret["round"].values, looks_of[name]
        low, high = regret["quantile"].values
        ax.fill_between(rounds, low, high, color=look.colour, alpha=0.13, linewidth=0, gid=f"set:{name}")
        ax.plot(rounds, high, color=look.colour, linestyle=look.dash, linewidth=0.6, gid=f"series:{name} 99 %")
        ax.plot(rounds, regret["mean"], color=look.colour, linestyle=look.dash, linewidth=1.6, gid=f"series:{name}")
        ends += [(name, look.colour, float(regret["mean"][-1])), (f"{name} 99 %", look.colour, float(high[-1]))]
        largest = max(largest, float(high.max()))
    linear_axis(ax.xaxis, 4)
    linear_axis(ax.yaxis, 5)
    ax.set_xlim(0, cell_value(results, "study_horizon", next(iter(policies))))
    ax.set_ylim(0, 1.05 * largest or 1)
    label_ends(ax, ends)
    ax.set_xlabel("round t")
    ax.set_ylabel("cumulative regret")
    return figure


# Saving

def save(figure, stem):
    """Write stem.svg and stem.pdf, the same bytes for the same results; returns the SVG."""
    svg = svg_text(figure, prefix=re.sub(r"\W", "", stem.name + stem.parent.name))
    stem.parent.mkdir(parents=True, exist_ok=True)
    stem.with_suffix(".svg").write_text(svg, encoding="utf-8")
    figure.savefig(stem.with_suffix(".pdf"), metadata={"CreationDate": None})
    return svg


def svg_text(figure, prefix):
    """Compact SVG: a tenth of a point is enough; names and axes as data attributes, other ids only where they are used."""
    for ax in figure.axes:
        if ax.axison:
            ax.set_gid("axes:" + json.dumps(axes_scales(ax), ensure_ascii=False, separators=(",", ":")))
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    svg = re.sub(r"^.*?(?=<svg)|<!--.*?-->|<metadata>.*?</metadata>", "", buffer.getvalue(), flags=re.S)
    svg = re.sub(r""" id=(["'])(axes|series|set):(.*?)\1""", r" data-\2=\1\3\1", svg)
    used = {*re.findall(r"#(\w+)[\")]", svg)}
    svg = re.sub(r' id="(.*?)"', lambda found: f' id="{prefix}-{found[1]}"' if found[1] in used else "", svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{prefix}-", svg)
    svg = re.sub(r' transform="rotate\(-0 .*?\)"', "", svg)
    svg = re.sub(r' (?:d|x|y)="[^"]*"', lambda found: re.sub(r"\d+\.\d\d+", rounded, found[0]), svg)
    return re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><")


def rounded(found):
    return f"{float(found[0]):.1f}".removesuffix(".0")


def axes_scales(ax):
    """Where an axis lies in the SVG, in points, and what its ends mean."""
    box, (width, height) = ax.get_position(), 72 * ax.figure.get_size_inches()
    return {"x": [round(box.x0 * width, 2), round(box.x1 * width, 2), *ax.get_xlim(), ax.get_xscale()],
            "y": [round((1 - box.y0) * height, 2), round((1 - box.y1) * height, 2), *ax.get_ylim(), ax.get_yscale()],
            "name": ax.get_xlabel() or ax.get_label()}
