#!/usr/bin/python3
"""`mixlab rare` as a user meets it: numbers with their errors, files that survive stops, kills, shards and damage."""
import json
import math
import signal

import xarray
from harness import BAD_INPUT, WORK_LEFT, SystemTest, flip_byte, main, wait_until

FIELDS = {"cell", "label", "set", "delta", "method", "estimate", "log10_estimate", "relative_error", "low", "high",
          "ess", "largest_share", "reliable", "why", "lower_limit", "upper_limit", "hits", "paths"}


class Rare(SystemTest):
    def question(self, *more):
        study = self.study(policy_name="mixing-linucb", confidence_monitor="selfnorm oful")
        return ("rare", study, "--paths", 400, "--delta", "0.1,0.5", *more)

    def estimates(self, *arguments):
        return json.loads(self.mixlab(*arguments, "--format", "json", "--quiet").out)["estimates"]

    def test_says_what_it_found_and_how_well(self):
        found = [e for e in self.estimates(*self.question()) if e["method"] != "selected"]
        self.assertEqual([(e["cell"], e["set"], e["delta"]) for e in found],
                         [(0, name, delta) for name in ("selfnorm", "oful") for delta in (0.1, 0.5)])
        for estimate in found:
            self.assertEqual(set(estimate), FIELDS)
            self.assertEqual(estimate["method"], "twisted")
        oful = found[3]
        self.assertAlmostEqual(math.log10(oful["estimate"]), oful["log10_estimate"], places=9)
        self.assertAlmostEqual(oful["lower_limit"], 0.05 * oful["estimate"], places=12)
        self.assertEqual(found[0]["upper_limit"], 0.1)  # guaranteed by the theory
        table = self.mixlab(*self.question()).out
        self.assertIn("selfnorm", table)
        self.assertLessEqual(max(len(line) for line in table.splitlines()), 80)
        rows = self.mixlab(*self.question("--format", "csv", "--only", "oful", "--quiet")).out.splitlines()
        self.assertEqual(len(rows), 3)
        self.assertEqual(rows[0].split(",")[:3], ["cell", "label", "set"])

    def test_never_says_zero(self):
        study = self.study(policy_name="mixing-linucb", confidence_monitor="paper")
        table = self.mixlab("rare", study, "--paths", 200, "--quiet").out
        self.assertIn("no path found; below what this effort could see; upper limit 0.1 at 95 %", table)
        nothing, = self.estimates("rare", study, "--paths", 200)
        self.assertIsNone(nothing["estimate"])
        self.assertIsNone(nothing["log10_estimate"])
        self.assertFalse(nothing["reliable"])

    def test_both_methods_agree(self):
        found = self.estimates(*self.question("--only", "oful", "--method", "both"))
        self.assertEqual([e["method"] for e in found], ["twisted", "twisted", "splitting", "splitting"])
        for twisted, splitting in zip(found[:2], found[2:]):
            apart = twisted["estimate"] - splitting["estimate"]
            errors = (e["estimate"] * e["relative_error"] for e in (twisted, splitting))
            self.assertLess(abs(apart), 8 * math.hypot(*errors))  # the error of splitting has 4 degrees of freedom

    def test_same_bytes_for_threads_shards_stops_and_kills(self):
        question = self.question("--only", "oful", "--method", "both", "--quiet")
        self.mixlab(*question, "--threads", 1, "-o", "one.h5")
        self.mixlab(*question, "--threads", 2, "-o", "two.h5")
        for i in (1, 0):
            self.mixlab(*question, "--shard", f"{i}/2", "-o", "shards.h5")
        self.assertFalse((self.folder / "shards.h5").exists())
        self.mixlab(*question, "-o", "shards.h5")
        killed = self.start(*question, "-o", "killed.h5")
        parts = self.folder / "killed.h5.parts"
        wait_until(lambda: parts.exists() and list(parts.glob("twisted-*.h5")))
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        self.mixlab(*question, "-o", "killed.h5")
        self.mixlab(*question, "--max-time", "0.2s", "-o", "stopped.h5", code=WORK_LEFT)
        self.mixlab(*question, "-o", "stopped.h5")
        one = (self.folder / "one.h5").read_bytes()
        for name in ("two", "shards", "killed", "stopped"):
            self.assertEqual((self.folder / f"{name}.h5").read_bytes(), one, name)
            self.assertFalse((self.folder / f"{name}.h5.parts").exists())

    def test_a_damaged_piece_is_computed_again(self):
        question = self.question("--only", "oful", "--quiet")
        self.mixlab(*question, "-o", "whole.h5")
        self.mixlab(*question, "--shard", "0/2", "-o", "out.h5")
        piece = next((self.folder / "out.h5.parts").glob("twisted-*.h5"))
        flip_byte(piece, 2000)
        self.assertIn("damaged piece set aside", self.mixlab(*question, "-o", "out.h5").err)
        self.assertEqual((self.folder / "out.h5").read_bytes(), (self.folder / "whole.h5").read_bytes())

    def test_a_finished_file_answers_its_own_question_only(self):
        question = self.question("--only", "oful")
        first = self.estimates(*question, "-o", "out.h5")
        self.assertEqual(self.estimates(*question, "-o", "out.h5"), first)
        other = self.question("--only", "selfnorm")
        self.assertIn("another question", self.mixlab(*other, "-o", "out.h5", code=BAD_INPUT).err)

    def test_the_file_holds_every_path(self):
        estimate = self.estimates(*self.question("--only", "oful", "-o", "out.h5"))[0]
        file = xarray.open_dataset(self.folder / "out.h5")
        weights = file.log_weight.sel(target=0)
        self.assertEqual(file.sizes["path"], int(file.tilt_paths.sum()))
        self.assertEqual(file.target_set.values.tolist(), ["oful", "oful"])
        mean = float(sum(math.exp(w) for w in weights.values) / file.sizes["path"])
        self.assertAlmostEqual(mean / estimate["estimate"], 1, places=9)
        self.assertEqual(int((file.first_crossing.sel(target=0) > 0).sum()), estimate["hits"])

    def test_the_report_draws_every_set_over_its_levels(self):
        study = self.study(policy_name="mixing-linucb", confidence_monitor="selfnorm oful")
        out = self.compute(study, "out.h5")
        self.mixlab("rare", out, "--paths", 400, "--delta", "0.1,0.5", "-o", "rare.h5", "--quiet")
        self.mixlab("report", out, "--rare", "rare.h5", "-o", "page")
        page = (self.folder / "page" / "report.html").read_text()
        self.assertIn("How safe is safe", page)
        drawing = (self.folder / "page" / "figures" / "rare-0-twisted.svg").read_text()
        for name in ('data-series="oful"', 'data-line="δ"'):
            self.assertIn(name, drawing)
        other = self.compute(self.study(study_seed=8), "other.h5")
        self.assertIn("another study", self.mixlab("report", other, "--rare", "rare.h5", code=BAD_INPUT).err)

    def test_bad_questions(self):
        study = self.study()
        for words, message in ((("--cell", 9), "bad --cell"), (("--only", "ofull"), "did you mean oful"),
                               (("--only", "telescope"), "telescope'"),
                               (("--delta", "0"), "bad --delta"), (("--method", "magic"), "bad --method"),
                               (("--paths", 5), "bad --paths"), (("--shard", "0/2"), "give -o RARE.h5")):
            self.assertIn(message, self.mixlab("rare", study, *words, code=BAD_INPUT).err)
        (self.folder / "series.csv").write_text("1\n-1\n2\n")
        replay = self.study(noise_process="replay", noise_rho=None, noise_file="series.csv")
        for method in ("twisted", "splitting"):
            self.assertIn("replay", self.mixlab("rare", replay, "--method", method, code=BAD_INPUT).err)


if __name__ == "__main__":
    main()
