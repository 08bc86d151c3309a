#!/usr/bin/python3
"""Shards of a study, as a scheduler starts them: each minds its own parts, and together they are the whole."""
import os
import re
import signal
import socket
import tempfile
from pathlib import Path

from harness import BAD_INPUT, WORK_LEFT, WRITE_FAILED, SystemTest, flip_byte, main, stored


class Shards(SystemTest):
    def test_run_goes_on_with_the_stored_study(self):
        study = self.study(study_part=5)
        whole = self.compute(study, "whole.h5")
        self.mixlab("run", study, "-o", "out.h5", "--shard", "0/3", "--quiet")
        study.write_text("[study]\ntrajectories = 1\n")  # edited while the other shards wait in a queue
        for i in (1, 2):
            self.mixlab("run", "out.h5", "--shard", f"{i}/3", "--quiet")
        self.mixlab("merge", "out.h5")
        self.assert_same(whole, "out.h5")
        self.assertIn("complete already", self.mixlab("run", "out.h5").err)
        for option in (("--set", "noise.rho=0.5"), ("-o", "other.h5")):
            self.assertIn("study is inside", self.mixlab("run", "out.h5", *option, code=BAD_INPUT).err)
        self.assertIn("nothing to be found", self.mixlab("run", "absent.h5", code=BAD_INPUT).err)

    def test_parts_alone_are_no_results_and_the_message_says_how_they_become_some(self):
        self.compute(self.study(study_part=5), "half.h5", "--shard", "0/2")
        for command in (("check", "half.h5"), ("export", "half.h5", "-o", "folder"), ("report", "half.h5"),
                        ("diff", "half.h5", "half.h5")):
            self.assertIn("mixlab merge half.h5 --partial", self.mixlab(*command, code=BAD_INPUT).err)
        self.mixlab("merge", "half.h5", "--partial")
        self.assertIn("the verdict is on the others", self.mixlab("check", "half.h5").err)
        self.assertIn("no such file", self.mixlab("check", "none.h5", code=BAD_INPUT).err)

    def test_every_shard_keeps_its_own_log(self):
        study = self.study(study_part=5)
        for i in range(3):
            self.mixlab("run", study, "-o", "out.h5", "--shard", f"{i}/3", "--quiet")
        logs = [self.folder / "out.h5.parts" / f"runs-{i}-of-3.log" for i in range(3)]
        parts = [int(re.search(r"parts=(\d+)", log.read_text()).group(1)) for log in logs]
        self.assertEqual(parts, [3, 3, 2])
        self.assertFalse((self.folder / "out.h5.parts" / "runs.log").exists())
        texts = [log.read_text() for log in logs]
        self.mixlab("merge", "out.h5")
        self.assertEqual(stored(self.folder / "out.h5")[1]["runs"], "".join(texts))
        self.assertFalse((self.folder / "out.h5.parts").exists())

    def test_a_shard_looks_after_its_own_parts_only(self):
        study = self.study(study_part=5)
        for i in range(2):
            self.mixlab("run", study, "-o", "out.h5", "--shard", f"{i}/2", "--quiet")
        part = self.folder / "out.h5.parts" / "c0000-000005-000009.h5"  # number 1
        flip_byte(part, 2000)
        self.assertEqual(self.mixlab("run", study, "-o", "out.h5", "--shard", "0/2", "--quiet").err, "")
        self.assertIn(part.name, self.mixlab("run", study, "-o", "out.h5", "--shard", "1/2", "--quiet").err)
        self.mixlab("merge", "out.h5")
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_no_progress_is_a_failure_where_progress_is_required(self):
        study = self.study(study_trajectories=1000, study_horizon=2000000, study_part=1000)
        command = ("run", study, "-o", "out.h5", "--max-time", "0.3s")
        self.assertIn("0 parts of this run", self.mixlab(*command, code=WORK_LEFT).err)
        self.assertIn("study.part", self.mixlab(*command, "--require-progress", code=1).err)
        study = self.study(study_trajectories=100000, study_horizon=1000, study_part=1)
        self.mixlab("run", study, "-o", "small.h5", "--max-time", "0.5s", "--require-progress", code=WORK_LEFT)

    def test_results_are_put_together_on_scratch(self):
        study = self.study(study_part=5)
        whole = self.compute(study, "whole.h5")
        with tempfile.TemporaryDirectory(prefix="mixlab-scratch-") as scratch:
            os.environ["MIXLAB_SCRATCH"] = scratch
            self.addCleanup(os.environ.pop, "MIXLAB_SCRATCH")
            self.compute(study, "out.h5")
            self.assert_same(whole, "out.h5")
            self.assertEqual(os.listdir(scratch), [])
            size = whole.stat().st_size
            for i in (0, 1):
                self.compute(study, "full.h5", "--shard", f"{i}/2")
            self.mixlab("merge", "full.h5", code=WRITE_FAILED, file_size=size - 1)
            self.assertEqual(os.listdir(scratch), [])
            self.assertEqual([name for name in self.files() if ".tmp." in name], [])
        self.assertIn("MIXLAB_SCRATCH", self.mixlab("merge", "full.h5", code=BAD_INPUT).err)

    def test_what_a_killed_merge_left_on_scratch_is_removed(self):
        study = self.study(study_trajectories=4000, study_horizon=12, study_part=1000, policy_name="linucb")
        whole = self.compute(study, "whole.h5")
        with tempfile.TemporaryDirectory(prefix="mixlab-scratch-") as scratch:
            os.environ["MIXLAB_SCRATCH"] = scratch
            self.addCleanup(os.environ.pop, "MIXLAB_SCRATCH")
            other = Path(scratch) / f"other.h5.tmp.{socket.gethostname()}.{self.kill_a_merge(study, scratch)}"
            other.write_text("of another study: not ours to remove")
            left = [name for name in os.listdir(scratch) if name != other.name]
            self.assertEqual(len(left), 1)
            self.assertIn(f"removed {scratch}/{left[0]}: its process is no more", self.mixlab("clean", "out.h5").out)
            self.assertEqual(os.listdir(scratch), [other.name])
            self.kill_a_merge(study, scratch)
            self.mixlab("merge", "out.h5")
            self.assertEqual(os.listdir(scratch), [other.name])
        self.assert_same(whole, "out.h5")

    def kill_a_merge(self, study, scratch):
        """Kills it while it writes there; its pid."""
        before = os.listdir(scratch)
        for _ in range(20):
            for i in (0, 1):
                self.compute(study, "out.h5", "--shard", f"{i}/2")
            process = self.start("merge", "out.h5")
            while os.listdir(scratch) == before and process.poll() is None:
                pass
            process.kill()
            if process.wait() == -signal.SIGKILL and os.listdir(scratch) != before:
                return process.pid
            (self.folder / "out.h5").unlink(missing_ok=True)  # it was too fast for us
        self.fail("no merge was killed in time")


if __name__ == "__main__":
    main()
