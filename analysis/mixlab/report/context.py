"""What every section of a report needs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import xarray
from matplotlib.figure import Figure

from mixlab.report.files import make_folder
from mixlab.report.layout import policy_words
from mixlab.report.looks import Looks, policy_looks, set_looks
from mixlab.report.svg import save
from mixlab.report.tables import Record
from mixlab.results import cell_value


class Report(NamedTuple):
    """A results file, its verdict, and how they are drawn."""

    results: xarray.Dataset
    verdict: dict[str, Any]  # of mixlab check --format json
    folder: Path
    sets: Looks
    policies: Looks
    path: Path  # of the results file
    program: str | None = None  # mixlab itself, which can repeat a trajectory
    pdf: bool = False  # whether figures are wanted as PDF, too
    mark: str = ""  # tells its figures from those of other studies on one page

    @property
    def cells(self) -> list[int]:
        """Numbers of the cells."""
        return self.results["cell"].values.tolist()

    @property
    def findings(self) -> list[Record]:
        """What the verdict says of every cell and set."""
        return self.verdict["findings"]

    @property
    def comparisons(self) -> list[Record]:
        """What the verdict says of policies on the same noise."""
        return self.verdict["comparisons"]

    def save(self, figure: Figure, *names: str) -> str:
        """Write a figure of the report, whose files are called `names`; returns its SVG.

        Words of a file in them lead nowhere else.
        """
        names = tuple(re.sub(r"[^\w-]", "_", name) for name in names)
        stem = make_folder(self.folder, "figures", *names[:-1]) / names[-1]
        prefix = re.sub(r"\W", "", self.mark + "".join(names))
        return save(figure, stem, prefix, self.pdf)

    def findings_of(self, cell: int) -> list[Record]:
        """What the verdict says of every set of one cell."""
        return [finding for finding in self.findings if finding["cell"] == cell]

    def horizon_index(self, cell: int) -> int:
        """Where the last round of a cell lies among the rounds of the file."""
        horizon = cell_value(self.results, "study_horizon", cell)
        return int((self.results["round"].values == horizon).argmax())


def make_report(
    results: xarray.Dataset,
    verdict: dict[str, Any],
    folder: Path,
    path: Path,
    program: str | None = None,
    pdf: bool = False,
) -> Report:
    """Choose colours, dashes and markers for the whole report."""
    sets = set_looks(results["set"].values.tolist())
    policies = policy_looks(
        dict.fromkeys(policy_words(results, cell) for cell in results["cell"].values)
    )
    return Report(results, verdict, folder, sets, policies, path, program, pdf)
