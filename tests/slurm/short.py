#!/usr/bin/python3
"""A study on a Slurm cluster with three nodes, in a minute. The longer stories are in long.py."""
import os
import re
import signal
import subprocess

from jobs import ClusterTest, skip_without_slurm, wait_until
from harness import BAD_INPUT, WORK_LEFT, main, stored


class Submit(ClusterTest):
    settings = {"max_array_size": 11}  # so that 25 shards need three arrays

    def test_whole_study(self):
        self.folder = self.folder / "it's a $HOME of 100% \"spaces\""
        self.folder.mkdir()
        study = self.study(study_part=2, study_trajectories=60, policy_name="mixing-linucb, linucb",
                           confidence_monitor="paper oful")
        whole = self.compute(study, "whole.h5")
        (self.folder / "prologue.sh").write_text("echo the prologue was read\n")
        os.environ["OMP_NUM_THREADS"] = "7"  # the allocation decides, not what the user's shell happens to say
        self.addCleanup(os.environ.pop, "OMP_NUM_THREADS")
        outcome = self.submit(study, "--shards", 25, "--cpus-per-task", 2, "--array-limit", 6, "--time", "0:30:00",
                              "--prologue", "prologue.sh", "--wait", "--", "--comment=two words")
        self.assert_same(whole, "out.h5")
        self.assertEqual(len(re.findall("submitted 25 of 25 shards: array \\d+ \\d+ \\d+\n", outcome.out)), 1)
        self.assertIn("2 cells x 60 trajectories", outcome.out)  # check's table
        for shard in (0, 9, 10, 24):
            self.assertRegex(self.log(shard), rf"the prologue was read\n.* shard {shard}/25 job \d+_{shard % 10} "
                                              r"node n[123] restart 0: starts, 2 threads\n")
        _, attributes = stored(self.folder / "out.h5")
        self.assert_computed_once(attributes, 60)
        self.assertEqual(set(re.findall(r"threads=(\d+)", attributes["runs"])), {"2"})
        self.assert_merged_once()
        self.assertIn("25 shards: 25 done", self.mixlab("status", "out.h5").out)
        self.assertIn("complete already", self.submit(study, "--shards", 25).out)

    def test_every_interruption_at_once(self):
        """One shard is warned, one is killed, one is cancelled, one is left in peace."""
        study = self.slow_study(trajectories=160)
        waiting = self.start("submit", study, "-o", "out.h5", "--shards", 4, "--wait", stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE)
        for shard in range(4):
            self.wait_for_parts(shard, 4)
        array, finish = self.jobs()
        self.assertIn("all that is missing is in the queue", self.mixlab("submit", "out.h5").out)
        before = self.parts()
        self.slurm("scancel", "--signal=USR1", "--batch", f"{array}_0")  # as Slurm does before the time limit
        os.kill(self.programs_of(1, 4)[0], signal.SIGKILL)
        self.slurm("scancel", f"{array}_2")

        out, err = (stream.decode() for stream in waiting.communicate(timeout=400))
        self.assertEqual(waiting.returncode, WORK_LEFT)
        self.assertIn("3 done, 1 failed", out)
        self.assertRegex(out, rf"shard 2 .* failed +{array}_2 .* CANCELLED\n +log .*shard-00002.log: ")
        self.assertIn("mixlab submit out.h5", err)
        self.assertFalse((self.folder / "out.h5").exists())
        self.assertEqual(self.slurm("squeue", "-h", "-t", "all", "-j", finish, "-o", "%T"), "CANCELLED\n")
        self.assertRegex(self.log(0), "restart 0: stopped before the time limit; requeues itself\n(.*\n)*"
                                      ".*restart 1: ends with exit code 0")
        self.assertRegex(self.log(1), "restart 0: killed by signal 9; requeues itself\n(.*\n)*"
                                      ".*restart 1: ends with exit code 0")
        self.assertNotIn("requeues itself", self.log(2) + self.log(3))
        self.assert_kept(before, self.parts())

        outcome = self.mixlab("submit", "out.h5", "--wait")
        self.assertIn("submitted 1 of 4 shards", outcome.out)
        self.assert_merged_once()
        runs = stored(self.folder / "out.h5")[1]["runs"]
        for shard in (0, 2, 3):  # the killed one cannot say how far it came
            finished = re.findall(rf"ended shard={shard}/4 parts=(\d+)", runs)
            self.assertEqual((len(finished), sum(map(int, finished))), (1 if shard == 3 else 2, 20), runs)
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_after(self):
        study = self.study()
        waits = ["sbatch", "--parsable", "--hold", "--output=/dev/null"]
        good, bad = (self.slurm(*waits, f"--wrap=exit {code}").strip() for code in (0, 1))
        self.submit(study, "--shards", 1, "--after", good)
        self.assertIn("1 queued", self.mixlab("status", "out.h5", code=WORK_LEFT).out)
        waiting = self.start("submit", study, "-o", "never.h5", "--shards", 2, "--after", bad, "--wait",
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        wait_until(lambda: (self.folder / "never.h5.jobs" / "jobs.txt").exists(), 30, "submission")
        self.slurm("scontrol", "release", good, bad)
        out = waiting.communicate(timeout=400)[0].decode()
        self.assertEqual(waiting.returncode, WORK_LEFT, out)
        self.assertIn("2 failed", out)
        self.assertRegex(out, r"shard 1 .* failed .*(CANCELLED|DependencyNeverSatisfied)")
        self.mixlab("submit", "out.h5", "--wait")
        self.mixlab("submit", "never.h5", "--wait")
        self.assert_same("out.h5", "never.h5")

    def test_refusals(self):
        study = self.study()
        before = self.files()

        def refused(*options, code=1, words):
            outcome = self.mixlab("submit", study, "-o", "out.h5", *options, code=code)
            self.assertIn(words, outcome.err)
            self.assertEqual(self.files(), before, "something was left behind")
            self.assertEqual(self.slurm("squeue", "-h"), "")

        refused("--shards", 2, "--partition", "nonsense", words="invalid partition specified: nonsense")
        refused("--shards", 2, "--", "--nonsense", words="unrecognized option '--nonsense'")
        refused("--shards", 2, "--after", "whenever", words="Job dependency problem")
        refused("--shards", 2, "--", "--array=1-3", code=BAD_INPUT, words="mixlab submit sets it itself")
        refused("--shards", 0, code=BAD_INPUT, words="--shards")
        refused(code=BAD_INPUT, words="--shards")
        refused("--shards", 2, "--time", "soon", code=BAD_INPUT, words="--time: 'soon'")
        refused("--shards", 2, "--set", "noise.rho=7", code=BAD_INPUT, words="noise.rho")
        self.mixlab("submit", study, "-o", "out.h5", "--shards", 2, "--dry-run")
        self.assertEqual(self.files(), before)

        fake = self.folder / "bin"
        fake.mkdir()
        path = os.environ["PATH"]
        self.addCleanup(os.environ.__setitem__, "PATH", path)
        os.environ["PATH"] = str(fake)
        before = self.files()
        self.assertIn("Slurm is not installed", self.mixlab("submit", study, "--shards", 2, code=1).err)
        self.assertEqual(self.files(), before)

        # Slurm takes the array, which would never end by itself, and refuses the second job.
        (fake / "sbatch").write_text('#!/bin/sh\n'
                                     'case "$*" in *--dependency*) echo "enough for today" >&2; exit 1 ;; esac\n'
                                     f'PATH={path} exec sbatch --hold "$@"\n')
        (fake / "sbatch").chmod(0o755)
        os.environ["PATH"] = f"{fake}:{path}"
        before = self.files()
        self.assertIn("enough for today", self.mixlab("submit", study, "-o", "out.h5", "--shards", 2, code=1).err)
        wait_until(lambda: self.slurm("squeue", "-h") == "", 10, "withdrawal of the array")
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    skip_without_slurm()
    main()
