"""Write the report on mixlab results files: report.html, and every figure as SVG.

`mixlab report OUT.h5...` calls this with the verdict of `mixlab check OUT.h5 --format json`: no
verdict is made here.
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import xarray

from mixlab.report.context import Report, make_report
from mixlab.report.drawing import style
from mixlab.report.files import open_checked
from mixlab.report.index_page import write_index_page
from mixlab.report.study_page import (
    Tasks,
    as_drawn,
    drawing_tasks,
    reading_tasks,
    write_study_page,
)
from mixlab.report.workers import run_forked
from mixlab.results import ResultsError, as_text, one_line, open_rare, open_results

Progress = Callable[[str, int, int], None]  # what is being done, how many are, of how many
DONE, FAILURE, BAD_INPUT, WRITE_FAILED, INTERRUPTED = 0, 1, 2, 74, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the report that the command line asks for; returns the exit code."""
    options = parse(arguments)
    folder = Path(options.folder)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # and so tidies up
    try:
        reports = open_reports(options)
        rare = open_checked(open_rare, options.rare, options.rare_checked) if options.rare else None
    except (ResultsError, OSError, ValueError) as error:
        return fail(str(error), BAD_INPUT)
    try:
        path = write(reports, folder, progress_on(sys.stderr.isatty()), rare)
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
    print(one_line(as_text(path)))
    return DONE


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mixlab.report",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", metavar="OUT.h5", nargs="+")
    parser.add_argument(
        "--verdict",
        required=True,
        action="append",
        metavar="VERDICT.json",
        help="of mixlab check --format json, one per file; of several, each in a folder of its own",
    )
    parser.add_argument(
        "--checked",
        action="append",
        metavar="IDENTITY",
        help="of the file that mixlab found good, one per file: no other is read",
    )
    parser.add_argument(
        "-o", dest="folder", required=True, metavar="FOLDER", help="where the report goes"
    )
    parser.add_argument("--rare", metavar="RARE.h5", help="of mixlab rare -o")
    parser.add_argument("--rare-checked", metavar="IDENTITY", help="the same of RARE.h5")
    parser.add_argument("--program", metavar="MIXLAB", help="repeats a trajectory to be drawn")
    parser.add_argument("--pdf", action="store_true", help="write figures as PDF, too")
    return parser.parse_args(arguments)


def open_reports(options: argparse.Namespace) -> list[Report]:
    """Open every results file with its verdict; those of several have folders of their own."""
    checked = options.checked or [None] * len(options.results)
    reports = []
    for path, identity, verdict_path in zip(options.results, checked, options.verdict):
        verdict = shown(json.loads(Path(verdict_path).read_text(encoding="utf-8")))
        results = open_checked(open_results, path, identity)
        is_alone = len(options.results) == 1
        folder = Path(options.folder) if is_alone else Path(verdict_path).parent
        report = make_report(results, verdict, folder, Path(path), options.program, options.pdf)
        reports.append(report if is_alone else report._replace(mark=folder.name))
    return reports


def shown(value: Any) -> Any:
    """Give what was read from JSON with texts that are fit to be shown, as those of the results."""
    if isinstance(value, dict):
        return {key: shown(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [shown(inner) for inner in value]
    return one_line(value) if isinstance(value, str) else value


def fail(message: str, code: int) -> int:
    """Say what failed; returns the exit code."""
    print(f"mixlab report: {one_line(as_text(message))}", file=sys.stderr)
    return code


def progress_on(terminal: bool) -> Progress:
    """Choose how progress is shown: one line that a terminal overwrites, else silence."""

    def show(doing: str, n_done: int, n_tasks: int) -> None:
        words = f"{doing}: {n_done}/{n_tasks}" if n_done < n_tasks else ""
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)

    return show if terminal else lambda doing, n_done, n_tasks: None


def write(
    reports: Sequence[Report],
    folder: Path,
    progress: Progress,
    rare: xarray.Dataset | None = None,
) -> Path:
    """Draw and write everything; returns the path of the page."""
    with style():
        reading = [reading_tasks(report, rare) for report in reports]
        read = run_named(reading, partial(progress, "reading"))
        drawing = [*map(drawing_tasks, reports, read)]
        drawn_later = run_named(drawing, partial(progress, "drawing"))
    answers = [{**first, **later} for first, later in zip(read, drawn_later)]
    drawn = [*map(as_drawn, reports, answers)]
    paths = [*map(write_study_page, reports, drawn)]
    return paths[0] if len(paths) == 1 else write_index_page(folder, reports, drawn)


def run_named(
    tasks: Sequence[Tasks], progress: Callable[[int, int], None]
) -> list[dict[Hashable, Any]]:
    """Answers of the tasks of every report, by their names."""
    n_tasks = sum(map(len, tasks))
    progress(0, n_tasks)
    answers = iter(
        run_forked(
            [task for of_report in tasks for task in of_report.values()],
            lambda n_done: progress(n_done, n_tasks),
        )
    )
    return [{name: next(answers) for name in of_report} for of_report in tasks]


if __name__ == "__main__":
    sys.exit(main())
