"""A noise process, a set and a policy defined outside the library, in an executable that links mixlab::mixlab."""
import os
import unittest

import h5py
import numpy as np

from harness import SystemTest, main


@unittest.skipUnless(os.environ.get("MIXLAB_EXTENDED"), "MIXLAB_EXTENDED names no program")
class Extension(SystemTest):
    def extended(self, *args, code=0):
        return self.mixlab(*args, program=os.environ["MIXLAB_EXTENDED"], code=code)

    def test_runs_through_the_same_commands(self):
        path = self.folder / "own.cfg"
        path.write_text("[study]\ntrajectories = 20\nhorizon = 50\n[noise]\nprocess = alternating\nsize = 0.25\n"
                        "[policy]\nname = last-arm\n[confidence]\ndelay = 3\nmonitor = fixed-size paper\n"
                        "[expect]\nfixed-size = holds\n")
        self.assertIn("phi_d = 0.25", self.extended("plan", path).out)
        self.extended("run", path, "-o", "own.h5", "--quiet")
        self.assertIn("made up", self.extended("check", "own.h5").out)
        self.assertIn("bit for bit", self.extended("trace", "own.h5", "--cell", 0, "--trajectory", 3, "-o", "t.h5").out)
        with h5py.File(self.folder / "t.h5") as trace:
            noise = trace["noise"][:]
            np.testing.assert_array_equal(np.abs(noise), 0.25)
            np.testing.assert_array_equal(noise[1:], -noise[:-1])
            self.assertTrue(np.all(trace["action_index"][3:] == trace["arms"].shape[0] - 1))
        self.assertIn("always the last arm", self.extended("list", "policies").out)
        self.assertIn("absolute value", self.extended("describe", "alternating").out)

    def test_rows_of_two_formulas_are_not_mixed(self):
        path = self.folder / "own.cfg"
        path.write_text("[study]\ntrajectories = 20\nhorizon = 50\n[noise]\nrho = 0.5\n"
                        "[confidence]\nmonitor = fixed-size\n")
        self.extended("run", path, "-o", "own.h5", "--quiet")
        grown = ("run", path, "-o", "own.h5", "--quiet", "--set", "study.trajectories=40")
        refused = self.mixlab(*grown, program=os.environ["MIXLAB_EXTENDED_ANEW"], code=2)
        self.assertIn("last bits may differ", refused.err)
        self.assertIn("program mixlab-extended-anew", refused.err)
        self.extended(*grown)
        with h5py.File(self.folder / "own.h5") as results:
            self.assertEqual(results.attrs["program"].decode(), "mixlab-extended")
            self.assertEqual(len(results.attrs["program_hash"]), 32)

    def test_another_build_may_go_on_with_what_it_did_not_change(self):
        path = self.folder / "own.cfg"
        (self.folder / "series.txt").write_text("0.5\n-0.25\n")
        path.write_text("[study]\ntrajectories = 20\nhorizon = 50\n[noise]\nprocess = recorded\nseries = series.txt\n"
                        "[confidence]\ndelay = 3\n")
        self.extended("run", path, "-o", "own.h5", "--quiet")
        self.mixlab("run", path, "-o", "own.h5", "--quiet", "--set", "study.trajectories=40",
                    program=os.environ["MIXLAB_EXTENDED_ANEW"])

    def test_a_file_under_any_key_is_part_of_the_study(self):
        path = self.folder / "own.cfg"
        text = ("[study]\ntrajectories = 20\nhorizon = 50\n[noise]\nprocess = recorded\nseries = series.txt\n"
                "[confidence]\ndelay = 3\n")
        path.write_text(text)
        (self.folder / "series.txt").write_text("0.5\n-0.25\n")
        self.extended("run", path, "-o", "own.h5", "--quiet")
        (self.folder / "series.txt").write_text("0.5\n0.25\n")
        refused = self.extended("run", path, "-o", "own.h5", "--set", "study.trajectories=40", code=2)
        self.assertIn("another study lives", refused.err)
        self.assertIn("file.series.txt", refused.err)
        path.write_text(text.replace("recorded", "sneaky"))
        self.assertIn("Parameter::file", self.extended("plan", path, code=2).err)

    def run_faulty(self, fault, *options):
        """A run that meets a fault must end with exit code 1; its message, and the parts that it left."""
        path = self.folder / "faulty.cfg"
        path.write_text("[study]\ntrajectories = 1000\nhorizon = 300\npart = 8\nseed = 5\n"
                        f"[noise]\nprocess = faulty\nfault = {fault}\n[confidence]\ndelay = 3\n")
        failed = self.extended("run", path, "-o", f"{fault}.h5", "--quiet", "--threads", 1, *options, code=1)
        return failed.err, sorted(part.name for part in (self.folder / f"{fault}.h5.parts").glob("c0000-*.h5"))

    def test_faults_of_own_noise_are_named_and_finished_parts_stay(self):
        place = r"\(cell 0, trajectory (\d+), {}, seed 5\); finished parts are kept"
        for engine in ("auto", "reference"):
            for fault, words, rounds in (("nan", "noise is -?nan", "round 7"),
                                         ("exception", "no more ink", r"rounds 1 to (?:128|256)")):
                with self.subTest(engine=engine, fault=fault):
                    message, parts = self.run_faulty(fault, "--engine", engine)
                    self.assertRegex(message, f"your own code failed: {words} {place.format(rounds)}")
                    self.assertTrue(parts)
                    self.assertEqual(self.run_faulty(fault, "--engine", engine), (message, parts))
                    for left in self.folder.glob(f"{fault}.h5.parts/*"):
                        left.unlink()

    def test_a_call_that_never_returns_is_named(self):
        message, parts = self.run_faulty("endless", "--max-round", "1s")
        self.assertRegex(message, r"has not come back, .*\(cell 0, trajectory \d+, rounds 1 to 128, seed 5\)")
        self.assertTrue(parts)

    def test_faults_of_own_sets_and_policies_are_named(self):
        path = self.folder / "own.cfg"
        for policy, arms, monitor, words in (("greedy", "circle:5", "no-number", "set no-number is nan"),
                                             ("no-arm", "circle:5", "paper", "the policy chose arm 5 of 0..4"),
                                             ("no-arm", "ball", "paper", "a vector outside the unit ball")):
            with self.subTest(policy=policy, arms=arms):
                path.write_text(f"[study]\ntrajectories = 5\nhorizon = 50\n[problem]\narms = {arms}\n"
                                f"[noise]\nrho = 0.5\n[policy]\nname = {policy}\n"
                                f"[confidence]\ndelay = 3\nmonitor = {monitor}\n")
                failed = self.extended("run", path, "-o", f"{policy}-{arms[:4]}.h5", "--quiet", "--threads", 1, code=1)
                self.assertRegex(failed.err, words + r" \(cell 0, trajectory 0, round (2|9|1\d), seed 1\)")

    def test_the_plain_program_does_not_know_it(self):
        path = self.folder / "own.cfg"
        path.write_text("[noise]\nprocess = alternating\n")
        self.assertIn("alternating", self.mixlab("plan", path, code=2).err)


if __name__ == "__main__":
    main()
