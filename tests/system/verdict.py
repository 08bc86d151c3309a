#!/usr/bin/python3
"""check says what the file holds: everything is recomputed from the file."""
import csv
import io
import json
import math
import re

import numpy as np

from exact import ALPHA, declared, log_e, outcome_of, split, verdict_of
from harness import (BAD_INPUT, CONTRADICTED, QUICKSTART, WORK_LEFT, SystemTest, main, random_source, run, smaller,
                     stored)

chance = random_source("verdict")

SET = r"  (?P<set>[\w-]+) +(?P<star>\*?) +"
TABLE_ROWS = (
    re.compile(SET + r"(?P<misses>\d+) (?P<coverage>[\d.]+) (?P<coverage_low>[\d.]+) (?P<coverage_high>[\d.]+) "
                     r"(?P<horizon_coverage>[\d.]+) +(?P<adjusted_p>\S+) (?P<state>\w+) +(?P<expected>\w+) +"
                     r"(?P<mark>ok|NO|\?|-)$"),
    re.compile(SET + r"(?P<c>\S+) +(?P<c_low>\S+) +(?P<c_high>\S+) +(?P<radius_factor>\S+) +(?P<dkw_p>\S+) +"
                     r"(?P<simes_p>\S+) +(?P<detectable>\S+)$"))


def parse_table(text):
    """The rows of a cell and set, from both of its tables in check --full."""
    rows, cell = {}, None
    for line in text.splitlines():
        if head := re.match(r"cell (\d+): ", line):
            cell = int(head[1])
        if line.startswith("regret and its theorem"):
            break
        for pattern in TABLE_ROWS:
            if (row := pattern.match(line)) and row["set"] != "set":
                rows.setdefault((cell, row["set"]), {"cell": cell}).update(row.groupdict())
    return list(rows.values())


class CheckTest(SystemTest):
    # Broken and intact sets, decided and undecided ones, with and without an expectation.
    CASES = {"noise_process": "iid, sticky", "noise_rho": "0.3, 0.97", "study_trajectories": 70, "study_horizon": 150,
             "study_title": 'a "quoted" \\ title, 50% β',
             "expect_oful": "any; holds if noise.rho=0.3; broken if noise.rho>=0.9 and policy.name=linucb",
             "expect_otc": "holds if noise.rho<0.5"}

    def expected_in_cases(self, path):
        values, _ = stored(path)
        expected = {}
        for cell, (rho, policy) in enumerate(zip(values["noise_rho"], values["policy_name"])):
            for s, name in enumerate(values["set"]):
                unlisted = "holds" if values["guaranteed"][cell, s] else "any"
                breaks = "broken" if rho >= 0.9 and policy == "linucb" else "any"
                expected[cell, name] = {"paper": unlisted,
                                        "oful": "holds" if rho == 0.3 else breaks,
                                        "otc": "holds" if rho < 0.5 else unlisted}[name]
        return expected

    def assert_findings(self, got, wanted):
        self.assertEqual(len(got), len(wanted))
        for mine, theirs in zip(wanted, got):
            for key, value in mine.items():
                with self.subTest(key, cell=mine["cell"], set=mine["set"]):
                    if value is None:
                        self.assertIn(theirs[key], (None, ""))
                    elif isinstance(value, float):
                        self.assertAlmostEqual(float(theirs[key]), value, delta=1e-9 * max(1, abs(value)))
                    else:
                        self.assertEqual(theirs[key], value)


