"""The figures of policies that met the same noise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mixlab.report.drawing import (
    GREY,
    INK,
    SMALL,
    End,
    label_ends,
    label_room,
    linear_ticks,
    panel,
)
from mixlab.report.looks import BLUE, SKY, VERMILLION, Looks
from mixlab.results import cell_value
from mixlab.statistics import QUANTILES


def pair_figure(
    difference: np.ndarray, first: str, second: str, comparison: Mapping[str, Any]
) -> Figure:
    """Draw regret of `first` minus regret of `second` on the same noise.

    Mean, interval and wins are those of the verdict.
    """
    figure, ax = panel(0.12, top=0.22)
    low, high = np.quantile(difference, (0.001, 0.999))
    if high > low:
        edges = np.linspace(min(low, 0), max(high, 0), 61)
    else:
        edges = np.linspace(low - 1, low + 1, 3)
    inside = np.clip(difference, edges[0], edges[-1])
    shares = np.histogram(inside, edges)[0] / difference.size
    steps = np.r_[shares, shares[-1]]
    ax.fill_between(edges, 0, steps, step="post", color=SKY, alpha=0.6, linewidth=0)
    ax.step(edges, steps, where="post", color=BLUE, linewidth=0.8, gid="series:share")
    ax.axvline(0, color=INK, linewidth=0.8)
    _draw_mean(ax, comparison, 1.08 * shares.max())
    ax.set_ylim(0, 1.3 * shares.max())
    ax.set_xlim(edges[0], edges[-1])
    _write_wins(ax, first, second, comparison)
    linear_ticks(ax.xaxis)
    linear_ticks(ax.yaxis, 4)
    ax.set_xlabel(f"regret of {first} − regret of {second}, same noise")
    ax.set_ylabel("share of trajectories")
    return figure


def _draw_mean(ax: Axes, comparison: Mapping[str, Any], height: float) -> None:
    mean = comparison["difference"]
    interval = [comparison["difference_low"], comparison["difference_high"]]
    ax.plot(interval, [height, height], color=VERMILLION, linewidth=2.5, gid="line:interval")
    ax.plot(
        [mean],
        [height],
        marker="|",
        markersize=9,
        markeredgewidth=1.6,
        color=VERMILLION,
        gid="line:mean",
    )
    ax.text(
        mean,
        1.04 * height,
        f"mean {mean:+.3g}",
        ha="center",
        va="bottom",
        fontsize=SMALL,
        color=VERMILLION,
    )


def _write_wins(ax: Axes, first: str, second: str, comparison: Mapping[str, Any]) -> None:
    n, wins = comparison["n"], comparison["wins"]
    losses = n - wins - comparison["ties"]
    for place, side, name, ahead in ((0.0, "left", first, wins), (1.0, "right", second, losses)):
        ax.text(
            place,
            1.02,
            f"{name} ahead: {100 * ahead / n:.3g} %",
            ha=side,
            va="bottom",
            fontsize=SMALL,
            color=GREY,
            transform=ax.transAxes,
        )


def policies_figure(
    results: xarray.Dataset,
    policies: Mapping[int, str],
    regrets: Mapping[int, xarray.Dataset],
    looks_of: Looks,
) -> Figure:
    """Draw the mean regret of each policy (cell -> name) over rounds, from `regret` of the cells.

    The band holds all but 1 % of its trajectories on either side.
    """
    figure, ax = panel(label_room([f"{name} 99 %" for name in policies.values()]))
    largest, ends = 0.0, []
    for cell, name in policies.items():
        summary = regrets[cell]
        rounds, mean, look = summary["round"].values, summary["mean"], looks_of[name]
        quantile = dict(zip(QUANTILES, summary["quantile"].values))
        low, high = quantile[0.01], quantile[0.99]
        line = {"color": look.colour, "linestyle": look.dash}
        ax.fill_between(
            rounds, low, high, color=look.colour, alpha=0.13, linewidth=0, gid=f"set:{name}"
        )
        ax.plot(rounds, high, linewidth=0.6, gid=f"series:{name} 99 %", **line)
        ax.plot(rounds, mean, linewidth=1.6, gid=f"series:{name}", **line)
        ends.append(End(name, name, look.colour, float(mean[-1])))
        ends.append(End(name, f"{name} 99 %", look.colour, float(high[-1])))
        largest = max(largest, float(high.max()))
    linear_ticks(ax.xaxis, 4)
    linear_ticks(ax.yaxis, 5)
    ax.set_xlim(0, cell_value(results, "study_horizon", next(iter(policies))))
    ax.set_ylim(0, 1.05 * largest or 1)
    label_ends(ax, ends)
    ax.set_xlabel("round t")
    ax.set_ylabel("cumulative regret")
    return figure
