#!/usr/bin/python3
"""The figures of a report, read back from their SVG: every curve is where the file and the verdict say."""
import json
import math
import re
import xml.etree.ElementTree as xml

import numpy as np

from harness import SystemTest, main, stored

SVG = "{http://www.w3.org/2000/svg}"
POINT = 0.11  # the SVG keeps tenths of a point


def corners(path):
    return np.array(re.findall(r"[ML] ?(\S+) (\S+)", path.get("d")), dtype=float).T


def places_of_uses(element):
    return np.array([[float(use.get("x")), float(use.get("y"))] for use in element.iter(f"{SVG}use")]).T


class Axis:
    """One axis of a figure: from points on the page to what they mean."""

    def __init__(self, start, end, first, last, scale):
        self.start, self.end, self.first, self.last, self.log = start, end, first, last, scale == "log"

    def values(self, places):
        share = (np.asarray(places) - self.start) / (self.end - self.start)
        if self.log:
            return self.first * (self.last / self.first) ** share
        return self.first + (self.last - self.first) * share

    def places(self, values):
        values = np.asarray(values, dtype=float)
        share = (np.log(values / self.first) / math.log(self.last / self.first) if self.log else
                 (values - self.first) / (self.last - self.first))
        return self.start + share * (self.end - self.start)


class Panel:
    """The axes of an SVG, with its curves by name."""

    def __init__(self, svg, index=0):
        self.axes = [element for element in xml.parse(svg).iter() if "data-axes" in element.attrib][index]
        scales = json.loads(self.axes.get("data-axes"))
        self.x, self.y = Axis(*scales["x"]), Axis(*scales["y"])

    def element(self, kind, name):
        return next(element for element in self.axes.iter() if element.get(f"data-{kind}") == name)

    def points(self, name, kind="series"):
        """Corners of a curve, in points; of marks alone, where they are put."""
        element = self.element(kind, name)
        path = element.find(f"{SVG}path")
        return corners(path) if path is not None else places_of_uses(element)

    def area(self, name):
        """Corners of the band of a set."""
        element = self.element("set", name)
        return corners(next(element.iter(f"{SVG}path"))) + places_of_uses(element)

    def curve(self, name, kind="series"):
        x, y = self.points(name, kind)
        return self.x.values(x), self.y.values(y)