class Check(CheckTest):
    def setUp(self):
        super().setUp()
        self.out = self.compute(self.study(**self.CASES), "out.h5")
        self.expected = self.expected_in_cases(self.out)

    def json(self, *options, code=0):
        return json.loads(self.mixlab("check", self.out, "--format", "json", *options, code=code).out)

    def test_json(self):
        wanted = verdict_of(self.out, self.expected)
        self.assertEqual({finding["state"] for finding in wanted}, {"violated", "certified", "undecided", "none"},
                         "dull study")
        self.assertEqual({finding["expected"] for finding in wanted}, {"any", "holds", "broken"}, "dull study")
        contradicted = any(finding["contradicted"] for finding in wanted)
        got = self.json(code=CONTRADICTED if contradicted else 0)
        self.assert_findings(got["findings"], wanted)
        self.assertEqual((got["alpha"], got["complete"], got["contradicted"]), (ALPHA, True, contradicted))
        self.assertEqual((got["verdict_version"], got["outcome"], got["n_comparisons"]),
                         (2, outcome_of(wanted), declared(stored(self.out)[0], self.expected)))
        self.assertIn(f"about the {got['n_comparisons']} comparisons declared", got["promise"])
        self.assertEqual((got["completed"], got["trajectories"]), (420, 420))
        self.assertEqual(got["exit"], CONTRADICTED if contradicted else 0)
        self.assertEqual(got["title"], self.CASES["study_title"])

    def test_alpha(self):
        wanted = verdict_of(self.out, self.expected, alpha=1e-4)
        code = CONTRADICTED if any(finding["contradicted"] for finding in wanted) else 0
        self.assert_findings(self.json("--alpha", "1e-4", code=code)["findings"], wanted)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.mixlab("check", self.out, "--format", "csv").out)))
        for row in rows:
            row.update({key: int(row[key]) for key in
                        ("cell", "n", "misses", "horizon_misses", "n_looked", "n_declared")})
            row.update({key: row[key] == "1" for key in ("guaranteed", "contradicted", "exploratory")})
        self.assert_findings(rows, verdict_of(self.out, self.expected))

    def test_table(self):
        text = self.mixlab("check", self.out, "--full").out
        rows, wanted = parse_table(text), verdict_of(self.out, self.expected)
        self.assertEqual(len(rows), len(wanted), text)
        for row, finding in zip(rows, wanted):
            for key in ("cell", "set", "state"):
                self.assertEqual(row[key], finding[key])
            self.assertEqual(int(row["misses"]), finding["misses"])
            self.assertEqual(row["star"] == "", finding["guaranteed"])
            self.assertEqual(row["expected"], finding["expected"])
            self.assertEqual(row["mark"], "NO" if finding["contradicted"] else
                             {"none": "-", "undecided": "?"}.get(finding["state"], "ok"))
            for key in ("coverage", "coverage_low", "coverage_high", "horizon_coverage"):
                self.assertAlmostEqual(float(row[key]), finding[key], delta=5.001e-5)
            for key in ("c", "c_low", "c_high", "radius_factor", "detectable"):
                if finding[key] is None:
                    self.assertEqual(row[key], "-")
                else:
                    self.assertAlmostEqual(float(row[key]) / finding[key], 1, delta=5.001e-3)
        stars = text[text.index("* not guaranteed"):]
        for name in {finding["set"] for finding in wanted if not finding["guaranteed"]}:
            self.assertRegex(stars, rf"\n  {name}, cells? [\d -]+: \w")
        self.assertIn(": undecided; ", text)

    def test_p_values_agree_with_violations(self):
        values, _ = stored(self.out)
        level = values["confidence_delta"][:, None, None]
        np.testing.assert_array_equal(values["log10_p"] < np.log10(level), values["first_violation"] > 0)
        np.testing.assert_array_equal(values["sup_ratio"] > 1, values["first_violation"] > 0)

    def test_other_deltas(self):
        deltas = (0.001, 0.02, 0.1, 0.3, 0.8)  # 0.1 is the study's own
        misses = []
        for delta in deltas:
            # The study's expectations are about its own delta; a guarantee holds at every delta.
            values, _ = stored(self.out)
            guaranteed = {(cell, name): "holds" if values["guaranteed"][cell, s] else "any"
                          for cell in range(len(values["noise_rho"])) for s, name in enumerate(values["set"])}
            words = max(1, list(guaranteed.values()).count("holds"))
            wanted = (verdict_of(self.out, self.expected) if delta == 0.1 else
                      verdict_of(self.out, guaranteed, delta=delta, words=words))
            code = CONTRADICTED if any(finding["contradicted"] for finding in wanted) else 0
            got = self.json("--delta", delta, code=code)["findings"]
            self.assert_findings(got, wanted)
            misses.append([finding["misses"] for finding in got])
        self.assertTrue(np.all(np.diff(misses, axis=0) >= 0), "a larger delta must miss at least as often")
        self.assertTrue(np.any(np.diff(misses, axis=0) > 0), "dull study")
        outcome = self.json("--delta", "0.02,0.3", code=CONTRADICTED if code else 0)
        self.assertEqual([f["misses"] for f in outcome["findings"] if f["delta"] == 0.3], misses[3])

    def test_guaranteed(self):
        values, _ = stored(self.out)
        independent = values["noise_process"] == "iid"
        delayed = values["policy_delay"] >= values["confidence_delay"]
        self.assertTrue(np.any(independent != delayed), "dull study")
        for s, name in enumerate(values["set"]):
            np.testing.assert_array_equal(values["guaranteed"][:, s] == 1, delayed if name == "paper" else independent)

    def test_number_that_would_decide(self):
        """With n_to_decide trajectories at the same miss rate a look would decide."""
        level = ALPHA / declared(stored(self.out)[0], self.expected)
        n_seen = 0
        for finding in self.json()["findings"]:
            n = finding["n_to_decide"]
            if finding["state"] != "undecided" or n == 0:
                continue
            n_seen += 1
            rate, delta = finding["misses"] / finding["n"], finding["delta"]
            share, _ = split(finding["n_declared"], delta, level)

            def decided(size):
                k = math.ceil(rate * size) if rate < delta else math.floor(rate * size)
                return log_e(size, delta)[int(rate < delta)][k] >= -math.log(share * level)

            self.assertTrue(decided(n), finding)
            self.assertFalse(decided(n - 1), finding)
            self.assertGreater(n, finding["n"])
        self.assertGreater(n_seen, 0, "dull study")

    def test_exploratory_levels_are_marked(self):
        own, other = self.json(), self.json("--delta", "0.02", code=self.mixlab_code("--delta", "0.02"))
        self.assertFalse(own["exploratory"])
        self.assertTrue(other["exploratory"])
        self.assertIn("exploratory", other["sentence"])
        self.assertIn("exploratory", run(["check", self.out, "--delta", "0.02"]).out)
        self.assertNotIn("exploratory", run(["check", self.out]).out)

    def mixlab_code(self, *options):
        return run(["check", self.out, *options]).code


