#!/usr/bin/python3
"""Bad input: one line on standard error that names file, key and remedy, the exit code of the contract, and not a byte
written."""
import os
import re

from harness import BAD_INPUT, WRITE_FAILED, SystemTest, flip_byte, main, random_source, study_text

chance = random_source("bad_input")


class BadInput(SystemTest):
    def assert_refused(self, *args, words=(), code=BAD_INPUT, n_lines=1):
        """The program ends with `code` and a message that has all `words` and a remedy; every file stays as it is."""
        before = self.files()
        outcome = self.mixlab(*args, code=code)
        self.assertEqual(self.files(), before, "files changed")
        self.assertEqual(outcome.out, "")
        self.assertTrue(outcome.err.startswith("mixlab: ") and outcome.err.endswith("\n"), outcome.err)
        self.assertEqual(len(outcome.err.splitlines()), n_lines, outcome.err)
        for word in words:
            self.assertIn(str(word), outcome.err)
        if n_lines == 1:
            self.assertRegex(outcome.err, r"; .*\w", "no remedy")
        return outcome.err

    def assert_study_refused(self, study, *words):
        self.assert_refused("run", study, "-o", "out.h5", words=[study, *words])
        self.assert_refused("plan", study, words=[study, *words])


def line_of(text, key):
    """`file:line` needs the line of the last `section.key` in a study."""
    section, name = key.split(".")
    inside, found = False, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("["):
            inside = line == f"[{section}]"
        elif inside and re.match(rf"{name}\s*=", line):
            found = number
    return found


# ---- values: test name -> (changes of the small study, the key at fault, words of the message) -----------------------

