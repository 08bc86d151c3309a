#!/usr/bin/python3
"""mixlab report: files, exit codes, and the page as a browser shows it."""
import html
import json
import os
import pty
import re
import subprocess
import tomllib
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import browser
from harness import BAD_INPUT, CONTRADICTED, DONE, PROGRAM, PROJECT, WRITE_FAILED, SystemTest, flip_byte, main, run

FAILURE = 1
TITLE = 'Größe <script>document.title="run"</script> & "β"'
SWEPT = {"study_title": TITLE, "study_trajectories": 60, "noise_rho": "0.2, 0.5, 0.9"}
CELL_FIGURES = {"coverage", "ratio", "calibration", "regret"}


class ReportTest(SystemTest):
    def report(self, out="out.h5", *options, code=DONE):
        self.mixlab("report", out, *options, code=code)
        return (self.folder / "out-report" / "report.html").read_text() if not options else None


class Files(ReportTest):
    def test_everything_is_written(self):
        self.compute(self.study(**{**SWEPT, "noise_rho": 0.9}), "out.h5")
        self.report("out.h5", "--pdf")
        folder = self.folder / "out-report"
        page = (folder / "report.html").read_text()
        verdict = json.loads(self.mixlab("check", "out.h5", "--format", "json").out)
        self.assertEqual(json.loads((folder / "verdict.json").read_text()), verdict)
        self.assertIn(html.escape(verdict["sentence"]), page)
        self.assertNotIn("The study file with", page)
        for finding in verdict["findings"]:
            cell, name = finding["cell"], finding["set"]
            row = re.search(rf'<tr[^>]*><td[^>]*><a href="#cell-{cell}">.*?<b>{name}</b>.*?</tr>', page)
            for number in (finding["coverage"], finding["coverage_low"], finding["horizon_coverage"]):
                self.assertIn(f"{number:.4f}", row[0])
            self.assertIn(finding["state"], row[0])
        for cell in range(2):
            names = {path.name for path in (folder / "figures" / f"cell-{cell:03d}").iterdir()}
            self.assertLessEqual({f"{name}.{kind}" for name in CELL_FIGURES for kind in ("svg", "pdf")}, names)
        for path in (folder / "figures").rglob("*.svg"):
            self.assertTrue(xml.parse(path).getroot().tag.endswith("svg"), path)
            self.assertTrue(path.with_suffix(".pdf").read_bytes().startswith(b"%PDF"), path)

    def test_same_results_same_bytes(self):
        """Whatever the number of processes that draw."""
        self.compute(self.study(study_horizon=20, policy_name="linucb"), "out.h5")
        one_core = ["taskset", "-c", str(min(os.sched_getaffinity(0))), PROGRAM, "report", "out.h5", "-o", "a"]
        subprocess.run(one_core, cwd=self.folder, check=True, capture_output=True)
        self.assertEqual(self.mixlab("report", "out.h5", "-o", "b").err, "", "no progress but on a terminal")
        of = {folder: {path.relative_to(self.folder / folder): path.read_bytes()
                       for path in (self.folder / folder).rglob("*") if path.is_file()} for folder in "ab"}
        self.assertEqual(of["a"], of["b"])

    def test_contradiction(self):
        self.compute(self.study(expect_paper="broken", study_trajectories=200), "out.h5", "--set", "study.horizon=20")
        page = self.report(code=CONTRADICTED)
        self.assertIn('class="sentence contradicted"', page)
        self.assertLess(page.index("The study file with study.horizon=20"), page.index("<h2>Verdict"))

    def test_partial(self):
        self.compute(self.study(study_part=5), "out.h5", "--shard", "0/8")
        self.mixlab("merge", "out.h5", "--partial")
        page = self.report()
        self.assertIn("5 of 40 trajectories have been run", page)
        self.assertIn("No trajectory of this cell has been run", page)

    def test_odd_cells(self):
        """One trajectory, one round, policies without regret, a ball of arms."""
        for name, keys in {"one": {"study_trajectories": 1, "study_horizon": 1, "policy_name": "linucb"},
                           "two": {"study_trajectories": 2, "study_horizon": 2, "policy_name": "oracle"},
                           "ball": {"problem_arms": "ball", "policy_name": "random"},
                           "nothing": {"noise_rho": "0.2, 0.9", "policy_name": "oracle"}}.items():
            with self.subTest(name):
                self.compute(self.study(f"{name}.cfg", **keys), f"{name}.h5")
                self.mixlab("report", f"{name}.h5")