ROW = re.compile(r"(?:(?P<cell>\d+) (?P<label>\S.*?\S) +)? *(?P<set>[a-z][\w-]*)(?P<star>\*?) "
                 r"+(?P<coverage>[01]\.\d{4}) "
                 r"(?P<low>[01]\.\d{4})-(?P<high>[01]\.\d{4}) +(?P<misses>\d+)/(?P<n>\d+) (?P<state>\S+) +"
                 r"(?P<expected>any|holds|broken) +(?P<mark>ok|NO|\?|-)$")
SYMBOLS = {"certified": "v", "violated": "X", "undecided": "?", "none": "-"}


def rows_of(text):
    """The rows of the short table, each with the number of its cell."""
    rows, cell = [], None
    for line in text.splitlines():
        if head := re.match(r"cell (\d+) ", line):  # long names of cells stand above
            cell = int(head[1])
        if row := ROW.match(line):
            cell = int(row["cell"]) if row["cell"] else cell
            rows.append({**row.groupdict(), "cell": cell})
    return rows


class ShortTable(SystemTest):
    """What `check` prints unasked: the same figures as json, few enough for a screen."""

    def check(self, out, *options, code=0):
        text = self.mixlab("check", out, *options, code=code).out
        self.assertEqual([line for line in text.splitlines() if len(line) > 80], [])
        return text

    def json(self, out, *options, code=0):
        return json.loads(self.mixlab("check", out, "--format", "json", *options, code=code).out)

    def assert_rows(self, rows, findings):
        self.assertEqual(len(rows), len(findings))
        for row, finding in zip(rows, findings):
            self.assertEqual((row["cell"], row["set"], row["star"] == ""),
                             (finding["cell"], finding["set"], finding["guaranteed"]))
            self.assertEqual((int(row["misses"]), int(row["n"]), row["expected"], row["mark"]),
                             (finding["misses"], finding["n"], finding["expected"], finding["met"]))
            self.assertEqual(row["state"], "-" if finding["state"] == "none" else finding["state"])
            for key, name in (("coverage", "coverage"), ("low", "coverage_low"), ("high", "coverage_high")):
                self.assertAlmostEqual(float(row[key]), finding[name], delta=5.001e-5)

    def test_quickstart_fits_a_screen(self):
        out = self.compute(QUICKSTART, "out.h5")
        text, told = self.check(out), self.json(out)
        self.assertLessEqual(len(text.splitlines()), 30)
        self.assertEqual(text.splitlines()[0],
                         "AS EXPECTED: paper certified in cell 0; oful and otc violated in cells 0-1.")
        self.assertEqual(told["sentence"], text.splitlines()[0])
        self.assert_rows(rows_of(text), told["findings"])
        for name in ("Last round", "Sharpness", "Power"):
            self.assertRegex(text, rf"\n{name} ")
        self.assertRegex(text, r"from 0\.\d+ on is found with probability 0\.9\n")
        self.assertIn("kept on every trajectory: potential, stale_rounds, fresh_potential\n", text)
        self.assertRegex(text, r"\n0 mixing-linucb .* kept, but empty \(\S+ > 2BT\)\n"
                               r"1 linucb .* none for this policy\n")
        self.assertRegex(text, r"\nlinucb below mixing-linucb in 94% of trajectories")

    def test_matrix_of_a_sweep(self):
        study = self.study(noise_process="iid, sticky", noise_rho="0.3, 0.8, 0.97", study_trajectories=70,
                           study_horizon=150, confidence_delta="0.05, 0.1",
                           expect_oful="any; holds if noise.process=iid; broken if noise.rho>=0.9")
        out = self.compute(study, "out.h5")
        code = run(["check", out]).code
        text, told = self.check(out, code=code), self.json(out, code=code)
        self.assertEqual(sorted(told["swept"]), ["confidence.delta", "noise.process", "noise.rho", "policy.name"])
        self.assertIn("across: noise.rho\n", text)
        found = re.findall(r"[vX?-][ !][01]\.\d{3}", text)
        wanted = [SYMBOLS[f["state"]] + (" !"[f["contradicted"]]) + f"{f['coverage']:.3f}" for f in told["findings"]]
        self.assertEqual(sorted(found), sorted(wanted))
        line = next(line for line in text.splitlines() if line.startswith("oful "))
        self.assertIn("iid", line)
        sticky = [f for f in told["findings"] if f["set"] == "oful" and f["noise.process"] == "sticky"
                  and f["policy.name"] == "linucb" and f["confidence.delta"] == 0.1]
        self.assertEqual([f["noise.rho"] for f in sticky], [0.3, 0.8, 0.97])
        line = next(line for line in text[text.index("\noful "):].splitlines() if "sticky, linucb, delta=0.1" in line)
        self.assertEqual(re.findall(r"[01]\.\d{3}", line), [f"{f['coverage']:.3f}" for f in sticky])
        self.assertEqual({f["noise.rho"] for f in told["findings"] if f["noise.process"] == "iid"}, {None})
        open_ones = [f for f in told["findings"] if f["contradicted"] or f["state"] == "undecided"]
        self.assertGreater(len(open_ones), 0, "dull study")
        self.assertIn("Contradicted or undecided\n", text)

    def test_selection_changes_no_verdict(self):
        study = self.study(study_trajectories=120, study_horizon=150, noise_rho="0.3, 0.97", expect_oful="holds")
        out = self.compute(study, "out.h5")
        whole = self.json(out, code=CONTRADICTED)
        text = self.check(out, "--cell", 1, "--cell", 3, "--only", "oful", code=CONTRADICTED)
        part = [f for f in whole["findings"] if f["cell"] in (1, 3) and f["set"] == "oful"]
        self.assertEqual(" ".join(text.split()).index(whole["sentence"]), 0)
        self.assert_rows(rows_of(text), part)
        self.assertIn("shown: 2 of 12 pairs of cell and set\n", text)
        chosen = self.json(out, "--cell", 1, "--cell", 3, "--only", "oful", code=CONTRADICTED)
        self.assertEqual(chosen["findings"], part)
        self.assertEqual([bound["cell"] for bound in chosen["bounds"]], [1, 3])
        self.assertEqual(chosen["n_comparisons"], whole["n_comparisons"])
        wrong = [f for f in whole["findings"] if f["contradicted"]]
        self.assertEqual(self.json(out, "--contradicted", code=CONTRADICTED)["findings"], wrong)
        self.assert_rows(rows_of(self.check(out, "--contradicted", code=CONTRADICTED)), wrong)
        self.assertEqual(parse_table(self.check(out, "--full", "--cell", 2, code=CONTRADICTED))[0]["cell"], 2)
        rows = list(csv.DictReader(io.StringIO(self.mixlab("check", out, "--format", "csv", "--only", "otc",
                                                           code=CONTRADICTED).out)))
        self.assertEqual([(row["set"], float(row["noise.rho"])) for row in rows],
                         [("otc", f["noise.rho"]) for f in whole["findings"] if f["set"] == "otc"])

    def test_swept_keys_are_fields_of_every_list(self):
        out = self.compute(self.study(study_horizon="40, 80", noise_rho="0.3, 0.97"), "out.h5")
        told = self.json(out)
        for bound in told["bounds"]:
            self.assertIn(bound["study.horizon"], (40, 80))
        for pair in told["comparisons"]:
            self.assertEqual(pair["noise.rho_a"], pair["noise.rho_b"])
            self.assertEqual((pair["policy.name_a"], pair["policy.name_b"]), ("mixing-linucb", "linucb"))
        for rate in told["rates"]:
            self.assertIsNone(rate["study.horizon" if rate["key"] == "study.horizon" else "noise.rho"])
            self.assertIn(rate["policy.name"], ("mixing-linucb", "linucb"))

    def test_unknown_cells_and_sets(self):
        out = self.compute(self.study(), "out.h5")
        self.assertIn("it watches paper, oful, otc", self.mixlab("check", out, "--only", "ofull", code=BAD_INPUT).err)
        self.assertIn("it has cells 0 to 1", self.mixlab("check", out, "--cell", 2, code=BAD_INPUT).err)

    def test_overrides_stand_with_the_title(self):
        out = self.compute(self.study(study_title="Sticky noise"), "out.h5", "--set", "noise.rho=0")
        for options in ((), ("--full",)):
            self.assertIn("\nSticky noise [with noise.rho=0]\n", self.check(out, *options))
        self.assertEqual(self.json(out)["overrides"], ["noise.rho=0"])

    def test_a_caveat_travels_with_the_verdict(self):
        (self.folder / "series.csv").write_text("".join(f"{chance.gauss(0, 1)}\n" for _ in range(500)))
        study = self.study(noise_process="replay", noise_rho=None, noise_file="series.csv", noise_proxy=2,
                           study_trajectories=300, expect_paper="holds")
        out = self.compute(study, "out.h5")
        told = self.json(out)
        self.assertIn("the noise has a caveat", told["sentence"])
        for f in told["findings"]:
            self.assertIn("overlap and are not independent", f["caveat"])
        text = self.check(out)
        self.assertRegex(text, r"certified~ +holds +ok\n")
        for shown in (text, self.check(out, "--full")):
            self.assertRegex(" ".join(shown.split()), r"caveat, cells 0-1: replay: .* overlap and are not independent")
        self.assertNotIn("caveat", self.check(self.compute(self.study("plain.cfg"), "plain.h5")))


