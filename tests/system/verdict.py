#!/usr/bin/python3
"""check, status, merge, plan, list and describe say what the files hold: everything is recomputed from the file."""
import csv
import io
import json
import math
import os
import pty
import re

import numpy as np

from harness import CONTRADICTED, QUICKSTART, WORK_LEFT, SystemTest, main, stored

ALPHA = 0.05


# ---- exact binomial tests, by summing and bisection ------------------------------------------------------------------

def upper_tail(k, n, p):
    """P(X >= k), X ~ Binomial(n, p)."""
    return math.fsum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k, n + 1))


def lower_tail(k, n, p):
    return math.fsum(math.comb(n, i) * p**i * (1 - p)**(n - i) for i in range(k + 1))


def bisect(is_low):
    """The p in [0, 1] where is_low(p) turns from true to false."""
    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if is_low(middle) else (low, middle)
    return low


def clopper_pearson(k, n, alpha):
    """Exact two-sided interval at level 1 - alpha."""
    lower = 0.0 if k == 0 else bisect(lambda p: upper_tail(k, n, p) < alpha / 2)
    upper = 1.0 if k == n else bisect(lambda p: lower_tail(k, n, p) > alpha / 2)
    return lower, upper


def detectable(n, delta, alpha, power=0.9):
    """The smallest miss probability that n trials find to be above delta with this power."""
    enough = [k for k in range(1, n + 1) if upper_tail(k, n, delta) <= alpha]
    return bisect(lambda p: upper_tail(enough[0], n, p) < power) if enough else None


def holm(p_values):
    """Adjusted p-values: H_i is rejected at alpha when the i-th is at most alpha."""
    adjusted, largest = list(p_values), 0.0
    for rank, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[i]))
        adjusted[i] = largest
    return adjusted


def quantile(sample, q):
    """The smallest value with at least share q of the sample at or below it."""
    return np.sort(sample)[max(math.ceil(q * len(sample) - 1e-9), 1) - 1]


def quantile_interval(sample, q, alpha):
    """Order statistics around the q-quantile, at most alpha / 2 outside on each side; None: no such one."""
    n = len(sample)
    below = max(k for k in range(n + 1) if k == 0 or lower_tail(k - 1, n, q) <= alpha / 2)
    above = min(k for k in range(1, n + 2) if upper_tail(k, n, q) <= alpha / 2)
    return sample[below - 1] if below > 0 else None, sample[above - 1] if above <= n else None


def verdict_of(path, expected, alpha=ALPHA, delta=None):
    """What `check` must say: a dictionary for each (cell, set). `expected` maps (cell, set) to any, holds or broken."""
    values, _ = stored(path)
    findings = []
    for cell, label in enumerate(values["label"]):
        own = values["confidence_delta"][cell]
        for s, name in enumerate(values["set"]):
            run = (values["completed"][cell] == 1) & (values["first_violation"][cell, :, s] >= 0)
            missed = (values["first_violation"][cell, run, s] > 0 if delta in (None, own)
                      else values["log10_p"][cell, run, s] < math.log10(delta))
            k, n, level = int(missed.sum()), int(run.sum()), delta or own
            lower, upper = clopper_pearson(k, n, alpha)
            at_horizon = int(np.sum(values["horizon_log10_p"][cell, run, s] < math.log10(level)))
            horizon_lower, horizon_upper = clopper_pearson(at_horizon, n, alpha)
            ratio = np.sort(values["sup_ratio"][cell, run, s])
            c = quantile(ratio, 1 - level)
            c_low, c_high = quantile_interval(ratio, 1 - level, alpha)
            p = np.minimum(1, 10**np.sort(values["log10_p"][cell, run, s]))
            rank = np.arange(1, n + 1)
            excess = max(0.0, np.max(rank / n - p))
            findings.append({
                "cell": cell, "label": label, "set": name, "delta": level, "n": n, "misses": k,
                "coverage": 1 - k / n, "coverage_low": 1 - upper, "coverage_high": 1 - lower,
                "horizon_misses": at_horizon, "horizon_coverage": 1 - at_horizon / n,
                "horizon_low": 1 - horizon_upper, "horizon_high": 1 - horizon_lower, "expected": expected[cell, name],
                "p_violated": upper_tail(k, n, level), "p_certified": lower_tail(k, n, level),
                "guaranteed": bool(values["guaranteed"][cell, s]), "c": c, "c_low": c_low, "c_high": c_high,
                "radius_factor": math.sqrt(c), "ratio_median": quantile(ratio, 0.5), "ratio_largest": ratio[-1],
                "dkw_statistic": excess, "dkw_p": math.exp(-2 * n * excess**2),
                "simes_p": min(1.0, np.min(n * p / rank))})
    tested = [finding for finding in findings if finding["expected"] != "any"]
    for kind in ("violated", "certified"):
        for finding in findings:
            finding[f"holm_{kind}"] = finding[f"p_{kind}"]
        for finding, p in zip(tested, holm([finding[f"p_{kind}"] for finding in tested])):
            finding[f"holm_{kind}"] = p
    for finding in findings:
        level = alpha / max(1, len(tested)) if finding["expected"] != "any" else alpha
        finding["detectable"] = detectable(finding["n"], finding["delta"], level)
        finding["state"] = ("violated" if finding["holm_violated"] <= alpha else
                            "certified" if finding["holm_certified"] <= alpha else "undecided")
        finding["contradicted"] = (finding["expected"] == "holds" and finding["state"] == "violated"
                                   or finding["expected"] == "broken" and finding["state"] != "violated")
    return findings


