#!/usr/bin/python3
"""What the program says: plan, list, describe, help and progress."""
import json
import math
import os
import pty
import random
import re

from harness import BAD_INPUT, CONTRADICTED, PROJECT, QUICKSTART, SystemTest, main, stored


class Plan(SystemTest):
    def cells(self, *args):
        text = self.mixlab("plan", "--full", *args).out
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

    def test_many_cells_are_a_table(self):
        study = self.study(noise_rho="0, 0.3, 0.6, 0.8", confidence_delay="paper", study_horizon=3000)
        full, cells = self.cells(study)
        table = self.mixlab("plan", study).out
        rows = re.findall(r"^ +(\d+) (.*?) +(\d+) +(\S+) +(\d+) +(\S+) +(.*)$", table, re.MULTILINE)
        self.assertEqual([(int(i), label, int(d), int(lag)) for i, label, d, _, lag, _, _ in rows],
                         [(i, label, d, lag) for i, label, d, _, lag in cells])
        for row, cell in zip(rows, cells):
            self.assertAlmostEqual(float(row[3]), cell[3], delta=0.005 * cell[3])
        self.assertEqual([sets for *_, sets in rows[:4]], ["all"] * 2 + ["paper", "none"])
        self.assertIn("swept: noise.rho, policy.name", table)
        self.assertIn("process=sticky", table)
        self.assertNotIn("rho=", table.split("cell ")[0].replace("noise.rho", ""))
        self.assertLessEqual(max(map(len, table.splitlines())), 80)
        self.assertLess(3 * len(table.splitlines()), len(full.splitlines()))
        self.assertEqual(table.splitlines()[-2:], full.splitlines()[-2:])
        alone = self.mixlab("plan", study, "--cell", 2, "--cell", 5).out
        self.assertEqual(re.findall(r"^cell (\d+):", alone, re.MULTILINE), ["2", "5"])
        self.assertIn("cells 0 to 7", self.mixlab("plan", study, "--cell", 8, code=BAD_INPUT).err)

    def test_study_from_standard_input(self):
        study = self.study()
        sent = study.read_text()
        self.assertEqual(self.mixlab("plan", "-", sent=sent).out.replace("standard input", "study"),
                         self.mixlab("plan", study).out)
        self.assertIn("-o", self.mixlab("run", "-", sent=sent, code=BAD_INPUT).err)
        self.mixlab("run", "-", "-o", "sent.h5", "--set", "noise.rho=0.5", sent=sent)
        self.assert_same(self.compute(study, "read.h5", "--set", "noise.rho=0.5"), "sent.h5")
        self.assertIn("standard input:1", self.mixlab("plan", "-", sent="nonsense", code=BAD_INPUT).err)
        self.assertIn("empty study", self.mixlab("plan", "-", code=BAD_INPUT).err)

    def test_delay_cut_to_the_horizon_is_said(self):
        study = self.study(confidence_delay=500, policy_delay=400)
        text, cells = self.cells(study)
        self.assertEqual([(d, lag) for _, _, d, _, lag in cells], [(60, 60), (60, 60)])
        self.assertIn("cut to the horizon 60", text)

    def test_engine(self):
        for name in ("quickstart", "anytime-geometric", "iid-breaks", "regret-horizon"):
            text = self.cells(PROJECT / "studies" / f"{name}.cfg")[0]
            self.assertNotIn("reference", "".join(re.findall(r"engine: .*", text)), name)
        for settings, reason in ((["policy.set=coin"], "the policy's set has a radius of its own"),
                                 (["problem.arms=ball", "problem.dimension=129"], "the dimension is above 128")):
            with self.subTest(settings=settings):
                changes = [word for setting in settings for word in ("--set", setting)]
                text = self.mixlab("plan", self.study(problem_arms="circle:5"), *changes).out
                self.assertIn(f"engine: reference, because {reason}", " ".join(text.split()))


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
                             ("policy", "delay"), ("confidence", "monitor"), ("expect", "STATE"), ("sweep", "key")):
            self.assertRegex(self.mixlab("describe", section).out, rf"\n  {key} +\S")

    def test_every_key_is_described(self):
        for section in ("study", "problem", "noise", "policy", "confidence"):
            for key in re.findall(r"^  (\w+) {2,}\S", self.mixlab("describe", section).out, re.MULTILINE):
                self.assertIn(f"{section}.{key}\n  ", self.mixlab("describe", f"{section}.{key}").out)
        self.assertRegex(self.mixlab("describe", "rho").out, r"noise\.rho\n  \S[^.]*\n  for +.*sticky")
        self.assertRegex(self.mixlab("describe", "dispersion").out, r"confidence\.dispersion\n.*\n(.*\n)? +for ")
        self.assertIn("did you mean noise.rho?", self.mixlab("describe", "noise.roh", code=BAD_INPUT).err)

    def test_help(self):
        commands = re.findall(r"^  (\w+) ", self.mixlab("--help").out, re.MULTILINE)
        for name in ("run", "plan", "status", "merge", "check", "trace", "diff", "list", "describe"):
            self.assertIn(name, commands)
            self.assertIn(f"usage: mixlab {name}", self.mixlab(name, "--help").out)
        self.assertRegex(self.mixlab("--version").out, r"^mixlab \d+\.\d+\.\d+ ")
        self.assertEqual(self.mixlab("-V"), self.mixlab("--version"))

    def test_init(self):
        small = ("--set", "study.trajectories=30", "--set", "study.horizon=200")
        (self.folder / "data").mkdir()
        rows = "".join(f"2024-01-{day:02},{(-1) ** day * 0.5}\n" for day in range(1, 31))
        (self.folder / "data" / "resid.csv").write_text("day,residual\n" + rows)
        for name, options in (("one.cfg", ()), ("many.cfg", ("--sweep",)),
                              ("data/own.cfg", ("--replay", "data/resid.csv", "--column", "residual"))):
            with self.subTest(name):
                self.assertIn(f"mixlab run {name}", self.mixlab("init", name, *options).out)
                self.assertEqual(self.mixlab("init", name, code=2).out, "")
                self.mixlab("run", name, *small, "-o", "out.h5", "--quiet")
                self.mixlab("check", "out.h5")
                for left in self.folder.glob("out.h5*"):
                    left.unlink()
        self.assertRegex(" ".join(self.mixlab("plan", "data/own.cfg").out.split()),
                         "data: 30 values, mean 0 .*, sd 0.5, from -0.5 to 0.5; "
                         "autocorrelation -0.9667, 0.9333, .* at lags 1")

    def test_init_writes_nothing_that_cannot_be_run(self):
        (self.folder / "r.csv").write_text("day,residual\n" + "2026-01-01,0.5\n2026-01-02,-0.5\n" * 50)
        message = self.mixlab("init", "mine.cfg", "--replay", "r.csv", code=BAD_INPUT).err
        self.assertIn("another column", message)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["r.csv"])
        self.mixlab("init", "mine.cfg", "--replay", "r.csv", "--column", "residual")
        self.mixlab("plan", "mine.cfg")

    def test_certify(self):
        small = ("--paths", 200, "--rounds", 400)
        self.assertIn("sticky rho=0.9", self.mixlab("certify", "sticky", "--set", "noise.rho=0.9", *small).out)
        self.assertIn("it looks at the arms", self.mixlab("certify", "sign-chasing", *small, code=BAD_INPUT).out)
        self.assertIn("nothing was tested", self.mixlab("certify", "iid", *small, "--lags", 300, code=BAD_INPUT).err)
        rng = random.Random(1)
        value, series = 1, []
        for _ in range(20000):  # sticky with rho = 0.9
            value = -value if rng.random() < 0.05 else value
            series.append(f"{value}\n")
        (self.folder / "series.csv").write_text("".join(series))
        replay = ("certify", "replay", "--set", "noise.file=series.csv", "--format", "json")
        for tau, code in ((9.5, 0), (4, CONTRADICTED)):  # C exp(-d/tau) = 0.9^d, and 0.78^d
            audit = json.loads(self.mixlab(*replay, "--set", f"noise.tau={tau}", code=code).out)
            self.assertEqual(audit[0]["refuted"], code == CONTRADICTED)
            again = json.loads(self.mixlab(*replay, "--set", f"noise.tau={tau}", "--seed", 7, code=code).out)
            self.assertEqual(again, audit, "a series is tested as it stands")

    def test_certify_says_what_it_did_not_test(self):
        study = self.study(noise_process="sticky, sign-chasing", noise_rho=0.5, confidence_delay=1)
        told = json.loads(self.mixlab("certify", study, "--paths", 50, "--rounds", 100, "--lags", "1,60", "--format",
                                      "json").out)
        self.assertEqual([noise["tested"] for noise in told], [True, False])
        self.assertEqual(told[0]["skipped_lags"], [{"lag": 60, "why": "needs 136 rounds, there are 100"}])
        self.assertIn("arms that are played", told[1]["why_not"])

    def test_progress(self):
        study = self.study()
        outcome = self.mixlab("run", study, "-o", "out.h5")
        self.assertEqual(outcome.out, "")
        self.assertRegex(outcome.err, r"40/40 trajectories 100%.* rounds/s .* misses: paper \d+, oful \d+, otc \d+\n")
        self.assertIn("mixlab check out.h5", outcome.err)
        self.assertEqual(self.mixlab("run", study, "-o", "quiet.h5", "--quiet"), (0, "", ""))

    def on_a_terminal(self, *command, code=0):
        """What a command writes to standard error if that is a terminal."""
        try:
            controller, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        self.assertEqual(self.start(*command, stderr=terminal).wait(60), code)
        os.close(terminal)
        words = os.read(controller, 65536)
        os.close(controller)
        return words.decode()

    def test_progress_on_a_terminal(self):
        self.assertIn("\r\x1b[K40/40 trajectories", self.on_a_terminal("run", self.study(), "-o", "out.h5"))

    def test_messages_are_broken_on_a_terminal_only(self):
        command = ("run", self.study(noise_process="stiky"))
        message = self.mixlab(*command, code=BAD_INPUT).err
        self.assertEqual(message.count("\n"), 1)
        self.assertGreater(len(message), 100)
        broken = self.on_a_terminal(*command, code=BAD_INPUT)
        self.assertLess(max(map(len, broken.splitlines())), 80)
        self.assertEqual(broken.split(), message.split())

    def test_a_reader_that_has_seen_enough(self):
        """`mixlab check OUT | head -1` ends quietly, with the command's own exit code; a full disk does not."""
        out = self.compute(self.study(), "out.h5")
        for command in (("check", out), ("check", out, "--format", "csv"), ("plan", QUICKSTART), ("list",),
                        ("--help",)):
            reader, writer = os.pipe()
            os.close(reader)
            with self.subTest(command[0]):
                self.assertEqual(self.mixlab(*command, stdout=writer).err, "")
            os.close(writer)

    def test_fits_a_terminal(self):
        small = ("--set", "study.trajectories=40", "--set", "study.horizon=500")
        out = self.compute(QUICKSTART, "out.h5", *small)
        commands = [("check", out, "--delta", "0.05,0.3"), ("check", out, "--full"), ("status", out),
                    ("plan", QUICKSTART), ("list",),
                    ("trace", out, "--cell", 0, "--trajectory", 0)]
        commands += [("describe", name) for names in self.KINDS.values() for name in names]
        for command in commands:
            with self.subTest(" ".join(map(str, command))):
                self.assertEqual([line for line in self.mixlab(*command).out.splitlines() if len(line) > 80], [])


if __name__ == "__main__":
    main()
