"""Draw a trajectory in the plane at the round at which theta* leaves a set.

`mixlab trace --plot FILE` calls this with the rounds of the trajectory.
"""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from mixlab.report.drawing import style
from mixlab.report.escape import escape_figure, find_escape
from mixlab.report.files import replace_file
from mixlab.report.svg import svg_text
from mixlab.results import ResultsError, as_text, one_line, open_trace

DONE, BAD_INPUT, WRITE_FAILED = 0, 2, 74


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw what the command line asks for; returns the exit code."""
    options = parse(arguments)
    path = Path(options.plot)
    try:
        trace = open_trace(options.trace)
        with style():
            figure = escape_figure(trace, find_escape(trace, options.only))
            replace_file(path, picture_of(figure, path.suffix))
    except ResultsError as error:
        return fail(str(error), BAD_INPUT)
    except OSError as error:
        return fail(f"cannot write {path}: {error.strerror or error}", WRITE_FAILED)
    return DONE


def fail(message: str, code: int) -> int:
    """Say what failed; returns the exit code."""
    print(f"mixlab trace: {one_line(as_text(message))}", file=sys.stderr)
    return code


def picture_of(figure: Figure, suffix: str) -> bytes:
    """The bytes of a file of that kind, the same for the same trajectory."""
    if suffix == ".svg":
        return svg_text(figure, "escape").encode("utf-8")
    metadata = {"CreationDate": None} if suffix == ".pdf" else {"Software": None}
    picture = io.BytesIO()
    figure.savefig(picture, format=suffix[1:], dpi=200, facecolor="white", metadata=metadata)
    return picture.getvalue()


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python3 -m mixlab.report.plot_trace",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("trace", metavar="TRACE.h5", help="of mixlab trace -o")
    parser.add_argument("--plot", required=True, metavar="FILE", help="ends in .svg, .png or .pdf")
    parser.add_argument("--only", metavar="SET", help="default: the first that misses")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
