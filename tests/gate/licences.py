#!/usr/bin/python3
"""What the program links is in THIRD-PARTY.md, with its licence; the environment variable MIXLAB names the program."""
import os
import re
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
LOADER = "ld-linux"
SANITIZERS = ("libasan", "libubsan", "libtsan")


def known_libraries(page):
    """Shared objects of the table."""
    rows = [line.split("|") for line in page.splitlines() if line.startswith("| ") and line.count("|") == 4]
    return {name for row in rows if row[3].strip() for name in re.findall(r"`(lib[\w+]+)`", row[2])}


def linked_libraries(program):
    """Shared objects that the program itself asks for, without their versions."""
    told = subprocess.run(["readelf", "-d", program], check=True, capture_output=True, text=True).stdout
    return {name.split(".so")[0] for name in re.findall(r"\(NEEDED\).*\[([^\]]+)\]", told)}


def main():
    known = known_libraries((PROJECT / "THIRD-PARTY.md").read_text(encoding="utf-8"))
    linked = {name for name in linked_libraries(os.environ["MIXLAB"]) if not name.startswith((LOADER, *SANITIZERS))}
    assert {"libc", "libz"} <= known and "libz" in linked, "the table or the program was not understood"
    strangers = sorted(linked - known)
    print(f"not in THIRD-PARTY.md: {', '.join(strangers)}" if strangers else f"{len(linked)} libraries, all known")
    return 1 if strangers else 0


if __name__ == "__main__":
    sys.exit(main())