VALUES = {
    "unknown_key": ({"noise_roh": 0.9}, "noise.roh", ["did you mean noise.rho?"]),
    "unknown_key_like_no_other": ({"noise_frequency": 0.9}, "noise.frequency", ["unknown key"]),
    "key_of_another_section": ({"noise_delta": 0.9}, "noise.delta", ["unknown key"]),

    "trajectories_not_a_number": ({"study_trajectories": "many"}, "study.trajectories", ["'many'", "whole number"]),
    "trajectories_not_whole": ({"study_trajectories": 10.5}, "study.trajectories", ["'10.5'", "whole number"]),
    "dimension_not_a_number": ({"problem_dimension": "two"}, "problem.dimension", ["'two'", "whole number"]),
    "rho_not_a_number": ({"noise_rho": "high"}, "noise.rho", ["'high'", "number"]),
    "delta_with_a_unit": ({"confidence_delta": "5%"}, "confidence.delta", ["'5%'", "number"]),
    "sigma_not_finite": ({"noise_sigma": "inf"}, "noise.sigma", ["'inf'", "number"]),
    "sigma_nan": ({"noise_sigma": "nan"}, "noise.sigma", ["'nan'", "number"]),
    "seed_not_a_number": ({"study_seed": "lucky"}, "study.seed", ["'lucky'", "whole number"]),
    "empty_value": ({"noise_rho": ""}, "noise.rho", ["''", "number"]),

    "zero_delta": ({"confidence_delta": 0}, "confidence.delta", ["'0'", "[1e-100, 1)"]),
    "delta_one": ({"confidence_delta": 1}, "confidence.delta", ["'1'", "[1e-100, 1)"]),
    "rho_one": ({"noise_rho": 1}, "noise.rho", ["'1'", "(-1, 1)"]),
    "rho_one_in_a_sweep": ({"noise_rho": "0.5, 1"}, "noise.rho", ["'1'", "(-1, 1)"]),
    "zero_tau": ({"noise_rho": None, "noise_tau": 0}, "noise.tau", ["'0'"]),
    "zero_sigma": ({"noise_sigma": 0}, "noise.sigma", ["'0'", "in (0, "]),
    "zero_dimension": ({"problem_dimension": 0}, "problem.dimension", ["'0'", "in [1,"]),
    "zero_norm_bound": ({"problem_norm_bound": 0}, "problem.norm_bound", ["'0'", "in (0, "]),
    "norm_above_bound": ({"problem_theta_norm": 1.5}, "problem.theta_norm", ["'1.5'", "problem.norm_bound = 1"]),
    "zero_trajectories": ({"study_trajectories": 0}, "study.trajectories", ["'0'", "in [1,"]),
    "negative_trajectories": ({"study_trajectories": -5}, "study.trajectories", ["'-5'", "in [1,"]),
    "zero_horizon": ({"study_horizon": 0}, "study.horizon", ["'0'", "in [1,"]),
    "zero_checkpoints": ({"study_checkpoints": 0}, "study.checkpoints", ["'0'", "in [1,"]),
    "zero_part": ({"study_part": 0}, "study.part", ["'0'", "auto"]),
    "negative_seed": ({"study_seed": -1}, "study.seed", ["'-1'", "2^64-1"]),
    "seed_too_large": ({"study_seed": 2**64}, "study.seed", [str(2**64), "2^64-1"]),
    "zero_delay": ({"confidence_delay": 0}, "confidence.delay", ["'0'", "at least 1"]),
    "zero_policy_delay": ({"policy_delay": 0}, "policy.delay", ["'0'", "at least 1"]),
    "zero_lambda": ({"confidence_lambda": 0}, "confidence.lambda", ["'0'", "above 0"]),
    "negative_policy_lambda": ({"policy_lambda": -1}, "policy.lambda", ["'-1'", "above 0"]),
    "negative_phi": ({"confidence_phi": -0.1}, "confidence.phi", ["'-0.1'", "xFACTOR"]),
    "bad_phi_factor": ({"confidence_phi": "xtwo"}, "confidence.phi", ["'xtwo'", "xFACTOR"]),

    "unknown_process": ({"noise_process": "stiky"}, "noise.process", ["'stiky'", "did you mean sticky?"]),
    "unknown_law": ({"noise_process": "iid", "noise_rho": None, "noise_law": "normal"}, "noise.law", ["gaussian"]),
    "unknown_policy": ({"policy_name": "linucbb"}, "policy.name", ["'linucbb'", "did you mean linucb?"]),
    "unknown_policy_set": ({"policy_set": "papre"}, "policy.set", ["'papre'", "did you mean paper?"]),
    "unknown_ucb": ({"policy_ucb": "cone"}, "policy.ucb", ["'cone'", "ellipsoid"]),
    "unknown_set": ({"confidence_monitor": "paper ofull"}, "confidence.monitor", ["'ofull'", "did you mean oful?"]),
    "unknown_delay_rule": ({"confidence_delay": "papr"}, "confidence.delay", ["'papr'", "did you mean paper?"]),
    "unknown_arms": ({"problem_arms": "circl:8"}, "problem.arms", ["'circl'", "did you mean circle?"]),
    "unknown_draw": ({"problem_draw": "once"}, "problem.draw", ["'once'", "trajectory or cell"]),

    "circle_in_three_dimensions": ({"problem_dimension": 3}, "problem.dimension", ["'3'", "circle", "sphere:K"]),
    "circle_without_number": ({"problem_arms": "circle"}, "problem.arms", ["circle:8"]),
    "circle_of_none": ({"problem_arms": "circle:0"}, "problem.arms", ["circle:0", "circle:8"]),
    "sphere_of_words": ({"problem_arms": "sphere:many"}, "problem.arms", ["sphere:many", "sphere:8"]),
    "basis_with_number": ({"problem_arms": "basis:3"}, "problem.arms", ["basis:3"]),
    "theta_of_wrong_length": ({"problem_theta_norm": None, "problem_theta": "0 0 1"}, "problem.theta", ["2 numbers"]),
    "theta_too_long": ({"problem_theta_norm": None, "problem_theta": "1 1"}, "problem.theta", ["norm_bound = 1"]),
    "theta_of_words": ({"problem_theta_norm": None, "problem_theta": "up left"}, "problem.theta", ["up left"]),

    "both_rho_and_tau": ({"noise_tau": 3}, "noise.tau", ["noise.rho", "exactly one"]),
    "rho_of_independent_noise": ({"noise_process": "iid"}, "noise.rho", ["no cell uses"]),
    "norm_of_given_theta": ({"problem_theta": "0.5 0.5"}, "problem.theta_norm", ["no cell uses"]),
    "set_named_twice": ({"confidence_monitor": "paper oful paper"}, "confidence.monitor", ["twice", "paper"]),
    "value_swept_twice": ({"noise_rho": "0.5, 0.8, 0.5"}, "noise.rho", ["twice", "0.5"]),
    "sweep_with_a_hole": ({"noise_rho": "0.5,,0.8"}, "noise.rho", ["''"]),
    "sweep_in_study": ({"study_trajectories": "10, 20"}, "study.trajectories", ["whole number"]),

    "expectation_for_unwatched_set": ({"expect_proof": "holds"}, "expect.proof", ["confidence.monitor"]),
    "expectation_unknown_state": ({"expect_oful": "breaks"}, "expect.oful", ["'breaks'", "holds, broken or any"]),
    "expectation_bad_condition": ({"expect_oful": "broken if rho"}, "expect.oful", ["'rho'", "section.key OP value"]),
    "expectation_unknown_key": ({"expect_oful": "any; broken if noise.roh>0.5"}, "expect.oful", ["noise.roh"]),
    "expectation_empty": ({"expect_oful": ""}, "expect.oful", ["holds, broken or any"]),
}


