#!/usr/bin/python3
"""The figures of CLAIMS.md, small SVG files drawn from studies/found alone.

  studies/figures.py            write studies/figures/*.svg
  studies/figures.py --check    exit code 1 if they are not what studies/found says"""
import math
import sys
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parent))

import claims  # noqa: E402
import found  # noqa: E402

FOLDER = found.STUDIES / "figures"

# Okabe-Ito, as in the report: readable without colour vision, and by dashes in grey.
BLUE, VERMILLION, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#666666"
DASHES = {BLUE: "", VERMILLION: "7 3", GREEN: "2 2", PURPLE: "7 2 2 2", GREY: "1 3"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 300, 62, 120, 34, 44


class Line(NamedTuple):
    name: str
    colour: str
    points: list  # (x, y)
    band: list = []  # (x, low, high)


class Axis(NamedTuple):
    label: str
    low: float
    high: float
    logarithmic: bool
    ticks: list

    def place(self, value, begin, end):
        scale = math.log if self.logarithmic else float
        value = min(max(value, self.low), self.high)
        return begin + (scale(value) - scale(self.low)) / (scale(self.high) - scale(self.low)) * (end - begin)


def draw(title, x, y, lines):
    """A figure as SVG text; every line is named where it ends."""
    def at(a, b):
        return f"{x.place(a, LEFT, WIDTH - RIGHT):.1f},{y.place(b, HEIGHT - BOTTOM, TOP):.1f}"

    text = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
            'font-family="DejaVu Sans, Verdana, sans-serif" font-size="12" fill="#222222">', f"<title>{escape(title)}</title>",
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
            f'<text x="{LEFT}" y="18" font-size="13">{escape(title)}</text>', *frame(x, y)]
    for line in lines:
        if line.band:
            edge = [at(a, low) for a, low, _ in line.band] + [at(a, high) for a, _, high in reversed(line.band)]
            text.append(f'<polygon points="{" ".join(edge)}" fill="{line.colour}" opacity="0.2"/>')
        dash = f' stroke-dasharray="{DASHES[line.colour]}"' if DASHES[line.colour] else ""
        text.append(f'<polyline points="{" ".join(at(*point) for point in line.points)}" fill="none" stroke="{line.colour}" '
                    f'stroke-width="2"{dash}/>')
    for line, height in zip(lines, apart([y.place(line.points[-1][1], HEIGHT - BOTTOM, TOP) for line in lines])):
        text.append(f'<text x="{WIDTH - RIGHT + 6}" y="{height + 4:.1f}" fill="{line.colour}">{escape(line.name)}</text>')
    return "\n".join([*text, "</svg>", ""])


def frame(x, y):
    """Axes with ticks and their labels."""
    bottom, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    text = [f'<path d="M{LEFT},{TOP} V{bottom} H{right}" fill="none" stroke="{GREY}"/>',
            f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x.label)}</text>',
            f'<text transform="translate(15,{(TOP + bottom) / 2}) rotate(-90)" text-anchor="middle">{escape(y.label)}</text>']
    for tick in x.ticks:
        place = x.place(tick, LEFT, right)
        text.append(f'<path d="M{place:.1f},{bottom} v4" stroke="{GREY}"/>'
                    f'<text x="{place:.1f}" y="{bottom + 17}" text-anchor="middle" font-size="11">{short(tick)}</text>')
    for tick in y.ticks:
        place = y.place(tick, bottom, TOP)
        text.append(f'<path d="M{LEFT},{place:.1f} h-4" stroke="{GREY}"/>'
                    f'<text x="{LEFT - 7}" y="{place + 4:.1f}" text-anchor="end" font-size="11">{short(tick)}</text>')
    return text


def short(tick):
    """1000, 30000, 1e6."""
    return f"{tick:g}" if tick < 1e5 else f"{tick:.0e}".replace("e+0", "e")


