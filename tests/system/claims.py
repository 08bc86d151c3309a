#!/usr/bin/python3
"""The catalogue of studies: every study in a form of seconds, with its control, which must come out the other way; and
the pages made from the tables of the full runs."""
import json
import re
import shlex
import subprocess
import sys

from harness import CONTRADICTED, DONE, PROJECT, SystemTest, main

STUDIES = PROJECT / "studies"
sys.path.insert(0, str(STUDIES))

import found  # noqa: E402

# What makes a study small. Sets of which something is expected decide it with a false alarm of 1e-6 and less.
REDUCED = {
    "assumption": ("study.trajectories=8", "study.horizon=200"),
    "anytime-geometric": ("study.trajectories=600", "study.horizon=400", "noise.tau=1, 10", "confidence.delta=0.05"),
    "anytime-algebraic": ("study.trajectories=600", "study.horizon=500", "noise.r=0.6, 2"),
    "iid-breaks": ("study.trajectories=1500", "study.horizon=500", "noise.rho=0, 0.9"),
    "delay-needed": ("study.trajectories=600", "study.horizon=500", "confidence.delay=1, 75"),
    "constants": ("study.trajectories=600", "study.horizon=4000", "problem.norm_bound=1", "confidence.phi=x1, 0"),
    "telescope": ("study.trajectories=1000", "study.horizon=1500"),
    "every-noise": ("study.trajectories=2500", "study.horizon=120"),
    "nearly-tight": ("study.trajectories=1000", "study.horizon=1500"),
    "unknown-memory": ("study.trajectories=200", "study.horizon=600"),
    "unknown-correlation": ("study.horizon=1500", "noise.rho=0, 0.9"),
    "adversary": ("study.horizon=5000", "problem.adversary=sign:1, sign:75"),
    "no-horizon": ("study.trajectories=600", "study.horizon=300, 1000"),
    "online-game": ("study.trajectories=300", "study.horizon=600"),
    "outside": ("study.trajectories=600", "study.horizon=1000"),
    "one-million": ("study.trajectories=20000", "study.horizon=100", "confidence.coin_miss=0.04"),
    "regret-horizon": ("study.trajectories=300", "study.horizon=200, 500, 1000", "noise.rho=0.5"),
    "regret-tau": ("study.trajectories=100", "study.horizon=2000", "noise.tau=2, 8, 32"),
    "regret-algebraic": ("study.trajectories=100", "study.horizon=300, 1000, 3000", "noise.r=1, 3"),
    "regret-gap": ("study.trajectories=160", "study.horizon=500, 2000, 8000", "problem.arms=gap:8:0.4"),
    "tail-of-linucb": ("study.trajectories=600", "study.horizon=10000"),
    "potential": ("study.trajectories=30", "study.horizon=1000", "confidence.delay=1, 30"),
    "policies": ("study.trajectories=100", "study.horizon=2000"),
    "sharpness": ("study.trajectories=300", "study.horizon=300", "confidence.delay=12",
                  "confidence.monitor=oful selfnorm"),
}
# What makes the control decide in the small form.
CONTROL = {"one-million": ("confidence.coin_miss=0.06",),
           "online-game": ("study.trajectories=1500", "study.horizon=200")}


def options(settings):
    return [word for setting in settings for word in ("--set", setting)]


class Catalogue(SystemTest):
    """Full studies would take an hour; these have the same shape."""

    def verdict(self, run):
        """`mixlab check` of a reduced run. Its exit code is 3 if anything is not as expected, or undecided."""
        self.compute(run.study, f"{run.name}.h5", *options(REDUCED[run.study.stem]), *run.settings,
                     *options(CONTROL.get(run.study.stem, ()) if run.kind == "control" else ()))
        return json.loads(self.mixlab("check", f"{run.name}.h5", "--format", "json", "--strict").out)

    def both(self, name):
        """Verdicts on study and control; every set that must break is violated there, or in cells of the study."""
        verdicts = [self.verdict(run) for run in found.runs_of(name)]
        broken = [finding["state"] for finding in verdicts[-1]["findings"] if finding["expected"] == "broken"]
        self.assertEqual(set(broken) - {"violated"}, set())
        return verdicts

    def assert_covered(self, name):
        """All that is guaranteed is certified, and the control breaks something."""
        verdicts = self.both(name)
        held = [finding["state"] for finding in verdicts[0]["findings"] if finding["expected"] == "holds"]
        self.assertEqual(set(held), {"certified"})
        self.assertTrue(any(finding["state"] == "violated" for finding in verdicts[-1]["findings"]))
        return verdicts