class StudyValues(BadInput):
    """Each row of VALUES is a test."""


def value_test(changes, key, words):
    def test(self):
        study = self.study(**changes)
        named = key.removeprefix("expect.")
        self.assert_study_refused(study, f"{study}:{line_of(study.read_text(), key)}: ", named, *words)
    return test


for name, case in VALUES.items():
    setattr(StudyValues, f"test_{name}", value_test(*case))


class StudyText(BadInput):
    def assert_text_refused(self, text, *words, line=None):
        study = self.folder / "study.cfg"
        study.write_bytes(text if isinstance(text, bytes) else text.encode())
        self.assert_study_refused(study, *words, *([f"{study}:{line}: "] if line else []))

    def test_unknown_section(self):
        self.assert_text_refused(study_text() + "[nose]\nrho = 1\n", "[nose]", "did you mean [noise]?",
                                 line=len(study_text().splitlines()) + 2)

    def test_section_with_blanks(self):
        self.assert_text_refused("[ noise ]\nrho = 2\n", "noise", line=2)

    def test_duplicated_key(self):
        text = study_text()
        self.assert_text_refused(text + "[noise]\nrho = 0.5\n", "given twice", "noise.rho",
                                 f"study.cfg:{line_of(text, 'noise.rho')}", line=len(text.splitlines()) + 2)

    def test_line_without_equals(self):
        self.assert_text_refused("[noise]\n# a comment\nrho 0.9\n", "key = value", line=3)

    def test_open_bracket(self):
        self.assert_text_refused("[noise\nrho = 0.9\n", "[section]", line=1)

    def test_neither_rho_nor_tau(self):
        text = study_text(noise_rho=None)
        self.assert_text_refused(text, "noise.rho", "noise.tau", "exactly one", line=line_of(text, "noise.process"))

    def test_key_outside_a_section(self):
        self.assert_text_refused("rho = 0.9\n" + study_text(), "'rho'", "section", line=1)

    def test_empty(self):
        self.assert_text_refused("", "empty study")

    def test_only_comments(self):
        self.assert_text_refused("# nothing\n\n[noise]\n", "empty study")

    def test_binary(self):
        self.assert_text_refused(bytes(chance.randrange(256) for _ in range(3000)) + b"\0", "not a study file")

    def test_results_as_study(self):
        out = self.compute(self.study(), "results.h5")
        self.assert_study_refused(out, "not a study file")

    def test_missing(self):
        self.assert_study_refused(self.folder / "nothing.cfg", "no such study file")

    def test_folder(self):
        (self.folder / "folder.cfg").mkdir()
        self.assert_study_refused(self.folder / "folder.cfg", "not a study file")


