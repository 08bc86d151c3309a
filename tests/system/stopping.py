#!/usr/bin/python3
"""Cells that stop at their verdict: where the rule says, and the same whoever computes them."""
import json
import math
import time

import numpy as np

from exact import ALPHA, declared, log_e, split
from harness import BAD_INPUT, CONTRADICTED, DONE, WORK_LEFT, SystemTest, main, random_source, run, stored, times

chance = random_source("stopping")
UNTIL = ("--until", "decided")


class Stopping(SystemTest):
    """Coins of known miscoverage: some are decided soon, some late, one never."""

    N, DELTA = 600, 0.05
    MISS = (0.0001, 0.001, 0.01, 0.05, 0.15, 0.5, 1)
    FEW = {"confidence_coin_miss": "0.001, 0.05, 1"}  # where the same study is run many times over

    def coins(self, file="study.cfg", **more):
        settings = {"study_trajectories": self.N, "study_horizon": 20, "noise_process": "iid", "noise_rho": None,
                    "policy_name": "round-robin", "confidence_delta": self.DELTA, "confidence_delay": 1,
                    "confidence_monitor": "coin", "confidence_coin_miss": ", ".join(map(str, self.MISS)),
                    "expect_coin": "holds; broken if confidence.coin_miss>0.05"}
        return self.study(file, **{**settings, **more})

    def n_run(self, path):
        return list(stored(self.folder / path)[0]["n_run"])

    def stops_of(self, path, n_most, n_declared):
        """Where the cells of a complete file would have stopped, by the rule as it is written."""
        values, _ = stored(self.folder / path)
        expected = {(cell, "coin"): ("any", "holds", "broken")[code]
                    for cell, code in enumerate(values["expected"][:, 0])}
        level = ALPHA / declared(values, expected)
        share, _ = split(n_declared, self.DELTA, level)
        enough = -math.log(share * level)
        stops = []
        for cell in range(len(values["label"])):
            misses = values["first_violation"][cell, :, 0] > 0
            looks = [64 * 2**i for i in range(20) if 64 * 2**i < n_most]
            evidence = [max(log_e(n, self.DELTA)[kind][misses[:n].sum()] for kind in (0, 1)) for n in looks]
            stops.append(next((n for n, log_e_n in zip(looks, evidence) if log_e_n >= enough), n_most))
        return stops

    def shards_until_done(self, study, out, n, *options):
        """Runs shards in turn, in any order, until none of them has to wait; how often one had to."""
        n_waits, open_shards = 0, set(range(n))
        while open_shards:
            for shard in chance.sample(sorted(open_shards), len(open_shards)):
                outcome = self.run_shard(study, out, shard, n, *options)
                if outcome.code == DONE:
                    open_shards.remove(shard)
                else:
                    self.assertIn("waits for other shards", outcome.err)
                    n_waits += 1
        return n_waits

    def run_shard(self, study, out, shard, n, *options):
        outcome = run(["run", study, "-o", out, "--quiet", "--shard", f"{shard}/{n}", *UNTIL, *options],
                      folder=self.folder)
        self.assertIn(outcome.code, (DONE, WORK_LEFT), outcome.err)
        return outcome


class Rule(Stopping):
    def test_cells_stop_where_the_rule_says(self):
        study = self.coins()
        self.compute(study, "all.h5")
        self.compute(study, "out.h5", *UNTIL)
        wanted = self.stops_of("all.h5", self.N, self.N)
        self.assertEqual(self.n_run("out.h5"), wanted)
        self.assertEqual((wanted[3], wanted[5], wanted[6]), (self.N, 64, 64))
        self.assertGreater(len(set(wanted)), 2, "dull study")
        everything, some = stored(self.folder / "all.h5")[0], stored(self.folder / "out.h5")[0]
        for cell, n in enumerate(wanted):
            np.testing.assert_array_equal(some["completed"][cell], np.arange(self.N) < n)
            for name in ("regret", "first_violation", "log10_p"):
                np.testing.assert_array_equal(some[name][cell, :n], everything[name][cell, :n])

    def test_the_same_for_any_number_of_threads(self):
        study = self.coins()
        one = self.compute(study, "1.h5", *UNTIL, "--threads", 1)
        for n in (2, 5):
            self.assert_same(one, self.compute(study, f"{n}.h5", *UNTIL, "--threads", n))

    def test_the_same_for_any_number_of_shards(self):
        study = self.coins(study_part=50, **self.FEW)
        whole = self.compute(study, "whole.h5", *UNTIL)
        for n in (1, 3, 17):
            n_waits = self.shards_until_done(study, f"{n}.h5", n)
            self.mixlab("merge", f"{n}.h5") if n > 1 else None
            self.assert_same(whole, f"{n}.h5")
            if n > 1:
                self.assertGreater(n_waits, 0)

    def test_the_same_when_killed_and_resumed(self):
        study = self.coins(study_horizon=400, study_part=16, **self.FEW)
        whole = self.compute(study, "whole.h5", *UNTIL)
        for i in range(times(4, 40)):
            out = f"{i}.h5"
            for _ in range(chance.randint(1, 6)):
                process = self.start("run", study, "-o", out, "--quiet", *UNTIL)
                time.sleep(chance.uniform(0, 0.4))
                process.kill()
                process.wait()
            self.compute(study, out, *UNTIL)
            self.assert_same(whole, out)

    def test_parts_of_other_sizes_and_without_stops_are_taken(self):
        study = self.coins()
        whole = self.compute(study, "whole.h5", *UNTIL)
        self.compute(study, "out.h5", "--shard", "1/3", "--set", "study.part=90")
        self.compute(study, "out.h5", *UNTIL)
        values, _ = stored(self.folder / "out.h5")
        reference, _ = stored(whole)
        for cell, n in enumerate(reference["n_run"]):
            self.assertTrue(np.all(values["completed"][cell, :n] == 1))
            np.testing.assert_array_equal(values["regret"][cell, :n], reference["regret"][cell, :n])
        self.assertGreater(sum(values["n_run"]), sum(reference["n_run"]), "parts that cross a look are kept")

    def test_growth(self):
        study = self.coins()
        self.compute(study, "out.h5", *UNTIL)
        before = self.n_run("out.h5")
        more = ("--set", f"study.trajectories={3 * self.N}")
        self.compute(study, "out.h5", *UNTIL, *more)
        self.compute(study, "all.h5", *more)
        after = self.n_run("out.h5")
        self.assertEqual(after, self.stops_of("all.h5", 3 * self.N, self.N))
        self.assertEqual([n for n in before if n < self.N], [a for a, b in zip(after, before) if b < self.N])
        self.assertEqual(set(stored(self.folder / "out.h5")[0]["n_declared"]), {self.N})
        self.compute(study, "out.h5", *more)  # never stops: the rest is run
        self.assert_same("all.h5", "out.h5")

    def test_a_cell_of_which_nothing_is_expected_runs_to_its_end(self):
        study = self.coins(expect_coin="any")
        self.compute(study, "out.h5", *UNTIL)
        self.assertEqual(set(self.n_run("out.h5")), {self.N})
        self.assertIn("7 cells of which nothing is expected will not stop",
                      " ".join(self.mixlab("plan", study, *UNTIL).out.split()))

    def test_it_is_the_same_study(self):
        self.compute(self.coins(study_stop="verdict"), "key.h5")
        self.compute(self.coins(), "option.h5", *UNTIL)
        self.assert_same("key.h5", "option.h5")
        self.mixlab("run", "key.h5", code=DONE)
        self.assertIn("bad --until", self.mixlab("run", self.coins(), "--until", "tired", code=BAD_INPUT).err)
        self.mixlab("run", self.coins(), "--set", "study.stop=sometimes", code=BAD_INPUT)


