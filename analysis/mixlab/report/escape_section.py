"""The section that shows one miss in the plane, recomputed by the program itself."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from mixlab.report import page
from mixlab.report.context import Report
from mixlab.report.escape import Escape, escape_figure, find_escape
from mixlab.report.tables import Record
from mixlab.results import NEVER, cell_value, open_trace


class Miss(NamedTuple):
    """A trajectory on which theta* leaves a set at some round."""

    cell: int
    confidence_set: str
    trajectory: int


def escape_section(report: Report) -> str:
    """Draw the miss that surprises most; nothing without a program or a miss in two dimensions."""
    miss = find_miss(report) if report.program else None
    if miss is None:
        return ""
    words = ["mixlab", "trace", f"{report.results.attrs['name']}.h5", *_arguments(miss)]
    command = shlex.join([*words, "--only", miss.confidence_set, "--plot", "escape.svg"])
    said = f"<p>What a miss looks like; <code>{page.escape(command)}</code> draws it again.</p>"
    return f"<h2>One escape</h2>{said}{_drawing(report, miss)}"


def find_miss(report: Report) -> Miss | None:
    """The first miss of a set that should hold and does not, else of a violated one, else any."""
    missed = [
        finding
        for finding in report.findings
        if finding["misses"] > 0
        and cell_value(report.results, "problem_dimension", finding["cell"]) == 2
    ]
    if not missed:
        return None
    finding = min(missed, key=_surprise)
    name, cell = finding["set"], finding["cell"]
    first = report.results["first_violation"].sel(cell=cell, set=name).values
    return Miss(cell, name, int((first > NEVER).argmax()))


def _surprise(finding: Record) -> tuple[bool, bool]:
    """Sorts what is unexpected first."""
    is_violated = finding["state"] == "violated"
    return not (is_violated and finding["contradicted"]), not is_violated


def _arguments(miss: Miss) -> list[str]:
    return ["--cell", str(miss.cell), "--trajectory", str(miss.trajectory)]


def _drawing(report: Report, miss: Miss) -> str:
    with tempfile.TemporaryDirectory(prefix="mixlab-report-") as folder:
        rounds = Path(folder) / "trace.h5"
        results = report.results.encoding.get("checked", report.path)
        words = [report.program, "trace", results, *_arguments(miss), "-o", rounds]
        process = subprocess.run(list(map(str, words)), capture_output=True, text=True)
        if process.returncode != 0:
            said = (process.stderr or process.stdout).strip().splitlines()[-1:]
            return page.note(f"The trajectory could not be repeated: {''.join(said)}")
        with open_trace(rounds) as trace:
            escape = find_escape(trace, miss.confidence_set)
            drawn = escape_figure(trace, escape)
    svg = report.save(drawn, "escape")
    return page.figure(svg, escape.words(), explanation(miss, escape), wide=True)


def explanation(miss: Miss, escape: Escape) -> str:
    """What the figure shows."""
    return (
        f"trajectory {miss.trajectory} of cell {miss.cell}; every set as it is at round "
        f"{escape.round}, in the whole ball of radius B (grey) with the arms, and enlarged"
    )
