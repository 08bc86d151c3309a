"""Colour, dash and marker of every set and policy: the same name looks the same in every report."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

# Okabe-Ito.
BLUE, VERMILLION, GREEN, PURPLE = "#0072B2", "#D55E00", "#009E73", "#CC79A7"
ORANGE, SKY, BLACK, BROWN = "#E69F00", "#56B4E9", "#000000", "#7F5539"
COLOURS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, BLACK, BROWN)

Dash = Any  # "-" or (offset, (on, off, ...)), as matplotlib takes it
DASHES: tuple[Dash, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (6, 1.5, 1, 1.5)),
    (0, (1.2, 1.2)),
    (0, (9, 2)),
    (0, (4, 1.5, 1, 1.5, 1, 1.5)),
    (0, (2.5, 1)),
    (0, (7, 1.5, 2, 1.5)),
)
MARKERS = "os^Dv<>P"


class Look(NamedTuple):
    """How one set or policy is drawn."""

    colour: str
    dash: Dash
    marker: str


Looks = Mapping[str, Look]


def _look(colour: str, stroke: int) -> Look:
    return Look(colour, DASHES[stroke], MARKERS[stroke])


# Sets of one family share their colour and differ in dash and marker.
SETS: Looks = {
    "paper": _look(BLUE, 0),
    "theorem1": _look(BLUE, 4),
    "proof": _look(SKY, 4),
    "excess-loss": _look(SKY, 7),
    "oful": _look(VERMILLION, 1),
    "selfnorm": _look(BROWN, 5),
    "otc": _look(GREEN, 2),
    "chains": _look(GREEN, 6),
    "tight": _look(PURPLE, 3),
    "tight-kappa": _look(PURPLE, 6),
    "tight-root": _look(PURPLE, 1),
    "telescope": _look(ORANGE, 6),
    "anytime-telescope": _look(ORANGE, 0),
    "joint": _look(BROWN, 2),
    "adaptive-sticky": _look(BLACK, 1),
    "hac-tau": _look(SKY, 3),
    "hac-lrv": _look(SKY, 5),
    "forecasters": _look(BLACK, 3),
    "lemma1": _look(BROWN, 1),
    "proposition2": _look(BROWN, 7),
    "coin": _look(BLACK, 7),
}
# Colours that sets take last come first: a figure of policies is not taken for one of sets.
POLICY_COLOURS = (BLACK, ORANGE, SKY, PURPLE, GREEN, BLUE, VERMILLION, BROWN)
POLICIES: Looks = {
    name: _look(POLICY_COLOURS[place], place)
    for place, name in enumerate(
        ("mixing-linucb", "linucb", "random", "greedy", "thompson", "oracle", "round-robin")
    )
}


def set_looks(names: Iterable[str]) -> dict[str, Look]:
    """Look of every set: one of its own for those that mixlab has, else chosen by the name."""
    return {name: SETS.get(name) or _hashed(name) for name in names}


def _hashed(name: str) -> Look:
    colour, stroke = divmod(zlib.crc32(name.encode("utf-8")) % 64, 8)
    return _look(COLOURS[colour], stroke)


def policy_looks(names: Iterable[str]) -> dict[str, Look]:
    """Look of every policy: one of its own for those that mixlab has.

    Those told apart by their parameters take what is left, in turn.
    """
    names = list(names)
    others = [name for name in names if name not in POLICIES]
    taken = {POLICIES[name].colour for name in names if name in POLICIES}
    free = [place for place, colour in enumerate(POLICY_COLOURS) if colour not in taken]
    free = free or list(range(len(POLICY_COLOURS)))
    places = {name: free[i % len(free)] for i, name in enumerate(others)}
    return {
        name: POLICIES.get(name) or _look(POLICY_COLOURS[places[name]], places[name])
        for name in names
    }
