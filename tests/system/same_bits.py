#!/usr/bin/python3
"""The data variables do not depend on threads, parts, shards, growth, or on what else is in the study."""
import time

import numpy as np

from harness import SystemTest, main, random_source, run, stored, times

chance = random_source("same_bits")


class SameBits(SystemTest):
    def test_threads(self):
        study = self.study(study_trajectories=60)
        one = self.compute(study, "one.h5", "--threads", 1)
        for n in (2, 5):
            self.assert_same(one, self.compute(study, f"{n}.h5", "--threads", n))

    def test_another_seed_gives_other_bits(self):
        study = self.study()
        a = self.compute(study, "a.h5")
        b = self.compute(study, "b.h5", "--set", "study.seed=8")
        difference = self.mixlab("diff", a, b, code=3).out
        for name in ("regret", "log10_p", "horizon_log10_p", "sup_ratio", "potential"):
            self.assertIn(f"different: {name}[0,0", difference)

    def test_a_study_that_grew(self):
        study = self.study()
        short, long = (self.compute(study, f"{n}.h5", "--set", f"study.trajectories={n}") for n in (20, 30))
        words = self.mixlab("diff", short, long, code=3).out
        self.assertIn("different: regret: shape 2 x 20 x 11 and 2 x 30 x 11", words)
        self.assertIn("same in what both have: all", words)
        self.assertNotIn("different", self.mixlab("diff", short, long, "--common").out)
        other = self.compute(study, "other.h5", "--set", "study.trajectories=30", "--set", "study.seed=8")
        self.assertIn("different: regret[0,0,", self.mixlab("diff", short, other, "--common", code=3).out)

    def test_part_sizes(self):
        study = self.study()
        whole = self.compute(study, "auto.h5")
        for size in (1, 3, 7, 64):
            self.assert_same(whole, self.compute(study, f"{size}.h5", "--set", f"study.part={size}"))

    def test_engine_by_name(self):
        study = self.study()
        self.assert_same(self.compute(study, "auto.h5", "--engine", "auto"),
                         self.compute(study, "lanes.h5", "--engine", "lanes"))
        self.compute(study, "reference.h5", "--engine", "reference")
        self.mixlab("trace", "reference.h5", "--cell", "0", "--trajectory", "1")
        difference = self.mixlab("diff", "auto.h5", "reference.h5", code=3).out  # only in the last digits
        self.assertNotIn("different: first_violation", difference)
        self.assertIn("bad --engine", self.mixlab("run", study, "--engine", "fast", code=2).err)

    def test_engines_are_not_mixed(self):
        study = self.study(study_part=3)
        self.mixlab("run", study, "-o", "mixed.h5", "--shard", "0/2", "--engine", "reference")
        self.assertIn("engine reference", self.mixlab("run", study, "-o", "mixed.h5", code=2).err)

    def test_instruction_sets(self):
        study = self.study()
        best = self.compute(study, "best.h5")
        for isa in ("portable", "fused", "avx2", "avx512"):
            outcome = run(["run", study, "-o", f"{isa}.h5"], folder=self.folder, environment={"MIXLAB_ISA": isa})
            if outcome.code == 2 and "does not have it" in outcome.err:
                print(f"skipped: this processor has no {isa}")
            else:
                self.assertEqual(outcome.code, 0, outcome.err)
                self.assert_same(best, f"{isa}.h5")
                plan = run(["plan", study], folder=self.folder, environment={"MIXLAB_ISA": isa}).out
                self.assertEqual("without a fused multiply-add" in plan, isa == "portable", plan)

    def test_processors(self):
        """OpenBLAS has other kernels, with other last bits, for other processors: nothing in lanes asks it."""
        for arms in ("sphere:9", "fresh:9", "gap:9:0.2", "basis", "ball"):
            study = self.study(problem_dimension="10, 40", problem_arms=arms)
            here = self.compute(study, "here.h5", "--engine", "lanes")
            outcome = run(["run", study, "-o", "there.h5", "--engine", "lanes"], folder=self.folder,
                          environment={"OPENBLAS_CORETYPE": "PRESCOTT"})
            self.assertEqual(outcome.code, 0, outcome.err)
            self.assert_same(here, "there.h5")
            for path in (here, self.folder / "there.h5"):
                path.unlink()

    def test_shards_in_any_order(self):
        study = self.study(study_part=3)
        whole = self.compute(study, "whole.h5")
        order = chance.sample(range(3), 3)
        for i in order:  # all on one file system
            self.compute(study, "together.h5", "--shard", f"{i}/3")
        self.assertFalse((self.folder / "together.h5").exists())
        self.mixlab("merge", "together.h5")
        self.assert_same(whole, "together.h5")

        for i in order:  # each on a machine of its own
            (self.folder / f"node{i}").mkdir()
            self.compute(study, f"node{i}/study.h5", "--shard", f"{i}/3")
        self.mixlab("merge", "apart.h5", *(f"node{i}/study.h5.parts" for i in chance.sample(order, 3)))
        self.assert_same(whole, "apart.h5")

    def test_many_shards_some_twice_some_interrupted(self):
        study = self.study(study_part=1, study_horizon=300)
        whole = self.compute(study, "whole.h5")
        n = times(5, 17)
        order = chance.sample(range(n), n) + chance.sample(range(n), 4)
        chance.shuffle(order)
        for i in order:
            process = self.start("run", study, "-o", "many.h5", "--quiet", "--shard", f"{i}/{n}")
            if chance.random() < 0.3:
                time.sleep(chance.uniform(0, 0.1))
                process.kill()
            process.wait(60)
        for i in range(n):
            self.compute(study, "many.h5", "--shard", f"{i}/{n}")
        self.mixlab("merge", "many.h5")
        self.assert_same(whole, "many.h5")

    def test_shards_at_the_same_time(self):
        study = self.study(study_part=1)
        shards = [self.start("run", study, "-o", "at-once.h5", "--quiet", "--shard", f"{i}/4") for i in range(4)]
        self.assertEqual([shard.wait(60) for shard in shards], [0] * 4)
        self.mixlab("merge", "at-once.h5")
        self.assert_same(self.compute(study, "whole.h5"), "at-once.h5")

    def test_growth(self):
        study = self.study(study_trajectories=40)
        self.compute(study, "grown.h5")
        self.compute(study, "grown.h5", "--set", "study.trajectories=100")
        self.assert_same(self.compute(study, "direct.h5", "--set", "study.trajectories=100"), "grown.h5")

    def test_growth_keeps_what_was_computed(self):
        study = self.study(study_trajectories=10, study_part=1)
        self.compute(study, "grown.h5")
        more = ("--set", "study.trajectories=13")
        self.mixlab("run", study, "-o", "grown.h5", "--quiet", "--shard", "0/2", *more)
        parts = sorted(path.name for path in (self.folder / "grown.h5.parts").glob("c*.h5"))
        self.assertEqual(parts, ["c0000-000010-000010.h5", "c0000-000012-000012.h5", "c0001-000011-000011.h5"])

    def test_row_does_not_depend_on_other_cells(self):
        sweep = self.study(study_trajectories=30, noise_rho="0.2, 0.8", study_horizon="30, 60")
        alone = self.study("alone.cfg", policy_name="linucb", confidence_monitor="oful")
        all_cells, _ = stored(self.compute(sweep, "sweep.h5"))
        one_cell, _ = stored(self.compute(alone, "alone.h5"))
        [cell] = np.flatnonzero((all_cells["noise_rho"] == 0.8) & (all_cells["study_horizon"] == 60)
                                & (all_cells["policy_name"] == "linucb"))
        n = len(one_cell["trajectory"])
        own_rounds = np.isin(all_cells["round"], one_cell["round"])
        [oful] = np.flatnonzero(all_cells["set"] == "oful")
        np.testing.assert_array_equal(all_cells["regret"][cell, :n][:, own_rounds], one_cell["regret"][0])
        np.testing.assert_array_equal(all_cells["potential"][cell, :n], one_cell["potential"][0])
        for name in ("first_violation", "log10_p", "horizon_log10_p", "sup_ratio"):
            np.testing.assert_array_equal(all_cells[name][cell, :n, oful], one_cell[name][0, :, 0])

    def test_policies_see_the_same_noise(self):
        study = self.study(problem_dimension=3, problem_arms="sphere:6")
        traces = []
        for cell in (0, 1):
            self.mixlab("trace", study, "--cell", cell, "--trajectory", 3, "-o", f"{cell}.h5")
            traces.append(stored(self.folder / f"{cell}.h5")[0])
        mixing, plain = traces
        for name in ("noise", "theta_star", "arms"):
            np.testing.assert_array_equal(mixing[name], plain[name])
        self.assertTrue(np.any(mixing["action_index"] != plain["action_index"]), "the policies play alike")


if __name__ == "__main__":
    main()