class Figures(SystemTest):
    DELTA, N = 0.1, 60

    @classmethod
    def setUpClass(cls):
        cls.here = SystemTest("setUp")
        cls.here.setUp()
        cls.addClassCleanup(cls.here.doCleanups)
        out = cls.here.compute(cls.here.study(study_trajectories=cls.N, noise_rho="0.2, 0.5, 0.9"), "out.h5")
        cls.here.mixlab("report", "out.h5")
        cls.folder_of_figures = cls.here.folder / "out-report" / "figures"
        cls.values, _ = stored(out)
        cls.verdict = json.loads((cls.here.folder / "out-report" / "verdict.json").read_text())

    def panel(self, cell, figure):
        return Panel(self.folder_of_figures / f"cell-{cell:03d}" / f"{figure}.svg")

    def findings(self, cell):
        return {finding["set"]: finding for finding in self.verdict["findings"] if finding["cell"] == cell}

    def assert_passes(self, panel, name, x, y, kind="series"):
        """The curve goes through these values, to a tenth of a point."""
        at, height = panel.points(name, kind)
        drawn = np.interp(panel.x.places(x), at, height)
        np.testing.assert_allclose(drawn, panel.y.places(y), atol=2 * POINT, err_msg=name)

    def test_coverage(self):
        for cell in (0, 5):
            panel = self.panel(cell, "coverage")
            for s, name in enumerate(self.values["set"]):
                first = self.values["first_violation"][cell, :, s]
                at, height = panel.points(name)
                for t in (1, 2, 5, 20, 60):
                    share = np.mean((first == 0) | (first > t))
                    steps = height[at <= panel.x.places(t) + POINT]
                    self.assertAlmostEqual(steps[-1], panel.y.places(share), delta=POINT, msg=f"{name} at {t}")
            np.testing.assert_allclose(panel.curve("target", "line")[1], 1 - self.DELTA, atol=2e-3)
        self.assertLess(len({*panel.points("oful")[1]}), self.N + 2)
        self.assertGreater(len({*panel.points("oful")[1]}), 2, "dull study")

    def test_coverage_band(self):
        panel, finding = self.panel(5, "coverage"), self.findings(5)["oful"]
        x, y = panel.area("oful")
        at_the_end = np.unique(np.round(panel.y.values(y[np.abs(x - panel.x.end) < POINT]), 3))
        self.assertIn(len(at_the_end), (2, 4))  # two more if the last round has a step
        low, high = at_the_end[0], at_the_end[len(at_the_end) // 2]
        self.assertAlmostEqual(low, finding["coverage_low"], delta=0.005)
        self.assertAlmostEqual(high, finding["coverage_high"], delta=0.005)

    def test_sharpness(self):
        panel = self.panel(5, "ratio")
        for name, finding in self.findings(5).items():
            self.assertAlmostEqual(panel.curve(f"c of {name}", "line")[0][0] / finding["c"], 1, delta=0.02)
            if finding["c_high"] is not None:
                np.testing.assert_allclose(panel.curve(f"interval of {name}", "line")[0],
                                           [finding["c_low"], finding["c_high"]], rtol=0.02)

    def test_calibration(self):
        panel = self.panel(5, "calibration")
        x, y = panel.curve("diagonal", "line")
        np.testing.assert_allclose((x, y), ([0, 1], [0, 1]), atol=2e-3)
        level = np.array([0.05, 0.5, 0.8])
        self.assert_passes(panel, "chance", level, level + math.sqrt(math.log(1 / 0.05) / (2 * self.N)), "line")
        for s, name in enumerate(self.values["set"]):
            p = 10.0 ** self.values["log10_p"][5, :, s]
            x, y = panel.curve(name)
            for at in (0.1, 0.5, 0.9):  # the curve joins levels 0.003 apart
                share = np.interp(at, x, y)
                self.assertLessEqual(np.mean(p <= at - 0.005) - 0.003, share, name)
                self.assertGreaterEqual(np.mean(p <= at + 0.005) + 0.003, share, name)

    def test_regret(self):
        for cell in (0, 5):
            panel, regret = self.panel(cell, "regret"), self.values["regret"][cell]
            rounds = self.values["round"]
            late = rounds >= 30
            for name, values in (("mean", regret.mean(axis=0)), ("median", np.sort(regret, axis=0)[self.N // 2 - 1]),
                                 ("99 %", regret.max(axis=0)), ("2Bt", 2.0 * rounds)):
                self.assert_passes(panel, name, rounds[late], values[late])
        self.assert_passes(self.panel(0, "regret"), "theorem", rounds[late], self.values["bound_worst_case"][0, late])

    def test_paired_difference(self):
        pair = next(pair for pair in self.verdict["comparisons"] if (pair["cell_a"], pair["cell_b"]) == (4, 5))
        difference = self.values["regret"][4, :, -1] - self.values["regret"][5, :, -1]
        self.assertNotEqual(pair["wins"], pair["n"] - pair["wins"], "dull study")
        panel = self.panel(4, "against-005")
        self.assertAlmostEqual(panel.curve("mean", "line")[0][0] / difference.mean(), 1, delta=0.02)
        np.testing.assert_allclose(panel.curve("interval", "line")[0],
                                   [pair["difference_low"], pair["difference_high"]], rtol=0.05)
        x, y = panel.curve("share")  # steps: x0 y0, x1 y0, x1 y1, ...
        area = np.diff(x) * y[:-1]
        self.assertAlmostEqual(np.sum(area * (x[:-1] + x[1:]) / 2) / area.sum(), difference.mean(),
                               delta=(x.max() - x.min()) / 60)

    def test_over_the_swept_key(self):
        for figure, field, root in (("coverage", "coverage", False), ("sharpness", "c", True)):
            for index, cells in enumerate(((0, 2, 4), (1, 3, 5))):
                panel = Panel(self.folder_of_figures / f"{figure}.svg", index)
                for name in self.values["set"]:
                    wanted = np.array([self.findings(cell)[name][field] for cell in cells])
                    self.assert_passes(panel, name, [0.2, 0.5, 0.9], np.sqrt(wanted) if root else wanted)
                self.assert_passes(panel, "target", [0.2, 0.9], [1, 1] if root else [1 - self.DELTA] * 2, "line")


if __name__ == "__main__":
    main()
