#!/usr/bin/env python3
"""Draw a mixlab results file: anytime coverage of every confidence set, and the regret of every policy."""

import argparse
import os
import sys
import textwrap
from typing import NamedTuple

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.lines import Line2D
from matplotlib.textpath import TextPath
from matplotlib.ticker import LogLocator, NullFormatter

from mixlab_results import (ResultsError, anytime_coverage, as_text, cell_value, is_guaranteed, n_completed,
                            open_results, regret_summary, set_names)

EXIT_BAD_INPUT, EXIT_WRITE_FAILED = 2, 74
FORMATS = ("png", "svg", "pdf")
MOST_CELLS = 6
SECTIONS = ("study_", "problem_", "noise_", "policy_", "confidence_")

WIDTH, MARGIN, ROW, LINE = 7.0, 0.08, 1.9, 0.155  # inches: page, its margin, a row of panels, a line of text
GREY = "0.35"

# Okabe-Ito. Sets and policies share no colour among their first entries, so that a colour has one meaning in a figure.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK = "#E69F00", "#56B4E9", "#000000"
SET_COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, SKY, ORANGE, BLACK)
POLICY_COLOURS = (BLACK, ORANGE, SKY, PURPLE, GREEN, BLUE, VERMILLION)
DASHES = ("-", (0, (5, 1.5)), (0, (6, 1.5, 1, 1.5)), (0, (1.2, 1.2)), (0, (9, 2)), (0, (4, 1.5, 1, 1.5, 1, 1.5)),
          (0, (2.5, 1)))
MARKERS = "os^Dv<>P"

STYLE = {
    "font.size": 8, "axes.titlesize": 7.5, "axes.labelsize": 8, "xtick.labelsize": 7, "ytick.labelsize": 7,
    "legend.fontsize": 7.5, "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6,
    "xtick.major.width": 0.6, "ytick.major.width": 0.6, "xtick.minor.width": 0.4, "ytick.minor.width": 0.4,
    "axes.titlelocation": "left", "legend.frameon": False, "legend.handlelength": 3.6, "legend.borderaxespad": 0.2,
    "lines.solid_capstyle": "butt", "mathtext.fontset": "dejavusans",
    "pdf.fonttype": 42, "svg.hashsalt": "mixlab", "savefig.dpi": 300,
}


def main(arguments=None):
    """Draw what the command line asks for; returns the exit code."""
    options = parse(arguments)
    stem = output_stem(options)
    matplotlib.rcParams.update(STYLE)
    try:
        with open_results(options.results) as results:
            require_place(options)
            figure = draw(results, choose_cells(results, options.cells))
    except ResultsError as error:
        return fail(error, EXIT_BAD_INPUT)
    except (OSError, RuntimeError) as error:  # the HDF5 libraries, on damage inside the file
        return fail(f"unreadable results file: {options.results} ({error}); write it again with mixlab merge",
                    EXIT_BAD_INPUT)
    try:
        print("\n".join(save(figure, stem)))
    except OSError as error:
        return fail(f"figure not written: {stem} ({error.strerror or error}); choose another place with -o",
                    EXIT_WRITE_FAILED)
    return 0


def fail(message, code):
    print(f"figure.py: {message}", file=sys.stderr)
    return code


class Parser(argparse.ArgumentParser):
    def error(self, message):
        self.exit(EXIT_BAD_INPUT, f"{self.prog}: bad command line: {message} (see the usage); try {self.prog} --help\n")


def parse(arguments):
    parser = Parser(
        prog="figure.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example:\n  figure.py sticky.h5 -o figures/sticky --cells 0,3\n"
               "  writes figures/sticky.png, figures/sticky.svg and figures/sticky.pdf")
    parser.add_argument("results", metavar="OUT.h5", help="results file of mixlab run or mixlab merge")
    parser.add_argument("-o", metavar="FILE", dest="output", help="where to write, with or without .png, .svg or .pdf "
                        "(default: OUT); all three are written")
    parser.add_argument("--cells", metavar="0,1,...",
                        help=f"cells to draw, in this order (default: the first {MOST_CELLS})")
    return parser.parse_args(arguments)


def output_stem(options):
    """Path of the figure without its extension."""
    path = options.output or options.results
    stem, extension = os.path.splitext(path)
    known = {"." + name for name in FORMATS} if options.output else {".h5"}
    return stem if extension.lower() in known else path