class Words(SystemTest):
    """The tables and sentences of the page, against the verdict."""

    @classmethod
    def setUpClass(cls):
        here = ReportTest("setUp")
        here.setUp()
        cls.addClassCleanup(here.doCleanups)
        here.compute(here.study(**SWEPT, expect_otc="broken", expect_oful="any; broken if noise.rho=0.9"), "out.h5")
        cls.page = here.report(code=CONTRADICTED)
        cls.verdict = json.loads((here.folder / "out-report" / "verdict.json").read_text())

    def table(self, name):
        """Rows of a table: the value that a column sorts by, else its text."""
        body = re.search(rf'id="{name}">.*?<tbody>(.*?)</tbody>', self.page, re.DOTALL)[1]
        return [[sort or html.unescape(re.sub("<[^>]*>", "", text))
                 for sort, text in re.findall(r'<td[^>]*?(?: data-value="([^"]*)")?>(.*?)</td>', row)]
                for row in re.findall("<tr.*?</tr>", body, re.DOTALL)]

    def assert_row(self, row, wanted):
        self.assertEqual(row, ["–" if value is None else str(value) for value in wanted])

    def outcome(self, finding):
        if finding["expected"] == "any":
            return "1any"
        return ("0" if finding["contradicted"] else "1") + finding["expected"]

    def test_findings(self):
        """What is contradicted comes first."""
        findings = self.verdict["findings"]
        self.assertEqual({finding["contradicted"] for finding in findings}, {False, True}, "dull study")
        ordered = [f for f in findings if f["contradicted"]] + [f for f in findings if not f["contradicted"]]
        for row, f in zip(self.table("findings"), ordered, strict=True):
            self.assert_row(row, [f["cell"], f["label"], f["set"], f["state"], f["coverage"], f["coverage"],
                                  f["coverage_low"], f["misses"] / f["n"], f["horizon_coverage"], f["radius_factor"],
                                  self.outcome(f)])
        for cell in range(6):
            own = [f for f in findings if f["cell"] == cell]
            for row, f in zip(self.table(f"findings-{cell}"), own, strict=True):
                self.assertEqual(row[-1], "guaranteed" if f["guaranteed"] else f"no: {f['reason']}")
            for row, f in zip(self.table(f"evidence-{cell}"), own, strict=True):
                self.assert_row(row[2:], [f["adjusted_p"], f["c"], f["dkw_p"], f["simes_p"], f["detectable"]])

    def test_found_comes_before_expected(self):
        """The head says of every set what was found, and how far its coverage reaches."""
        head = self.page[:self.page.index("<h2>")]
        self.assertLess(head.index('<ul class="found">'), head.index(html.escape(self.verdict["sentence"])))
        for name in ("paper", "oful", "otc"):
            own = [f for f in self.verdict["findings"] if f["set"] == name]
            item = re.search(rf"<li><b>{name}</b>.*?</li>", head)[0]
            for state in ("violated", "undecided", "certified"):
                n = sum(f["state"] == state for f in own)
                self.assertEqual(f"{state}</span>&nbsp;×&nbsp;{n}" in item, n > 0, item)
            self.assertIn(f'covers {min(f["coverage"] for f in own):.3f}', item)

    def test_contradictions_are_marked(self):
        for f in self.verdict["findings"]:
            entry = re.search(rf'<td class="([^"]*)" title="cell {f["cell"]}, [^"]*: {f["set"]} [^"]*">(.*?)</td>',
                              self.page)
            self.assertEqual(entry[1], f["state"] + " contradicted" * f["contradicted"])
            self.assertIn(f'href="#cell-{f["cell"]}"', entry[2])
            self.assertIn(f'{f["coverage"]:.3f}<', entry[2])
        marked = re.findall(r'<tr class="contradicted".*?</tr>', self.page)
        self.assertEqual(len(marked), 2 * sum(f["contradicted"] for f in self.verdict["findings"]))
        for row in marked:
            self.assertRegex(row, ">(holds|broken): <b>NO</b><")
        self.assertEqual(self.page.count("<b>NO</b>"), len(marked))

    def test_strips(self):
        for strip, f in zip(re.findall(r'<svg class="strip".*?</svg>', self.page),
                            sorted(self.verdict["findings"], key=lambda f: not f["contradicted"]), strict=True):
            low, high, at, target = (f"{3 + 114 * value:.1f}" for value in
                                     (f["coverage_low"], f["coverage_high"], f["coverage"], 1 - f["delta"]))
            for piece in (f'M{low} 10H{high}"', f'cx="{at}"', f'M{target} 2V18"', f'stroke="var(--{f["state"]})"'):
                self.assertIn(piece, strip)

    def test_comparisons_and_rates(self):
        for row, c in zip(self.table("comparisons"), self.verdict["comparisons"], strict=True):
            self.assert_row(row, [c["cell_a"], c["label_a"], c["cell_b"], c["label_b"], c["difference"],
                                  c["difference_low"], c["win_share"], c["mean_a"], c["mean_b"], c["q99_a"], c["q99_b"],
                                  c["largest_a"], c["largest_b"]])
        self.assertGreater(len(self.verdict["rates"]), 0, "dull study")
        for row, r in zip(self.table("rates"), self.verdict["rates"], strict=True):
            self.assert_row(row, [r["key"], ", ".join(map(str, r["cells"])), r["label"], r["slope"], r["slope_low"],
                                  r["predicted"], r["bound_slope"]])

    def test_bounds(self):
        for bound in self.verdict["bounds"]:
            section = self.page[self.page.index(f'id="cell-{bound["cell"]}"'):].split("</section>")[0]
            if bound["applies"]:
                self.assertIn(f'{bound["violations"]} of {bound["n"]} trajectories exceed', section)
                self.assertEqual("(above the trivial 2BT)" in section, bound["vacuous"])
            else:
                self.assertIn("No regret theorem speaks about this policy", section)
            self.assertIn(f'{bound["potential_violations"]} trajectories above it', section)


