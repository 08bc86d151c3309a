#!/usr/bin/python3
"""Numbers at the edge: of studies, options and tables; absurd values of every key."""
import re
import shutil
import subprocess
import time

from attack import AttackTest
from harness import BAD_INPUT, DONE, SANITIZER, main, random_source, run, times

chance = random_source("attack_numbers")


class TablesOfNumbers(AttackTest):
    """A first line is a header only if nothing in it looks like a number."""

    def plan(self, text, code):
        (self.folder / "arms.csv").write_text(text)
        return self.mixlab("plan", self.study(problem_arms="file:arms.csv"), code=code)

    def test_arms(self):
        for text in ("1x,0\n0,1\n0.6,0.8\n", "nan,0\n0,1\n", "inf 0\n0 1\n", "x,0\n0,1\n", "1,0\nx,y\n0,1\n",
                     "-.5y z\n0 1\n", "# mine\n0,1x\n0,1\n", "0;0,5\n0;1\n", "1,0\n0,nan\n", "1,0\n0,1e999\n"):
            with self.subTest(text):
                self.assertIn("arms.csv:", self.plan(text, BAD_INPUT).err)

    def test_good_arms(self):
        for text in ("x,y\n1,0\n0,1\n", "# mine\n\nfirst second\n1 0\n0 1\n", "1;0\n0;1\n", "\ufeffx,y\n1,0\n0,1\n",
                     "\ufeff1,0\n0,1\n"):
            with self.subTest(text):
                self.plan(text, DONE)

    def test_replay(self):
        for text in ("nan\n1\n2\n3\n", "1\n2\ninf\n", "0,5\n"):
            (self.folder / "series.csv").write_text(text)
            study = self.study(noise_process="replay", noise_rho=None, noise_file="series.csv", noise_proxy=2)
            self.assertIn("series", self.mixlab("plan", study, code=BAD_INPUT).err)


class Numbers(AttackTest):
    """At the edge of what doubles hold: refused with the range, or right."""

    def test_regularisation(self):
        for key in ("confidence_lambda", "policy_lambda"):
            for value in ("1e308", "1e-308", "1e13", "1e-13", "inf"):
                with self.subTest(f"{key} = {value}"):
                    self.assert_refused("plan", self.study(**{key: value}), words=[key.replace("_", "."), value])
            self.compute(self.study(**{key: "1e9"}), f"{key}.h5")
        for changes in ({"noise_sigma": "1e-300"}, {"problem_norm_bound": "1e-200", "problem_theta_norm": None},
                        {"noise_sigma": "1e-9", "problem_norm_bound": "1e9"}):
            self.assertIn(BAD_INPUT, [run(("plan", self.study(**changes)), folder=self.folder).code])

    def test_large_lambda_is_computed_right(self):
        study = self.study(study_trajectories=300, confidence_lambda="1e12", confidence_monitor="oful", noise_rho=0,
                           problem_theta_norm=1)
        out = self.compute(study, "out.h5")
        self.assertIn("AS EXPECTED: oful certified in cells 0-1", self.mixlab("check", out).out)

    def test_levels(self):
        out = self.compute(self.study(), "out.h5")
        for option, value in (("--alpha", "5e-324"), ("--alpha", "1e-300"), ("--alpha", "nan"), ("--delta", "5e-324"),
                              ("--delta", "1e-310")):
            self.assert_refused("check", out, option, value, words=[option])
        self.assert_refused("plan", self.study(confidence_delta="1e-310"), words=["confidence.delta"])

    ABSURD = ("nan", "-nan", "inf", "-inf", "0", "-0", "-1", "1e308", "-1e308", "1e-308", "5e-324", "1e999", "1e18",
              "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0x10", "1,,2", ",", "0:1:0",
              "1:0:-1", "0:1:1e-300", "log 0:1:5", "", "=", "~", "file:", "file:/", "circle:0", "circle:1e18", "\u202e",
              "a" * 10000, "%n%s", "$(touch executed)", "../../../etc/passwd", "[study]", "paper " * 1000)

    def keys(self):
        """Every key that a study may have, as the program lists them."""
        sections = ("study", "problem", "noise", "policy", "confidence")
        return [f"{section}.{key}" for section in sections
                for key in re.findall("^  ([a-zA-Z_]+)  ", self.mixlab("describe", section).out, re.M)] + [
            "noise.rho", "noise.file", "expect.paper"]

    def test_absurd_values(self):
        """Of any key: a word and exit code 2, or a study that can be run; at once, and in little memory."""
        keys = self.keys()
        self.assertGreater(len(keys), 20)
        study = self.study(study_trajectories=2, study_horizon=20)
        for _ in range(times(25, 2000)):
            sets = [f"{chance.choice(keys)}={chance.choice(self.ABSURD)}" for _ in range(chance.choice((1, 1, 2)))]
            with self.subTest(sets):
                args = ("plan", study, *(word for each in sets for word in ("--set", each)))
                process = self.start(*args, stderr=subprocess.PIPE)
                err = process.communicate(timeout=30)[1].decode()
                self.assertIn(process.returncode, (DONE, BAD_INPUT), err)
                if process.returncode == BAD_INPUT:
                    self.assertRegex(err, r"^mixlab: [^\n]+\n")
                elif not any("trajectories" in each or "horizon" in each or "dimension" in each for each in sets):
                    outcome = run(("run", *args[1:], "-o", "out.h5", "--quiet"), folder=self.folder)
                    self.assertIn(outcome.code, (DONE, BAD_INPUT), outcome.err)
                    for path in self.folder.glob("out.h5*"):
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.assertFalse((self.folder / "executed").exists())

    def test_a_million_cells(self):
        sweep = ", ".join(str(i / 10**4) for i in range(1, 1001))
        study = self.study(noise_rho=sweep, confidence_delta=sweep)
        start = time.monotonic()
        self.assert_refused("plan", study, words=["cells"])
        self.assertLess(time.monotonic() - start, 30 if SANITIZER else 10)

    def test_bad_instruction_set_leaves_nothing(self):
        study = self.study()
        before = self.files()
        outcome = run(("run", study, "-o", "out.h5"), folder=self.folder, environment={"MIXLAB_ISA": "mmx"})
        self.assertEqual(outcome.code, BAD_INPUT, outcome.err)
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    main()
