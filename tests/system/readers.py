#!/usr/bin/python3
"""The files open in the tools of the field, with the dimensions, types and attributes of the contract."""
import subprocess
import sys

import h5py
import numpy as np
import xarray

from scipy.stats import binomtest

from harness import PROJECT, SystemTest, main, stored

sys.path.insert(0, str(PROJECT / "analysis"))
import mixlab  # noqa: E402
import mixlab_results  # noqa: E402
from mixlab.results import COLUMNS, NEWEST_VERSION  # noqa: E402

ENGINES = ("h5netcdf", "netcdf4")
TEXT, INTEGER, REAL = "object", "int64", "float64"

RESULTS = {  # variable -> (dimensions, type)
    "cell": ("cell", INTEGER), "trajectory": ("trajectory", INTEGER), "round": ("round", INTEGER), "set": ("set", TEXT),
    "regret": ("cell trajectory round", REAL),
    "first_violation": ("cell trajectory set", "int32"),
    "log10_p": ("cell trajectory set", REAL),
    "horizon_log10_p": ("cell trajectory set", REAL),
    "sup_ratio": ("cell trajectory set", REAL),
    "potential": ("cell trajectory", REAL),
    "first_bound_violation": ("cell trajectory", "int32"),
    "completed": ("cell trajectory", "uint8"),
    "guaranteed": ("cell set", "uint8"),
    "bound_worst_case": ("cell round", REAL), "bound_gap": ("cell round", REAL),
    "bound_potential": ("cell round", REAL),
    "radius2": ("cell set round", REAL),
    "label": ("cell", TEXT),
    "study_horizon": ("cell", INTEGER),
    "problem_dimension": ("cell", INTEGER), "problem_arms": ("cell", TEXT), "problem_theta": ("cell", TEXT),
    "problem_theta_norm": ("cell", REAL), "problem_norm_bound": ("cell", REAL), "problem_draw": ("cell", TEXT),
    "noise_process": ("cell", TEXT), "noise_sigma": ("cell", REAL), "noise_rho": ("cell", REAL),
    "noise_tau": ("cell", REAL), "noise_law": ("cell", TEXT),
    "policy_name": ("cell", TEXT), "policy_set": ("cell", TEXT), "policy_delay": ("cell", INTEGER),
    "policy_ucb": ("cell", TEXT), "policy_lambda": ("cell", REAL),
    "confidence_delta": ("cell", REAL), "confidence_delay": ("cell", INTEGER), "confidence_monitor": ("cell", TEXT),
    "confidence_phi": ("cell", REAL), "confidence_lambda": ("cell", REAL),
}
TRACE = {
    "t": ("t", INTEGER), "arm": ("arm", INTEGER), "component": ("component", INTEGER), "set": ("set", TEXT),
    "theta_star": ("component", REAL), "arms": ("arm component", REAL), "action": ("t component", REAL),
    "action_index": ("t", INTEGER), "reward": ("t", REAL), "noise": ("t", REAL), "theta_hat": ("t component", REAL),
    "theta_ridge": ("t component", REAL), "q": ("t set", REAL), "radius2": ("t set", REAL), "regret": ("t", REAL),
}


class ReaderTest(SystemTest):
    def assert_layout(self, path, layout):
        with h5py.File(path, "r") as file:
            for name, (dimensions, kind) in layout.items():
                with self.subTest(name):
                    self.assertEqual([axis[0].name.strip("/") for axis in file[name].dims if len(axis)],
                                     [] if name == dimensions else dimensions.split())
                    self.assertEqual(str(file[name].dtype), kind)
                    if kind == TEXT:
                        self.assertEqual(h5py.check_string_dtype(file[name].dtype).encoding, "utf-8")
                        self.assertEqual(file[name].attrs["names"].decode().split("\n"), list(file[name].asstr()))
            others = {name: str(file[name].dtype) for name in file if name not in layout}
            self.assertLessEqual({*others.values()}, {TEXT, REAL, INTEGER, "int32", "uint8"}, others)

    def opened_by_xarray(self, path, layout):
        for engine in ENGINES:
            with self.subTest(engine), xarray.open_dataset(path, engine=engine) as data:
                for name, (dimensions, _) in layout.items():
                    self.assertEqual(list(data[name].dims), dimensions.split(), name)
                self.assertIn("paper", data["set"].values)
                yield data

    def assert_ncdump_opens(self, path, layout):
        header = subprocess.run(["ncdump", "-h", path], capture_output=True, text=True, check=True).stdout
        for name, (dimensions, _) in layout.items():
            self.assertRegex(header, rf"\b{name}\({', '.join(dimensions.split())}\) ;")