class Several(ReportTest):
    """Several files: an index of studies, findings first, and a page for each."""

    def test_index(self):
        self.compute(self.study(study_title="Holds & <b>", study_horizon=20), "a.h5")
        (self.folder / "elsewhere").mkdir()
        changes = {"study_title": "Breaks", "study_trajectories": 400, "noise_rho": "0.5, 0.9",
                   "expect_paper": "broken"}
        self.compute(self.study(**changes), "elsewhere/a.h5")
        self.mixlab("report", "a.h5", "elsewhere/a.h5", "-o", "all", code=CONTRADICTED)
        page = (self.folder / "all" / "report.html").read_text()
        self.assertIn("<h1>2 studies</h1>", page)
        index = page[page.index('<table class="index">'):page.index("<section")]
        rows = re.findall("<tr>.*?</tr>", index, re.DOTALL)[1:]
        self.assertIn("≠ contradicted", rows[0], "what is contradicted comes first")
        self.assertIn("Holds &amp; &lt;b&gt;", rows[1])
        for name in ("a", "a-2"):
            own = (self.folder / "all" / name / "report.html").read_text()
            verdict = json.loads((self.folder / "all" / name / "verdict.json").read_text())
            self.assertIn(html.escape(verdict["sentence"]), own)
            self.assertIn(html.escape(verdict["sentence"]), page)
            for anchor in re.findall(rf'href="{name}/report.html#(.*?)"', page):
                self.assertIn(f'id="{anchor}"', own)
            self.assertIn(f'id="study-{name}"', page)
        ids = re.findall(r' id="([^"]*)"', page)
        self.assertEqual(len(ids), len({*ids}), "an id stands for one thing")
        self.assertLessEqual({*re.findall(r'href="#(.*?)"', page)}, {*ids}, "marks of the figures, too")

    def test_default_folder_and_refusals(self):
        self.compute(self.study(study_horizon=5, policy_name="linucb"), "a.h5")
        self.mixlab("report", "a.h5", "a.h5")
        self.assertTrue((self.folder / "report" / "report.html").exists())
        self.mixlab("report", "a.h5", "none.h5", "-o", "page", code=BAD_INPUT)
        self.assertFalse((self.folder / "page").exists())
        self.assertIn("--rare", self.mixlab("report", "a.h5", "a.h5", "--rare", "r.h5", code=BAD_INPUT).err)


