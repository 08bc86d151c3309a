#!/usr/bin/python3
"""The core studies in forms of seconds, with their negative controls, and the coin: the way from run to check against
probabilities that are known."""
import json
import math

import numpy as np

from exact import evidence
from harness import CONTRADICTED, PROJECT, SystemTest, main, stored

STUDIES = PROJECT / "studies"
NEVER = 1e-7  # probability of a false alarm of a test here, at any seed


class Studies(SystemTest):
    def check(self, study, *settings, code=0, delta=None):
        out = self.compute(study, "out.h5", *(word for setting in settings for word in ("--set", setting)))
        outcome = self.mixlab("check", out, "--format", "json", *(("--delta", delta) if delta else ()), code=code)
        return json.loads(outcome.out)

    def states(self, verdict, **where):
        return {finding["state"] for finding in verdict["findings"]
                if all(finding[key] == value for key, value in where.items())}


class AnytimeGeometric(Studies):
    SMALL = ("study.trajectories=300", "study.horizon=400", "noise.tau=1, 10", "confidence.delta=0.05",
             "confidence.phi=0.005")

    def test_holds(self):
        verdict = self.check(STUDIES / "anytime-geometric.cfg", *self.SMALL)
        self.assertEqual(self.states(verdict), {"certified"})
        self.assertEqual(len(verdict["findings"]), 2 * 2 * 4)
        self.assertTrue(all(finding["guaranteed"] for finding in verdict["findings"]))
        self.assertEqual({bound["state"] for bound in verdict["bounds"]}, {"empty"})

    def test_control(self):
        verdict = self.check(STUDIES / "anytime-geometric.cfg", *self.SMALL, "confidence.delay=1", code=CONTRADICTED)
        for cell in (1, 3):  # tau = 10; at tau = 1 the sets have that much to spare
            self.assertEqual(self.states(verdict, cell=cell), {"violated"})
        self.assertFalse(any(finding["guaranteed"] for finding in verdict["findings"]))
        self.assertTrue(verdict["sentence"].startswith("CONTRADICTED"))


class IidBreaks(Studies):
    SMALL = ("study.trajectories=400", "study.horizon=500")

    def test_breaks(self):
        verdict = self.check(STUDIES / "iid-breaks.cfg", *self.SMALL, "noise.rho=0, 0.9, 0.98")
        for cell, state in ((0, "certified"), (1, "violated"), (2, "violated")):
            self.assertEqual(self.states(verdict, cell=cell), {state})

    def test_control(self):
        self.assertEqual(self.states(self.check(STUDIES / "iid-breaks.cfg", *self.SMALL, "noise.rho=0")), {"certified"})


class EveryNoise(Studies):
    """Power 0.9 against 1.5 delta at every noise: 'detects' is at most 0.075."""
    def test_holds(self):
        verdict = self.check(STUDIES / "every-noise.cfg")
        self.assertEqual(self.states(verdict, guaranteed=True), {"certified"})
        self.assertEqual(len(verdict["findings"]), 11 * 3)
        self.assertGreaterEqual(sum(finding["guaranteed"] for finding in verdict["findings"]), 10 * 3)
        self.assertLessEqual(max(finding["detectable"] for finding in verdict["findings"] if finding["guaranteed"]),
                             1.5 * 0.05)

    def test_controls(self):
        few = ("study.trajectories=200", "noise.process=sticky, ar1, moving-average, markov")
        verdict = self.check(STUDIES / "every-noise.cfg", *few, "confidence.delay=1", "confidence.phi=0",
                             code=CONTRADICTED)
        self.assertEqual(self.states(verdict, set="telescope"), {"violated"})


class UnknownMemory(Studies):
    SMALL = ("study.trajectories=200", "study.horizon=600")

    def test_breaks(self):
        verdict = self.check(STUDIES / "unknown-memory.cfg", *self.SMALL)
        self.assertEqual(self.states(verdict, cell=0), {"certified"})
        self.assertEqual(self.states(verdict, cell=1, set="telescope"), {"certified"})
        for learner in ("hac-tau", "hac-lrv", "joint", "oful"):
            self.assertEqual(self.states(verdict, cell=1, set=learner), {"violated"})

    def test_control(self):
        verdict = self.check(STUDIES / "unknown-memory.cfg", *self.SMALL, "noise.frozen=0")
        self.assertEqual(self.states(verdict), {"certified"})