class Growth(CheckTest):
    """A study that grows keeps the number first declared, and what it says stays right."""

    def check(self, *options, code=0):
        return json.loads(self.mixlab("check", "out.h5", "--format", "json", *options, code=code).out)

    def grow(self, study, n, *options):
        return self.compute(study, "out.h5", "--set", f"study.trajectories={n}", *options)

    def assert_exact(self, n, n_declared):
        values, _ = stored(self.folder / "out.h5")
        self.assertEqual(set(values["n_declared"]), {n_declared})
        expected = {(cell, name): "holds" if values["guaranteed"][cell, s] else "any"
                    for cell in range(2) for s, name in enumerate(values["set"])}
        wanted = verdict_of(self.folder / "out.h5", expected)
        self.assertEqual({finding["n"] for finding in wanted}, {n})
        self.assert_findings(self.check()["findings"], wanted)

    def test_what_was_declared_first_stays(self):
        study = self.study()
        self.grow(study, 50)
        self.assert_exact(50, 50)
        self.grow(study, 140)
        self.assert_exact(140, 50)
        for shard in (0, 1):
            self.grow(study, 300, "--shard", f"{shard}/2")
        self.mixlab("merge", "out.h5")
        self.assert_exact(300, 50)

    def test_a_run_that_finished_nothing_has_declared_too(self):
        study = self.study(study_horizon=smaller(50000, 16), study_trajectories=1000, study_part=1000,
                           policy_name="linucb")
        outcome = self.mixlab("run", study, "-o", "out.h5", "--max-time", "0.1s", "--threads", 1, code=WORK_LEFT)
        self.assertIn("0 parts of this run", outcome.err)
        self.grow(study, 1001)
        self.assertEqual(set(stored(self.folder / "out.h5")[0]["n_declared"]), {1000})

    def test_other_folders_and_partial_merges(self):
        study = self.study(study_trajectories=60, study_part=10)
        self.compute(study, "part.h5", "--shard", "0/2")
        self.mixlab("run", study, "-o", "out.h5", "--set", "study.trajectories=100", "--shard", "1/2", "--quiet")
        self.mixlab("merge", "out.h5", "part.h5.parts", "--partial")
        self.assertEqual(set(stored(self.folder / "out.h5")[0]["n_declared"]), {60})
        self.grow(study, 100)
        self.assert_exact(100, 60)

    def test_calibration_waits_for_all_that_was_declared(self):
        study = self.study(study_trajectories=60, study_part=10)
        self.compute(study, "out.h5", "--shard", "0/2")
        self.mixlab("merge", "out.h5", "--partial")
        self.assertEqual({finding["dkw_p"] for finding in self.check()["findings"]}, {None})
        self.compute(study, "out.h5")
        self.assertNotIn(None, {finding["dkw_p"] for finding in self.check()["findings"]})


