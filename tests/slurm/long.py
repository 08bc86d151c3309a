#!/usr/bin/python3
"""What befalls a study on a cluster, for real: a quarter of an hour. Not part of tests/run.

    tests/slurm/long.py [Stories.test_preemption ...]
"""
import os
import re
import signal
import subprocess
import time
from pathlib import Path

from jobs import ClusterTest, skip_without_slurm, wait_until
from harness import WORK_LEFT, main, run, stored


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])


class Stories(ClusterTest):
    def begin(self, trajectories, n_shards, *options, **keys):
        """Submits with --wait and returns when every shard has finished a part."""
        self.slow = self.slow_study(trajectories, **keys)
        self.n_shards = n_shards
        self.n_parts = trajectories // 2
        waiting = self.start("submit", self.slow, "-o", "out.h5", "--shards", n_shards, "--wait", *options,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for shard in range(n_shards):
            self.wait_for_parts(shard, n_shards)
        return waiting

    def mid_run(self, what):
        """To be called right before something happens to the shards: it must happen while all of them are at work. The
        parts that are finished by then."""
        idle = [shard for shard in range(self.n_shards) if not self.programs_of(shard, self.n_shards)]
        self.assertEqual(idle, [], f"{what}: too late, these shards are not at work")
        print(f"{what}: with {len(self.parts())} of {self.n_parts} parts finished")
        return self.parts()

    def end(self, waiting, code=0, seconds=600):
        out = waiting.communicate(timeout=seconds)[0].decode()
        self.assertEqual(waiting.returncode, code, out)
        return out

    def assert_complete(self, killed=(), n_parts=None):
        """Same bits as in one process, merged once, and nothing computed twice: every part counts once in the runs that
        ended in order. Shards that were `killed` cannot say how far they came."""
        self.assert_merged_once()
        variables, attributes = stored(self.folder / "out.h5")
        n_parts = n_parts or variables["trajectory"].size // 2 // self.n_shards
        for shard in set(range(self.n_shards)) - set(killed):
            finished = re.findall(rf"ended shard={shard}/{self.n_shards} parts=(\d+)", attributes["runs"])
            self.assertEqual(sum(map(int, finished)), n_parts, attributes["runs"])
        self.assert_same(self.compute(self.slow, "whole.h5"), "out.h5")

    def restarts(self, shard):
        return max(map(int, re.findall(r" restart (\d+): starts", self.log(shard))))

    def test_8_shards(self):
        study = self.study(study_trajectories=4000, study_horizon=2000, study_part=50,
                           policy_name="mixing-linucb, linucb", confidence_monitor="paper oful")
        started = time.monotonic()
        self.submit(study, "--shards", 8, "--wait")
        print(f"8 shards: {time.monotonic() - started:.0f} s, nodes", sorted(self.nodes(8)))
        self.assertEqual(len(self.nodes(8)), 3)
        self.assert_merged_once()
        self.assert_computed_once(stored(self.folder / "out.h5")[1], 2 * 4000 // 50)
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def nodes(self, n_shards):
        return {node for shard in range(n_shards) for node in re.findall(r" node (n\d) ", self.log(shard))}

    def test_time_limit(self):
        started = time.monotonic()
        waiting = self.begin(2000, 2, "--time", "1", "--max-requeues", "60")  # some 100 s per shard
        self.end(waiting, seconds=1200)
        self.assertGreaterEqual(min(self.restarts(0), self.restarts(1)), 1, self.log(0))
        self.assertNotIn("TIME LIMIT", self.log(0) + self.log(1))
        self.assert_complete()
        print(f"time limit: {self.restarts(0)} and {self.restarts(1)} restarts, {time.monotonic() - started:.0f} s")

    def test_requeued_too_often(self):
        waiting = self.begin(200, 2, "--max-requeues", "1")
        for restart in (0, 1):
            wait_until(lambda: f"restart {restart}: starts" in self.log(0), 60, "start")
            self.wait_for_parts(0, 2, len(self.parts_of(0, 2)) + 1)
            self.slurm("scancel", "--signal=USR1", "--batch", f"{self.jobs()[0]}_0")
        out = self.end(waiting, WORK_LEFT)
        self.assertRegex(out, r"shard 0 .* failed .* FAILED\n.*restart 1: ends with exit code 75")
        self.mixlab("submit", "out.h5", "--wait")
        self.assert_complete()

    def test_program_killed_again_and_again(self):
        waiting = self.begin(200, 2)
        kept = {}
        for restart in range(4):
            wait_until(lambda: f"restart {restart}: starts" in self.log(0), 60, "start")
            wait_until(lambda: self.programs_of(0, 2), 10, "program")
            before = len(self.parts_of(0, 2))
            self.wait_for_parts(0, 2, before + 1)
            self.assertLess(len(self.parts_of(0, 2)), 50)
            if restart > 0:
                self.assert_kept(kept, self.parts())
            kept = self.parts()
            os.kill(self.programs_of(0, 2)[0], signal.SIGKILL)
        out = self.end(waiting, WORK_LEFT)
        self.assertRegex(out, r"shard 0 .* failed .* FAILED\n.*restart 3: ends with exit code 137")
        self.assertFalse((self.folder / "out.h5").exists())
        self.assertIn("submitted 1 of 2 shards", self.mixlab("submit", "out.h5", "--wait").out)
        self.assert_complete(killed=[0])

    def test_scontrol_requeue(self):
        waiting = self.begin(200, 2)
        before = self.mid_run("scontrol requeue")
        self.slurm("scontrol", "requeue", f"{self.jobs()[0]}_1")
        wait_until(lambda: "restart 1: starts" in self.log(1), 60, "restart")
        self.assert_kept(before, self.parts())
        self.end(waiting)
        self.assertEqual((self.restarts(0), self.restarts(1)), (0, 1))
        self.assert_complete()

    def test_preemption(self):
        waiting = self.begin(300, 3, "--partition", "spare", "--cpus-per-task", "2", seconds=0.4)
        before = self.mid_run("preemption")
        self.slurm("sbatch", "--partition=urgent", "--nodes=2", "--exclusive", "--output=/dev/null", "--wrap=sleep 5")
        wait_until(lambda: sum("restart 1: starts" in self.log(shard) for shard in range(3)) >= 1, 90, "restart")
        self.assert_kept(before, self.parts())
        self.end(waiting)
        print("preemption: restarts", [self.restarts(shard) for shard in range(3)])
        self.assert_complete()

    def test_slurmd_killed(self):
        waiting = self.begin(300, 3, seconds=0.4)
        self.mid_run("slurmd killed")
        for name in ("n1", "n2", "n3"):
            self.cluster.end_daemon(name, signal.SIGKILL)
        time.sleep(3)
        for name in ("n1", "n2", "n3"):
            self.cluster.start_daemon(name)
        self.mid_run("slurmd back")
        self.end(waiting)
        self.assertEqual([self.restarts(shard) for shard in range(3)], [0, 0, 0])
        self.assert_complete()

    def test_slurmctld_killed_at_once(self):
        """It saves its state every few seconds: after this it has forgotten the finishing job and that tasks run."""
        waiting = self.begin(100, 3)
        self.mid_run("slurmctld killed at once")
        self.cluster.end_daemon("slurmctld", signal.SIGKILL)
        self.cluster.start_daemon("slurmctld")
        out = waiting.communicate(timeout=600)[0].decode()
        self.assertIn(waiting.returncode, (0, WORK_LEFT), out)
        for _ in range(3):
            if (self.folder / "out.h5").exists():
                break
            for node in ("n1", "n2", "n3"):  # what an administrator does after such a loss
                self.cluster.call("scontrol", "update", f"NodeName={node}", "State=RESUME")
            outcome = run(["submit", "out.h5", "--wait"], folder=self.folder)
            print(f"slurmctld killed at once: submit again ends with {outcome.code}")
        self.assert_same(self.compute(self.slow, "whole.h5"), "out.h5")

    def test_slurmctld_killed(self):
        waiting = self.begin(402, 3)
        time.sleep(10)  # its state is saved by now
        self.mid_run("slurmctld killed")
        self.cluster.end_daemon("slurmctld", signal.SIGKILL)
        started = time.monotonic()
        self.assertIn("Slurm cannot be reached", self.mixlab("status", "out.h5", code=WORK_LEFT).out)
        print(f"status without slurmctld: {time.monotonic() - started:.1f} s")
        started = time.monotonic()
        other = self.study("other.cfg")
        outcome = self.mixlab("submit", other, "-o", "other.h5", "--shards", 2, code=1)
        self.assertIn("Unable to contact slurm controller", outcome.err)
        self.assertFalse((self.folder / "other.h5.jobs").exists())
        print(f"submit without slurmctld: {time.monotonic() - started:.1f} s")
        self.cluster.start_daemon("slurmctld")
        self.end(waiting)
        self.assertEqual([self.restarts(shard) for shard in range(3)], [0, 0, 0])
        self.assert_complete()

    def test_dead_node(self):
        """Daemon, steps and programs of one node vanish at once, as at a power cut.

        It comes back when Slurm has noticed.
        """
        waiting = self.begin(300, 3, "--cpus-per-task", "2")
        before = self.mid_run("dead node")
        node = re.search(r"node (n\d)", self.log(1)).group(1)
        program = self.programs_of(1, 3)[0]
        shell = parent(program)
        step = parent(shell)
        self.cluster.end_daemon(node, signal.SIGKILL)
        for process in (step, shell, program):
            os.kill(process, signal.SIGKILL)
        wait_until(lambda: "restart 1: starts" in self.log(1), 180, "restart on another node")
        self.cluster.start_daemon(node)
        self.assert_kept(before, self.parts())
        self.end(waiting)
        self.assertNotEqual(re.findall(r"node (n\d) restart 1", self.log(1))[0], node)
        self.assert_complete(killed=[1])

    def test_bad_node(self):
        (self.folder / "prologue.sh").write_text(
            'if [ "$SLURMD_NODENAME" = n2 ]; then echo "no such library"; exit 1; fi\n')
        self.slow = self.slow_study(60)
        self.n_shards = 3
        outcome = self.submit(self.slow, "--shards", 3, "--cpus-per-task", 2, "--prologue", "prologue.sh", "--wait",
                              code=WORK_LEFT)
        self.assertRegex(outcome.out, r"shard \d .* failed +\d+_\d +n2 +FAILED\n +log .*: no such library")
        self.assertFalse((self.folder / "out.h5").exists())
        outcome = self.mixlab("submit", "out.h5", "--cpus-per-task", 2, "--wait", "--", "--exclude=n2")
        self.assertIn("submitted 1 of 3 shards", outcome.out)
        self.assert_complete()

    def test_full_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "none", disk], check=True)
        self.addCleanup(subprocess.run, ["umount", disk], check=True)
        self.addCleanup(self.cluster.clear)  # before that
        self.folder = disk
        waiting = self.begin(200, 2)
        before = self.mid_run("full disk")
        with open(disk / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(b"x" * 4096)
            except OSError:
                pass
        wait_until(lambda: not self.slurm("squeue", "-h"), 60, "end of the jobs")
        (disk / "filler").unlink(missing_ok=True)
        out = self.end(waiting, WORK_LEFT)
        self.assertRegex(out, r"shard 0 .* failed .* FAILED\n +log .*shard-00000.log")
        self.assert_kept(before, self.parts())
        self.mixlab("submit", "out.h5", "--wait")
        self.assert_merged_once()
        self.assert_same(self.compute(self.slow, "whole.h5"), "out.h5")

    def test_200_shards(self):
        self.slow = self.study(study_trajectories=2000, study_part=2, policy_name="linucb")  # no work to speak of
        self.n_shards = 200
        started = time.monotonic()
        self.submit(self.slow, "--shards", 200, "--wait")
        print(f"200 shards: {time.monotonic() - started:.0f} s")
        self.assertIn("200 shards: 200 done", self.mixlab("status", "out.h5").out)
        self.assert_complete(n_parts=5)


if __name__ == "__main__":
    skip_without_slurm()
    main()
