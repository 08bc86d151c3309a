"""The tables of the page: findings, comparisons, rates, and the verdict at a glance."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple, Optional

from mixlab.report.layout import Layout
from mixlab.report.page import SYMBOLS, cell_link, digits, share, state_mark

Record = Mapping[str, Any]  # a finding, comparison or rate of the verdict


class Column(NamedTuple):
    """One column of a table of records."""

    heading: str
    kind: str  # number, words or short; lead: at the head of a card
    html: Callable[[Record], str]
    sort: Optional[Callable[[Record], Any]] = None  # where the text itself does not sort
    meaning: str = ""


def table(
    columns: Sequence[Column],
    records: Sequence[Record],
    name: str,
    attributes: Callable[[Record], str] = lambda record: "",
) -> str:
    """Write a table, one row per record; on a narrow screen each row is a card of its own.

    The page can sort it where that is worth the room that the arrows take.
    """
    head = "".join(
        f'<th scope="col" class="{column.kind}" title="{escape(column.meaning)}">'
        f"{column.heading}</th>"
        for column in columns
    )
    rows = "\n".join(
        f"<tr{attributes(record)}>{''.join(_entry(column, record) for column in columns)}</tr>"
        for record in records
    )
    tall = " tall" if len(records) > 24 else ""
    kind = "records sortable" if len(records) > 5 else "records"
    return (
        f'<div class="scroll{tall}"><table class="{kind}" id="{name}">'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>"
    )


def _entry(column: Column, record: Record) -> str:
    key = ""
    if column.sort is not None:
        value = column.sort(record)
        key = f' data-value="{"" if value is None else escape(str(value))}"'
    label = f' data-label="{escape(column.heading)}"' if column.heading else ""
    return f'<td class="{column.kind}"{label}{key}>{column.html(record)}</td>'


def field(name: str) -> Callable[[Record], Any]:
    """Take a field of a record."""
    return lambda record: record[name]


def text_of(name: str) -> Callable[[Record], str]:
    """Take a field of a record as text."""
    return lambda record: escape(record[name])


def digits_of(name: str, n: int = 3) -> Callable[[Record], str]:
    """Take a field of a record with n digits."""
    return lambda record: digits(record[name], n)


def share_of(name: str) -> Callable[[Record], str]:
    """Take a field of a record as share of trajectories."""
    return lambda record: share(record[name])


def between(
    low: str, high: str, form: Callable[[Optional[float]], str] = digits
) -> Callable[[Record], str]:
    """Take two fields of a record as interval; nothing where both are unknown."""

    def html(record: Record) -> str:
        ends = record[low], record[high]
        return "" if ends == (None, None) else f"{form(ends[0])} – {form(ends[1])}"

    return html


# Findings


def outcome(finding: Record) -> str:
    """Say what was expected, and whether it came true."""
    if finding["expected"] == "any":
        return "anything"
    met = "undecided" if finding["state"] == "undecided" else "yes"
    return f'{finding["expected"]}: {"<b>NO</b>" if finding["contradicted"] else met}'


def theory(finding: Record) -> str:
    """Say whether the theory covers the set on these data, and why not."""
    return "guaranteed" if finding["guaranteed"] else f'no: {escape(finding["reason"])}'


def coverage_strip(finding: Record) -> str:
    """Draw coverage and its interval against 1 - delta, on the scale from 0 to 1."""
    colour = f"var(--{finding['state']})"
    target, low, high, at = (
        f"{3 + 114 * value:.1f}"
        for value in (
            1 - finding["delta"],
            finding["coverage_low"],
            finding["coverage_high"],
            finding["coverage"],
        )
    )
    label = f'coverage {share(finding["coverage"])}'
    return (
        f'<svg class="strip" viewBox="0 0 120 20" role="img" aria-label="{label}">'
        '<path d="M3 10H117" stroke="#ccc"/>'
        f'<path d="M{target} 2V18" stroke="#222" stroke-dasharray="3 2"/>'
        f'<path d="M{low} 10H{high}" stroke="{colour}" stroke-width="5"/>'
        f'<circle cx="{at}" cy="10" r="3.6" fill="{colour}" stroke="#222" stroke-width=".6"/></svg>'
    )


WHERE = (
    Column("cell", "number", lambda f: cell_link(f["cell"]), field("cell")),
    Column("parameters", "words", text_of("label")),
)
SET = (
    Column("set", "short lead", lambda f: f"<b>{escape(f['set'])}</b>"),
    Column(
        "verdict",
        "short lead",
        lambda f: state_mark(f["state"]),
        field("state"),
        "right with all others of the study together, except with probability alpha",
    ),
)
EXPECTED = (
    Column(
        "as expected?",
        "short",
        outcome,
        lambda f: ("0" if f["contradicted"] else "1") + f["expected"],
        "what the study expects of the set, and whether the data agree",
    ),
)
STRIP = (
    Column(
        "from 0 to 1",
        "short",
        coverage_strip,
        field("coverage"),
        "dot: coverage; bar: interval; dashed: 1 − δ",
    ),
)
LEVEL = (
    Column(
        "1\u00a0−\u00a0δ",
        "number",
        lambda f: digits(1 - f["delta"], 6),
        lambda f: 1 - f["delta"],
    ),
)
COVERAGE = (
    Column(
        "anytime coverage",
        "number lead",
        share_of("coverage"),
        field("coverage"),
        "share of trajectories with θ* in the set at every round",
    ),
    Column(
        "interval",
        "number",
        between("coverage_low", "coverage_high", share),
        field("coverage_low"),
        "exact, two-sided",
    ),
    Column(
        "misses",
        "number",
        lambda f: f'{f["misses"]} of {f["n"]}',
        lambda f: f["misses"] / max(f["n"], 1),
    ),
    Column(
        "at the horizon",
        "number",
        share_of("horizon_coverage"),
        field("horizon_coverage"),
        "share of trajectories with θ* in the last set alone: optimistic, for comparison only",
    ),
    Column(
        "radius factor",
        "number",
        digits_of("radius_factor"),
        field("radius_factor"),
        "√c: with the radius times this factor coverage would be 1 − δ on these data; "
        "below 1 the set is wider than needed",
    ),
)
C_INTERVAL = between("c_low", "c_high")
EVIDENCE = (
    Column("adjusted p", "number", digits_of("adjusted_p", 2), field("adjusted_p")),
    Column(
        "c, with interval",
        "number",
        lambda f: f'{digits(f["c"])} ({C_INTERVAL(f)})',
        field("c"),
        "factor on the squared radius that would give coverage 1 − δ exactly",
    ),
    Column(
        "all δ: DKW p",
        "number",
        digits_of("dkw_p", 2),
        field("dkw_p"),
        "one-sided Dvoretzky–Kiefer–Wolfowitz test of validity at every δ",
    ),
    Column(
        "all δ: Simes p",
        "number",
        digits_of("simes_p", 2),
        field("simes_p"),
        "Simes test of validity at every δ, strong at small δ",
    ),
    Column(
        "would detect",
        "number",
        digits_of("detectable"),
        field("detectable"),
        "smallest miss probability that is found with probability 0.9",
    ),
)
THEORY = (Column("theory", "words", theory),)


def _finding_attributes(finding: Record) -> str:
    """What the page filters and marks the row by."""
    met = "contradicted" if finding["contradicted"] else "expected"
    kind = ' class="contradicted"' if finding["contradicted"] else ""
    return (
        f'{kind} data-set="{escape(finding["set"])}" data-state="{finding["state"]}" '
        f'data-outcome="{met}"'
    )


def verdict_table(findings: Sequence[Record], name: str = "findings") -> str:
    """All findings, those that are contradicted first."""
    where = WHERE if len({finding["cell"] for finding in findings}) > 1 else ()
    level = LEVEL if len({finding["delta"] for finding in findings}) > 1 else ()
    wrong_first = sorted(findings, key=lambda finding: not finding["contradicted"])
    columns = (*where, *SET, *STRIP, *level, *COVERAGE, *EXPECTED)
    return table(columns, wrong_first, name, _finding_attributes)


def cell_verdict(findings: Sequence[Record]) -> str:
    """The findings of one cell, then their evidence."""
    cell = findings[0]["cell"]
    found = (*SET, *LEVEL, *COVERAGE, *EXPECTED, *THEORY)
    evidence = (SET[0], *LEVEL, *EVIDENCE)
    return table(found, findings, f"findings-{cell}", _finding_attributes) + table(
        evidence, findings, f"evidence-{cell}"
    )


# Comparisons, rates and statistics

COMPARISON = (
    Column("a", "number", lambda c: cell_link(c["cell_a"]), field("cell_a")),
    Column("cell a", "words", text_of("label_a")),
    Column("b", "number", lambda c: cell_link(c["cell_b"]), field("cell_b")),
    Column("cell b", "words", text_of("label_b")),
    Column("mean difference a − b", "number", digits_of("difference", 4), field("difference")),
    Column(
        "interval",
        "number",
        between("difference_low", "difference_high"),
        field("difference_low"),
    ),
    Column(
        "a wins",
        "number",
        share_of("win_share"),
        field("win_share"),
        "share of trajectories on which a has the smaller regret",
    ),
    *(
        Column(f"{words} {side}", "number", digits_of(f"{key}_{side}", 4), field(f"{key}_{side}"))
        for key, words in (("mean", "mean"), ("q99", "99 %"), ("largest", "worst"))
        for side in "ab"
    ),
)
RATE = (
    Column("along", "short", text_of("key")),
    Column("cells", "words", lambda r: ", ".join(cell_link(cell) for cell in r["cells"])),
    Column("parameters", "words", text_of("label")),
    Column("slope of log mean regret", "number", digits_of("slope"), field("slope")),
    Column(
        "interval",
        "number",
        between("slope_low", "slope_high"),
        field("slope_low"),
        "bootstrap over trajectories",
    ),
    Column("corollary predicts", "number", digits_of("predicted"), field("predicted")),
    Column(
        "theorem's own slope",
        "number",
        digits_of("bound_slope"),
        field("bound_slope"),
        "of the right-hand side over the same cells, logarithms included",
    ),
)
SUMMARY = (
    Column("cell", "number", lambda s: cell_link(s["cell"]), field("cell")),
    Column("parameters", "words", text_of("label")),
    Column("statistic", "words", text_of("column")),
    Column("set", "words", text_of("set")),
    *(
        Column(words, "number", digits_of(key, 4), field(key))
        for key, words in (
            ("mean", "mean"),
            ("median", "50 %"),
            ("q99", "99 %"),
            ("smallest", "smallest"),
            ("largest", "largest"),
        )
    ),
)


# The verdict at a glance


def glance(
    layout: Layout, findings: Iterable[Record], sets: Iterable[str], axis_name: str
) -> str:
    """Show the verdict on every set and cell in one picture made of words.

    One line per set and group of cells, one column per swept value.
    """
    of = {(finding["cell"], finding["set"]): finding for finding in findings}
    n_groups, n_values = len(layout.groups), len(layout.values)
    bodies = []
    for name in sets:
        start = f'<th scope="rowgroup" rowspan="{n_groups}" class="set">{escape(name)}</th>'
        lines = []
        for words, cells in layout.groups.items():
            line = [of.get((cells.get(value, -1), name)) for value in layout.values]
            marks = "".join(map(_glance_entry, line))
            lines.append(f'<tr>{start}<th scope="row">{escape(words)}</th>{marks}</tr>')
            start = ""
        bodies.append(f"<tbody>{''.join(lines)}</tbody>")
    head = "".join(
        f'<th scope="col">{escape(value if isinstance(value, str) else f"{value:g}")}</th>'
        for value in layout.values
    )
    return (
        '<div class="scroll"><table class="glance"><thead>'
        f'<tr><th></th><th></th><th colspan="{n_values}">{escape(axis_name)}</th></tr>'
        f"<tr><th>set</th><th></th>{head}</tr></thead>{''.join(bodies)}</table></div>"
    )


def _glance_entry(finding: Record | None) -> str:
    if finding is None:
        return "<td></td>"
    cell, state = finding["cell"], finding["state"]
    kind = state + (" contradicted" if finding["contradicted"] else "")
    told = (
        f'cell {cell}, {finding["label"]}: {finding["set"]} {state}, '
        f'expected {finding["expected"]}'
    )
    symbol = "≠" if finding["contradicted"] else SYMBOLS[state]
    mark = cell_link(cell, f'{symbol} {finding["coverage"]:.3f}')
    return f'<td class="{kind}" title="{escape(told)}">{mark}</td>'
