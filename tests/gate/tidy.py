#!/usr/bin/python3
"""clang-tidy has nothing to say, with the checks of .clang-tidy: `tidy.py BUILD [--all]`, BUILD being a build folder.

Without --all it looks at folders whose sources can be read as one, 45 s of one core; with it at every source
of the program, file by file, which takes a quarter of an hour.
"""
import concurrent.futures
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
VERSION = "14"
SKIPPED = 77
QUICK = ("core", "study", "cluster")
# What gcc takes and clang does not; precompiled headers are those of the compiler that made them.
FOREIGN = {"-Winvalid-pch", "-Wno-restrict", "-Wno-maybe-uninitialized", "-Wno-uninitialized"}


def flags_of(command):
    """The flags of a compilation as clang understands them."""
    words = [word for word in shlex.split(command) if word not in FOREIGN]
    compiler = next(i for i, word in enumerate(words) if word.endswith("++"))
    flags, skips = [], {"-o": 1, "-c": 1, "-include": 1}
    rest = iter(words[compiler + 1:])
    for word in rest:
        if word in skips:
            next(rest)
        else:
            flags.append(word)
    return flags


def sources(build, folder):
    """Source -> flags, of the library; sources that are compiled as one are there one by one."""
    entries = json.loads((build / "compile_commands.json").read_text())
    flags = next(flags_of(entry["command"]) for entry in entries if entry["file"].endswith("src/core/version.cpp"))
    if folder:
        return {path: flags for path in sorted((PROJECT / "src" / folder).rglob("*.cpp"))}
    lanes = PROJECT / "src/engine/lanes"  # vector code: gcc's own pragmas and intrinsics
    return {path: flags for path in sorted((PROJECT / "src").rglob("*.cpp")) if lanes not in path.parents}


def findings(program, path, flags):
    """What it says about one file; empty if nothing."""
    words = [program, "--quiet", f"--config-file={PROJECT / '.clang-tidy'}", str(path), "--", *flags]
    process = subprocess.run(words, capture_output=True, text=True)
    return "" if process.returncode == 0 else process.stdout + process.stderr


def main():
    program = shutil.which(f"clang-tidy-{VERSION}")
    if not program:
        print(f"no clang-tidy {VERSION} here")
        return SKIPPED
    build = Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as folder:
        if "--all" in sys.argv:
            work = sources(build, None)
        else:
            together = [path for name in QUICK for path in sources(build, name)]
            one = Path(folder) / "together.cpp"
            # Planted at its end: a mistake that it must see.
            one.write_text("".join(f'#include "{path}"\n' for path in together) + "int* planted() { return 0; }\n")
            work = {one: next(iter(sources(build, QUICK[0]).values()))}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            told = [*pool.map(lambda item: findings(program, *item), work.items())]
    found = "\n".join(told)
    if "--all" not in sys.argv:
        assert found.count("[modernize-use-nullptr") == 1, f"the planted mistake was not seen: {found}"
        found = "\n".join(line for line in found.splitlines() if " error: " in line and "together.cpp" not in line)
    print(found or "nothing found")
    return 1 if found.strip() else 0


if __name__ == "__main__":
    sys.exit(main())
