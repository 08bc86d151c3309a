#!/usr/bin/python3
"""studies/TUTORIAL.md does what it says: its files are saved, its commands run in turn, and show what it shows.

And the notebook beside it: its cells run in turn, as a script.
"""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from harness import PROGRAM, PROJECT, SystemTest, main

PAGE = (PROJECT / "studies" / "TUTORIAL.md").read_text()
NOTEBOOK = json.loads((PROJECT / "studies" / "tutorial.ipynb").read_text())
BLOCK = re.compile(r"(?:Save this as `([^`]+)`[^\n]*\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Tutorial(SystemTest):
    def setUp(self):
        """A shell that finds this mixlab, and the Python that has the libraries."""
        super().setUp()
        tools = self.folder / "tools"
        tools.mkdir()
        (tools / "mixlab").symlink_to(Path(PROGRAM).resolve())
        (tools / "python3").symlink_to(sys.executable)
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "MPLBACKEND": "Agg"}

    def call(self, *words, **options):
        process = subprocess.run([*words], cwd=self.folder, capture_output=True, text=True, timeout=300,
                                 env=self.environment, **options)
        self.assertEqual(process.returncode, 0, f"{words}\n{process.stdout}{process.stderr}")
        return process.stdout

    def test_page(self):
        told = ""
        kinds = []
        for file, kind, text in BLOCK.findall(PAGE):
            kinds.append(kind)
            if file:
                (self.folder / file).write_text(text)
            elif kind == "sh":
                told = self.call("sh", "-e", "-c", text)
            elif kind == "text":
                self.assertIn(text, told)
        self.assertEqual({kind: kinds.count(kind) for kind in kinds}, {"sh": 5, "text": 3, "ini": 1, "python": 1})
        for file in ("figure.svg", "escape.svg"):
            self.assertIn("<svg", (self.folder / file).read_text())
        self.assertIn("<html", (self.folder / "mine-report" / "report.html").read_text())

    def test_notebook(self):
        cells = ["".join(cell["source"]) for cell in NOTEBOOK["cells"] if cell["cell_type"] == "code"]
        self.assertGreater(len(cells), 3)
        for cell in NOTEBOOK["cells"]:
            self.assertFalse(cell.get("outputs"), "a notebook is kept without what it showed")
        self.call(sys.executable, "-", input="\n".join(cells))
        self.assertIn("<svg", (self.folder / "coverage.svg").read_text())


if __name__ == "__main__":
    main()