SET = r"  (?P<set>[\w-]+) +(?P<star>\*?) +"
TABLE_ROWS = (
    re.compile(SET + r"(?P<misses>\d+) (?P<coverage>[\d.]+) (?P<coverage_low>[\d.]+) (?P<coverage_high>[\d.]+) "
                     r"(?P<horizon_coverage>[\d.]+) +(?P<holm>\S+) (?P<state>\w+) +(?P<expected>\w+) +(?P<mark>ok|NO)$"),
    re.compile(SET + r"(?P<c>\S+) +(?P<c_low>\S+) +(?P<c_high>\S+) +(?P<radius_factor>\S+) +(?P<dkw_p>\S+) +"
                     r"(?P<simes_p>\S+) +(?P<detectable>\S+)$"))


def parse_table(text):
    """The rows of a cell and set, from both of its tables."""
    rows, cell = {}, None
    for line in text.splitlines():
        if head := re.match(r"cell (\d+): ", line):
            cell = int(head[1])
        if line.startswith("regret theorem"):
            break
        for pattern in TABLE_ROWS:
            if (row := pattern.match(line)) and row["set"] != "set":
                rows.setdefault((cell, row["set"]), {"cell": cell}).update(row.groupdict())
    return list(rows.values())


class CheckTest(SystemTest):
    # Broken and intact sets, decided and undecided ones, with and without an expectation.
    CASES = {"noise_process": "iid, sticky", "noise_rho": "0.3, 0.97", "study_trajectories": 40, "study_horizon": 150,
             "study_title": 'a "quoted" \\ title, 50% β',
             "expect_oful": "any; broken if noise.rho>=0.9 and policy.name=linucb",
             "expect_otc": "holds if noise.rho<0.5"}

    def expected_in_cases(self, path):
        values, _ = stored(path)
        expected = {}
        for cell, (rho, policy) in enumerate(zip(values["noise_rho"], values["policy_name"])):
            for s, name in enumerate(values["set"]):
                unlisted = "holds" if values["guaranteed"][cell, s] else "any"
                expected[cell, name] = {"paper": unlisted,
                                        "oful": "broken" if rho >= 0.9 and policy == "linucb" else "any",
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
        self.assertEqual({finding["state"] for finding in wanted}, {"violated", "certified", "undecided"}, "dull study")
        self.assertEqual({finding["expected"] for finding in wanted}, {"any", "holds", "broken"}, "dull study")
        contradicted = any(finding["contradicted"] for finding in wanted)
        got = self.json(code=CONTRADICTED if contradicted else 0)
        self.assert_findings(got["findings"], wanted)
        self.assertEqual((got["alpha"], got["complete"], got["contradicted"]), (ALPHA, True, contradicted))
        self.assertEqual((got["completed"], got["trajectories"]), (240, 240))
        self.assertEqual(got["exit"], CONTRADICTED if contradicted else 0)
        self.assertEqual(got["title"], self.CASES["study_title"])

    def test_alpha(self):
        wanted = verdict_of(self.out, self.expected, alpha=1e-4)
        code = CONTRADICTED if any(finding["contradicted"] for finding in wanted) else 0
        self.assert_findings(self.json("--alpha", "1e-4", code=code)["findings"], wanted)

    def test_csv(self):
        rows = list(csv.DictReader(io.StringIO(self.mixlab("check", self.out, "--format", "csv").out)))
        for row in rows:
            row.update({key: int(row[key]) for key in ("cell", "n", "misses", "horizon_misses")})
            row.update({key: row[key] == "1" for key in ("guaranteed", "contradicted")})
        self.assert_findings(rows, verdict_of(self.out, self.expected))

    def test_table(self):
        text = self.mixlab("check", self.out).out
        rows, wanted = parse_table(text), verdict_of(self.out, self.expected)
        self.assertEqual(len(rows), len(wanted), text)
        for row, finding in zip(rows, wanted):
            for key in ("cell", "set", "state"):
                self.assertEqual(row[key], finding[key])
            self.assertEqual(int(row["misses"]), finding["misses"])
            self.assertEqual(row["star"] == "", finding["guaranteed"])
            self.assertEqual(row["expected"], finding["expected"])
            self.assertEqual(row["mark"], "NO" if finding["contradicted"] else "ok")
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
        self.assertIn("not contradicted, not certified", text)

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
            wanted = verdict_of(self.out, self.expected if delta == 0.1 else guaranteed, delta=delta)
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
        """With n_to_decide trajectories at the same miss rate the set would pass the strictest step of Holm."""
        tested = sum(expected != "any" for expected in self.expected.values())
        n_seen = 0
        for finding in self.json()["findings"]:
            n = finding["n_to_decide"]
            if finding["state"] != "undecided" or n == 0:
                continue
            n_seen += 1
            rate, delta = finding["misses"] / finding["n"], finding["delta"]
            level = ALPHA / tested if finding["expected"] != "any" else ALPHA

            def decided(size):
                return (lower_tail(math.ceil(rate * size), size, delta) if rate < delta else
                        upper_tail(math.floor(rate * size), size, delta)) <= level

            self.assertTrue(decided(n), finding)
            self.assertFalse(decided(n - 1), finding)
            self.assertGreater(n, finding["n"])
        self.assertGreater(n_seen, 0, "dull study")


class Expectations(SystemTest):
    def check(self, code, **expect):
        study = self.study(study_trajectories=60, study_horizon=150, noise_rho=0.97, policy_name="linucb", **expect)
        self.compute(study, "out.h5")
        outcome = self.mixlab("check", "out.h5", code=code)
        (self.folder / "out.h5").unlink()
        return outcome.out

    def test_as_expected(self):
        self.assertIn("As expected", self.check(0, expect_oful="broken"))

    def test_holds_but_violated(self):
        text = self.check(CONTRADICTED, expect_oful="holds")
        self.assertIn("CONTRADICTED", text)
        self.assertIn("holds  NO", text)

    def test_broken_but_not_violated(self):
        self.assertIn("broken NO", self.check(CONTRADICTED, expect_paper="broken"))

    def test_undecided_holds(self):
        study = self.study(study_trajectories=5, confidence_monitor="paper", policy_name="mixing-linucb")
        self.compute(study, "out.h5")
        text = self.mixlab("check", "out.h5").out
        self.assertIn("not contradicted, not certified", text)
        self.assertRegex(text, r"about \d+ trajectories would decide")

    def test_last_matching_clause_wins(self):
        self.check(0, expect_oful="holds; broken if noise.rho>=0.9")
        self.check(CONTRADICTED, expect_oful="broken if noise.rho>=0.9; holds")
        self.check(0, expect_oful="broken; holds if noise.rho<0.9 and policy.name=linucb")
        self.check(0, expect_oful="holds; broken if policy.name!=mixing-linucb and confidence.delta<=0.1")

    def test_exit_code_of_every_format(self):
        self.compute(self.study(expect_paper="broken"), "out.h5")
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


class StatusAndMerge(SystemTest):
    def status(self, code):
        table = self.mixlab("status", "out.h5", code=code).out
        status = json.loads(self.mixlab("status", "out.h5", "--format", "json", code=code).out)
        self.assertIn(f"{status['done']} of {status['total']} trajectories done", table)
        for cell in status["cells"]:
            self.assertRegex(table, rf"cell {cell['cell']} +{cell['done']} / {cell['total']} +{cell['label']}\n")
        self.assertEqual(sum(cell["done"] for cell in status["cells"]), status["done"])
        self.assertEqual(status["complete"], code == 0)
        return status["done"], status["total"], status["parts_waiting"]

    def test_from_nothing_to_merged(self):
        study = self.study(study_part=5)
        self.compute(study, "out.h5", "--shard", "0/2")
        self.assertEqual(self.status(WORK_LEFT), (20, 40, 4))

        before = self.files()
        outcome = self.mixlab("merge", "out.h5", code=WORK_LEFT)
        self.assertIn("20 of 40 trajectories are missing", outcome.err)
        self.assertEqual(self.files(), before, "a refused merge changed files")

        self.compute(study, "out.h5", "--shard", "1/2")
        self.assertEqual(self.status(WORK_LEFT), (40, 40, 8))
        self.mixlab("merge", "out.h5")
        self.assertEqual(self.status(0), (40, 40, 0))

        before = self.files()
        for command in (("merge", "out.h5"), ("run", study, "-o", "out.h5")):
            self.mixlab(*command)
            self.assertEqual(self.files(), before, "nothing was left to do, yet files changed")

    def test_grown(self):
        study = self.study(study_trajectories=10)
        self.compute(study, "out.h5")
        self.compute(study, "out.h5", "--shard", "1/2", "--set", "study.trajectories=30", "--set", "study.part=10")
        self.assertEqual(self.status(WORK_LEFT), (40, 60, 2))

    def shards_apart(self):
        study = self.study(study_part=5)
        for i in (0, 1):
            (self.folder / f"node{i}").mkdir()
            self.compute(study, f"node{i}/study.h5", "--shard", f"{i}/2")
        return self.compute(study, "whole.h5")

    def test_merge_of_folders_again_changes_nothing(self):
        whole = self.shards_apart()
        command = ("merge", "out.h5", "node0/study.h5.parts", "node1/study.h5.parts")
        self.mixlab(*command)
        before = stored(self.folder / "out.h5")[1]
        self.mixlab(*command)
        self.assert_same(whole, "out.h5")
        self.assertEqual(stored(self.folder / "out.h5")[1], before)

    def test_merge_of_folders_one_by_one(self):
        whole = self.shards_apart()
        self.mixlab("merge", "out.h5", "node1/study.h5.parts", "--partial")
        self.mixlab("merge", "out.h5", "node0/study.h5.parts")
        self.assert_same(whole, "out.h5")

    def test_merge_of_folders_with_a_slash(self):
        whole = self.shards_apart()
        self.mixlab("merge", "out.h5", "node0/study.h5.parts/", "node1/study.h5.parts/")
        self.assert_same(whole, "out.h5")


class Plan(SystemTest):
    def cells(self, *args):
        text = self.mixlab("plan", *args).out
        found = re.findall(r"^cell (\d+): (.*)\n  d = (\d+), phi_d = (\S+) .*policy lag (\d+)", text, re.MULTILINE)
        return text, [(int(i), label, int(d), float(phi), int(lag)) for i, label, d, phi, lag in found]

    def test_quickstart(self):
        text, cells = self.cells(QUICKSTART)
        self.assertEqual([(d, lag) for _, _, d, _, lag in cells], [(75, 75), (75, 1)])
        for cell in cells:
            self.assertAlmostEqual(cell[3], 0.9**75, delta=1e-9)
        self.assertIn(f"phi={0.9**75!r}", text)
        for default in ("draw=trajectory", "sigma=1", "ucb=ellipsoid", "lambda=1", "theta_norm=0.9", "seed 1"):
            self.assertIn(default, text)
        for need in ("disk", "memory", "time"):
            self.assertIn(need, text)
        self.assertEqual([*self.folder.iterdir()], [], "plan wrote something")

    def test_sweep(self):
        study = self.study(noise_process="iid, sticky", noise_rho="-0.5, 0.9", noise_sigma="0.5, 2",
                           study_horizon="100, 3000", problem_dimension="3", problem_arms="sphere:7",
                           confidence_delay="paper")
        _, cells = self.cells(study)
        out = self.compute(study, "out.h5", "--set", "study.trajectories=1")
        values, _ = stored(out)
        self.assertEqual(len(cells), 2 * 2 * (1 + 2) * 2)
        self.assertEqual([cell[:2] for cell in cells], list(enumerate(values["label"])))
        self.assertEqual(len({cell[1] for cell in cells}), len(cells))
        for i, _, d, phi, lag in cells:
            T, rho, sigma = values["study_horizon"][i], abs(values["noise_rho"][i]), values["noise_sigma"][i]
            if values["noise_process"][i] == "iid":
                self.assertEqual((d, phi), (1, 0))
            else:
                self.assertEqual(d, min(T, max(1, math.ceil(math.log(T / (3 * sigma)) / math.log(1 / rho)))))
                self.assertAlmostEqual(phi / (sigma * rho**d), 1, delta=1e-5)
            self.assertEqual(lag, d if values["policy_name"][i] == "mixing-linucb" else 1)
            self.assertEqual((values["confidence_delay"][i], values["policy_delay"][i]), (d, lag))

    def test_delay_cut_to_the_horizon_is_said(self):
        study = self.study(confidence_delay=500, policy_delay=400)
        text, cells = self.cells(study)
        self.assertEqual([(d, lag) for _, _, d, _, lag in cells], [(60, 60), (60, 60)])
        self.assertIn("cut to the horizon 60", text)


class Words(SystemTest):
    KINDS = {"noise": ("iid", "sticky"), "arms": ("basis", "circle", "sphere"), "policies": ("linucb", "mixing-linucb"),
             "sets": ("oful", "otc", "paper"), "delays": ("paper",)}

    def test_list_and_describe(self):
        everything = self.mixlab("list").out
        for kind, names in self.KINDS.items():
            listed = self.mixlab("list", kind).out
            self.assertIn(listed, everything)
            for name in names:
                self.assertRegex(listed, rf"\n  {name} +\S")
                self.assertRegex(self.mixlab("describe", name).out, rf"(?s){name} \({kind}\)\n  \S.*\n  formula  \S")
        self.assertRegex(self.mixlab("describe", "sticky").out, r"(?s)\n  rho .*\(-1, 1\).*\n  tau ")

    def test_sections(self):
        for section, key in (("study", "trajectories"), ("problem", "theta_norm"), ("noise", "sigma"),
                             ("policy", "delay"), ("confidence", "monitor")):
            self.assertRegex(self.mixlab("describe", section).out, rf"\n  {key} +\S")

    def test_help(self):
        commands = re.findall(r"^  (\w+) ", self.mixlab("--help").out, re.MULTILINE)
        for name in ("run", "plan", "status", "merge", "check", "trace", "diff", "list", "describe"):
            self.assertIn(name, commands)
            self.assertIn(f"usage: mixlab {name}", self.mixlab(name, "--help").out)
        self.assertRegex(self.mixlab("--version").out, r"^mixlab \d+\.\d+\.\d+ ")

    def test_progress(self):
        study = self.study()
        outcome = self.mixlab("run", study, "-o", "out.h5")
        self.assertEqual(outcome.out, "")
        self.assertRegex(outcome.err, r"40/40 trajectories 100%.* rounds/s .* misses paper \d+, oful \d+, otc \d+\n")
        self.assertIn("mixlab check out.h5", outcome.err)
        self.assertEqual(self.mixlab("run", study, "-o", "quiet.h5", "--quiet"), (0, "", ""))

    def test_progress_on_a_terminal(self):
        try:
            controller, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        process = self.start("run", self.study(), "-o", "out.h5", stderr=terminal)
        self.assertEqual(process.wait(60), 0)
        os.close(terminal)
        self.assertIn(b"\r\x1b[K40/40 trajectories", os.read(controller, 65536))
        os.close(controller)

    def test_fits_a_terminal(self):
        small = ("--set", "study.trajectories=40", "--set", "study.horizon=500")
        out = self.compute(QUICKSTART, "out.h5", *small)
        commands = [("check", out, "--delta", "0.05,0.3"), ("status", out), ("plan", QUICKSTART), ("list",),
                    ("trace", out, "--cell", 0, "--trajectory", 0)]
        commands += [("describe", name) for names in self.KINDS.values() for name in names]
        for command in commands:
            with self.subTest(" ".join(map(str, command))):
                self.assertEqual([line for line in self.mixlab(*command).out.splitlines() if len(line) > 80], [])


if __name__ == "__main__":
    main()
