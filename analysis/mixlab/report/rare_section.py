"""The section on rare events: miscoverage of each set at every level, from `mixlab rare -o`."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray
from matplotlib.figure import Figure

from mixlab.report import page
from mixlab.report.context import Report
from mixlab.report.drawing import (
    GREY,
    TARGET_DASH,
    End,
    label_ends,
    label_room,
    log_x,
    log_y,
    panel,
)
from mixlab.report.looks import set_looks
from mixlab.results import ResultsError


def rare_section(report: Report, estimates: xarray.Dataset | None) -> str:
    """How conservative every set is, at every level that was asked for."""
    if estimates is None:
        return ""
    if estimates.attrs["study_hash"] != report.results.attrs["study_hash"]:
        raise ResultsError(
            f"rare events of another study: {estimates.encoding['source']} (its study hash "
            "differs); run mixlab rare on this OUT.h5"
        )
    cells = dict.fromkeys(estimates["cell"].values.tolist())
    return (
        "<h2>How safe is safe</h2><p>The probability that θ* ever leaves a set made for level δ, "
        "by importance sampling (twisted, selected) and splitting. On the diagonal a set misses "
        "exactly as often as it may; below it is cautious.</p>"
        + page.figures([piece for cell in cells for piece in drawings(report, estimates, cell)])
    )


def drawings(report: Report, estimates: xarray.Dataset, cell: int) -> Iterator[str]:
    """One figure per method."""
    of_cell = estimates.isel(estimate=estimates["cell"].values == cell)
    for method in dict.fromkeys(of_cell["method"].values.tolist()):
        drawn = of_cell.isel(estimate=of_cell["method"].values == method)
        yield page.figure(
            report.save(miss_figure(drawn), f"rare-{cell}-{method}"),
            f"Cell {cell}: miss probability at every level, {method}",
            "log-log, 95 % intervals; dashed: δ itself; open markers: not reliable",
        )


def miss_figure(estimates: xarray.Dataset) -> Figure:
    """Estimates over delta, one curve per set, with the diagonal."""
    names = list(dict.fromkeys(estimates["set"].values.tolist()))
    sets = set_looks(names)
    figure, ax = panel(right=label_room(names))
    deltas = np.unique(estimates["delta"].values)
    if len(deltas) == 1:  # a diagonal needs room
        deltas = np.array([deltas[0] / 5, min(1, 5 * deltas[0])])
    ends = []
    for name in names:
        one = estimates.isel(estimate=estimates["set"].values == name).sortby("delta")
        one = one.isel(estimate=np.isfinite(one["log10_estimate"].values))
        if not one.sizes["estimate"]:
            continue
        look = sets[name]
        delta, log10 = one["delta"].values, one["log10_estimate"].values
        ax.plot(
            delta, 10**log10, color=look.colour, linestyle=look.dash, lw=1, gid=f"series:{name}"
        )
        for i, reliable in enumerate(one["reliable"].values):
            ax.plot(
                delta[i],
                10 ** log10[i],
                look.marker,
                color=look.colour,
                markerfacecolor=look.colour if reliable else "none",
                markersize=4,
                gid=f"set:{name}",
            )
            if reliable:
                ends_of = 10 ** one["log10_low"].values[i], 10 ** one["log10_high"].values[i]
                ax.plot([delta[i]] * 2, ends_of, color=look.colour, lw=0.8, gid=f"set:{name}")
        ends.append(End(name, name, look.colour, 10 ** log10[-1]))
    ax.plot(deltas, deltas, color=GREY, linestyle=TARGET_DASH, lw=0.8, gid="line:δ")
    log_x(ax)
    log_y(ax)
    ax.set_xlabel("δ")
    ax.set_ylabel("P(θ* ever leaves the set)")
    label_ends(ax, ends)
    return figure
