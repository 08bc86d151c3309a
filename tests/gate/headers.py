#!/usr/bin/python3
"""Every public header compiles by itself: `headers.py BUILD [--all]`, BUILD being a build folder.

Without --all it looks at those that programs include which build on mixlab, about 20 s of processor time.
"""
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
ENTRANCES = ("mixlab", "command_line", "bandit/arms", "bandit/delay", "bandit/policy", "core/parameter",
             "noise/process", "random/sampler")


def compiler_and_flags(build):
    """Those of a source of the library, without precompiled headers: they would hide what is missing."""
    entries = json.loads((build / "compile_commands.json").read_text())
    words = next(shlex.split(entry["command"]) for entry in entries if entry["file"].endswith("src/core/version.cpp"))
    compiler = next(i for i, word in enumerate(words) if word.endswith("++"))
    rest = words[compiler + 1:]
    flags = [word for word in rest if word.startswith(("-D", "-std", "-W", "-f"))]
    flags += [word for pair in zip(rest, rest[1:]) if pair[0] == "-isystem" for word in pair]
    return [words[compiler], *flags, "-I", str(PROJECT / "include")]


def complaint(command, header):
    """What the compiler says of a source that includes this header alone; empty if nothing."""
    source = f'#include "{header}"\n'
    process = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=source, capture_output=True,
                             text=True)
    return process.stderr if process.returncode or process.stderr else ""


def main():
    command = compiler_and_flags(Path(sys.argv[1]))
    headers = [f"mixlab/{name}.h" for name in ENTRANCES]
    if "--all" in sys.argv:
        headers = sorted(str(path.relative_to(PROJECT / "include")) for path in (PROJECT / "include").rglob("*.h"))
        assert len(headers) > 80, "headers not found"
    assert complaint(command, "mixlab/no_such_header.h"), "it would see a header that does not compile"
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = [words for words in pool.map(lambda header: complaint(command, header), headers) if words]
    print("\n".join(wrong) or f"{len(headers)} public headers compile by themselves")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