class Commands(Stopping):
    def test_a_shard_that_waits_and_those_who_look_on(self):
        study = self.coins(study_part=20, **self.FEW)
        first = self.run_shard(study, "out.h5", 0, 2)
        self.assertEqual(first.code, WORK_LEFT)
        self.assertIn("shard 0/2 waits for other shards", first.err)
        self.assertIn("at most", self.mixlab("merge", "out.h5", code=WORK_LEFT).err)
        status = json.loads(self.mixlab("status", "out.h5", "--format", "json", code=WORK_LEFT).out)
        self.assertEqual((status["complete"], status["stopped_cells"], status["total"]), (False, 0, 3 * self.N))
        self.shards_until_done(study, "out.h5", 2)
        self.mixlab("merge", "out.h5")
        status = json.loads(self.mixlab("status", "out.h5", "--format", "json").out)
        stopped = [n for n in self.n_run("out.h5") if n < self.N]
        self.assertEqual((status["complete"], status["stopped_cells"]), (True, len(stopped)))
        self.assertEqual(status["total"], sum(self.n_run("out.h5")))
        self.assertEqual(status["done"], status["total"])

    def test_merge_goes_by_the_rule_in_other_folders_too(self):
        study = self.coins(study_part=25, **self.FEW)
        whole = self.compute(study, "whole.h5", *UNTIL)
        self.shards_until_done(study, "there.h5", 2)
        self.mixlab("merge", "here.h5", "there.h5.parts")
        self.assert_same(whole, "here.h5")

    def test_check_knows_that_nothing_is_missing(self):
        self.compute(self.coins(), "out.h5", *UNTIL)
        verdict = json.loads(self.mixlab("check", "out.h5", "--format", "json").out)
        n_run = self.n_run("out.h5")
        self.assertEqual((verdict["complete"], verdict["completed"]), (True, sum(n_run)))
        for finding in verdict["findings"]:
            n = n_run[finding["cell"]]
            self.assertEqual((finding["n"], finding["stopped_early"]), (n, n < self.N))
            if n < self.N:
                self.assertEqual(finding["state"], "violated" if finding["expected"] == "broken" else "certified")
                self.assertIsNone(finding["dkw_p"])
        for options in ((), ("--full",)):
            text = " ".join(self.mixlab("check", "out.h5", *options).out.split())
            self.assertIn("for a fixed number of trajectories: for orientation only", text)
        self.assertIn("stopped at its verdict", text)
        self.mixlab("check", "out.h5", "--alpha", "1e-9")  # stricter than the stops: undecided, not wrong

    def test_plan_says_what_is_saved(self):
        text = " ".join(self.mixlab("plan", self.coins(study_trajectories=2048), *UNTIL).out.split())
        self.assertIn(f"{4 * 256 + 3 * 64} of {7 * 2048} trajectories are run, 92% are saved", text)
        self.assertNotIn("stop = verdict", self.mixlab("plan", self.coins()).out)

    def test_a_contradiction_stops_a_cell_too(self):
        self.compute(self.coins(expect_coin="holds"), "out.h5", *UNTIL)
        self.assertEqual(self.n_run("out.h5")[-2:], [64, 64])
        self.mixlab("check", "out.h5", code=CONTRADICTED)


if __name__ == "__main__":
    main()