class Output(BadInput):
    def setUp(self):
        super().setUp()
        self.cfg = self.study()

    def test_unwritable(self):
        self.assert_refused("run", self.cfg, "-o", "/proc/x.h5", words=["/proc/x.h5", "-o"], code=WRITE_FAILED)
        self.assertIn("/proc/x.h5", self.mixlab("trace", self.cfg, "--cell", 0, "--trajectory", 0, "-o", "/proc/x.h5",
                                                code=WRITE_FAILED).err)

    def test_missing_folder(self):
        self.compute(self.cfg, "in.h5")
        for command in (("run", self.cfg), ("trace", self.cfg, "--cell", 0, "--trajectory", 0), ("export", "in.h5")):
            self.assert_refused(*command, "-o", "nowhere/x.h5", words=["'nowhere'", "nowhere/x.h5", "-o"])

    def test_folder(self):
        (self.folder / "out.h5").mkdir()
        self.assert_refused("run", self.cfg, "-o", "out.h5", words=["'out.h5'", "folder", "-o"])

    def test_empty_name(self):
        self.assert_refused("run", self.cfg, "-o", "", words=["-o"])

    def test_parts_folder_is_a_file(self):
        (self.folder / "out.h5.parts").write_text("mine")
        self.assert_refused("run", self.cfg, "-o", "out.h5", words=["out.h5.parts", "-o"], code=WRITE_FAILED)

    def test_study_as_output(self):
        self.assert_refused("run", self.cfg, "-o", self.cfg, words=[self.cfg])

    def test_somebody_elses_file(self):
        (self.folder / "out.h5").write_text("a thesis")
        self.assert_refused("run", self.cfg, "-o", "out.h5", words=["'out.h5'"])

    def test_another_study(self):
        self.compute(self.cfg, "out.h5")
        changes = ("--set", "noise.rho=0.5", "--set", "study.seed=9")
        message = self.assert_refused("run", self.cfg, "-o", "out.h5", *changes, words=["'out.h5'", "-o"], n_lines=4)
        self.assertIn("  noise.rho: 0.8 there, 0.5 here\n", message)
        self.assertIn("  study.seed: 7 there, 9 here\n", message)

    def test_parts_of_another_study(self):
        self.compute(self.cfg, "out.h5", "--shard", "0/2")
        message = self.assert_refused("run", self.cfg, "-o", "out.h5", "--set", "confidence.delta=0.2",
                                      words=["out.h5.parts", "-o"], n_lines=3)
        self.assertIn("  confidence.delta: 0.1 there, 0.2 here\n", message)

    def test_fewer_trajectories(self):
        self.compute(self.cfg, "out.h5")
        message = self.assert_refused("run", self.cfg, "-o", "out.h5", "--set", "study.trajectories=19",
                                      words=["'out.h5'", "-o"], n_lines=3)
        self.assertIn("  study.trajectories: 20 there, 19 here\n", message)

    def test_trace_over_its_own_results(self):
        out = self.compute(self.cfg, "out.h5")
        self.assert_refused("trace", out, "--cell", 0, "--trajectory", 0, "-o", out, words=["out.h5"])

    def test_trace_over_its_own_study(self):
        self.assert_refused("trace", self.cfg, "--cell", 0, "--trajectory", 0, "-o", self.cfg, words=["study.cfg"])

    def test_merge_of_another_study(self):
        self.compute(self.cfg, "out.h5")
        self.compute(self.cfg, "other.h5", "--shard", "0/2", "--set", "study.seed=9")
        self.assert_refused("merge", "out.h5", "other.h5.parts", words=["other.h5.parts"])