def require_place(options):
    """Raise unless the output names a file in a folder that exists."""
    folder = os.path.dirname(options.output or options.results) or "."
    if not os.path.isdir(folder):
        raise ResultsError(f"no such folder: {folder} (the figure goes there); create it or choose another with -o")
    if options.output and os.path.isdir(options.output):
        raise ResultsError(f"output is a folder: {options.output} (a file name is needed); add one after -o")


def save(figure, stem):
    """Write the figure in every format, the same bytes for the same results; returns the paths."""
    dateless = {"png": {}, "svg": {"Date": None}, "pdf": {"CreationDate": None}}
    paths = [f"{stem}.{name}" for name in FORMATS]
    for name, path in zip(FORMATS, paths):
        figure.savefig(path, format=name, metadata=dateless[name])
    plt.close(figure)
    return paths


def choose_cells(results, wanted):
    """The cells asked for, or the first few; those without a completed trajectory are left out, and named."""
    known = [int(cell) for cell in results["cell"].values]
    cells = parse_cells(wanted, known) if wanted is not None else known[:MOST_CELLS]
    if len(cells) < len(known) and wanted is None:
        note(f"drawing cells {words(cells)} of {len(known)}; choose others with --cells")
    empty = [cell for cell in cells if n_completed(results, cell) == 0]
    cells = [cell for cell in cells if cell not in empty]
    if not cells:
        raise ResultsError(f"nothing to draw: cells {words(empty)} (no completed trajectory); run the study first "
                           "or choose others with --cells")
    if empty:
        note(f"left out cells {words(empty)}: no completed trajectory")
    return cells


def parse_cells(wanted, known):
    try:
        cells = list(dict.fromkeys(int(word) for word in wanted.split(",")))
    except ValueError:
        raise ResultsError(f"bad --cells: {wanted} (cell numbers and commas); for example --cells 0,1") from None
    for cell in cells:
        if cell not in known:
            raise ResultsError(f"no such cell: {cell} (this file has cells {known[0]} to {known[-1]}); correct --cells")
    return cells


def note(message):
    print(f"figure.py: {message}", file=sys.stderr)


# Words


def words(items):
    return ", ".join(map(str, items))


def number(value):
    return f"{value:g}" if isinstance(value, float) else str(value)


def spread(values):
    """The common value, or the range when they differ."""
    low, high = min(values), max(values)
    return number(low) if low == high else f"{number(low)}–{number(high)}"


def subtitle(results, cells):
    """What every panel shares: how many trajectories and which delta."""
    n_planned = results.sizes["trajectory"]
    done = [n_completed(results, cell) for cell in cells]
    trajectories = f"N = {spread(done)} trajectories per cell"
    if min(done) < n_planned:
        trajectories += f" (of {n_planned} planned)"
    parts = [trajectories, f"δ = {spread([delta_of(results, cell) for cell in cells])}"]
    if len(cells) < results.sizes["cell"]:
        parts.append(f"{len(cells)} of {results.sizes['cell']} cells")
    return ", ".join(parts)


def delta_of(results, cell):
    return cell_value(results, "confidence_delta", cell)


def cell_title(results, cell, n_columns):
    label = cell_value(results, "label", cell) if "label" in results else ""
    return fit(f"cell {cell}: {label}" if label else f"cell {cell}", n_columns)


def fit(text, n_columns):
    """Break a panel's title into lines as wide as the panel."""
    return textwrap.fill(text, width=int(111 / n_columns), max_lines=3, break_on_hyphens=False)


# Cells that share an environment


def parameters(results):
    """Names of the resolved parameters, one value a cell."""
    return [name for name in results.data_vars if name.startswith(SECTIONS) and results[name].dims == ("cell",)]


def environments(results, cells):
    """The cells grouped so that those of a group differ only in [policy]."""
    names = [name for name in parameters(results) if not name.startswith("policy_")]
    groups = {}
    for cell in cells:
        key = tuple(str(cell_value(results, name, cell)) for name in names)  # as text, where NaN equals NaN
        groups.setdefault(key, []).append(cell)
    return list(groups.values())


def differing(results, cells, sections):
    """Parameters of these sections that are not the same in all cells."""
    return [name for name in parameters(results) if name.startswith(sections)
            and len({str(cell_value(results, name, cell)) for cell in cells}) > 1]


def describe(results, cell, names):
    """`key = value` of the parameters that this cell has."""
    values = [(name.split("_", 1)[1], cell_value(results, name, cell)) for name in names]
    return words(f"{key} = {number(value)}" for key, value in values if str(value) not in ("", "nan", "-1"))