def apart(heights, distance=14):
    """Heights of labels, moved so that none hides another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    placed = list(heights)
    for before, here in zip(order, order[1:]):
        placed[here] = max(placed[here], placed[before] + distance)
    placed[order[-1]] = min(placed[order[-1]], HEIGHT - BOTTOM)
    for here, after in zip(order[-2::-1], order[::-1]):
        placed[here] = min(placed[here], placed[after] - distance)
    return placed


def coverage(tables):
    """What the README opens with."""
    rows = [row for row in tables["curves"] if "mixing-linucb" in row["label"]]
    lines = [Line("1 - delta", GREY, [(1, 0.95), (5000, 0.95)])]
    for name, colour in (("telescope", GREEN), ("paper", BLUE), ("otc", PURPLE), ("oful", VERMILLION)):
        own = [row for row in rows if row["set"] == name]
        lines.append(Line(name, colour, [(int(row["round"]), float(row["coverage"])) for row in own],
                          [(int(row["round"]), float(row["low"]), float(row["high"])) for row in own]))
    return draw("theta* inside the set at every round so far (sticky noise, rho = 0.9)",
                Axis("round", 1, 5000, True, [1, 10, 100, 1000, 5000]),
                Axis("share of trajectories", 0, 1, False, [0, 0.25, 0.5, 0.75, 1]), lines)


def independence(tables):
    """Coverage of the sets for independent noise against the dependence."""
    view = claims.View(tables, "iid-breaks")
    lines = [Line("1 - delta", GREY, [(0, 0.95), (0.98, 0.95)])]
    for name, colour, policy in (("telescope", GREEN, "mixing-linucb"), ("paper", BLUE, "mixing-linucb"),
                                 ("otc", PURPLE, "linucb"), ("oful", VERMILLION, "linucb")):
        rows = view.rows("findings", set=name, label=policy)
        points = [(float(row["label"].split(",")[0].split("=")[1]), row) for row in rows]
        lines.append(Line(name, colour, [(rho, float(row["coverage"])) for rho, row in points],
                          [(rho, float(row["coverage_low"]), float(row["coverage_high"])) for rho, row in points]))
    return draw("Anytime coverage against the correlation of the noise", Axis("rho", 0, 1, False, [0, 0.2, 0.4, 0.6, 0.8, 1]),
                Axis("coverage", 0, 1, False, [0, 0.25, 0.5, 0.75, 1]), lines)


def horizon(tables):
    """Regret over the horizon, and what the theorems say of it."""
    cells = claims.View(tables, "regret-horizon").rows("cells", label="rho=0.9")
    series = {name: [cell for cell in cells if f"set={name}" in cell["label"]] for name in ("paper", "telescope")}

    def line(name, colour, rows, value):
        return Line(name, colour, [(int(cell["horizon"]), value(cell)) for cell in rows])

    lines = [line("Theorem 2", VERMILLION, series["paper"], claims.theorem2),
             line("trivial 2BT", GREY, series["paper"], lambda cell: 2.0 * int(cell["horizon"])),
             line("additive delay", PURPLE, series["telescope"], lambda cell: float(cell["bound"])),
             line("regret, paper", BLUE, series["paper"], lambda cell: float(cell["regret_mean"])),
             line("regret, telescope", GREEN, series["telescope"], lambda cell: float(cell["regret_mean"]))]
    return draw("Mean regret and its theorems (sticky noise, rho = 0.9)",
                Axis("horizon T", 1000, 100000, True, [1000, 3000, 10000, 30000, 100000]),
                Axis("regret", 100, 1e7, True, [100, 1000, 1e4, 1e5, 1e6, 1e7]), lines)


def memory(tables):
    """Regret over the memory of the noise."""
    view = claims.View(tables, "regret-tau")
    lines = []
    for name, colour in (("paper", BLUE), ("selfnorm", PURPLE), ("telescope", GREEN)):
        cells = view.rows("cells", label=f"set={name}")
        lines.append(Line(name, colour, [(float(cell["label"].split(",")[0].split("=")[1]), float(cell["regret_mean"]))
                                         for cell in cells]))
    return draw("Mean regret against the memory of the noise, T = 20 000", Axis("tau", 2, 64, True, [2, 4, 8, 16, 32, 64]),
                Axis("regret", 100, 5000, True, [100, 300, 1000, 3000]), lines)


def delay(tables):
    """Mean regret of Mixing-LinUCB against the delay of its set."""
    view = claims.View(tables, "delay-needed")
    lines = []
    for name, colour, words in (("no bias: invalid for d < 10", VERMILLION, "phi=0"), ("true phi: valid", BLUE, "phi=x1")):
        cells = view.rows("cells", label=words)
        lines.append(Line(name.split(":")[0], colour, [(int(cell["d"]), float(cell["regret_mean"])) for cell in cells]))
    return draw("Mean regret against the delay, T = 5000 (the paper's rule: 75)",
                Axis("delay d", 1, 150, True, [1, 2, 5, 10, 20, 40, 75, 150]),
                Axis("regret", 0, 1200, False, [0, 300, 600, 900, 1200]), lines)


FIGURES = {figure.__name__: figure for figure in (coverage, independence, horizon, memory, delay)}


def drawn():
    """Every figure by its path."""
    tables = found.load()
    return {FOLDER / f"{name}.svg": figure(tables) for name, figure in FIGURES.items()}


def write():
    FOLDER.mkdir(exist_ok=True)
    for path, text in drawn().items():
        path.write_text(text, encoding="utf-8")


def main():
    if sys.argv[1:] != ["--check"]:
        write()
        return 0
    stale = [path.name for path, text in drawn().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if stale:
        print(f"studies/figures: {', '.join(stale)} not what studies/found says; run studies/figures.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
