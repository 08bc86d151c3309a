#!/usr/bin/python3
"""clang-format has nothing to say, in the version that .clang-format is written for; others differ in details."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
VERSION = "14"
SKIPPED = 77


def main():
    program = shutil.which(f"clang-format-{VERSION}") or shutil.which("clang-format")
    if not program:
        print("no clang-format here")
        return SKIPPED
    version = subprocess.run([program, "--version"], check=True, capture_output=True, text=True).stdout
    if not re.search(rf"version {VERSION}\.", version):
        print(f"needs clang-format {VERSION}, here is {version.strip()}")
        return SKIPPED
    sources = [path for top in ("src", "include", "tests", "studies") for pattern in ("*.cpp", "*.h", "*.c")
               for path in sorted((PROJECT / top).rglob(pattern))]
    assert len(sources) > 300, "sources not found"
    checked = subprocess.run([program, "--dry-run", "--Werror", *sources], capture_output=True, text=True)
    print(checked.stderr or f"{len(sources)} files as clang-format would have them")
    return checked.returncode


if __name__ == "__main__":
    sys.exit(main())
