"""What a study found, in a few words, before what was expected of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from mixlab.report.page import state_mark
from mixlab.report.tables import Record

OUTCOMES = {
    "AS EXPECTED": ("✓", "expected"),
    "CONTRADICTED": ("≠", "contradicted"),
    "UNDECIDED": ("?", "undecided"),
}
STATES = ("violated", "undecided", "certified")  # those that are words


def outcome_mark(verdict: Mapping[str, Any]) -> str:
    """Write whether the study came out as expected, with a symbol of its own for each answer."""
    outcome = verdict["outcome"]
    symbol, kind = OUTCOMES[outcome]
    return f'<span class="outcome {kind}">{symbol} {escape(outcome.lower())}</span>'


def found_words(findings: Sequence[Record]) -> str:
    """List the sets, each with its states and the range of its coverage."""
    names = dict.fromkeys(finding["set"] for finding in findings)
    items = "".join(
        _set_words(name, [finding for finding in findings if finding["set"] == name])
        for name in names
    )
    return f'<ul class="found">{items}</ul>' if items else "nothing yet"


def _set_words(name: str, findings: Sequence[Record]) -> str:
    counts = [(state, sum(finding["state"] == state for finding in findings)) for state in STATES]
    states = " ".join(
        state_mark(state) + (f"&nbsp;×&nbsp;{n}" if len(findings) > 1 else "")
        for state, n in counts
        if n
    )
    shares = [finding["coverage"] for finding in findings]
    low, high = f"{min(shares):.3f}", f"{max(shares):.3f}"
    covers = low if low == high else f"{low} to {high}"
    return f"<li><b>{escape(name)}</b> {states} <span>covers {covers}</span></li>"
