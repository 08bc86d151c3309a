#!/usr/bin/python3
"""mixlab trace --plot, and the same picture in the report: every set where the mathematics says, theta* outside."""
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as xml

import numpy as np

from figures import POINT, Panel
from harness import BAD_INPUT, CONTRADICTED, PROJECT, SystemTest, main, stored

MISSES = {"noise_rho": 0.95, "study_horizon": 200, "policy_name": "linucb"}


class Picture(SystemTest):
    def plot(self, *options):
        """A trajectory that oful misses, its rounds, and its picture."""
        out = self.compute(self.study(**MISSES), "out.h5")
        values, _ = stored(out)
        first = values["first_violation"][0, :, list(values["set"]).index("oful")]
        trajectory = int((first > 0).argmax())
        self.assertGreater(first[trajectory], 0, "dull study")
        self.mixlab("trace", out, "--cell", 0, "--trajectory", trajectory, "-o", "trace.h5", "--plot", "escape.svg",
                    "--only", "oful", *options)
        return int(first[trajectory]), stored(self.folder / "trace.h5"), self.folder / "escape.svg"

    def assert_level(self, panel, name, value, level):
        """The outline lies where `value` is `level`, to what the SVG keeps of a point."""
        x, y = panel.curve(name, "set")
        unit = abs(panel.x.values(panel.x.start + POINT) - panel.x.values(panel.x.start))
        found = np.array([value(point) for point in zip(x, y)])
        slope = np.array([abs(value((a + unit, b)) - value((a, b))) + abs(value((a, b + unit)) - value((a, b)))
                          for a, b in zip(x, y)])
        self.assertTrue(np.all(np.abs(found - level) <= 2 * slope + 1e-6), np.abs(found - level).max())
        return x, y

    def test_sets_are_where_they_should_be(self):
        t, (rounds, attributes), svg = self.plot()
        words = "".join(xml.parse(svg).getroot().itertext())
        self.assertIn(f"θ* leaves oful at round {t}", words)
        self.assertIn(f'Trajectory {attributes["trajectory"]} of cell 0', words)
        X, Y, lam = rounds["action"][:t], rounds["reward"][:t], attributes["lambda_oful"]
        V = X.T @ X + lam * np.eye(2)
        centres = {"oful": np.linalg.solve(V, X.T @ Y), "paper": rounds["theta_hat"][t - 1]}
        for index in (0, 1):
            panel = Panel(svg, index)
            for s, name in enumerate(rounds["set"]):
                if name in centres:
                    x, y = self.assert_level(
                        panel, name, lambda at, c=centres[name]: (np.array(at) - c) @ V @ (np.array(at) - c),
                        rounds["radius2"][t - 1, s])
            star = [float(value[0]) for value in panel.curve("theta_star", "line")]
            np.testing.assert_allclose(star, rounds["theta_star"], atol=0.02)
            inside = (np.array(star) - centres["oful"]) @ V @ (np.array(star) - centres["oful"])
            self.assertGreater(inside, rounds["radius2"][t - 1, list(rounds["set"]).index("oful")])
        with self.assertRaises(AssertionError, msg="a wrong centre is seen"):
            self.assert_level(panel, "oful", lambda at: np.array(at) @ V @ np.array(at), rounds["radius2"][t - 1, 0])

    def test_quadric_of_every_round(self):
        """The trace says of every round what q says at theta*."""
        _, (rounds, _), _ = self.plot()
        x, y = rounds["theta_star"]
        at = np.array([1, x, y, x * x, x * y, y * y])
        np.testing.assert_allclose(rounds["quadric"] @ at, rounds["q"], rtol=1e-8, atol=1e-8)

    def test_kinds_of_files(self):
        study = self.study(**MISSES)
        where = (study, "--cell", 0, "--trajectory", 0)
        for suffix, magic in (("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<svg")):
            for name in ("a", "b"):
                self.mixlab("trace", *where, "--plot", f"{name}.{suffix}")
            self.assertTrue((self.folder / f"a.{suffix}").read_bytes().startswith(magic))
            self.assertEqual((self.folder / f"a.{suffix}").read_bytes(), (self.folder / f"b.{suffix}").read_bytes())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         sorted([f"{name}.{suffix}" for name in "ab" for suffix in ("png", "pdf", "svg")]
                                + [study.name]), "no rounds left behind")

    def test_sets_without_ellipse(self):
        """coin has no place in the plane, joint no ellipse, theorem1 none without full rank: said, not drawn."""
        study = self.study(confidence_monitor="joint theorem1 coin", problem_arms="circle:1", **MISSES)
        self.mixlab("trace", study, "--cell", 0, "--trajectory", 0, "--plot", "a.svg")
        self.assertGreaterEqual((self.folder / "a.svg").read_text().count("(no ellipse)"), 3)

    def test_bad_input(self):
        study = self.study(**MISSES)
        solid = self.study("solid.cfg", problem_dimension=3, problem_arms="basis")
        for words, said in (([study, "--plot", "a.jpg"], ".svg, .png or .pdf"), ([study, "--plot", "no/a.svg"], "no"),
                            ([study, "--plot", "a.svg", "--only", "tight"], "paper, oful, otc"),
                            ([study, "--only", "oful"], "--plot"), ([solid, "--plot", "a.svg"], "dimension 3")):
            with self.subTest(words):
                outcome = self.mixlab("trace", *words, "--cell", 0, "--trajectory", 0, code=BAD_INPUT)
                self.assertIn(said, outcome.err)
        self.assertFalse((self.folder / "a.svg").exists())


class InTheReport(SystemTest):
    def test_the_unexpected_miss_is_shown(self):
        self.compute(self.study(expect_otc="holds", expect_oful="broken", study_trajectories=60, **MISSES), "out.h5")
        self.mixlab("report", "out.h5", code=CONTRADICTED)
        page = (self.folder / "out-report" / "report.html").read_text()
        values, _ = stored(self.folder / "out.h5")
        first = values["first_violation"][0, :, list(values["set"]).index("otc")]
        trajectory = int((first > 0).argmax())
        self.assertIn(f"<b>θ* leaves otc at round {first[trajectory]}</b>", page)
        self.assertIn(f"--trajectory {trajectory} --only otc", page)
        self.assertTrue((self.folder / "out-report" / "figures" / "escape.svg").exists())

    def test_nothing_to_show(self):
        self.compute(self.study("solid.cfg", problem_dimension=3, problem_arms="basis", study_horizon=20), "solid.h5")
        self.compute(self.study("calm.cfg", confidence_monitor="paper", study_horizon=20), "calm.h5")
        for name in ("solid", "calm"):
            self.mixlab("report", f"{name}.h5")
            self.assertNotIn("<h2>One escape", (self.folder / f"{name}-report" / "report.html").read_text())

    def test_a_trajectory_that_cannot_be_repeated(self):
        """The report says so, and is written."""
        self.compute(self.study(**MISSES), "out.h5")
        verdict = self.mixlab("check", "out.h5", "--format", "json").out
        (self.folder / "verdict.json").write_text(verdict)
        self.assertTrue(json.loads(verdict)["findings"])
        subprocess.run([sys.executable, "-m", "mixlab.report", "out.h5", "--verdict", "verdict.json", "-o", "page",
                        "--program", "/bin/false"], cwd=self.folder, check=True, capture_output=True,
                       env={**os.environ, "PYTHONPATH": str(PROJECT / "analysis")})
        page = (self.folder / "page" / "report.html").read_text()
        self.assertIn("The trajectory could not be repeated", page)


if __name__ == "__main__":
    main()
