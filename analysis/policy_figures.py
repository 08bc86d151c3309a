"""The figures of policies that met the same noise."""

import numpy as np

import mixlab_results
from drawing import BLUE, GREY, INK, SKY, SMALL, VERMILLION, label_ends, label_room, linear_axis, panel
from mixlab_results import cell_value


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
    ax.plot([comparison["difference_low"], comparison["difference_high"]], [above, above], color=VERMILLION, linewidth=2.5,
            gid="line:interval")
    ax.plot([mean], [above], marker="|", markersize=9, markeredgewidth=1.6, color=VERMILLION, gid="line:mean")
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
