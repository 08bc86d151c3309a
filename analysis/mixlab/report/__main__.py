"""Write the report on a mixlab results file: report.html, and every figure as SVG and PDF.

`mixlab report OUT.h5` calls this with the verdict of `mixlab check OUT.h5 --format json`: no
verdict is made here.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import xarray

from mixlab.report import page
from mixlab.report.cell_sections import cell_section
from mixlab.report.context import Report, make_report
from mixlab.report.drawing import style
from mixlab.report.files import open_checked, replace_file
from mixlab.report.rare_section import rare_section
from mixlab.report.sections import (
    comparison_section,
    head,
    rate_section,
    study_section,
    summary_section,
    verdict_section,
)
from mixlab.report.sweep_section import sweep_section
from mixlab.report.workers import run_forked
from mixlab.results import ResultsError, cell_value, open_rare, open_results

DONE, FAILURE, BAD_INPUT, WRITE_FAILED, INTERRUPTED = 0, 1, 2, 74, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the report that the command line asks for; returns the exit code."""
    options = parse(arguments)
    folder = Path(options.folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and so tidies up
    try:
        verdict = json.loads(Path(options.verdict).read_text(encoding="utf-8"))
        results = open_checked(open_results, options.results, options.checked)
        rare = open_checked(open_rare, options.rare, options.rare_checked) if options.rare else None
    except (ResultsError, OSError, ValueError) as error:
        return fail(str(error), BAD_INPUT)
    try:
        path = write(make_report(results, verdict, folder), progress_on(sys.stderr.isatty()), rare)
    except ResultsError as error:
        return fail(str(error), BAD_INPUT)
    except KeyboardInterrupt:
        return INTERRUPTED
    except ChildProcessError as error:
        return fail(f"report not written: {folder} ({error})", FAILURE)
    except OSError as error:
        return fail(
            f"report not written: {folder} ({error.strerror or error}); free some space or "
            "choose another folder with -o",
            WRITE_FAILED,
        )
    print(path)
    return DONE


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mixlab.report",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", metavar="OUT.h5")
    parser.add_argument(
        "--verdict", required=True, metavar="VERDICT.json", help="of mixlab check --format json"
    )
    parser.add_argument(
        "--checked", metavar="IDENTITY", help="of the file that mixlab found good: no other is read"
    )
    parser.add_argument(
        "-o", dest="folder", required=True, metavar="FOLDER", help="where the report goes"
    )
    parser.add_argument("--rare", metavar="RARE.h5", help="of mixlab rare -o")
    parser.add_argument("--rare-checked", metavar="IDENTITY", help="the same of RARE.h5")
    return parser.parse_args(arguments)


def fail(message: str, code: int) -> int:
    """Say what failed; returns the exit code."""
    words = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in message)
    print(f"mixlab report: {words}", file=sys.stderr)
    return code


def progress_on(terminal: bool) -> Callable[[int, int], None]:
    """Choose how progress is shown: one line that a terminal overwrites, else silence."""

    def show(n_done: int, n_tasks: int) -> None:
        words = f"drawing: {n_done}/{n_tasks}" if n_done < n_tasks else ""
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)

    return show if terminal else lambda n_done, n_tasks: None


def write(
    report: Report,
    progress: Callable[[int, int], None],
    rare: xarray.Dataset | None = None,
) -> Path:
    """Draw and write everything; returns the path of the page."""
    tasks = [
        partial(sweep_section, report),
        *(partial(cell_section, report, cell) for cell in report.cells),
    ]
    progress(0, len(tasks))
    with style():
        sweep, *cells = run_forked(tasks, lambda n_done: progress(n_done, len(tasks)))
        rare_events = rare_section(report, rare)
    labels = [(cell, cell_value(report.results, "label", cell)) for cell in report.cells]
    body = "\n".join(
        [
            head(report),
            verdict_section(report),
            sweep,
            rare_events,
            comparison_section(report),
            rate_section(report),
            summary_section(report),
            "<h2>Cell by cell</h2>" + page.controls(labels, report.sets) + "\n".join(cells),
            study_section(report),
        ]
    )
    path = report.folder / "report.html"
    replace_file(path, page.page(report.results.attrs["title"], body).encode("utf-8"))
    return path


if __name__ == "__main__":
    sys.exit(main())
