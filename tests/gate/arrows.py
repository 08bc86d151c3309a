"""The folders use each other as CONTRIBUTING.md says, and in no other way.

The table there is the rule: `may use` names folders, or single headers as `folder/header`. Includes of src/ and
include/ are compared with it. Besides, what the verdict includes must not drag in linear algebra or bandits.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#include ["<]([^">]+)[">]', re.MULTILINE)
ANYTHING = "all"


def allowed_arrows(page: str) -> dict[str, set[str]]:
    """folder -> folders and headers that it may include, from the table of CONTRIBUTING.md."""
    rows = re.findall(r"^\| `(\w+)/` \|([^|]*)\|", page, re.MULTILINE)
    return {folder: set(re.findall(r"`([\w/]+)`", names)) | ({ANYTHING} if ANYTHING in names.split() else set())
            for folder, names in rows}


def folder_of(path: pathlib.Path) -> str:
    """Folder of the project that a source belongs to; empty for those at the top."""
    relative = path.relative_to(ROOT)
    inside = relative.parts[2:] if relative.parts[0] == "include" else relative.parts[1:]
    return inside[0] if len(inside) > 1 else ""


def place_of(header: str, source: pathlib.Path) -> list[str]:
    """Folder and name of a header of the project, however it is spelt; empty for those of others."""
    if not header.endswith(".h"):
        return []
    for place in (ROOT / "include", ROOT / "src", source.parent):
        path = (place / header).resolve()
        for top in (ROOT / "include/mixlab", ROOT / "src"):
            if path.exists() and path.is_relative_to(top):
                return list(path.relative_to(top).with_suffix("").parts)
    return []


def forbidden_arrows(sources: dict[pathlib.Path, str], allowed: dict[str, set[str]]) -> list[str]:
    """Lines "FILE includes HEADER" for every include that the table does not allow."""
    found = []
    for path, text in sorted(sources.items()):
        folder = folder_of(path)
        if not folder:
            continue  # builtins, main: they put the rest together
        if folder not in allowed:
            found.append(f"{path.relative_to(ROOT)}: folder {folder} is not in CONTRIBUTING.md's table")
            continue
        rules = allowed[folder]
        for header in INCLUDE.findall(text):
            parts = place_of(header, path)
            if not parts or ANYTHING in rules:
                continue
            if len(parts) == 1 or (parts[0] != folder and not {parts[0], "/".join(parts)} & rules):
                found.append(f"{path.relative_to(ROOT)} includes {header}")
    return found


def reach_of(header: str) -> set[str]:
    """Every header that a public header includes, directly or not."""
    seen: set[str] = set()
    waiting = [header]
    while waiting:
        path = ROOT / "include" / waiting.pop()
        if not path.exists():
            continue
        for name in INCLUDE.findall(path.read_text()):
            if name not in seen:
                seen.add(name)
                waiting.append(name)
    return seen


def heavy_headers(folder: str, unwanted: tuple[str, ...]) -> list[str]:
    """Public headers of a folder that drag in what they should not."""
    found = []
    for path in sorted((ROOT / "include/mixlab" / folder).glob("*.h")):
        dragged = [name for name in reach_of(f"mixlab/{folder}/{path.name}") if name.startswith(unwanted)]
        found += [f"mixlab/{folder}/{path.name} drags in {name}" for name in sorted(dragged)]
    return found


def main() -> int:
    """Prints what is wrong; 1 if something is."""
    allowed = allowed_arrows((ROOT / "CONTRIBUTING.md").read_text())
    sources = {path: path.read_text() for top in ("src", "include") for pattern in ("*.h", "*.cpp")
               for path in (ROOT / top).rglob(pattern)}
    wrong = forbidden_arrows(sources, allowed)
    for folder in ("core", "study", "store", "verdict"):
        wrong += heavy_headers(folder, ("armadillo", "mixlab/bandit", "mixlab/noise"))
    # It would see one: a made-up source that includes the floor above, in each of the ways there are.
    for header in ("mixlab/study/study.h", "engine/lanes/pack.h", "../noise/law.h"):
        planted = {ROOT / "src/core/planted.cpp": f'#include "{header}"\n'}
        assert forbidden_arrows(planted, allowed) == [f"src/core/planted.cpp includes {header}"], (header, allowed)
    assert len(allowed) >= 9, f"table of CONTRIBUTING.md not understood: {allowed}"
    print("\n".join(wrong) or f"{len(sources)} sources, no arrow that CONTRIBUTING.md does not have")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