class GoodNames(SystemTest):
    """Names that are fine: the study runs, and running it again finds its own results."""

    def test_default_output(self):
        (self.folder / "elsewhere").mkdir()
        self.mixlab("run", self.study("elsewhere/my.study.cfg"), "--quiet")
        self.assertTrue((self.folder / "my.study.h5").exists())

    def test_odd(self):
        for name in ("two words", "étude", "a=b", "a,b", "[x]", "50%", "x#2", "#1"):
            with self.subTest(name):
                study = self.study(f"{name}.cfg", study_trajectories=2)
                out = self.compute(study, f"{name} out.h5")
                self.compute(study, f"{name} out.h5")
                self.mixlab("status", out)
                self.mixlab("trace", out, "--cell", 1, "--trajectory", 1)


class DamagedResults(BadInput):
    """No command reads a results file that is not exactly what mixlab wrote."""

    def assert_all_refuse(self, make):
        good = self.compute(self.study(), "good.h5")
        bad = self.folder / "bad.h5"
        bad.write_bytes(good.read_bytes())
        make(bad)
        for command in (("check", bad), ("status", bad), ("merge", bad), ("diff", good, bad), ("diff", bad, good),
                        ("trace", bad, "--cell", 0, "--trajectory", 0), ("run", "study.cfg", "-o", bad)):
            self.assert_refused(*command, words=[bad])

    def test_missing(self):
        good = self.compute(self.study(), "good.h5")
        for command in (("check",), ("status",), ("merge",), ("diff", good), ("trace", "--cell", 0, "--trajectory", 0)):
            self.assert_refused(*command, "nothing.h5", words=["'nothing.h5'"])

    def test_empty(self):
        self.assert_all_refuse(lambda bad: bad.write_bytes(b""))

    def test_not_hdf5(self):
        self.assert_all_refuse(lambda bad: bad.write_text("not HDF5\n" * 1000))

    def test_hdf5_of_somebody_else(self):
        import h5py

        def make(bad):
            with h5py.File(bad, "w") as file:
                file["regret"] = [1.0, 2.0]

        self.assert_all_refuse(make)

    def test_truncated(self):
        self.assert_all_refuse(lambda bad: os.truncate(bad, chance.randrange(1, bad.stat().st_size)))

    def test_truncated_by_one_byte(self):
        self.assert_all_refuse(lambda bad: os.truncate(bad, bad.stat().st_size - 1))

    def test_one_byte_too_many(self):
        self.assert_all_refuse(lambda bad: bad.write_bytes(bad.read_bytes() + b"\0"))

    def test_flipped_byte(self):
        self.assert_all_refuse(lambda bad: flip_byte(bad, chance.randrange(bad.stat().st_size - 512)))

    def test_flipped_byte_in_the_seal(self):
        self.assert_all_refuse(lambda bad: flip_byte(bad, bad.stat().st_size - 1 - chance.randrange(512)))

    def test_part_as_results(self):
        self.compute(self.study(study_part=10), "out.h5", "--shard", "0/2")
        part = "out.h5.parts/c0000-000000-000009.h5"
        for command in (("check", part), ("diff", part, part), ("trace", part, "--cell", 0, "--trajectory", 0)):
            self.assert_refused(*command, words=[part, "part"])

    def test_trace_as_results(self):
        self.mixlab("trace", self.study(), "--cell", 0, "--trajectory", 0, "-o", "trace.h5")
        for command in (("check", "trace.h5"), ("status", "trace.h5")):
            self.assert_refused(*command, words=["'trace.h5'", "trace"])


