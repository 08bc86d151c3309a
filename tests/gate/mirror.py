"""Every public header has its test, at the same path, and every unit test the header or source that it mirrors."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

# Headers with nothing to test by themselves, and where it is tested instead.
EXEMPT = {
    "bandit/radius": "plain constants; confidence_set_test compares what is made of them with the oracle",
    "builtins": "main.cpp of the tests calls it first; catalogue_test asks whether all explain themselves",
    "command_line": "the program as a whole: tests/system",
    "core/error": "types without behaviour; tests/system/bad_input.py has the exit codes",
    "core/version": "values of the build; tests/system/words.py",
    "engine/trace": "a plain record; reference_test recomputes everything from it",
    "mixlab": "a facade; tests/system/installed.py has a program that uses it",
    "noise/path": "an interface; one test per process",
    "noise/process": "an interface; one test per process",
    "rare/path_row": "columns of a row; rare_file_test writes and reads them",
}


def headers(root: pathlib.Path) -> set[str]:
    """Public headers, as "folder/name"."""
    top = root / "include/mixlab"
    return {str(path.relative_to(top).with_suffix("")) for path in top.rglob("*.h")}


def mirrored(root: pathlib.Path) -> set[str]:
    """What the unit tests are about, as "folder/name"."""
    top = root / "tests"
    return {str(path.relative_to(top)).removesuffix("_test.cpp") for path in top.rglob("*_test.cpp")}


def complaints(public: set[str], tested: set[str], sources: set[str], exempt: set[str]) -> list[str]:
    """What is not as it should be, a line each."""
    return ([f"include/mixlab/{name}.h has no tests/{name}_test.cpp" for name in sorted(public - tested - exempt)]
            + [f"tests/{name}_test.cpp mirrors no header or source" for name in sorted(tested - public - sources)]
            + [f"{name} is exempt but has a test, or is gone" for name in sorted(exempt & tested | exempt - public)])


def main() -> int:
    """Prints what is wrong; 1 if something is."""
    public, tested = headers(ROOT), mirrored(ROOT)
    sources = {str(path.relative_to(ROOT / top).with_suffix(""))
               for top, pattern in (("src", "*.h"), ("src", "*.cpp"), ("tests", "*.h"))
               for path in (ROOT / top).rglob(pattern)}
    assert len(public) > 80 and len(tested) > 80, "headers or tests not found"
    assert len(complaints({"a/b", "a/x"}, {"a/c"}, set(), {"a/x", "a/y"})) == 3, "it would see one of each"
    wrong = complaints(public, tested, sources, set(EXEMPT))
    print("\n".join(wrong) or f"{len(public)} public headers, {len(EXEMPT)} of them exempt, all others with their test")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
