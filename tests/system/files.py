"""Files that a study names: arms, chains and replayed series are hashed, embedded and never needed again."""

import h5py
import numpy as np

from harness import BAD_INPUT, SystemTest, main, random_source, stored

RNG = random_source("files")


class Files(SystemTest):
    def setUp(self):
        super().setUp()
        generator = np.random.default_rng(RNG.randrange(2**32))
        self.series = np.convolve(generator.normal(size=4003), [0.25, 0.25, 0.25, 0.25], "valid")
        np.savetxt(self.folder / "residuals.csv", self.series)
        with h5py.File(self.folder / "residuals.h5", "w") as file:
            file["x"] = self.series
        (self.folder / "arms.csv").write_text("x,y\n# two of three\n1, 0\n0,1\n-0.6,0.8\n")
        (self.folder / "chain.csv").write_text("2 -1\n0.5 0.5\n0.25 0.75\n")

    REPLAY = {"noise_process": "replay", "noise_rho": None, "noise_file": "residuals.csv", "noise_proxy": 2,
              "problem_arms": "file:arms.csv", "study_horizon": 300, "study_trajectories": 40}

    def test_results_need_the_files_no_more(self):
        out = self.compute(self.study(**self.REPLAY), "out.h5")
        self.mixlab("run", "study.cfg", "-o", "shards.h5", "--shard", "0/1", "--quiet")
        self.mixlab("run", "study.cfg", "-o", "parts.h5", "--shard", "0/2", "--quiet")
        self.mixlab("run", "study.cfg", "-o", "parts.h5", "--shard", "1/2", "--quiet")
        for name in ("residuals.csv", "arms.csv", "study.cfg"):
            (self.folder / name).unlink()
        self.assertIn("bit for bit", self.mixlab("trace", out, "--cell", 1, "--trajectory", 5).out)
        self.mixlab("check", out)
        self.mixlab("merge", "parts.h5")
        self.assert_same(out, "parts.h5")

    def test_merged_shards_keep_the_users_own_study_file(self):
        study = self.study("own.cfg")
        study.write_text("# a word of mine\n" + study.read_text())
        for i in (0, 1):
            self.mixlab("run", study, "-o", "out.h5", "--shard", f"{i}/2", "--set", "study.title=mine", "--quiet")
        self.mixlab("merge", "out.h5")
        attributes = stored(self.folder / "out.h5")[1]
        self.assertEqual(attributes["study_file"], study.read_text())
        self.assertEqual(attributes["study_overrides"], "study.title=mine\n")
        self.assertEqual(attributes["name"], "own")

    def test_a_changed_file_is_another_study(self):
        self.compute(self.study(**self.REPLAY), "out.h5")
        with open(self.folder / "arms.csv", "a") as file:
            file.write("0.1,0.1\n")
        self.assertIn("file.arms.csv", self.mixlab("run", "study.cfg", "-o", "out.h5", code=BAD_INPUT).err)

    def test_replay_plays_the_series_from_its_own_offsets(self):
        self.study(**self.REPLAY)
        centred = self.series - self.series.mean()
        offsets = set()
        for trajectory in range(5):
            self.mixlab("trace", "study.cfg", "--cell", 0, "--trajectory", trajectory, "-o", "t.h5")
            noise = stored(self.folder / "t.h5")[0]["noise"]
            offset = int(np.argmin(np.abs(centred - noise[0])))
            offsets.add(offset)
            np.testing.assert_allclose(noise, np.take(centred, range(offset, offset + 300), mode="wrap"), atol=1e-12)
        self.assertGreater(len(offsets), 1)

    def test_replay_has_the_autocovariance_of_the_series(self):
        """Over all offsets the mean of eps_1 eps_{1+k} is the circular autocovariance.

        200 draws, z below 5.5 (1e-7).
        """
        self.study(**{**self.REPLAY, "study_horizon": 8, "study_trajectories": 200})
        centred = self.series - self.series.mean()
        noise = []
        for trajectory in range(200):
            self.mixlab("trace", "study.cfg", "--cell", 0, "--trajectory", trajectory, "-o", "t.h5")
            noise.append(stored(self.folder / "t.h5")[0]["noise"])
        noise = np.array(noise)
        for lag, power in ((0, False), (1, False), (3, False), (1, True)):
            products = noise[:, 0] * noise[:, lag]
            expected = np.mean(centred * np.roll(centred, -(7 if power else lag)))
            z = (products.mean() - expected) / (products.std() / np.sqrt(len(products)))
            (self.assertGreater if power else self.assertLess)(abs(z), 5.5)

    def test_replay_says_how_trajectories_overlap_and_that_nothing_is_certified(self):
        text = " ".join(self.mixlab("plan", self.study(**self.REPLAY)).out.split())
        self.assertIn("each value is used about 3 times: trajectories overlap", text)
        self.assertIn("declared, not certified", text)

    def test_hdf5_series_equals_csv(self):
        self.study(**{**self.REPLAY, "noise_file": "residuals.h5:x"})
        self.mixlab("trace", "study.cfg", "--cell", 0, "--trajectory", 1, "-o", "t.h5")
        noise = stored(self.folder / "t.h5")[0]["noise"]
        self.assertLess(np.abs(np.subtract.outer(self.series - self.series.mean(), noise[:1])).min(), 1e-12)

    def test_markov_from_a_file_equals_markov_in_the_study(self):
        self.study("a.cfg", noise_process="markov", noise_rho=None, noise_file="chain.csv")
        self.study("b.cfg", noise_process="markov", noise_rho=None, noise_transition="0.5 0.5 / 0.25 0.75",
                   noise_values="2 -1")
        plans = [self.mixlab("plan", name).out.splitlines()[2] for name in ("a.cfg", "b.cfg")]
        self.assertEqual(plans[0], plans[1])

    def test_refused(self):
        for key, value, word in (("noise_file", "none.csv", "no such file"),
                                 ("problem_arms", "file:none.csv", "no such file"),
                                 ("problem_arms", "file:residuals.csv", "must be problem.dimension"),
                                 ("problem_arms", "file", "file:PATH"),
                                 ("noise_file", "residuals.h5", "not a text file"),
                                 ("noise_file", "residuals.h5:y", "y"), ("noise_file", "none.h5:x", "none.h5"),
                                 ("noise_column", "2", "must be at most 1"),
                                 ("noise_file", None, "noise.file is missing")):
            with self.subTest(f"{key} = {value}"):
                err = self.mixlab("plan", self.study(**{**self.REPLAY, key: value}), code=BAD_INPUT).err
                self.assertIn(word, err)
                self.assertEqual(err.count("\n"), 1)


if __name__ == "__main__":
    main()