class CommandLine(BadInput):
    def setUp(self):
        super().setUp()
        self.cfg = self.study()

    def assert_run_refused(self, *options, words):
        self.assert_refused("run", self.cfg, "-o", "out.h5", *options, words=words)

    def test_shard(self):
        for value in ("5/3", "3/3", "-1/3", "x", "1", "1/0", "1/2/3", ""):
            self.assert_run_refused("--shard", value, words=["--shard", f"'{value}'", "0/4"])

    def test_threads(self):
        for value in ("0", "-2", "5000"):
            self.assert_run_refused("--threads", value, words=["--threads", f"'{value}'"])
        for value in ("two", "1.5", "99999999999"):
            self.assert_run_refused("--threads", value, words=["--threads", f"'{value}'"])

    def test_max_time(self):
        for value in ("0", "-5", "soon", "5d", "1:xx", "", "s", "0:00"):
            self.assert_run_refused("--max-time", value, words=[f"'{value}'", "15m"])

    def test_engine(self):
        self.assert_run_refused("--engine", "steam", words=["--engine", "'steam'", "reference"])

    def test_set(self):
        for value in ("noise.rho", "rho=0.5", "=", ".=1", "noise=0.5"):
            self.assert_run_refused("--set", value, words=["--set", f"'{value}'", "section.key=value"])
        self.assert_run_refused("--set", "noise.roh=0.5", words=["--set", "did you mean noise.rho?"])
        self.assert_run_refused("--set", "nose.rho=0.5", words=["--set", "did you mean [noise]?"])
        self.assert_run_refused("--set", "noise.rho=1", words=["--set", "noise.rho", "'1'"])

    def test_set_on_results(self):
        out = self.compute(self.cfg, "out.h5")
        self.assert_refused("trace", out, "--cell", 0, "--trajectory", 0, "--set", "noise.rho=0.5", words=["--set"])

    def test_unknown_option(self):
        self.assert_run_refused("--thread", 2, words=["--thread", "did you mean --threads?"])
        self.assert_refused("check", "--dleta", 0.1, "out.h5", words=["--dleta", "did you mean --delta?"])

    def test_unknown_command(self):
        self.assert_refused("rum", words=["'rum'", "did you mean run?"])
        self.assert_refused("frobnicate", words=["'frobnicate'", "mixlab --help"])

    def test_missing_and_spare_arguments(self):
        for command in ("run", "plan", "status", "merge", "check", "trace", "diff", "describe"):
            self.assert_refused(command, words=["missing argument", "--help"])
        self.assert_refused("diff", "a.h5", "b.h5", "c.h5", words=["--help"])
        self.assert_refused("run", self.cfg, "-o", words=["--help"])

    def test_names(self):
        self.assert_refused("list", "nose", words=["'nose'", "did you mean noise?"])
        self.assert_refused("describe", "stiky", words=["'stiky'", "did you mean sticky?"])

    def test_options_of_check(self):
        out = self.compute(self.cfg, "out.h5")
        for value in ("0", "1", "-0.1"):
            self.assert_refused("check", out, "--alpha", value, words=["--alpha", f"'{value}'"])
        self.assert_refused("check", out, "--alpha", "small", words=["--alpha", "'small'"])
        for value in ("0", "1", "small", "0.1,", "0.1,2"):
            self.assert_refused("check", out, "--delta", value, words=["--delta", "0.01,0.1"])
        for command in ("check", "status"):
            self.assert_refused(command, out, "--format", "xml", words=["--format", "'xml'", "json"])

    def test_indices_of_trace(self):
        out = self.compute(self.cfg, "out.h5")
        for study in (out, self.cfg):
            for cell in (2, -1):
                self.assert_refused("trace", study, "--cell", cell, "--trajectory", 0,
                                    words=["--cell", f"'{cell}'", "from 0 to 1"])
            for trajectory in (20, -1):
                self.assert_refused("trace", study, "--cell", 0, "--trajectory", trajectory,
                                    words=["--trajectory", f"'{trajectory}'", "from 0 to 19"])
        self.assert_refused("trace", out, "--cell", 0, words=["--trajectory"])

    def test_folders_of_merge(self):
        self.compute(self.cfg, "out.h5")
        self.assert_refused("merge", "out.h5", "nowhere", words=["'nowhere'"])


if __name__ == "__main__":
    main()