class Expectations(SystemTest):
    def check(self, code, **expect):
        study = self.study(study_trajectories=120, study_horizon=150, noise_rho=0.97, policy_name="linucb", **expect)
        self.compute(study, "out.h5")
        outcome = self.mixlab("check", "out.h5", code=code)
        (self.folder / "out.h5").unlink()
        return outcome.out

    def test_as_expected(self):
        self.assertIn("AS EXPECTED", self.check(0, expect_oful="broken"))

    def test_holds_but_violated(self):
        text = self.check(CONTRADICTED, expect_oful="holds")
        self.assertRegex(text, r"oful\* .* violated +holds +NO\n")
        self.assertEqual(text.splitlines()[0], "CONTRADICTED: oful, expected to hold, violated.")

    def test_broken_but_certified(self):
        text = self.check(CONTRADICTED, expect_paper="broken")
        self.assertRegex(text, r"paper\* .* certified +broken +NO\n")
        self.assertEqual(text.splitlines()[0], "CONTRADICTED: paper, expected to break, certified.")

    def test_undecided(self):
        for word in ("holds", "broken"):
            study = self.study(study_trajectories=5, confidence_monitor="paper", policy_name="mixing-linucb",
                               expect_paper=word)
            self.compute(study, f"{word}.h5")
            text = self.mixlab("check", f"{word}.h5").out
            self.assertRegex(text, rf"undecided {word} +\?\n")
            self.assertEqual(text.splitlines()[0], "UNDECIDED: paper undecided.")
            self.assertRegex(text, r"\nUndecided +about \d+ trajectories would decide\n")
            self.assertRegex(self.mixlab("check", f"{word}.h5", "--full").out,
                             r"paper: undecided; about \d+ trajectories would decide")
            self.mixlab("check", f"{word}.h5", "--strict", code=CONTRADICTED)

    def test_last_matching_clause_wins(self):
        self.check(0, expect_oful="holds; broken if noise.rho>=0.9")
        self.check(CONTRADICTED, expect_oful="broken if noise.rho>=0.9; holds")
        self.check(0, expect_oful="broken; holds if noise.rho<0.9 and policy.name=linucb")
        self.check(0, expect_oful="holds; broken if policy.name=linucb and confidence.delta<=0.1")

    def test_exit_code_of_every_format(self):
        self.compute(self.study(expect_paper="broken", study_trajectories=200), "out.h5")
        for form in ("table", "csv", "json"):
            self.mixlab("check", "out.h5", "--format", form, code=CONTRADICTED)


