"""Figures as files: every figure is drawn once and saved as SVG, on request as PDF, too.

The same SVG goes into the page. Names of curves (gid) become data attributes there, and every
axis carries its scale, so that the page can show values and set one curve off, and tests can read
the figures back.
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from mixlab.report.files import replace_file


def save(figure: Figure, stem: Path, prefix: str, pdf: bool) -> str:
    """Write stem.svg, and stem.pdf if wanted; the same bytes for the same results.

    Returns the SVG, whose ids begin with `prefix`.
    """
    svg = svg_text(figure, prefix)
    replace_file(stem.with_suffix(".svg"), svg.encode("utf-8"))
    if pdf:
        drawn = io.BytesIO()
        figure.savefig(drawn, format="pdf", metadata={"CreationDate": None})
        replace_file(stem.with_suffix(".pdf"), drawn.getvalue())
    return svg


def svg_text(figure: Figure, prefix: str) -> str:
    """Compact SVG: a tenth of a point is enough, ids stay only where they are used."""
    for ax in figure.axes:
        if ax.axison:
            scales = json.dumps(axes_scales(ax), ensure_ascii=False, separators=(",", ":"))
            ax.set_gid("axes:" + scales)
    buffer = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    figure.savefig(buffer, format="svg", metadata=nothing)
    svg = buffer.getvalue()
    svg = re.sub(r"^.*?(?=<svg)|<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.S)
    svg = re.sub(r""" id=(["'])(axes|series|set|line):(.*?)\1""", r" data-\2=\1\3\1", svg)
    svg = _with_own_ids(svg, prefix)
    svg = re.sub(r' transform="rotate\(-0 .*?\)"', "", svg)
    svg = re.sub(r' (?:d|x|y)="[^"]*"', _with_tenths, svg)
    return re.sub(r"\s*\n\s*", " ", svg).replace("> <", "><")


def axes_scales(ax: Axes) -> dict[str, Any]:
    """Where an axis lies in the SVG, in points, and what its ends mean."""
    box, (width, height) = ax.get_position(), 72 * ax.figure.get_size_inches()
    x_ends = [round(box.x0 * width, 2), round(box.x1 * width, 2)]
    y_ends = [round((1 - box.y0) * height, 2), round((1 - box.y1) * height, 2)]
    return {
        "x": [*x_ends, *ax.get_xlim(), ax.get_xscale()],
        "y": [*y_ends, *ax.get_ylim(), ax.get_yscale()],
        "name": ax.get_xlabel() or ax.get_label(),
    }


def _with_own_ids(svg: str, prefix: str) -> str:
    """Ids of different figures must differ on one page."""
    used = {*re.findall(r"#(\w+)[\")]", svg)}
    svg = re.sub(
        r' id="(.*?)"',
        lambda found: f' id="{prefix}-{found[1]}"' if found[1] in used else "",
        svg,
    )
    return re.sub(r'(href="|url\()#', rf"\1#{prefix}-", svg)


def _with_tenths(attribute: re.Match[str]) -> str:
    return re.sub(
        r"\d+\.\d\d+", lambda found: f"{float(found[0]):.1f}".removesuffix(".0"), attribute[0]
    )
