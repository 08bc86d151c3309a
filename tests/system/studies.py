#!/usr/bin/python3
"""Studies of known outcome: regret recomputed from the file, and the coin: the way from run to check against
probabilities that are known."""
import json
import math

import numpy as np

from exact import ALPHA, evidence
from harness import CONTRADICTED, SystemTest, main, stored

NEVER = 1e-7  # probability of a false alarm of a test here, at any seed


class Studies(SystemTest):
    def check(self, study, *settings, code=0, delta=None):
        out = self.compute(study, "out.h5", *(word for setting in settings for word in ("--set", setting)))
        outcome = self.mixlab("check", out, "--format", "json", *(("--delta", delta) if delta else ()), code=code)
        return json.loads(outcome.out)


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
            p = evidence([(40, bound["violations"])], 40, 0.1, ALPHA / self.verdict["n_comparisons"])
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
