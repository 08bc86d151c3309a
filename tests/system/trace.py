#!/usr/bin/python3
"""Traces of random small studies: every round as the oracle computes it, and every stored number from the rounds."""
import contextlib
import importlib.util
import io
import math
import os
import sys

import numpy as np

from harness import PROJECT, SystemTest, main, random_source, stored

chance = random_source("trace")
N_STUDIES = int(os.environ.get("N_STUDIES") or 25)


def load_oracle():
    """tests/oracle/trace.py, which needs its neighbour sets.py."""
    folder = PROJECT / "tests" / "oracle"
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location("trace_oracle", folder / "trace.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


oracle = load_oracle()


def number(low, high):
    return f"{chance.uniform(low, high):.4g}"


def random_noise():
    process = chance.choice(("iid", "sticky", "sticky"))
    if process == "iid":
        parameters = {"noise_law": chance.choice(("gaussian", "rademacher", "uniform"))}
    else:
        parameters = chance.choice(({"noise_rho": number(-0.95, 0.98)}, {"noise_tau": number(0.3, 30)}))
    return {"noise_process": process, "noise_rho": None, "noise_sigma": chance.choice((1, number(0.2, 3)))} | parameters


def random_problem():
    p = chance.randint(1, 6)
    arms = ["basis", f"sphere:{chance.randint(1, 12)}"]
    if p == 2:
        arms += ["circle:1", f"circle:{chance.randint(2, 12)}"]
    B = chance.choice((1, float(number(0.3, 4))))
    problem = {"problem_dimension": p, "problem_arms": chance.choice(arms), "problem_norm_bound": B,
               "problem_draw": chance.choice(("trajectory", "cell"))}
    if chance.random() < 0.3:
        theta = np.array([chance.gauss(0, 1) for _ in range(p)])
        theta *= B * chance.choice((0.3, 0.999)) / np.linalg.norm(theta)
        return problem | {"problem_theta_norm": None, "problem_theta": " ".join(f"{x:.6f}" for x in theta)}
    return problem | {"problem_theta_norm": chance.choice((0, 0.5 * B, B))}


def random_study():
    sets = ["paper", "oful", "otc"]
    lam = chance.choice(("default", number(0.05, 5)))  # one for both: the oracle knows one lambda
    return random_problem() | random_noise() | {
        "study_trajectories": 3, "study_horizon": chance.randint(1, 150), "study_seed": chance.randrange(2**64),
        "study_checkpoints": chance.randint(1, 30),
        "policy_name": "mixing-linucb, linucb", "policy_set": chance.choice(["default", *sets]), "policy_lambda": lam,
        "policy_delay": chance.choice(("default", chance.randint(1, 20))),
        "confidence_delta": number(0.01, 0.5), "confidence_lambda": lam,
        "confidence_delay": chance.choice(("paper", chance.randint(1, 20))),
        "confidence_phi": chance.choice(("certified", number(0, 0.3), "x" + number(0, 2))),
        "confidence_monitor": " ".join(chance.sample(sets, chance.randint(1, 3))),
    }


class Trace(SystemTest):
    def assert_oracle_agrees(self, path):
        said = io.StringIO()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = oracle.main(str(path))
        self.assertEqual(code, 0, said.getvalue())

    def assert_row_follows(self, results, cell, trajectory, rounds, attributes):
        """The stored row from the rounds of its trace."""
        def close(name, got, wanted):
            np.testing.assert_allclose(got, wanted, rtol=1e-8, atol=1e-8, err_msg=name)

        T = results["study_horizon"][cell]
        np.testing.assert_array_equal(results["regret"][cell, trajectory], rounds["regret"][results["round"] - 1])
        own = [list(results["set"]).index(name) for name in rounds["set"]]
        row = {name: results[name][cell, trajectory, own]
               for name in ("first_violation", "sup_ratio", "log10_p", "horizon_log10_p")}
        outside = rounds["q"] > rounds["radius2"]
        np.testing.assert_array_equal(row["first_violation"],
                                      np.where(outside.any(axis=0), outside.argmax(axis=0) + 1, 0))
        close("sup_ratio", row["sup_ratio"], (rounds["q"] / rounds["radius2"]).max(axis=0))

        here = oracle.Recomputed(rounds, attributes)
        lam, lag = attributes["lambda"], attributes["lag"]
        logdet = np.log1p(np.maximum(here.e, 0) / lam).sum(axis=1)
        constants = {"p": here.p, **{name: attributes[name] for name in ("B", "sigma", "phi", "d")}, "lam": lam}
        log_p = np.array([[oracle.sets.log_p(name, t=t, q=rounds["q"][t - 1, s], logdet=logdet[t - 1], **constants)
                           for t in range(1, T + 1)] for s, name in enumerate(rounds["set"])])
        close("log10_p", row["log10_p"], log_p.min(axis=1) / math.log(10))
        close("horizon_log10_p", row["horizon_log10_p"], log_p[:, -1] / math.log(10))

        V_inverse = np.linalg.inv(here.Lambda + lam * np.eye(here.p))[:T - lag]
        x = rounds["action"][lag:]
        close("potential", results["potential"][cell, trajectory],
              np.minimum(1, np.einsum("ti,tij,tj->t", x, V_inverse, x)).sum())

    def assert_radii_follow(self, results, cell, rounds):
        """radius2 of the results: that of the trace, or a bound where it depends on the data."""
        for s, name in enumerate(rounds["set"]):
            stored_radii = results["radius2"][cell, list(results["set"]).index(name)]
            traced = rounds["radius2"][results["round"] - 1, s]
            if name == "oful":
                self.assertTrue(np.all(stored_radii >= traced * (1 - 1e-12)))
            else:
                np.testing.assert_allclose(stored_radii, traced, rtol=1e-12)

    def assert_traces_follow(self, changes):
        study = self.study(**changes)
        out = self.compute(study, "out.h5")
        results, _ = stored(out)
        for cell in range(len(results["cell"])):
            trajectory = chance.randrange(3)
            where = ("--cell", cell, "--trajectory", trajectory)
            said = self.mixlab("trace", out, *where, "-o", "trace.h5").out
            self.assertIn("equals the stored row, bit for bit", said)
            self.assert_oracle_agrees(self.folder / "trace.h5")
            rounds, attributes = stored(self.folder / "trace.h5")
            self.assert_row_follows(results, cell, trajectory, rounds, attributes)
            self.assert_radii_follow(results, cell, rounds)

            self.mixlab("trace", study, *where, "-o", "again.h5")
            for name, values in stored(self.folder / "again.h5")[0].items():
                np.testing.assert_array_equal(values, rounds[name], err_msg=name)
        out.unlink()

    def test_random_studies(self):
        for i in range(N_STUDIES):
            changes = random_study()
            with self.subTest(i, **changes):
                self.assert_traces_follow(changes)

    def test_long(self):
        """The delay of the paper's rule, long past the start."""
        self.assert_traces_follow({"study_trajectories": 3, "study_horizon": 1500, "noise_rho": 0.9,
                                   "confidence_delay": "paper"})

    def test_one_instance_for_the_cell(self):
        study = self.study(problem_draw="cell", problem_arms="sphere:4", problem_dimension=3)
        traces = []
        for trajectory in (0, 19):
            self.mixlab("trace", study, "--cell", 0, "--trajectory", trajectory, "-o", "trace.h5")
            traces.append(stored(self.folder / "trace.h5")[0])
        for name in ("theta_star", "arms"):
            np.testing.assert_array_equal(traces[0][name], traces[1][name])
        self.assertTrue(np.any(traces[0]["noise"] != traces[1]["noise"]))


if __name__ == "__main__":
    main()