class BadInput(ReportTest):
    def refused(self, path, *words, code=BAD_INPUT):
        outcome = self.mixlab("report", path, "-o", "page", code=code)
        for word in words:
            self.assertIn(word, outcome.err)
        self.assertFalse((self.folder / "page").exists())

    def test_files(self):
        good = self.compute(self.study(study_horizon=5), "out.h5").read_bytes()
        (self.folder / "empty.h5").touch()
        (self.folder / "foreign.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(4000))
        (self.folder / "short.h5").write_bytes(good[:-100])
        (self.folder / "flipped.h5").write_bytes(good)
        flip_byte(self.folder / "flipped.h5", len(good) // 2)
        (self.folder / "folder.h5").mkdir()
        self.mixlab("trace", "out.h5", "--cell", 0, "--trajectory", 0, "-o", "trace.h5")
        for name, word in {"none": "no such file", "empty": "not a mixlab file", "foreign": "not a mixlab file",
                           "short": "damaged", "flipped": "damaged", "folder": "must be a regular file",
                           "trace": "trace"}.items():
            with self.subTest(name):
                self.refused(f"{name}.h5", word, f"{name}.h5")

    def test_no_python(self):
        """The program names what the Python package says it needs."""
        self.compute(self.study(study_horizon=5), "out.h5")
        project = tomllib.loads((PROJECT / "analysis" / "pyproject.toml").read_text())["project"]
        modules = [re.match(r"\w+", needed)[0] for needed in project["dependencies"]]
        for python in ("/bin/false", "/nowhere/python3"):
            os.environ["MIXLAB_PYTHON"] = python
            self.addCleanup(os.environ.pop, "MIXLAB_PYTHON", None)
            self.refused("out.h5", python, f"modules {' '.join(modules)})", "install", code=FAILURE)

    def test_nowhere_to_write(self):
        self.compute(self.study(study_horizon=5), "out.h5")
        (self.folder / "file").touch()
        self.mixlab("report", "out.h5", "-o", "file", code=BAD_INPUT)
        self.mixlab("report", "out.h5", "-o", "/dev/null/page", code=WRITE_FAILED)
        self.mixlab("report", "out.h5", "-o", "page", code=WRITE_FAILED, file_size=4096)


class Installed(ReportTest):
    def test_away_from_the_sources(self):
        self.compute(self.study(study_horizon=5, policy_name="linucb"), "out.h5")
        build = Path(PROGRAM).parent
        subprocess.run(["cmake", "--install", build, "--prefix", self.folder / "usr"], check=True, capture_output=True)
        installed = self.folder / "usr" / "share" / "mixlab" / "analysis"
        page = installed / "mixlab" / "report" / "page.html"
        page.write_text(page.read_text().replace("<main>", "<main><!-- installed -->"))
        outcome = run(["report", "out.h5"], folder=self.folder, program=self.folder / "usr" / "bin" / "mixlab")
        self.assertEqual(outcome.code, DONE, outcome.err)
        self.assertIn("<!-- installed -->", (self.folder / "out-report" / "report.html").read_text())
        ours = subprocess.run(["git", "-C", PROJECT, "ls-files", "--cached", "--others", "--exclude-standard",
                               "analysis"], capture_output=True, text=True)
        if ours.returncode == 0:  # a source archive has no history
            wanted = {name.removeprefix("analysis/") for name in ours.stdout.split()} - {".flake8"}
            found = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()}
            self.assertEqual(found, wanted)


class WorkingFolder(ReportTest):
    def test_nothing_is_imported_from_it(self):
        """Not even in place of Python's own modules, or through an empty entry of PYTHONPATH."""
        self.compute(self.study(study_horizon=5, policy_name="linucb"), "out.h5")
        for name in ("contextlib", "importlib", "json", "matplotlib", "mixlab", "runpy", "xarray"):
            (self.folder / f"{name}.py").write_text("open('imported', 'w').close()\nraise SystemExit(9)\n")
        self.mixlab("report", "out.h5", environment={"PYTHONPATH": ".:/nowhere:"})
        self.assertFalse((self.folder / "imported").exists())


class Progress(ReportTest):
    def test_on_a_terminal(self):
        self.compute(self.study(study_horizon=5), "out.h5")
        try:
            controller, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        self.addCleanup(os.close, controller)
        self.assertEqual(self.start("report", "out.h5", stderr=terminal).wait(120), DONE)
        os.close(terminal)
        said = os.read(controller, 65536)
        for doing in (b"reading", b"drawing"):
            self.assertIn(b"\r\x1b[K" + doing + b": 0/", said)
        self.assertTrue(said.endswith(b"\r\x1b[K"), said)


@unittest.skipUnless(browser.available(), "no Chromium with its driver and python3-selenium")
class Page(SystemTest):
    """One report, looked at in many ways."""

    @classmethod
    def setUpClass(cls):
        cls.here = SystemTest("setUp")
        cls.here.setUp()
        cls.addClassCleanup(cls.here.doCleanups)
        expected = "any; broken if noise.rho=0.9 and policy.name=linucb"
        cls.here.compute(cls.here.study(**SWEPT, expect_oful=expected), "out.h5")
        cls.here.mixlab("report", "out.h5")
        cls.path = cls.here.folder / "out-report" / "report.html"
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.close)

    def open(self, **options):
        self.browser.open(self.path, **options)
        return self.browser.run

    def choose(self, chooser, value):
        self.browser.run("const chooser = document.querySelector(arguments[0]); chooser.value = arguments[1];"
                         "chooser.dispatchEvent(new Event('change'))", chooser, value)

    def shown_cells(self):
        return self.browser.run("return [...document.querySelectorAll('.cell')]"
                                ".filter(cell => cell.offsetHeight > 0).map(cell => cell.id)")

    def column(self, heading):
        return self.browser.run("""
            const table = document.querySelector("#findings");
            const index = [...table.tHead.rows[0].cells].findIndex(cell => cell.textContent.trim() === arguments[0]);
            return [...table.tBodies[0].rows].filter(row => !row.hidden).map(row => row.cells[index].textContent)""",
                                heading)

    def test_asks_nobody(self):
        self.open()
        self.assertEqual(self.browser.requests(), [self.path.resolve().as_uri()])
        self.assertEqual(self.browser.messages(), [])

    def test_title_is_text(self):
        run_script = self.open()
        self.assertEqual(run_script("return document.title"), TITLE)
        self.assertEqual(run_script("return document.querySelector('h1').textContent"), TITLE)

    def test_table_sorts(self):
        run_script = self.open()
        press = ("[...document.querySelectorAll('#findings th')].find(th => th.textContent.trim() === arguments[0])"
                 ".querySelector('[role=button]').click()")
        run_script(press, "anytime coverage")
        rising = self.column("anytime coverage")
        self.assertEqual(rising, sorted(rising, key=float))
        self.assertGreater(len(set(rising)), 1)
        run_script(press, "anytime coverage")
        self.assertEqual(self.column("anytime coverage"), sorted(rising, key=float, reverse=True))
        run_script(press, "set")
        self.assertEqual(self.column("set"), sorted(self.column("set")))
        run_script("document.querySelector('#findings th [role=button]')"
                   ".dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))")
        self.assertEqual(self.column("cell"), sorted(self.column("cell"), key=int))

    def test_table_filters(self):
        self.open()
        self.choose(".filters [name=state]", "violated")
        self.assertEqual({text.split()[-1] for text in self.column("verdict")}, {"violated"})

    def test_cells_and_figures(self):
        """Every cell can be chosen, and each of its figures is there with its curves."""
        run_script = self.open()
        for cell in range(6):
            self.choose(".controls [name=cell]", f"cell-{cell}")
            self.assertEqual(self.shown_cells(), [f"cell-{cell}"])
            boxes = run_script("""
                return [...document.querySelectorAll('.cell.chosen figure > svg')].map(svg => {
                  const box = svg.getBoundingClientRect();
                  return [box.width, box.height, svg.querySelectorAll('path, use').length,
                          svg.querySelectorAll('text').length] })""")
            self.assertGreaterEqual(len(boxes), len(CELL_FIGURES))
            for width, height, n_shapes, n_words in boxes:
                self.assertTrue(width > 250 and height > 150 and n_shapes > 10 and n_words > 5, boxes)
        run_script("document.querySelector('.controls button[value=\"1\"]').click()")
        self.assertEqual(self.shown_cells(), ["cell-0"])
        run_script("document.querySelector('#findings a[href=\"#cell-4\"]').click()")
        self.assertEqual(self.shown_cells(), ["cell-4"])
        self.assertEqual(self.browser.messages(), [])

    def test_set_is_set_off(self):
        run_script = self.open()
        dimmed = ("return [...new Set([...document.querySelectorAll('.dim')]"
                  ".map(g => g.dataset.set ?? g.dataset.series))]")
        self.choose(".controls [name=set]", "oful")
        self.assertEqual({*run_script(dimmed)}, {"paper", "otc"})
        self.choose(".controls [name=set]", "")
        self.assertEqual(run_script(dimmed), [])

    def test_values_under_the_pointer(self):
        """In the middle of the P-P plot the level is 1/2, and a curve's share is what the file says."""
        run_script = self.open()
        box = run_script("""
            const svg = document.querySelectorAll('.cell.chosen figure > svg')[2], view = svg.viewBox.baseVal;
            svg.scrollIntoView();
            const axes = JSON.parse(svg.querySelector('[data-axes]').dataset.axes), box = svg.getBoundingClientRect();
            return [box.left + box.width * (axes.x[0] + axes.x[1]) / 2 / view.width,
                    box.top + box.height * (axes.y[0] + axes.y[1]) / 2 / view.height]""")
        self.browser.move_to(*box)
        lines = run_script("return document.querySelector('.cell.chosen .values').innerText").splitlines()
        level = float(lines[0].removeprefix("level δ: "))
        self.assertAlmostEqual(level, 0.5, delta=0.01)
        import h5py
        with h5py.File(self.here.folder / "out.h5") as file:
            for line in lines[1:]:
                name, share = line.rsplit(" ", 1)
                p = 10 ** file["log10_p"][0, :, list(file["set"].asstr()).index(name)]
                self.assertAlmostEqual(float(share), (p <= level).mean(), delta=0.01, msg=line)
        self.assertEqual(len(lines), 4)

    def test_what_is_contradicted_is_shown_first(self):
        here = ReportTest("setUp")
        here.setUp()
        self.addCleanup(here.doCleanups)
        here.compute(here.study(expect_paper="any; broken if policy.name=linucb", study_horizon=20,
                                study_trajectories=200), "out.h5")
        here.report(code=CONTRADICTED)
        self.browser.open(here.folder / "out-report" / "report.html")
        self.assertEqual(self.shown_cells(), ["cell-1"])

    def test_without_scripts(self):
        self.open(scripts=False)
        self.assertEqual(len(self.shown_cells()), 6)
        display = self.browser.run("return getComputedStyle(document.querySelector('.controls')).display")
        self.assertEqual(display, "none")

    def test_legible(self):
        for width in (1400, 400):
            with self.subTest(width):
                run_script = self.open(width=width)
                self.assertLessEqual(run_script("return document.documentElement.scrollWidth"), width)
                small = run_script("""
                    return [...document.querySelectorAll('main *')]
                      .filter(e => e.textContent.trim() && !e.children.length)
                      .map(e => [e.getBoundingClientRect(), e]).filter(([box]) => box.width > 0)
                      .filter(([box]) => Math.min(box.width, box.height) < 8 && Math.max(box.width, box.height) < 8)
                      .map(([, e]) => e.textContent)""")
                self.assertEqual([word for word in small if len(word) > 2], [])
                letters = run_script("""
                    return [...document.querySelectorAll('svg text')].filter(e => e.getBoundingClientRect().width > 0)
                      .map(e => parseFloat(getComputedStyle(e).fontSize)
                                * Math.hypot(e.getScreenCTM().a, e.getScreenCTM().b))""")
                self.assertGreater(len(letters), 50)
                self.assertGreater(min(letters), 9)

    def test_nothing_is_cut_off(self):
        """No table of records is wider than the page, and a card begins with set, verdict and coverage."""
        wider = """return [...document.querySelectorAll('.scroll')]
                     .filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1 && !e.querySelector('.glance'))
                     .map(e => e.firstChild.id)"""
        for width in (1400, 400):
            run_script = self.open(width=width)
            for cell in range(6):
                self.choose(".controls [name=cell]", f"cell-{cell}")
                self.assertEqual(run_script(wider), [], width)
        boxes = run_script("""return [...document.querySelectorAll('#findings tbody tr:first-child td.lead')]
                                .map(e => { const box = e.getBoundingClientRect();
                                            return [box.left, box.right, box.top, box.bottom] })""")
        self.assertEqual(len(boxes), 3)
        for left, right, top, bottom in boxes:
            self.assertTrue(0 <= left < right <= 400, boxes)
            self.assertTrue(top < boxes[0][3] and boxes[0][2] < bottom, "one line")

    def test_print(self):
        """All cells are printed, each from a page of its own."""
        self.open()
        pdf = self.browser.pdf()
        self.assertGreaterEqual(len(re.findall(rb"/Type\s*/Page\b", pdf)), 8)


if __name__ == "__main__":
    main()
