#!/usr/bin/python3
"""What analysis/FORMAT.md says is so: its examples run, its tables name what is there, and old files are still read."""
import json
import os
import re
import shutil
import subprocess
import sys

import h5py
import numpy as np

from forgery import SEAL_SIZE, forge, seal_of
from harness import CONTRADICTED, DONE, PROJECT, QUICKSTART, SystemTest, main, run

sys.path.insert(0, str(PROJECT / "analysis"))
import mixlab  # noqa: E402
from mixlab import results  # noqa: E402

PAGE = (PROJECT / "analysis" / "FORMAT.md").read_text()
COMPAT = PROJECT / "tests" / "compat"


def example(language):
    """The indented block after the paragraph that begins "In LANGUAGE"."""
    paragraph, block = rf"^In {re.escape(language)}[^\n]*\n(?:[^\n]+\n)*", r"((?:    [^\n]*\n|\n)+)"
    code = re.search(rf"{paragraph}\n{block}", PAGE, re.MULTILINE).group(1)
    return re.sub(r"^    ", "", code, flags=re.MULTILINE)


class Examples(SystemTest):
    def setUp(self):
        super().setUp()
        self.compute(QUICKSTART, "quickstart.h5", "--set", "study.trajectories=40", "--set", "study.horizon=2000")
        findings = json.loads(self.mixlab("check", "quickstart.h5", "--format", "json").out)["findings"]
        self.coverage = [f["coverage"] for f in findings if f["set"] == "oful"]
        self.assertNotIn(1.0, self.coverage, "an example that gives 1 everywhere shows nothing")

    def output_of(self, command, language, file, version):
        program = shutil.which(command[0])
        if not program or subprocess.run([program, *version], capture_output=True).returncode != 0:
            self.skipTest(f"no {language} with its netCDF package here")
        (self.folder / file).write_text(example(language).replace('"paper"', '"oful"'))
        process = subprocess.run([program, *command[1:], file], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(process.returncode, 0, process.stderr)
        return process.stdout

    def assert_told(self, output):
        for value in self.coverage:
            self.assertIn(f"{value:.3g}".rstrip("0"), output)
        for word in ("mixing-linucb", "linucb", "Independent-noise sets break"):
            self.assertIn(word, output)

    def test_python(self):
        self.assert_told(self.output_of((sys.executable,), "Python", "a.py", ("-c", "import xarray, h5netcdf")))

    def test_package(self):
        process = subprocess.run([sys.executable, "-B", "-c", example("Python with the package `mixlab`")],
                                 cwd=self.folder, capture_output=True, text=True,
                                 env={**os.environ, "PYTHONPATH": str(PROJECT / "analysis")})
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertAlmostEqual(float(process.stdout.split()[0]), self.coverage[1])

    def test_r(self):
        self.assert_told(self.output_of(("Rscript",), "R", "a.R", ("-e", "library(ncdf4)")))

    def test_octave(self):
        self.assert_told(self.output_of(("octave", "--no-gui", "--quiet"), "Octave", "a.m",
                                        ("--no-gui", "--eval", "pkg load netcdf")))


class Page(SystemTest):
    def test_every_variable_and_attribute_is_on_the_page(self):
        out = self.compute(self.study(), "out.h5")
        section = PAGE[PAGE.index("## Results"):PAGE.index("## Parts")]
        sections = ("study_", "problem_", "noise_", "policy_", "confidence_")
        with h5py.File(out) as file:
            names = [name for name in file if not name.startswith(sections)] + list(file.attrs)
        self.assertEqual([name for name in names if f"`{name}`" not in section], [])


class Layout(SystemTest):
    """The program's own table of variables against the page and the Python package."""

    def setUp(self):
        super().setUp()
        self.layout = json.loads(self.mixlab("describe", "format", "--format", "json").out)

    def test_the_page_has_the_tables(self):
        tables = PAGE[PAGE.index("## Results"):PAGE.index("String variables carry")]
        cells = [[cell.strip() for cell in line.strip("|").split(" | ")]
                 for line in tables.splitlines() if line.startswith("| `")]
        on_page = {row[0].strip("`"): row[1:] for row in cells if row[0] != "`SECTION_KEY`"}
        told = {}
        for variable in self.layout["variables"]:
            is_dimension = variable["dimensions"] == [variable["name"]]
            told[variable["name"]] = [*([] if is_dimension else [" ".join(variable["dimensions"])]), variable["type"],
                                      variable["meaning"], str(variable["since"])]
        self.assertEqual(on_page, told)
        self.assertIn(f"format version {self.layout['format_version']}", PAGE)

    def test_the_package_knows_what_it_reads(self):
        told = {variable["name"]: (tuple(variable["dimensions"]), variable["since"])
                for variable in self.layout["variables"]}
        self.assertEqual(results.COLUMNS, {name: told.get(name) for name in results.COLUMNS})
        self.assertEqual(list(results.OPTIONAL), [v["name"] for v in self.layout["variables"] if v["optional"]])
        self.assertEqual(results.NEWEST_VERSION, self.layout["format_version"])


def to_version_1(file):
    """A part as the first version had it."""
    for name in ("fresh_potential", "stale_rounds"):
        del file[name]
    del file.attrs["n_declared"]
    file.attrs.modify("format_version", np.int64(1))


class OldFiles(SystemTest):
    """A results file of every format version, as the program of its time wrote it."""

    def test_every_version_is_read(self):
        files = sorted(COMPAT.glob("results-*.h5"))
        self.assertTrue(files)
        for old in files:
            with self.subTest(old.name):
                expected = json.loads(old.with_suffix(".json").read_text())
                told = json.loads(self.mixlab("check", old, "--format", "json").out)
                for before, now in zip(expected["findings"], told["findings"], strict=True):
                    self.assertEqual({key: now[key] for key in before}, before)
                self.assertTrue(json.loads(self.mixlab("status", old, "--format", "json").out)["complete"])
                self.mixlab("export", old, "-o", f"{old.stem}-tables")
                self.mixlab("diff", old, old)
                traced = run(("trace", old, "--cell", 1, "--trajectory", 7), folder=self.folder)
                self.assertIn(traced.code, (DONE, CONTRADICTED), traced.err)  # last bits of an older program

    def test_every_version_grows(self):
        for old in sorted(COMPAT.glob("results-*.h5")):
            with self.subTest(old.name):
                grown = self.folder / old.name
                shutil.copy(old, grown)
                self.mixlab("run", COMPAT / "study.cfg", "--set", "study.trajectories=80", "--allow-mixed", "--quiet",
                            "-o", grown)
                with mixlab.open_results(old) as before, mixlab.open_results(grown) as after:
                    self.assertEqual(int(after.completed.sum()), 4 * 80)
                    for name in ("regret", "first_violation", "log10_p", "sup_ratio", "potential"):
                        np.testing.assert_array_equal(after[name][:, :60], before[name])

    def test_parts_of_version_1_are_merged(self):
        """Finished work is never asked to be deleted."""
        for i in (0, 1):
            self.compute(COMPAT / "study.cfg", "out.h5", "--shard", f"{i}/2")
        whole = self.compute(COMPAT / "study.cfg", "whole.h5")
        for part in (self.folder / "out.h5.parts").glob("c*.h5"):
            forge(part, to_version_1)
            image = part.read_bytes()[:-SEAL_SIZE]
            part.write_bytes(seal_of(image, version=1) + image)
        self.mixlab("merge", "out.h5")
        newer = ("fresh_potential", "stale_rounds")
        with mixlab.open_results(self.folder / "out.h5") as merged, mixlab.open_results(whole) as results:
            self.assertTrue(np.isnan(merged.fresh_potential).all())
            self.assertTrue((merged.stale_rounds == -1).all())
            for name in results.data_vars:
                if "trajectory" in results[name].dims and name not in newer:
                    np.testing.assert_array_equal(merged[name], results[name], name)
        self.mixlab("check", "out.h5")


if __name__ == "__main__":
    main()
