"""The report as one HTML page that needs nothing else: no request, and no script to be read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from string import Template

SYMBOLS = {"certified": "✓", "violated": "✗", "undecided": "?", "none": "–"}
MEANINGS = {
    "certified": "misses θ* with probability at most δ",
    "violated": "misses θ* too often",
    "undecided": "the data do not decide",
    "none": "nothing was expected: figures, and no word",
}


def page(title: str, body: str) -> str:
    """Put the whole page together."""
    return Template(_data("page.html")).substitute(
        title=escape(title), body=body, css=_data("page.css"), js=_data("page.js")
    )


def _data(name: str) -> str:
    return resources.files("mixlab.report").joinpath(name).read_text(encoding="utf-8")


# Words and numbers


def digits(value: float | None, n: int = 3) -> str:
    """Write a number with n digits, a large one with all; unknown is a dash."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.{n}g}"


def share(value: float | None) -> str:
    """Write a share of trajectories; unknown is a dash."""
    return "–" if value is None else f"{value:.4f}"


def state_mark(state: str) -> str:
    """Write a verdict with its symbol and colour."""
    return f'<span class="state {state}">{SYMBOLS.get(state, "–")} {state}</span>'


def cell_link(cell: int, words: str | None = None) -> str:
    """Link to the section of a cell."""
    return f'<a href="#cell-{cell}">{words or cell}</a>'


def legend() -> str:
    """Explain the verdicts."""
    marks = "".join(f"<span>{state_mark(state)} {MEANINGS[state]}</span>" for state in SYMBOLS)
    return f'<div class="legend">{marks}</div>'


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    """List names with their values."""
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs)
    return f"<dl>{items}</dl>"


def verbatim(text: str) -> str:
    """Show a text as it is."""
    return f"<pre>{escape(text)}</pre>"


def note(words: str) -> str:
    """Say something aside."""
    return f'<p class="note">{escape(words)}</p>'


def details(summary: str, body: str) -> str:
    """Fold away what few want to see."""
    return f"<details><summary>{summary}</summary>{body}</details>"


# Figures


def figure(svg: str, heading: str, explanation: str, wide: bool = False) -> str:
    """Place a drawing with its heading, which also tells it to those who cannot see it."""
    label = escape(f"{heading}: {explanation}")
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    size = f' class="wide" style="max-width:{1.7 * _natural_width(svg):.0f}px"' if wide else ""
    caption = f"<b>{escape(heading)}</b> <span>{escape(explanation)}</span>"
    return f"<figure{size}><figcaption>{caption}</figcaption>{svg}</figure>"


def _natural_width(svg: str) -> float:
    """Width of a drawing, in points."""
    return float(svg.split('width="', 1)[1].split("pt", 1)[0])


def figures(pieces: Sequence[str]) -> str:
    """Place figures beside each other."""
    layout = "figures pairs" if len(pieces) in (2, 4) else "figures"
    return f'<div class="{layout}">{"".join(pieces)}</div>' if pieces else ""


# Choosers, which the page shows where scripts run


def controls(labels: Iterable[tuple[int, str]], sets: Iterable[str]) -> str:
    """Choosers of cell and set."""
    cells = "".join(
        f'<option value="cell-{cell}">{cell}: {escape(label)}</option>' for cell, label in labels
    )
    names = list(sets)
    options = "".join(f"<option>{escape(name)}</option>" for name in names)
    return (
        '<div class="controls"><button value="-1" aria-label="previous cell">‹</button>'
        f'<select name="cell" aria-label="cell">{cells}</select>'
        '<button value="1" aria-label="next cell">›</button>'
        f'<select name="set" aria-label="set" data-names="{escape(" ".join(names))}">'
        f'<option value="">all sets</option>{options}</select></div>'
    )


def filters(sets: Iterable[str]) -> str:
    """Choosers of the rows of the verdict."""
    choices = (
        ("set", "all sets", list(sets)),
        ("state", "all verdicts", list(SYMBOLS)),
        ("outcome", "expected or not", ["expected", "contradicted"]),
    )
    selects = " ".join(_filter(name, every, values) for name, every, values in choices)
    return f'<div class="filters">Show {selects}</div>'


def _filter(name: str, every: str, values: Iterable[str]) -> str:
    options = "".join(f"<option>{escape(value)}</option>" for value in values)
    every = f'<option value="">{every}</option>'
    return f'<select name="{name}" aria-label="{name}">{every}{options}</select>'