class Coverage(Catalogue):
    def test_coverage(self):
        for name in ("anytime-geometric", "anytime-algebraic", "iid-breaks", "delay-needed", "constants", "telescope",
                     "nearly-tight", "every-noise", "unknown-memory", "unknown-correlation", "adversary", "no-horizon",
                     "outside", "one-million"):
            with self.subTest(name):
                self.assert_covered(name)

    def test_sharpness(self):
        run = found.runs_of("sharpness")[0]
        table = self.mixlab("rare", run.study, *options(REDUCED["sharpness"]), "--paths", 400, "--quiet", "--format",
                            "json").out
        estimates = {row["set"]: row["estimate"] for row in json.loads(table)["estimates"]}
        self.assertGreater(estimates["oful"], 0.3)
        self.assertLess(estimates["selfnorm"], 1e-3)

    def test_assumption(self):
        for run, code in zip(found.runs_of("assumption"), (DONE, CONTRADICTED)):
            self.mixlab("certify", run.study, *run.settings, "--paths", 20, "--rounds", 1000, "--lags", "1,10",
                        code=code)

    def test_game(self):
        study, control = self.both("online-game")
        printed = {finding["label"]: finding["state"] for finding in study["findings"] if finding["set"] == "lemma1"}
        self.assertEqual(printed, {"norm_bound=0.25": "violated", "norm_bound=1": "certified"})
        self.assertEqual({finding["state"] for finding in control["findings"]}, {"certified"})


class Regret(Catalogue):
    def slopes(self, verdict, key="study.horizon"):
        return [(rate["slope_low"], rate["slope_high"]) for rate in verdict["rates"] if rate["key"] == key]

    def test_horizon(self):
        study, control = self.both("regret-horizon")
        self.assertTrue(all(high < 0.95 for _, high in self.slopes(study)))
        self.assertTrue(all(low > 0.97 and high < 1.03 for low, high in self.slopes(control)))
        self.assertEqual({bound["violations"] for bound in study["bounds"]}, {0})

    def test_tau(self):
        study, control = self.both("regret-tau")
        self.assertTrue(all(0.2 < low and high < 1 for low, high in self.slopes(study, "noise.tau")))
        self.assertTrue(all(abs(low + high) < 0.05 for low, high in self.slopes(control, "noise.tau")))

    def test_algebraic(self):
        study, control = self.both("regret-algebraic")
        self.assertTrue(all(high < 1 for _, high in self.slopes(study)))
        self.assertTrue(all(low > 0.95 for low, _ in self.slopes(control)))

    def test_gap(self):
        study, control = self.both("regret-gap")
        telescope = [rate["slope_high"] for rate in study["rates"] if "telescope" in rate["label"]]
        self.assertLess(max(telescope), 0.6)
        self.assertTrue(all(low > 0.97 for low, _ in self.slopes(control)))

    def test_tail(self):
        def ratio(verdict):
            """99% quantile of LinUCB in units of Mixing-LinUCB's, the paper's set."""
            pair = next(pair for pair in verdict["comparisons"] if pair["label_a"] == "linucb, set=default"
                        and pair["label_b"] == "mixing-linucb, set=default")
            return pair["q99_a"] / pair["q99_b"]
        study, control = self.both("tail-of-linucb")
        self.assertGreater(ratio(study), 1.2)
        self.assertLess(ratio(control), 1.2)

    def test_potential(self):
        study = self.both("potential")[0]
        self.assertEqual({bound["potential_violations"] for bound in study["bounds"]}, {0})
        ratio = max(bound["potential_largest"] / bound["potential_bound"] for bound in study["bounds"])
        self.assertTrue(0.5 < ratio < 1, "half of the lemma is not enough")

    def test_policies(self):
        study, control = self.both("policies")
        wins = {(pair["label_a"], pair["label_b"]): pair["win_share"] for pair in study["comparisons"]}
        self.assertGreater(wins["oracle", "linucb"], 0.9)
        self.assertGreater(wins["linucb", "random"], 0.9)
        self.assertEqual({pair["largest_a"] for pair in control["comparisons"]}, {0})


class Pages(SystemTest):
    def test_every_study_is_here(self):
        self.assertEqual(set(REDUCED), set(found.catalogue()))

    def test_heads(self):
        for name in found.catalogue():
            head = found.head_of(STUDIES / f"{name}.cfg")
            for word in ("Expected", "Control", "Power", "Larger", "Cost", "Measured"):
                self.assertIn(word, head, name)
            self.assertNotIn("not yet", head["Measured"], name)
            self.assertTrue(all(line.startswith("--set") or line.startswith("mixlab") or not line
                                for line in head["Larger"].splitlines()), name)
            shlex.split(head["Larger"])

    def test_pages_say_what_the_tables_say(self):
        for script in ("claims.py", "figures.py"):
            process = subprocess.run([sys.executable, "-B", STUDIES / script, "--check"], capture_output=True,
                                     text=True)
            self.assertEqual((process.returncode, process.stderr), (0, ""))

    def test_claims_are_settled(self):
        import claims

        tables = found.load()
        for claim in claims.CLAIMS:
            self.assertTrue(claim.settled(tables), claim.name)

    def test_letter(self):
        """The measured numbers of the letter to the authors, in bold, stand on the page of claims."""
        letter, page = ((STUDIES / name).read_text() for name in ("TO-THE-AUTHORS.md", "CLAIMS.md"))
        measured = re.findall(r"\*\*(\d[^*]*)\*\*", letter)
        self.assertGreater(len(measured), 8)
        for number in measured:
            self.assertIn(number, page.split("## The runs")[0])

    def test_power(self):
        """Every coverage verdict would have found a miss probability of 1.5 delta with probability 0.9."""
        for row in found.load()["findings"]:
            if row["run"] == "study" and row["expected"] != "any":
                self.assertLessEqual(float(row["detectable"]), 1.5 * float(row["delta"]), row["study"])


if __name__ == "__main__":
    main()
