"""The page over several studies: what each found, in a table and then study by study."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from mixlab.report import page, tables
from mixlab.report.context import Report
from mixlab.report.files import replace_file
from mixlab.report.found import found_words, outcome_mark
from mixlab.report.sections import FEW_FINDINGS, glance, sentence, size_words
from mixlab.report.study_page import Drawn


def write_index_page(folder: Path, reports: Sequence[Report], drawn: Sequence[Drawn]) -> Path:
    """Write report.html in `folder`, with links to the pages of the studies; returns its path."""
    title = f"{len(reports)} studies"
    sections = "\n".join(map(study_section, reports, drawn))
    body = f"<h1>{title}</h1>{page.legend()}{index_table(reports)}{sections}"
    path = folder / "report.html"
    replace_file(path, page.page(title, body).encode("utf-8"))
    return path


def index_table(reports: Sequence[Report]) -> str:
    """One line per study; what is contradicted first."""
    order = {"CONTRADICTED": 0, "UNDECIDED": 1}
    ordered = sorted(reports, key=lambda report: order.get(report.verdict["outcome"], 2))
    rows = "\n".join(map(_index_row, ordered))
    return (
        '<div class="scroll"><table class="index"><thead><tr><th scope="col">study</th>'
        '<th scope="col">outcome</th><th scope="col">found</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _index_row(report: Report) -> str:
    title = page.escape(report.results.attrs["title"])
    return (
        f'<tr><td class="words"><a href="#{_anchor(report)}">{title}</a></td>'
        f'<td class="short">{outcome_mark(report.verdict)}</td>'
        f"<td>{found_words(report.findings)}</td></tr>"
    )


def _anchor(report: Report) -> str:
    return f"study-{quote(report.folder.name)}"


def study_section(report: Report, drawn: Drawn) -> str:
    """What a study found, with its figures over all cells and a link to all the rest."""
    address = f"{quote(report.folder.name)}/report.html"
    findings = report.findings
    told = glance(report)
    if not told and len(findings) <= FEW_FINDINGS:
        told = tables.verdict_table(findings, f"findings-of-{_anchor(report)}")
    inside = f"{told}{drawn.escape}{drawn.sweep}".replace("<h2>", "<h3>").replace("</h2>", "</h3>")
    inside = inside.replace('<a href="#', f'<a href="{address}#')  # cells are on its own page
    return (
        f'<section class="study" id="{_anchor(report)}">'
        f'<h2>{page.escape(report.results.attrs["title"])}</h2>'
        f'<p class="soft">{page.escape(size_words(report))}</p>{sentence(report)}{inside}'
        f'<p><a href="{address}">All about this study: every cell, figure and number</a></p>'
        "</section>"
    )
