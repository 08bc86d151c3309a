#!/usr/bin/python3
"""analysis/ as a Python package: pip installs it without network, and it works away from the sources."""
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import unittest

import matplotlib
import numpy as np

from harness import PROJECT, SystemTest, main, run

sys.path.insert(0, str(PROJECT / "analysis"))
from mixlab.report.ellipse import ellipse_of  # noqa: E402
from mixlab.report.looks import SETS, policy_looks, set_looks  # noqa: E402
from mixlab.report.workers import run_forked  # noqa: E402

COMPAT = PROJECT / "tests" / "compat" / "results-1.h5"
PYPROJECT = tomllib.loads((PROJECT / "analysis" / "pyproject.toml").read_text())


class Installed(SystemTest):
    def run_python(self, *words, environment=None):
        process = subprocess.run([*map(str, words)], cwd=self.folder, capture_output=True, text=True,
                                 env={**os.environ, **(environment or {})})
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def test_pip_install(self):
        sources = self.folder / "analysis"  # pip leaves its own files among the sources
        shutil.copytree(PROJECT / "analysis", sources, ignore=shutil.ignore_patterns("build", "*.egg-info"))
        self.run_python(sys.executable, "-m", "venv", "--system-site-packages", "venv")
        python = self.folder / "venv" / "bin" / "python3"
        nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        self.run_python(python, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "./analysis",
                        environment=nowhere)
        shutil.rmtree(sources)
        found = self.run_python(python, "-P", "-c", "import mixlab, mixlab_results; print(mixlab.__file__)")
        self.assertTrue(found.startswith(str(self.folder / "venv")), found)
        self.assert_report(python)

    def assert_report(self, python):
        verdict = self.folder / "verdict.json"
        verdict.write_text(self.mixlab("check", COMPAT, "--format", "json").out)
        self.run_python(python, "-P", "-m", "mixlab.report", COMPAT, "--verdict", verdict, "-o", self.folder / "page")
        page = (self.folder / "page" / "report.html").read_text()
        self.assertIn(json.loads(verdict.read_text())["sentence"], page)
        self.assertIn("<style>\n:root", page)

    def test_version(self):
        """The package has the version of the program."""
        version = PYPROJECT["project"]["version"]
        self.assertTrue(self.mixlab("--version").out.startswith(f"mixlab {version} "))

    def test_all_modules_are_packaged(self):
        folders = {path.parent for path in (PROJECT / "analysis" / "mixlab").rglob("*.py")}
        names = {".".join(folder.relative_to(PROJECT / "analysis").parts) for folder in folders}
        self.assertEqual(names, {*PYPROJECT["tool"]["setuptools"]["packages"]})


class Style(unittest.TestCase):
    def test_matplotlib_stays_as_it_was(self):
        """Figures of a script that imports the package look as before."""
        before = dict(matplotlib.rcParams)
        import mixlab.report.__main__  # noqa: F401
        from mixlab.report.drawing import style
        with style():
            self.assertEqual(matplotlib.rcParams["svg.hashsalt"], "mixlab")
        self.assertEqual(dict(matplotlib.rcParams), before)


class Looks(unittest.TestCase):
    def test_a_set_looks_the_same_in_every_report(self):
        names = [*SETS, "mine", "yours"]
        together = set_looks(names)
        for name in names:
            self.assertEqual(set_looks([name])[name], together[name])
        self.assertEqual(set_looks(reversed(names)), together)

    def test_no_two_built_in_sets_look_the_same(self):
        names = re.findall(r"^  (\S+)", run(["list", "sets"]).out, re.MULTILINE)
        self.assertEqual({*SETS} - {*names}, set(), "a look of no set")
        self.assertEqual(len({*set_looks(names).values()}), len(names))

    def test_policies(self):
        self.assertEqual(policy_looks(["linucb"]), {"linucb": policy_looks(["random", "linucb"])["linucb"]})
        told_apart = policy_looks([f"linucb (delay = {d})" for d in range(6)] + ["random"])
        self.assertEqual(len({look.colour for look in told_apart.values()}), 7)


class Ellipses(unittest.TestCase):
    def test_outline_lies_on_the_level(self):
        """(x - 1)^2 + 4 (y + 2)^2 + (x - 1) (y + 2) <= 3"""
        quadric = np.array([15.0, 0, 15, 1, 1, 4])
        found = ellipse_of(quadric, 3)
        x, y = found.outline().T
        np.testing.assert_allclose((x - 1) ** 2 + 4 * (y + 2) ** 2 + (x - 1) * (y + 2), 3)
        np.testing.assert_allclose(found.centre, [1, -2])
        self.assertIsNone(ellipse_of(quadric, -0.1), "empty")

    def test_what_is_none(self):
        for quadric in ([0, 0, 0, 1, 0, 0], [0, 0, 0, 1, 0, -1], [np.nan] * 6, [0] * 6):
            self.assertIsNone(ellipse_of(np.array(quadric, dtype=float), 1), quadric)


class Workers(unittest.TestCase):
    def test_answers_in_order(self):
        counts = []
        answers = run_forked([lambda i=i: (i, os.getpid()) for i in range(20)], counts.append, 3)
        self.assertEqual([i for i, _ in answers], [*range(20)])
        self.assertEqual(counts[-1], 20)
        self.assertNotIn(os.getpid(), {process for _, process in answers})
        self.assertEqual(run_forked([]), [])

    def test_exceptions_come_through(self):
        def full():
            raise OSError(28, "No space left on device", "x")

        with self.assertRaises(OSError) as caught:
            run_forked([lambda: 1, full], n_processes=2)
        self.assertEqual(caught.exception.errno, 28)

    def test_a_process_that_dies(self):
        with self.assertRaisesRegex(ChildProcessError, "died"):
            run_forked([lambda: 1, lambda: os.kill(os.getpid(), 9)], n_processes=2)


if __name__ == "__main__":
    main()