class RegretHorizon(Studies):
    SMALL = ("study.trajectories=100", "study.horizon=200, 500, 1000", "noise.rho=0.5")

    def test_rates(self):
        verdict = self.check(STUDIES / "regret-horizon.cfg", *self.SMALL)
        rates = {rate["label"]: rate for rate in verdict["rates"]}
        mixing = rates["mixing-linucb"]
        self.assertEqual((mixing["cells"], mixing["x"], mixing["predicted"]), ([0, 2, 4], [200, 500, 1000], 0.5))
        self.assertIsNone(rates["linucb"]["predicted"])
        self.assertEqual(len(verdict["comparisons"]), 3)
        self.assertEqual({(bound["state"], bound["vacuous"]) for bound in verdict["bounds"] if bound["applies"]},
                         {("empty", True)})

    def test_control(self):
        verdict = self.check(STUDIES / "regret-horizon.cfg", *self.SMALL, "policy.name=mixing-linucb, random")
        random = verdict["rates"][1]
        self.assertLess(abs(random["slope"] - 1), 0.05)
        self.assertLess(verdict["rates"][0]["slope_high"], random["slope_low"])
        self.assertGreater(verdict["comparisons"][-1]["win_share"], 0.99)


class Regret(Studies):
    """Comparisons, rates and bounds, from the file alone."""

    def setUp(self):
        super().setUp()
        study = self.study(study_trajectories=40, study_horizon="50, 100, 200", noise_rho=None, noise_tau="2, 5",
                           confidence_delay="paper", confidence_monitor="paper")
        self.verdict = self.check(study)
        self.values, _ = stored(self.folder / "out.h5")

    def regret(self, cell):
        return self.values["regret"][cell, :, list(self.values["round"]).index(self.values["study_horizon"][cell])]

    def test_comparisons(self):
        key = ("study_horizon", "noise_tau")
        same = [(a, b) for a in range(12) for b in range(a + 1, 12)
                if all(self.values[name][a] == self.values[name][b] for name in key)]
        self.assertEqual([(pair["cell_a"], pair["cell_b"]) for pair in self.verdict["comparisons"]], same)
        for pair in self.verdict["comparisons"]:
            a, b = self.regret(pair["cell_a"]), self.regret(pair["cell_b"])
            self.assertAlmostEqual(pair["difference"], np.mean(a - b), delta=1e-10 * np.mean(a))
            self.assertEqual((pair["n"], pair["wins"], pair["ties"]), (40, np.sum(a < b), np.sum(a == b)))
            for name, sample in (("a", a), ("b", b)):
                self.assertAlmostEqual(pair[f"mean_{name}"], np.mean(sample), delta=1e-10 * np.mean(a))
                self.assertEqual(pair[f"q90_{name}"], np.sort(sample)[35])
                self.assertEqual(pair[f"largest_{name}"], np.max(sample))

    def test_rates(self):
        lines = {}
        for cell in range(12):
            T, tau, policy = (self.values[name][cell] for name in ("study_horizon", "noise_tau", "policy_name"))
            lines.setdefault(("study.horizon", tau, policy), []).append((T, cell))
            lines.setdefault(("noise.tau", T, policy), []).append((tau, cell))
        self.assertEqual(len(self.verdict["rates"]), len(lines))
        wanted = {tuple(cell for _, cell in sorted(line)): (key, line) for key, line in lines.items()}
        for rate in self.verdict["rates"]:
            key, line = wanted[tuple(rate["cells"])]
            self.assertEqual(rate["key"], key[0])
            x = np.log([value for value, _ in sorted(line)])
            mean = [np.mean(self.regret(cell)) for _, cell in sorted(line)]
            self.assertAlmostEqual(rate["slope"], np.polyfit(x, np.log(mean), 1)[0], delta=1e-10)
            paired = key[0] == "study.horizon"  # the same noise at every horizon
            low, high = self.bootstrap(x, [self.regret(cell) for cell in rate["cells"]], paired)
            self.assertAlmostEqual(rate["slope_low"], low, delta=1e-10)
            self.assertAlmostEqual(rate["slope_high"], high, delta=1e-10)
            mixing = key[2] == "mixing-linucb"
            self.assertEqual(rate["predicted"], 0.5 if mixing else None)

    @staticmethod
    def bootstrap(x, samples, paired, alpha=0.05):
        """Percentile interval of the slope with the program's own draws, from Philox as published."""
        n = len(samples[0])

        def rows(resample, sample):
            words = [word for block in range((n + 7) // 8) for word in philox((block, resample, 6, 0), (0, sample))]
            return [(half * n) >> 32 for word in words for half in (word >> 32, word & 0xffffffff)][:n]

        slopes = []
        for resample in range(1000):
            drawn = [rows(resample, 0 if paired else s) for s in range(1 if paired else len(samples))]
            mean = [np.mean(sample[drawn[0 if paired else s]]) for s, sample in enumerate(samples)]
            slopes.append(np.polyfit(x, np.log(mean), 1)[0])
        slopes.sort()
        return slopes[math.ceil(1000 * alpha / 2) - 1], slopes[math.ceil(1000 * (1 - alpha / 2)) - 1]

    def test_bounds(self):
        applying = [bound for bound in self.verdict["bounds"] if bound["applies"]]
        self.assertEqual(len(self.verdict["bounds"]), 12)
        self.assertEqual(len(applying), 6)
        for bound in applying:
            cell = bound["cell"]
            self.assertEqual(bound["violations"], np.sum(self.values["first_bound_violation"][cell] > 0))
            p = evidence([(40, bound["violations"])], 40, 0.1)
            self.assertAlmostEqual(bound["p_certified"], p[1], delta=1e-10)
            self.assertEqual(bound["state"] == "empty", bound["vacuous"])
            self.assertEqual(bound["adjusted_p_certified"] is None, bound["vacuous"])
        for bound in self.verdict["bounds"]:
            cell = bound["cell"]
            last = list(self.values["round"]).index(self.values["study_horizon"][cell])
            self.assertEqual(bound["regret_largest"], np.max(self.regret(cell)))
            self.assertEqual(bound["potential_largest"], np.max(self.values["potential"][cell]))
            self.assertEqual(bound["potential_bound"], self.values["bound_potential"][cell, last])
            self.assertEqual(bound["potential_violations"], 0)


def philox(counter, key):
    """Philox4x64-10, Salmon et al. 2011."""
    mask = 2**64 - 1
    c, k = list(counter), list(key)
    for _ in range(10):
        first, second = c[0] * 0xD2E7470EE14C6C93, c[2] * 0xCA5A826395121157
        c = [(second >> 64) ^ c[1] ^ k[0], second & mask, (first >> 64) ^ c[3] ^ k[1], first & mask]
        k = [(k[0] + 0x9E3779B97F4A7C15) & mask, (k[1] + 0xBB67AE8584CAA73B) & mask]
    return c


class Coin(Studies):
    N, T, DELTA = 5000, 20, 0.05

    def coin(self, miss, **options):
        study = self.study(study_trajectories=self.N, study_horizon=self.T, noise_process="iid", noise_rho=None,
                           policy_name="round-robin", confidence_delta=self.DELTA, confidence_delay=1,
                           confidence_monitor="coin", confidence_coin_miss=miss)
        return self.check(study, **options)["findings"]

    def assert_probability(self, count, n, probability):
        """`count` of n is what a binomial of this probability gives."""
        deviation = abs(count / n - probability)
        bound = math.exp(-n * deviation**2 / (2 * probability * (1 - probability) + deviation * 2 / 3))  # Bernstein
        self.assertGreater(2 * bound, NEVER, f"{count} of {n} at probability {probability}")

    def test_misses(self):
        rates = (0.02, 0.05, 0.1, 0.4)
        for level, findings in ((None, self.coin("0.02, 0.05, 0.1, 0.4")),
                                (0.01, self.coin("0.02, 0.05, 0.1, 0.4", delta="0.01"))):
            for miss, finding in zip(rates, findings):
                known = miss * (level or self.DELTA) / self.DELTA  # P(p < x) = miss x/delta
                self.assert_probability(finding["misses"], self.N, known)
                self.assert_probability(finding["horizon_misses"], self.N, known / self.T)
                wanted = {"0.02": {"certified"}, "0.05": {"undecided", "certified"}}.get(str(miss), {"none"})
                self.assertIn(finding["state"], wanted)
                self.assertEqual(finding["guaranteed"], miss <= self.DELTA)

    def test_round_of_the_miss(self):
        self.coin("1")
        first = stored(self.folder / "out.h5")[0]["first_violation"].ravel()
        self.assertTrue(np.all(first >= 1), "miss probability 1")
        for t in range(1, self.T + 1):
            self.assert_probability(np.sum(first == t), self.N, 1 / self.T)

    def test_all_deltas(self):
        exact, half_as_safe = self.coin("0.05, 0.1")
        self.assertGreater(exact["dkw_p"], NEVER)  # uniform p-values
        self.assertGreater(exact["simes_p"], NEVER)
        self.assertLess(half_as_safe["dkw_p"], NEVER)

    def test_sharpness(self):
        """R = log p/log delta, so c at delta is log(delta^2/miss)/log delta."""
        for miss, finding in zip((0.02, 0.05, 0.1), self.coin("0.02, 0.05, 0.1")):
            c = math.log(self.DELTA**2 / miss) / math.log(self.DELTA)
            self.assert_probability(np.sum(stored(self.folder / "out.h5")[0]["sup_ratio"][finding["cell"]] > c), self.N,
                                    self.DELTA)
            self.assertLess(finding["c_low"], finding["c_high"])
            self.assertLess(abs(finding["c"] - c), 0.1)

    def test_expected_broken(self):
        """A coin that is said to break, and holds, is found out; and the other way round."""
        def study(expected, miss):
            return self.study(study_trajectories=2000, study_horizon=5, confidence_delta=0.05, confidence_delay=1,
                              policy_name="round-robin", confidence_monitor="coin", confidence_coin_miss=miss,
                              expect_coin=expected)
        for expected, miss, code in (("holds", 0.2, CONTRADICTED), ("broken", 0.2, 0), ("broken", 0.01, CONTRADICTED),
                                     ("holds", 0.01, 0)):
            self.check(study(expected, miss), code=code)
            (self.folder / "out.h5").unlink()


if __name__ == "__main__":
    main()