def environment_title(results, group, groups, n_columns):
    firsts = [members[0] for members in groups]
    names = differing(results, firsts, ("study_", "problem_", "noise_")) or differing(results, firsts, ("confidence_",))
    cells = f"cell{'s' * (len(group) > 1)} {words(group)}"
    told = describe(results, group[0], names)
    return fit(f"{cells}: {told}" if told else cells, n_columns)


def policy_names(results, group):
    """A name for the policy of each cell of an environment, with the settings that tell equal names apart."""
    names = [cell_value(results, "policy_name", cell) for cell in group]
    told = []
    for cell, name in zip(group, names):
        namesakes = [other for other, other_name in zip(group, names) if other_name == name]
        settings = describe(results, cell, differing(results, namesakes, ("policy_",)))
        told.append(f"{name}, {settings}" if settings else name)
    return told


# Drawing


def draw(results, cells):
    """The whole figure: heading, key of the sets, a panel of coverage per cell, a panel of regret per environment."""
    groups = environments(results, cells)
    title = textwrap.wrap(as_text(results.attrs.get("title", "")), width=88, max_lines=3, break_on_hyphens=False)
    key = coverage_key(results, cells)
    n_key_lines = -(-len(key) // key_columns(key))
    heights = (LINE * (1.15 * len(title) + 1.2), LINE * (n_key_lines + 1.75), ROW * n_rows(len(cells)),
               LINE * 1.5 + ROW * n_rows(len(groups)))
    figure = plt.figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    figure.get_layout_engine().set(w_pad=0.07, h_pad=0.03, wspace=0.02, hspace=0.02)
    heading, legend, coverage, regret = figure.subfigures(4, 1, height_ratios=heights)
    draw_heading(heading, title, subtitle(results, cells), heights[0])
    draw_key(legend, key, heights[1])
    draw_coverage(coverage, results, cells)
    draw_regret(regret, results, groups)
    return figure


def n_columns(n_panels):
    return n_panels if n_panels <= 3 else 2 if n_panels == 4 else 3


def n_rows(n_panels):
    return -(-n_panels // n_columns(n_panels))


def draw_heading(panel, title, facts, height):
    left = MARGIN / WIDTH
    panel.text(left, 1 - 0.06 / height, "\n".join(title), va="top", fontsize=10, fontweight="bold", parse_math=False)
    panel.text(left, 0.03 / height, facts, va="bottom", color=GREY)


def panels(parent, n_panels, share_y):
    """A grid of `n_panels` axes, the surplus ones removed."""
    axes = parent.subplots(n_rows(n_panels), n_columns(n_panels), squeeze=False, sharey=share_y).flatten()
    for surplus in axes[n_panels:]:
        surplus.remove()
    return axes[:n_panels]


def log_rounds(ax, horizon):
    ax.set_xscale("log")
    ax.set_xlim(1, max(horizon, 2))
    ax.xaxis.set_minor_locator(LogLocator(subs=range(2, 10)))
    ax.xaxis.set_minor_formatter(NullFormatter())


def marker_rounds(first, last, index, n_curves, scale):
    """Where curve `index` of `n_curves` has its markers: never where another has its own, so equal curves all show."""
    n_markers = min(5, max(2, 24 // n_curves))
    share = (np.arange(n_markers) + (index + 0.5) / n_curves) / n_markers
    return first * (last / first) ** share if scale == "log" else first + (last - first) * share


def line_width(index, n_curves):
    """Wide for the first curve, which is drawn first, so that none hides under a later one."""
    return np.linspace(2.2, 1.1, n_curves)[index] if n_curves > 1 else 1.6


def set_style(index):
    return {"color": SET_COLOURS[index % len(SET_COLOURS)], "linestyle": DASHES[index % len(DASHES)]}


def marker_style(index, guaranteed):
    colour = SET_COLOURS[index % len(SET_COLOURS)]
    return {"marker": MARKERS[index % len(MARKERS)], "markersize": 4.2, "markeredgewidth": 0.9,
            "markeredgecolor": colour, "markerfacecolor": colour if guaranteed else "white"}


def coverage_key(results, cells):
    """Legend handles: a line a set, and what an open marker means where a set has a guarantee in some cells only."""
    names = set_names(results)
    handles, mixed = [], False
    for index, name in enumerate(names):
        guarantees = {is_guaranteed(results, cell, name) for cell in cells}
        mixed = mixed or len(guarantees) == 2
        handles.append(Line2D([], [], linewidth=line_width(index, len(names)), **set_style(index),
                              **marker_style(index, True in guarantees),
                              label=name if True in guarantees else f"{name} (no guarantee here)"))
    if mixed:
        handles.append(Line2D([], [], linestyle="none", marker="o", markersize=4.2, markeredgecolor=GREY,
                              markerfacecolor="white", label="open marker: no guarantee here"))
    return handles


def key_columns(handles):
    """As many columns as the page holds."""
    widths = [0.61 + TextPath((0, 0), handle.get_label(), size=STYLE["legend.fontsize"]).get_extents().width / 72
              for handle in handles]
    for n in range(len(widths), 1, -1):
        columns = np.array_split(widths, n)  # as the legend splits its entries
        if sum(column.max() for column in columns) <= WIDTH:
            return n
    return 1


def draw_key(parent, key, height):
    left = MARGIN / WIDTH
    parent.text(left, 1 - 0.06 / height, r"$\bf{Anytime\ coverage}$: trajectories with θ* in the set at every round "
                "up to t (band: exact 95 %, pointwise)", va="top", fontsize=8.5)
    parent.legend(handles=key, loc="lower left", bbox_to_anchor=(left, 0), ncol=key_columns(key), borderpad=0,
                  columnspacing=1.4, borderaxespad=0)


def draw_coverage(parent, results, cells):
    axes = panels(parent, len(cells), share_y=True)
    lowest = min(draw_cell_coverage(ax, results, cell) for ax, cell in zip(axes, cells))
    floor = max(0.0, np.floor(10 * lowest - 0.2) / 10)
    axes[0].set_ylim(floor, 1 + 0.04 * (1 - floor))
    for ax, cell in zip(axes, cells):
        ax.set_title(cell_title(results, cell, n_columns(len(cells))), parse_math=False)
    parent.supylabel("coverage", fontsize=8)
    parent.supxlabel("round t", fontsize=8)


def draw_cell_coverage(ax, results, cell):
    """One panel; returns the lowest value that it must show."""
    horizon = cell_value(results, "study_horizon", cell)
    target = 1 - delta_of(results, cell)
    rounds = np.unique(np.geomspace(1, horizon, 600).round().astype(int))
    names = set_names(results)
    lowest = target
    for index, name in enumerate(names):
        curve = anytime_coverage(results, cell, name, rounds)
        if curve.trajectories == 0:
            continue
        style = set_style(index)
        ax.fill_between(rounds, curve.low, curve.high, step="post", color=style["color"], alpha=0.22, linewidth=0)
        ax.plot(rounds, curve.coverage, drawstyle="steps-post", linewidth=line_width(index, len(names)), **style)
        marks = marker_rounds(1, horizon, index, len(names), "log")
        at_marks = curve.coverage.values[np.searchsorted(rounds, marks, side="right") - 1]
        ax.plot(marks, at_marks, linestyle="none", zorder=3, clip_on=False,
                **marker_style(index, is_guaranteed(results, cell, name)))
        lowest = min(lowest, float(curve.low.min()))
    ax.axhline(target, color="black", linestyle=(0, (3, 2)), linewidth=0.8, zorder=1.5)
    ax.annotate(f"1 − δ = {target:.10g}", (0, target), xytext=(3, -2),
                xycoords=("axes fraction", "data"), textcoords="offset points", va="top", fontsize=7)
    log_rounds(ax, horizon)
    return lowest


class PolicyCurves(NamedTuple):
    """What is drawn of one cell's regret; `style` numbers the policies of the figure."""

    name: str
    style: int
    summary: object
    bound: object


def draw_regret(parent, results, groups):
    parent.suptitle(r"$\bf{Cumulative\ regret}$: mean (line), median (thin, with markers), "
                    "1 % to 99 % of the trajectories (band)", x=MARGIN / WIDTH, ha="left", fontsize=8.5)
    curves = policy_curves(results, groups)
    scale = regret_scale(curves)
    for ax, group, members in zip(panels(parent, len(groups), share_y=False), groups, curves):
        horizon = cell_value(results, "study_horizon", group[0])
        draw_group_regret(ax, members, horizon, trivial_slope(results, group[0]), scale)
        if len(groups) > 1:
            ax.set_title(environment_title(results, group, groups, n_columns(len(groups))), parse_math=False)
    parent.supylabel("pseudo-regret", fontsize=8)
    parent.supxlabel("round t", fontsize=8)


def policy_curves(results, groups):
    """A list of curves for each environment; a policy has the same style in all of them."""
    names = [policy_names(results, group) for group in groups]
    styles = list(dict.fromkeys(name for group_names in names for name in group_names))
    return [[PolicyCurves(name, styles.index(name), regret_summary(results, cell), useful_bound(results, cell))
             for cell, name in zip(group, group_names)] for group, group_names in zip(groups, names)]


def useful_bound(results, cell):
    """The worst-case theorem over rounds, None where it says no more than the trivial 2BT at the horizon."""
    if "bound_worst_case" not in results:
        return None
    bound = results["bound_worst_case"].sel(cell=cell).dropna("round")
    bound = bound.where(bound < trivial_slope(results, cell) * bound["round"], drop=True)
    reaches_horizon = bound.size and bound["round"].values[-1] == cell_value(results, "study_horizon", cell)
    return bound if reaches_horizon else None


def trivial_slope(results, cell):
    """2B, the most regret that a round can bring."""
    return 2 * cell_value(results, "problem_norm_bound", cell) if "problem_norm_bound" in results else np.inf


def regret_scale(groups):
    """Linear axes, unless they would press a policy, or the policies under a bound, flat."""
    ratios = []
    for group in groups:
        last = [float(curves.summary["mean"][-1]) for curves in group]
        if min(last) <= 0:
            return "linear"
        bounds = [float(curves.bound[-1]) for curves in group if curves.bound is not None]
        ratios.append(max(last + bounds) / min(last))
    return "log" if max(ratios) > 30 else "linear"


def draw_group_regret(ax, group, horizon, slope, scale):
    """The policies of one environment, and what the theory says where it says anything."""
    start, lowest = log_corner([curves.summary for curves in group]) if scale == "log" else (0, 0)
    largest = 0.0
    for index, curves in enumerate(group):
        draw_policy(ax, curves, marker_rounds(start, horizon, index, len(group), scale))
        largest = max(largest, float(curves.summary.q99[-1]), 0.0 if curves.bound is None else float(curves.bound[-1]))
    if slope * horizon <= largest * (10 if scale == "log" else 1.5):
        ax.plot([1, horizon], [slope, slope * horizon], color=GREY, linewidth=0.8, label="trivial bound 2Bt")
        largest = max(largest, slope * horizon)
    legend = ax.legend(loc="upper left", labelspacing=0.3, frameon=True, framealpha=0.75, edgecolor="none",
                       borderpad=0.1)
    if scale == "log":
        log_rounds(ax, horizon)
        ax.set_xlim(left=start)
        ax.set_yscale("log")
        above = 0.1 * len(legend.get_texts())  # the share of the axis that the legend takes
        ax.set_ylim(lowest, largest * (largest / lowest) ** (above / (1 - above)))
    else:
        ax.set_xlim(0, horizon)
        ax.set_ylim(0, 1.05 * largest or 1)


def policy_style(index):
    return {"color": POLICY_COLOURS[index % len(POLICY_COLOURS)], "linestyle": DASHES[index % len(DASHES)]}


def draw_policy(ax, curves, marks):
    """Mean, median with markers at the rounds `marks`, band and useful bound of one policy."""
    summary, style = curves.summary, policy_style(curves.style)
    rounds, colour = summary["round"].values, style["color"]
    marker = {"marker": MARKERS[curves.style % len(MARKERS)], "markersize": 3.8, "markeredgewidth": 0.9,
              "markerfacecolor": "white"}
    ax.fill_between(rounds, summary.q01, summary.q99, color=colour, alpha=0.13, linewidth=0)
    for edge in (summary.q01, summary.q99):
        ax.plot(rounds, edge, linewidth=0.6, alpha=0.7, **style)
    ax.plot(rounds, summary["mean"], linewidth=1.5, **style)
    ax.plot(rounds, summary["median"], linewidth=0.8, color=colour)
    at_marks = np.interp(marks, rounds, summary["median"])
    ax.plot(marks, at_marks, linestyle="none", color=colour, clip_on=False, **marker)
    ax.plot([], [], linewidth=1.5, label=curves.name, **marker, **style)
    if curves.bound is not None:
        ax.plot(curves.bound["round"], curves.bound, linestyle=(0, (1, 1)), linewidth=1.0, color=colour,
                label="worst-case bound")


def log_corner(summaries):
    """Where logarithmic axes start: where they can show every band whole, or every mean if that comes late."""
    rounds = summaries[0]["round"].values
    q01, mean = (np.min([summary[name].values for summary in summaries], axis=0) for name in ("q01", "mean"))
    early = (q01 > 0) & (rounds <= rounds[-1] / 10)
    first = np.argmax(early) if early.any() else np.argmax(mean > 0)
    return rounds[first], max(q01[first], mean[first] / 10)


if __name__ == "__main__":
    sys.exit(main())
