"""How the figures of a report are drawn and saved: colour-blind safe, readable in grey, labelled where the eye is.

Every figure is drawn once and is saved as SVG and PDF; the same SVG goes into the page. What belongs to a set or policy
carries its name there (`series` has values to show, `set` none), a line of reference its own, and every axis its scale, so
that the page can show values and set one curve off, and tests read the figures back.
"""

import io
import json
import re
from typing import NamedTuple

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator

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


def empty(ax, words):
    ax.axis("off")
    ax.text(0.5, 0.5, words, ha="center", va="center", color=GREY)
    return ax.figure


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
    svg = re.sub(r""" id=(["'])(axes|series|set|line):(.*?)\1""", r" data-\2=\1\3\1", svg)
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
