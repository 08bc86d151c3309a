#!/usr/bin/python3
"""The Python of the project keeps its rules: flake8 and mypy find nothing, and functions fit on a screen."""
import ast
import subprocess
import sys
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
SCREEN = 54  # lines


def findings(folder, *command):
    """What a tool of Debian's says, run where its configuration lies."""
    words = [sys.executable, "-B", "-m", *command]
    process = subprocess.run(words, cwd=PROJECT / folder, capture_output=True, text=True)
    return "" if process.returncode == 0 else process.stdout + process.stderr


def long_functions(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            n_lines = node.end_lineno - node.lineno + 1
            if n_lines > SCREEN:
                yield f"{path.relative_to(PROJECT)}:{node.lineno}: {node.name} has {n_lines} lines"


class Rules(unittest.TestCase):
    maxDiff = None

    def test_flake8(self):
        for folder in ("analysis", "studies", "tests"):
            with self.subTest(folder):
                self.assertEqual(findings(folder, "flake8", "."), "")

    def test_types(self):
        self.assertEqual(findings("analysis", "mypy", "mixlab", "mixlab_results.py", "example.py"), "")

    def test_functions_fit_on_a_screen(self):
        for folder in ("analysis", "studies", "tests"):
            for path in sorted((PROJECT / folder).rglob("*.py")):
                self.assertEqual([*long_functions(path)], [])


if __name__ == "__main__":
    unittest.main()
