"""The figures of one cell: coverage over rounds, how close to a miss, all levels at once, regret."""

import numpy as np

import mixlab_results
from drawing import (DASHES, GREY, HEIGHT, INK, PALE, SMALL, empty, label_ends, label_room, linear_axis, log_axis, number,
                     panel)
from mixlab_results import cell_rows, cell_value


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
    ax.axhline(target, color=INK, linestyle=(0, (3, 2)), linewidth=0.8, zorder=1.5, gid="line:target")
    ax.annotate(f"1 − δ = {target:.10g}", (0, target), xytext=(3, -2), xycoords=("axes fraction", "data"),
                textcoords="offset points", va="top", fontsize=SMALL)
    log_axis(ax.xaxis)
    linear_axis(ax.yaxis, 5)
    ax.set_xlim(1, max(horizon, 2))
    floor = max(0.0, np.floor(10 * lowest - 0.2) / 10)
    ax.set_ylim(floor, 1 + 0.04 * (1 - floor))
    return ends


def marker_places(first, last, index, n_curves):
    """Where curve `index` of `n_curves` has markers: never where another has its own, so that equal curves all show."""
    n_markers = min(5, max(2, 20 // n_curves))
    share = (np.arange(n_markers) + (index + 0.5) / n_curves) / n_markers
    return first * (last / first) ** share


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
            ax.plot([c_low, c_high], [row, row], color=INK, linewidth=2.2, solid_capstyle="butt", zorder=4,
                    gid=f"line:interval of {name}")
            ax.plot([c], [row], marker="|", markersize=9, markeredgewidth=1.4, color=INK, zorder=4, linestyle="none",
                    gid=f"line:c of {name}")
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


def calibration_figure(results, cell, sets, margin):
    """P-P plot of the anytime p-values: share at or below each level, which a valid set keeps under the diagonal.

    `margin`: what chance may add to it (one-sided Dvoretzky-Kiefer-Wolfowitz).
    """
    figure, ax = panel(label_room(sets))
    levels = np.linspace(0, 0.999, 334)
    ax.fill_between([0, 1], [margin, 1 + margin], [2, 2], color=PALE, alpha=0.6, linewidth=0)
    ax.plot([0, 1], [0, 1], color=INK, linewidth=0.8, gid="line:diagonal")
    ax.plot([0, 1], [margin, 1 + margin], color=INK, linewidth=0.6, linestyle=(0, (3, 2)), gid="line:chance")
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
