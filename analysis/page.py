"""The report as one HTML page that needs nothing else: no request, and no script to be read in full."""

from html import escape
from pathlib import Path
from string import Template
from typing import Callable, NamedTuple

HERE = Path(__file__).resolve().parent
SYMBOLS = {"certified": "✓", "violated": "✗", "undecided": "?"}
MEANINGS = {"certified": "misses θ* with probability at most δ", "violated": "misses θ* too often",
            "undecided": "the data do not decide"}


def page(title, body):
    parts = {"title": escape(title), "body": body, "css": (HERE / "page.css").read_text(encoding="utf-8"),
             "js": (HERE / "page.js").read_text(encoding="utf-8")}
    return Template((HERE / "page.html").read_text(encoding="utf-8")).substitute(parts)


# Words and numbers


def digits(value, n=3):
    """A number with n digits, a large one with all; unknown is a dash."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if 1000 <= abs(value) < 1e9 else f"{value:.{n}g}"


def share(value):
    return "–" if value is None else f"{value:.4f}"


def between(low, high, form=digits):
    return "" if low is None and high is None else f"{form(low)} – {form(high)}"


def state_mark(state):
    return f'<span class="state {state}">{SYMBOLS[state]} {state}</span>'


def outcome(finding):
    """What was expected, and whether it came true."""
    if finding["expected"] == "any":
        return "anything"
    return f'{finding["expected"]}: {"<b>NO</b>" if finding["contradicted"] else "yes"}'


def theory(finding):
    return "guaranteed" if finding["guaranteed"] else f'no: {escape(finding["reason"])}'


def cell_link(cell, words=None):
    return f'<a href="#cell-{cell}">{words or cell}</a>'


# Tables


class Column(NamedTuple):
    heading: str
    kind: str  # number, words or short
    html: Callable  # of a record
    sort: Callable = None  # of a record, where the text itself does not sort
    meaning: str = ""


def table(columns, records, name, attributes=lambda record: ""):
    """A table, a row a record; the page can sort it where that is worth the room that the arrows take."""
    head = "".join(f'<th scope="col" class="{column.kind}" title="{escape(column.meaning)}">{column.heading}</th>'
                   for column in columns)
    rows = "\n".join(f"<tr{attributes(record)}>{''.join(table_cell(column, record) for column in columns)}</tr>"
                     for record in records)
    tall = " tall" if len(records) > 24 else ""
    kind = ' class="sortable"' if len(records) > 5 else ""
    return (f'<div class="scroll{tall}"><table{kind} id="{name}">'
            f"<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>")


def table_cell(column, record):
    value = column.sort(record) if column.sort else None
    key = "" if column.sort is None else f' data-value="{"" if value is None else escape(str(value))}"'
    return f'<td class="{column.kind}"{key}>{column.html(record)}</td>'


def coverage_strip(finding):
    """A small picture of coverage and its interval against 1 - delta, on the scale from 0 to 1."""
    colour, place = f"var(--{finding['state']})", lambda value: f"{3 + 114 * value:.1f}"
    return (f'<svg class="strip" viewBox="0 0 120 20" role="img" aria-label="coverage {share(finding["coverage"])}">'
            f'<path d="M3 10H117" stroke="#ccc"/><path d="M{place(1 - finding["delta"])} 2V18" stroke="#222" '
            f'stroke-dasharray="3 2"/><path d="M{place(finding["coverage_low"])} 10H{place(finding["coverage_high"])}" '
            f'stroke="{colour}" stroke-width="5"/><circle cx="{place(finding["coverage"])}" cy="10" r="3.6" '
            f'fill="{colour}" stroke="#222" stroke-width=".6"/></svg>')


WHERE = (
    Column("cell", "number", lambda f: cell_link(f["cell"]), lambda f: f["cell"]),
    Column("which", "words", lambda f: escape(f["label"])),
)
SET = (
    Column("set", "short", lambda f: f"<b>{escape(f['set'])}</b>"),
    Column("verdict", "short", lambda f: state_mark(f["state"]), lambda f: f["state"],
           "two exact binomial tests with Holm's correction over the whole study"),
    Column("as expected?", "short", outcome, lambda f: ("0" if f["contradicted"] else "1") + f["expected"],
           "what the study expects of the set, and whether the data agree"),
)
STRIP = (
    Column("0 … 1", "short", coverage_strip, lambda f: f["coverage"], "dot: coverage; bar: interval; dashed: 1 − δ"),
)
LEVEL = (
    Column("1\u00a0−\u00a0δ", "number", lambda f: digits(1 - f["delta"], 6), lambda f: 1 - f["delta"]),
)
COVERAGE = (
    Column("anytime coverage", "number", lambda f: share(f["coverage"]), lambda f: f["coverage"],
           "share of trajectories with θ* in the set at every round"),
    Column("interval", "number", lambda f: between(f["coverage_low"], f["coverage_high"], share),
           lambda f: f["coverage_low"], "exact, two-sided"),
    Column("misses", "number", lambda f: f'{f["misses"]} of {f["n"]}', lambda f: f["misses"] / max(f["n"], 1)),
    Column("at the horizon", "number", lambda f: share(f["horizon_coverage"]), lambda f: f["horizon_coverage"],
           "share of trajectories with θ* in the last set alone: it flatters"),
    Column("radius factor", "number", lambda f: digits(f["radius_factor"]), lambda f: f["radius_factor"],
           "√c: with the radius times this factor coverage would be 1 − δ on these data; below 1 the set is wider than needed"),
)
EVIDENCE = (
    Column("Holm p", "number", lambda f: digits(f["holm"], 2), lambda f: f["holm"]),
    Column("c, with interval", "number",
           lambda f: f'{digits(f["c"])} ({between(f["c_low"], f["c_high"])})', lambda f: f["c"],
           "factor on the squared radius that would give coverage 1 − δ exactly"),
    Column("all δ: DKW p", "number", lambda f: digits(f["dkw_p"], 2), lambda f: f["dkw_p"],
           "one-sided Dvoretzky–Kiefer–Wolfowitz test of validity at every δ"),
    Column("all δ: Simes p", "number", lambda f: digits(f["simes_p"], 2), lambda f: f["simes_p"],
           "Simes test of validity at every δ, strong at small δ"),
    Column("would detect", "number", lambda f: digits(f["detectable"]), lambda f: f["detectable"],
           "smallest miss probability that this many trajectories find with 90 % power"),
    Column("theory", "words", theory),
)


def row_attributes(finding):
    kind = ' class="contradicted"' if finding["contradicted"] else ""
    return (f'{kind} data-set="{escape(finding["set"])}" data-state="{finding["state"]}" '
            f'data-outcome="{"contradicted" if finding["contradicted"] else "expected"}"')


def verdict_table(findings):
    where = WHERE if len({finding["cell"] for finding in findings}) > 1 else ()
    level = LEVEL if len({finding["delta"] for finding in findings}) > 1 else ()
    first_what_is_wrong = sorted(findings, key=lambda finding: not finding["contradicted"])
    return table((*where, *SET, *STRIP, *level, *COVERAGE), first_what_is_wrong, "findings", row_attributes)


def cell_verdict(findings):
    return table((*SET, *LEVEL, *COVERAGE, *EVIDENCE), findings, f"findings-{findings[0]['cell']}", row_attributes)


def filters(findings):
    """Choices of rows; the page shows them where scripts run."""
    choices = (("set", "all sets", list(dict.fromkeys(finding["set"] for finding in findings))),
               ("state", "all verdicts", [*SYMBOLS]), ("outcome", "expected or not", ["expected", "contradicted"]))
    return '<div class="filters">Show ' + " ".join(
        f'<select name="{name}" aria-label="{name}"><option value="">{every}</option>'
        + "".join(f"<option>{escape(value)}</option>" for value in values) + "</select>"
        for name, every, values in choices) + "</div>"


def glance(layout, findings, sets, axis_name):
    """The verdict on every set and cell in one picture made of words: a line a set and group, a column a swept value."""
    of = {(finding["cell"], finding["set"]): finding for finding in findings}
    head = "".join(f'<th scope="col">{escape(str(value) if isinstance(value, str) else f"{value:g}")}</th>'
                   for value in layout.values)
    bodies = []
    for name in sets:
        rows = [glance_row(of, name, words, cells, layout.values, first=i == 0, n_rows=len(layout.groups))
                for i, (words, cells) in enumerate(layout.groups.items())]
        bodies.append(f"<tbody>{''.join(rows)}</tbody>")
    return (f'<div class="scroll"><table class="glance"><thead><tr><th></th><th></th><th colspan="{len(layout.values)}">'
            f"{escape(axis_name)}</th></tr><tr><th>set</th><th></th>{head}</tr></thead>{''.join(bodies)}</table></div>")


def glance_row(of, name, words, cells, values, first, n_rows):
    start = f'<th scope="rowgroup" rowspan="{n_rows}" class="set">{escape(name)}</th>' if first else ""
    marks = []
    for value in values:
        finding = of.get((cells.get(value), name))
        if finding is None:
            marks.append("<td></td>")
            continue
        kind = finding["state"] + (" contradicted" if finding["contradicted"] else "")
        told = f'cell {finding["cell"]}, {finding["label"]}: {name} {finding["state"]}, expected {finding["expected"]}'
        marks.append(f'<td class="{kind}" title="{escape(told)}">'
                     + cell_link(finding["cell"], f'{SYMBOLS[finding["state"]]} {finding["coverage"]:.3f}') + "</td>")
    return f'<tr>{start}<th scope="row">{escape(words)}</th>{"".join(marks)}</tr>'


def legend():
    marks = "".join(f"<span>{state_mark(state)} {MEANINGS[state]}</span>" for state in SYMBOLS)
    return f'<div class="legend">{marks}</div>'


COMPARISON = (
    Column("a", "number", lambda c: cell_link(c["cell_a"]), lambda c: c["cell_a"]),
    Column("", "words", lambda c: escape(c["label_a"])),
    Column("b", "number", lambda c: cell_link(c["cell_b"]), lambda c: c["cell_b"]),
    Column("", "words", lambda c: escape(c["label_b"])),
    Column("mean difference a − b", "number", lambda c: digits(c["difference"], 4), lambda c: c["difference"]),
    Column("interval", "number", lambda c: between(c["difference_low"], c["difference_high"]),
           lambda c: c["difference_low"]),
    Column("a wins", "number", lambda c: share(c["win_share"]), lambda c: c["win_share"],
           "share of trajectories on which a has the smaller regret"),
    *(Column(f"{words} {side}", "number", lambda c, key=f"{key}_{side}": digits(c[key], 4),
             lambda c, key=f"{key}_{side}": c[key])
      for key, words in (("mean", "mean"), ("q99", "99 %"), ("largest", "worst")) for side in "ab"),
)
RATE = (
    Column("along", "short", lambda r: escape(r["key"])),
    Column("cells", "words", lambda r: ", ".join(cell_link(cell) for cell in r["cells"])),
    Column("which", "words", lambda r: escape(r["label"])),
    Column("slope of log mean regret", "number", lambda r: digits(r["slope"]), lambda r: r["slope"]),
    Column("interval", "number", lambda r: between(r["slope_low"], r["slope_high"]), lambda r: r["slope_low"],
           "bootstrap over trajectories"),
    Column("corollary predicts", "number", lambda r: digits(r["predicted"]), lambda r: r["predicted"]),
    Column("theorem's own slope", "number", lambda r: digits(r["bound_slope"]), lambda r: r["bound_slope"],
           "of the right-hand side over the same cells, logarithms included"),
)


# Pieces


def figure(svg, heading, explanation, wide=False):
    """A drawing with its heading; the heading also tells it to those who cannot see it."""
    label = escape(f"{heading}: {explanation}")
    svg = svg.replace("<svg ", f'<svg role="img" aria-label="{label}" ', 1)
    size = f' class="wide" style="max-width:{1.7 * natural_width(svg):.0f}px"' if wide else ""
    return (f'<figure{size}><figcaption><b>{escape(heading)}</b> '
            f"<span>{escape(explanation)}</span></figcaption>{svg}</figure>")


def natural_width(svg):
    """In points."""
    return float(svg.split('width="', 1)[1].split("pt", 1)[0])


def figures(pieces):
    layout = "figures pairs" if len(pieces) in (2, 4) else "figures"
    return f'<div class="{layout}">{"".join(pieces)}</div>' if pieces else ""


def controls(cells, sets):
    """Choosers of cell and set; the page shows them where scripts run."""
    options = "".join(f'<option value="cell-{cell}">{cell}: {escape(label)}</option>' for cell, label in cells)
    names = "".join(f"<option>{escape(name)}</option>" for name in sets)
    return (f'<div class="controls"><button value="-1" aria-label="previous cell">‹</button>'
            f'<select name="cell" aria-label="cell">{options}</select><button value="1" aria-label="next cell">›</button>'
            f'<select name="set" aria-label="set" data-names="{escape(" ".join(sets))}">'
            f'<option value="">all sets</option>{names}</select></div>')


def definitions(pairs):
    return "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in pairs) + "</dl>"


def verbatim(text):
    return f"<pre>{escape(text)}</pre>"