class Partial(CheckTest):
    def test_partial_file(self):
        study = self.study(study_part=7, study_trajectories=41)
        self.compute(study, "out.h5", "--shard", "1/3")
        self.mixlab("merge", "out.h5", "--partial")
        n_run = int(np.sum(stored(self.folder / "out.h5")[0]["completed"]))
        self.assertLess(0, n_run)
        outcome = self.mixlab("check", "out.h5", "--format", "json")
        got = json.loads(outcome.out)
        self.assertIn("have not been run", outcome.err)
        self.assertEqual((got["completed"], got["trajectories"], got["complete"]), (n_run, 82, False))
        self.assertIn(f"{82 - n_run} of 82 trajectories have not been run", got["sentence"])
        values, _ = stored(self.folder / "out.h5")
        expected = {(cell, name): "holds" if values["guaranteed"][cell, s] else "any"
                    for cell in range(2) for s, name in enumerate(values["set"])}
        self.assert_findings(got["findings"], verdict_of(self.folder / "out.h5", expected))
        self.assertIn("PARTIAL", self.mixlab("check", "out.h5").out)
        self.assertIn("not been run", self.mixlab("trace", "out.h5", "--cell", 0, "--trajectory", 0).out)

        self.compute(study, "out.h5")  # goes on from the partial file
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_cell_without_rows(self):
        self.compute(self.study(study_part=20), "out.h5", "--shard", "1/2")
        self.mixlab("merge", "out.h5", "--partial")
        findings = json.loads(self.mixlab("check", "out.h5", "--format", "json").out)["findings"]
        self.assertEqual({finding["cell"] for finding in findings}, {1})


if __name__ == "__main__":
    main()
