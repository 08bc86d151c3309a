#!/usr/bin/python3
"""Several processes in one place: they see each other, wait for each other, and clean up after the dead."""
import fcntl
import json
import os
import shutil
import socket
import subprocess
import time

import h5py

from harness import BAD_INPUT, WORK_LEFT, SystemTest, flip_byte, main, wait_until

HOST = socket.gethostname()


class Together(SystemTest):
    LONG = {"study_trajectories": 4000, "study_horizon": 20000, "study_part": 4}

    def dead_process(self):
        process = subprocess.Popen(["true"])
        process.wait()
        return process.pid

    def parts(self, out="out.h5"):
        return sorted(path.name for path in (self.folder / f"{out}.parts").glob("c*.h5"))

    def test_two_runs_see_each_other(self):
        study = self.study(**self.LONG)
        first = self.start("run", study, "-o", "out.h5", "--quiet")
        wait_until(lambda: self.parts())
        outcome = self.mixlab("run", study, "-o", "out.h5", "--max-time", "0.3s", code=WORK_LEFT)
        self.assertIn(f"also at work on it: {HOST} process {first.pid} since 20", outcome.err)
        status = json.loads(self.mixlab("status", "out.h5", "--format", "json", code=WORK_LEFT).out)
        self.assertEqual([(worker["host"], worker["pid"]) for worker in status["running"]], [(HOST, first.pid)])
        self.assertIn(f"{HOST} process {first.pid} since", self.mixlab("status", "out.h5", code=WORK_LEFT).out)
        first.kill()
        first.wait()
        status = json.loads(self.mixlab("status", "out.h5", "--format", "json", code=WORK_LEFT).out)
        self.assertEqual(status["running"], [])
        marks = [*(self.folder / "out.h5.parts").glob("running.*")]
        self.assertEqual(len(marks), 1)
        self.mixlab("run", study, "-o", "out.h5", "--max-time", "0.1s", "--quiet", code=WORK_LEFT)
        self.assertFalse(marks[0].exists())

    def test_partial_merge_under_a_running_study_loses_nothing(self):
        study = self.study(study_trajectories=300, study_horizon=4000, study_part=2)
        process = self.start("run", study, "-o", "out.h5", "--quiet", "--shard", "0/2")
        n_merges = 0
        wait_until(lambda: self.parts())
        while process.poll() is None:
            self.mixlab("merge", "out.h5", "--partial")
            n_merges += 1
        self.assertEqual(process.returncode, 0)
        self.assertGreater(n_merges, 1, "the study is too short to be merged under way")
        self.compute(study, "out.h5", "--shard", "1/2")
        self.mixlab("merge", "out.h5")
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")
        self.assertFalse((self.folder / "out.h5.parts").exists())

    def test_two_merges_at_once(self):
        study = self.study(study_trajectories=200, study_horizon=12, study_part=1)
        for i in (0, 1):
            self.compute(study, "out.h5", "--shard", f"{i}/2")
        merges = [self.start("merge", "out.h5", stderr=subprocess.PIPE) for _ in range(4)]
        words = [merge.communicate(timeout=300)[1].decode() for merge in merges]
        self.assertEqual([merge.returncode for merge in merges], [0] * 4)
        self.assertTrue(any(f"waiting for {HOST}." in text for text in words), words)
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")
        self.assertFalse((self.folder / "out.h5.parts").exists())

    def test_a_run_waits_for_a_merge(self):
        study = self.study()
        folder = self.folder / "out.h5.parts"
        folder.mkdir()
        with open(folder / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            process = self.start("run", study, "-o", "out.h5", stderr=subprocess.PIPE)
            time.sleep(0.5)
            self.assertIsNone(process.poll())
            self.assertFalse(self.parts())
        self.assertIn(b"waiting for", process.communicate(timeout=300)[1])
        self.assertEqual(process.returncode, 0)

    def test_clean(self):
        study = self.study(study_part=5)
        self.compute(study, "out.h5", "--shard", "0/2")
        shutil.copytree(self.folder / "out.h5.parts", self.folder / "saved")
        self.mixlab("merge", "out.h5", "--partial")
        self.compute(study, "out.h5", "--shard", "1/2")
        folder = self.folder / "out.h5.parts"
        for path in (self.folder / "saved").glob("c*.h5"):  # as if a kill had come before the merged parts were removed
            shutil.copy(path, folder)
        saved = {path.name for path in (self.folder / "saved").glob("c*")}
        waiting = {path.name for path in folder.glob("c*.h5")} - saved
        dead = self.dead_process()
        gone = [folder / f"c0000-000000-000004.h5.tmp.{HOST}.{dead}", self.folder / f"out.h5.tmp.{HOST}.{dead}",
                folder / f"running.{HOST}.{dead}", folder / "c0000-000000-000004.h5.damaged"]
        stay = [folder / f"c0000-000000-000004.h5.tmp.{HOST}.{os.getpid()}", folder / f"running.elsewhere.{dead}",
                self.folder / f"out.h5.tmp.elsewhere.{dead}", self.folder / f"other.h5.tmp.{HOST}.{dead}"]
        for path in gone + stay:
            path.write_text("half written")
        said = self.mixlab("clean", "out.h5").out
        self.assertEqual([path.name for path in gone if path.exists()], [])
        self.assertEqual([path.name for path in stay if not path.exists()], [])
        self.assertEqual({path.name for path in folder.glob("c*-*-*.h5")}, waiting)
        for words in (f"removed {gone[0].relative_to(self.folder)}: its process is no more",
                      "c0000-000000-000004.h5: its rows are in out.h5", "its rows are not in out.h5 yet",
                      "of a process on another machine", "its process is at work"):
            self.assertIn(words, said)
        self.mixlab("clean", "out.h5", "--other-machines")
        self.assertEqual([path.exists() for path in stay], [True, False, False, True])
        stay[0].unlink()
        self.mixlab("merge", "out.h5")
        self.assertEqual(self.mixlab("clean", "out.h5").out, "nothing to clean\n")
        self.assertFalse(folder.exists())
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")
        self.mixlab("clean", "typo.h5", code=BAD_INPUT)

    def test_clean_leaves_a_damaged_part(self):
        self.compute(self.study(study_part=5), "out.h5", "--shard", "0/2")
        part = sorted((self.folder / "out.h5.parts").glob("c*.h5"))[0]
        flip_byte(part, 700)
        self.assertIn(f"kept out.h5.parts/{part.name}", self.mixlab("clean", "out.h5").out)


class Export(SystemTest):
    def test_tables_hold_every_value(self):
        import pandas
        import numpy as np

        study = self.study(noise_process="iid, sticky", study_horizon="25, 60", study_part=5, study_title='a, "b"')
        self.compute(study, "out.h5", "--shard", "0/2")
        self.mixlab("merge", "out.h5", "--partial")
        said = self.mixlab("export", "out.h5", "-o", "tables/").out
        tables = {path.stem: pandas.read_csv(path, keep_default_na=False, na_values=[""], float_precision="round_trip")
                  for path in (self.folder / "tables").glob("*.csv")}
        n_found = 0
        with h5py.File(self.folder / "out.h5") as file:
            for name, variable in file.items():
                if name in ("cell", "trajectory", "round", "set", "swept"):
                    continue
                dimensions = [axis[0].name.strip("/") for axis in variable.dims]
                table = tables["-".join(dimensions)].set_index(dimensions)
                coordinates = [file[d].asstr()[()] if d in ("set", "swept") else file[d][()] for d in dimensions]
                values = variable.asstr()[()] if variable.dtype == object else variable[()]
                missing = (values == "") if variable.dtype == object else \
                    np.isnan(values) if values.dtype.kind == "f" else values == variable.attrs.get("_FillValue", None)
                for index in np.ndindex(values.shape):
                    key = tuple(axis[i] for axis, i in zip(coordinates, index))
                    key = key if len(key) > 1 else key[0]
                    if np.any(missing) and missing[index]:
                        self.assertTrue(key not in table.index or pandas.isna(table.at[key, name]), (name, key))
                    else:
                        self.assertEqual(table.at[key, name], values[index], (name, key))
                n_found += 1
        self.assertGreater(n_found, 30)
        for stem, table in tables.items():
            self.assertIn(f"{stem}.csv: {len(table)} row", said)
        self.assertEqual(len(tables["cell-trajectory"]), 160, "rows that were not run are in the table")
        self.mixlab("plan", "tables/study.cfg")

    def test_refusals(self):
        out = self.compute(self.study(), "out.h5")
        (self.folder / "mine").mkdir()
        (self.folder / "mine" / "thesis.txt").write_text("mine")
        before = self.files()
        self.assertIn("'mine'", self.mixlab("export", out, "-o", "mine", code=BAD_INPUT).err)
        self.assertIn("'study.cfg'", self.mixlab("export", out, "-o", "study.cfg", code=BAD_INPUT).err)
        self.assertIn("-o FOLDER", self.mixlab("export", out, code=BAD_INPUT).err)
        self.assertIn("nowhere/x", self.mixlab("export", out, "-o", "nowhere/x", code=BAD_INPUT).err)
        self.assertIn("free some space", self.mixlab("export", out, "-o", "small", code=74, file_size=3000).err)
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    main()