class Results(ReaderTest):
    def setUp(self):
        super().setUp()
        self.cfg = self.study(noise_process="iid, sticky", study_horizon="25, 60", study_seed=2**64 - 1,
                              study_title="Größe β")
        self.out = self.compute(self.cfg, "out.h5", "--set", "problem.norm_bound=1.5", "--threads", 2)

    def test_layout(self):
        self.assert_layout(self.out, RESULTS)

    def test_ncdump(self):
        self.assert_ncdump_opens(self.out, RESULTS)

    def test_xarray(self):
        values, _ = stored(self.out)
        for data in self.opened_by_xarray(self.out, RESULTS):
            paper = data.sel(set="paper")
            at = list(values["set"]).index("paper")
            np.testing.assert_array_equal(paper["sup_ratio"], values["sup_ratio"][:, :, at])
            np.testing.assert_array_equal(paper["first_violation"], values["first_violation"][:, :, at])
            np.testing.assert_array_equal(data["regret"], values["regret"])
            self.assertEqual(data.sel(round=25, trajectory=3)["regret"].dims, ("cell",))
            self.assertEqual(data.attrs["title"], "Größe β")

    def test_attributes(self):
        _, attributes = stored(self.out)
        for name in ("title", "format", "mixlab_version", "git_commit", "git_dirty", "compiler", "hdf5_version",
                     "study", "study_file", "study_hash", "start", "end", "machine", "threads", "job_id"):
            self.assertIsInstance(attributes.get(name), str, name)
            self.assertTrue(attributes[name], name)
        self.assertEqual(attributes["format"], "mixlab results")
        self.assertGreaterEqual(attributes["format_version"], 1)
        self.assertEqual(attributes["seed"], str(2**64 - 1))
        self.assertEqual(attributes["threads"], "2")
        self.assertEqual(attributes["study_file"], self.cfg.read_text())
        self.assertIn("norm_bound = 1.5", attributes["study"])
        self.assertRegex(attributes["git_commit"], r"^([0-9a-f]{40}|unknown)$")
        for name in ("start", "end"):
            self.assertRegex(attributes[name], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertLessEqual(attributes["start"], attributes["end"])

    def test_study_hash_covers_what_changes_numbers(self):
        def study_hash(*overrides):
            options = [word for override in overrides for word in ("--set", override)]
            return stored(self.compute(self.cfg, f"{len(self.files())}.h5", *options))[1]["study_hash"]

        same = study_hash()
        self.assertEqual(study_hash("study.title=other", "study.part=3", "study.trajectories=21"), same)
        for change in ("study.seed=1", "noise.sigma=2", "confidence.delta=0.2", "study.horizon=25"):
            self.assertNotEqual(study_hash(change), same, change)

    def test_chunks(self):
        with h5py.File(self.out, "r") as file:
            n_rounds, n_sets = len(file["round"]), len(file["set"])
            self.assertEqual(file["regret"].chunks, (1, 20, n_rounds))
            self.assertEqual(file["sup_ratio"].chunks, (1, 20, n_sets))

    def test_swept_horizon(self):
        values, _ = stored(self.out)
        rounds = {25: set(), 60: set()}
        for T in rounds:
            alone, _ = stored(self.compute(self.cfg, f"{T}.h5", "--set", f"study.horizon={T}"))
            rounds[T] = set(alone["round"])
            self.assertEqual(max(rounds[T]), T)
        self.assertEqual(list(values["round"]), sorted(rounds[25] | rounds[60]))
        for cell, T in enumerate(values["study_horizon"]):
            own = np.isin(values["round"], sorted(rounds[T]))
            np.testing.assert_array_equal(np.isfinite(values["regret"][cell]), np.tile(own, (20, 1)))
            np.testing.assert_array_equal(np.isfinite(values["bound_potential"][cell]), own)
            for of_set in values["radius2"][cell]:
                np.testing.assert_array_equal(np.isfinite(of_set), own)

    def test_parameters_a_cell_does_not_have(self):
        values, _ = stored(self.out)
        sticky = values["noise_process"] == "sticky"
        np.testing.assert_array_equal(np.isnan(values["noise_rho"]), ~sticky)
        np.testing.assert_array_equal(values["noise_law"] == "", sticky)
        self.assertEqual(len({*values["label"]}), len(values["cell"]))

    def test_rows_not_run(self):
        study = self.study("half.cfg", study_part=5)
        self.compute(study, "half.h5", "--shard", "0/2")
        self.mixlab("merge", "half.h5", "--partial")
        values, _ = stored(self.folder / "half.h5")
        missing = values["completed"] == 0
        self.assertEqual(np.count_nonzero(missing), 20)
        self.assertTrue(np.all(values["first_violation"][missing] == -1))
        self.assertTrue(np.all(values["first_bound_violation"][missing] == -1))
        for name in ("regret", "log10_p", "horizon_log10_p", "sup_ratio", "potential"):
            self.assertTrue(np.all(np.isnan(values[name][missing])), name)
            self.assertTrue(np.all(np.isfinite(values[name][~missing])), name)


class Trace(ReaderTest):
    def test_trace(self):
        out = self.compute(self.study(), "out.h5")
        trace = self.folder / "trace.h5"
        self.mixlab("trace", out, "--cell", 1, "--trajectory", 4, "-o", trace)
        self.assert_layout(trace, TRACE)
        self.assert_ncdump_opens(trace, TRACE)
        for data in self.opened_by_xarray(trace, TRACE):
            self.assertEqual(data.sel(set="oful", t=60)["q"].shape, ())
        _, attributes = stored(trace)
        for name in ("d", "lambda", "B", "sigma", "phi", "delta"):
            self.assertTrue(np.isfinite(attributes[name]), name)
        results, _ = stored(out)
        values, _ = stored(trace)
        np.testing.assert_array_equal(values["regret"][results["round"] - 1], results["regret"][1, 4])


class Library(ReaderTest):
    """The Python package against the file itself."""

    def setUp(self):
        super().setUp()
        self.out = self.compute(self.study(noise_rho="0.2, 0.9", study_title="one, two"), "out.h5")
        self.values, _ = stored(self.out)
        self.results = mixlab.open_results(self.out)
        self.addCleanup(self.results.close)

    def test_values_as_stored(self):
        for name, values in self.values.items():
            np.testing.assert_array_equal(self.results[name].values, values, name)
            self.assertEqual(self.results[name].dtype, values.dtype, name)
        self.assertEqual(mixlab.swept(self.results), ["noise_rho", "policy_name"])

    def test_columns(self):
        """What the package reads by name is in the file as it expects it."""
        version = int(np.ravel(self.results.attrs["format_version"])[0])
        self.assertEqual({name: variable.dims for name, variable in self.results.variables.items() if name in COLUMNS},
                         {name: dimensions for name, (dimensions, since) in COLUMNS.items() if since <= version})

    def test_former_name(self):
        """Scripts that call mixlab_results go on."""
        with mixlab_results.open(self.out) as results:
            self.assertEqual(mixlab_results.swept(results), ["noise_rho", "policy_name"])
            chosen = mixlab_results.select(results, set=["oful"], noise_rho=0.9)
            self.assertEqual(chosen["set"].values.tolist(), ["oful"])
            now = mixlab.coverage(results, 3, "oful")
            self.assertTrue(mixlab_results.coverage(results, cell=3, set="oful").identical(now))
            np.testing.assert_array_equal(mixlab_results.cell_rows(results, "sup_ratio", 3, set="oful"),
                                          self.values["sup_ratio"][3, :, 1])
            self.assertTrue(mixlab_results.frame(results).equals(mixlab.frame(results)))
            self.assertTrue(mixlab_results.regret(results, 0).identical(mixlab.regret(results, 0)))
            self.assertEqual(mixlab_results.cell_value(results, "label", 0), self.values["label"][0])
        with self.assertRaises(mixlab_results.ResultsError):
            mixlab_results.open(self.folder / "none.h5")

    def test_select(self):
        chosen = mixlab.select(self.results, "oful", noise_rho=0.9, policy_name="linucb")
        self.assertEqual(chosen["cell"].values.tolist(), [3])
        np.testing.assert_array_equal(chosen["sup_ratio"][0, :, 0], self.values["sup_ratio"][3, :, 1])
        for wrong in ({"noise_rho": 0.3}, {"noise_tau_typo": 1}, {"confidence_set": "no"}):
            with self.assertRaises(mixlab.ResultsError):
                mixlab.select(self.results, **wrong)

    def test_coverage(self):
        first = self.values["first_violation"][3, :, 1]
        curve = mixlab.coverage(self.results, cell=3, confidence_set="oful")
        for t in (1, 2, 17, 60):
            covered = np.count_nonzero((first == 0) | (first > t))
            self.assertEqual(curve.coverage.sel(round=t), covered / 20)
            exact = binomtest(covered, 20).proportion_ci(0.95, "exact")
            self.assertAlmostEqual(float(curve.low.sel(round=t)), exact.low, 12)
            self.assertAlmostEqual(float(curve.high.sel(round=t)), exact.high, 12)
        self.assertLess(curve.coverage[-1], 1)

    def test_regret(self):
        summary = mixlab.regret(self.results, cell=2, quantiles=(0.5, 0.99))
        np.testing.assert_allclose(summary["mean"], self.values["regret"][2].mean(axis=0))
        np.testing.assert_array_equal(summary["quantile"].sel(q=0.5), np.sort(self.values["regret"][2], axis=0)[9])
        np.testing.assert_array_equal(summary["quantile"].sel(q=0.99), np.max(self.values["regret"][2], axis=0))

    def test_frame(self):
        table = mixlab.frame(self.results)
        self.assertEqual(len(table), 4 * 20 * 3)
        row = table[(table["noise_rho"] == 0.9) & (table["policy_name"] == "linucb") & (table["trajectory"] == 7)
                    & (table["set"] == "otc")]
        self.assertEqual(row["sup_ratio"].item(), self.values["sup_ratio"][3, 7, 2])
        regret = mixlab.frame(mixlab.select(self.results, noise_rho=0.2), "regret")
        self.assertEqual({*regret["cell"]}, {0, 1})
        self.assertEqual(len(regret), 2 * 20 * len(self.values["round"]))

    def test_rows_not_run_do_not_count(self):
        self.compute(self.study("half.cfg", study_part=5), "half.h5", "--shard", "0/2")
        self.mixlab("merge", "half.h5", "--partial")
        with mixlab.open_results(self.folder / "half.h5") as half:
            self.assertEqual(len(mixlab.frame(half)), 2 * 10 * 3)
            self.assertEqual(mixlab.coverage(half, 0, "paper").trajectories, 10)

    def test_coordinates_inside_groups(self):
        self.results.close()
        with h5py.File(self.out, "a") as file:
            file["extra/inner"] = np.arange(4.0)
            file["extra/inner"].dims[0].attach_scale(file["cell"])
        with mixlab.open_results(self.out, group="extra") as group:
            self.assertEqual(group["inner"].sel(cell=2), 2.0)

    def test_bad_files(self):
        (self.folder / "text.h5").write_text("no")
        with h5py.File(self.folder / "foreign.h5", "w") as file:
            file["x"] = 1
        self.mixlab("trace", self.out, "--cell", 0, "--trajectory", 0, "-o", "trace.h5")
        for name in ("none.h5", "text.h5", "foreign.h5", "trace.h5", "."):
            with self.assertRaisesRegex(mixlab.ResultsError, r"^[^:]+: .+\(.+\); ", msg=name):
                mixlab.open_results(self.folder / name)

    def test_example(self):
        script = PROJECT / "analysis" / "example.py"
        shown = subprocess.run([sys.executable, "-B", script, self.out], check=True, capture_output=True, text=True)
        self.assertIn("linucb", shown.stdout)


class Versions(ReaderTest):
    """Files of every format version, and files that claim one without being so."""

    def setUp(self):
        super().setUp()
        self.out = self.compute(self.study(noise_rho="0.2, 0.9", study_trajectories="4"), "out.h5")

    def changed(self, change):
        """A copy that was changed by other hands."""
        path = self.folder / "changed.h5"
        path.write_bytes(self.out.read_bytes())
        with h5py.File(path, "a") as file:
            change(file)
        return path

    def test_the_seal_is_behind_the_image(self):
        self.assertTrue(self.out.read_bytes().startswith(b"\x89HDF"))
        self.assertEqual(self.out.read_bytes()[-512:].split(b"\n")[0], b"mixlab sealed file 2")

    def test_opens_without_engine(self):
        with xarray.open_dataset(self.out) as data:
            self.assertEqual(data["n_run"].values.tolist(), [4] * data.sizes["cell"])

    def test_swept_is_not_read_from_the_study(self):
        def garble(file):
            file.attrs["study"] = "not to be read: [noise]\nsigma = 1, 2\n"
        with mixlab.open_results(self.changed(garble)) as results:
            self.assertEqual(mixlab.swept(results), ["noise_rho", "policy_name"])
            chosen = mixlab.select(results, policy_name="linucb")
            self.assertEqual(mixlab.swept(chosen), ["noise_rho", "policy_name"])
            self.assertIn("noise_rho", mixlab.frame(results))

    def test_nothing_is_swept(self):
        plain = self.compute(self.study(policy_name="linucb", study_trajectories="4"), "plain.h5")
        with mixlab.open_results(plain) as results:
            self.assertEqual(mixlab.swept(results), [])

    def test_version_1(self):
        with mixlab.open_results(PROJECT / "tests" / "compat" / "results-1.h5") as results:
            self.assertEqual(mixlab.swept(results), ["study_horizon", "policy_name"])

    def test_other_versions_are_refused(self):
        for version in (0, NEWEST_VERSION + 1):
            def claim(file, version=version):
                file.attrs["format_version"] = np.int64(version)
            words = f"^unknown format version: {version} in .*1 to {NEWEST_VERSION}.*; use"
            with self.assertRaisesRegex(mixlab.ResultsError, words):
                mixlab.open_results(self.changed(claim))

    def test_incomplete(self):
        def cut(file):
            del file["caveat"], file.attrs["swept"]
        with self.assertRaisesRegex(mixlab.ResultsError, "^incomplete results .*lacks caveat, attribute swept as"):
            mixlab.open_results(self.changed(cut))


if __name__ == "__main__":
    main()
