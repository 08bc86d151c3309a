#!/usr/bin/python3
"""The job script of a shard, with stand-ins for Slurm and for the program: when it requeues itself, when not."""
import os
import re
import signal
import subprocess
import time

from harness import DONE, WORK_LEFT, SystemTest, main


class JobScript(SystemTest):
    def setUp(self):
        super().setUp()
        text = self.mixlab("submit", self.study(), "-o", "out.h5", "--shards", 8, "--max-requeues", 5, "--dry-run").out
        script = re.search(r"---- \S*array.sh\n(.*?)---- ", text, re.S).group(1)
        self.script = self.folder / "array.sh"
        self.script.write_text(re.sub(r"^mixlab=.*$", f"mixlab={self.folder}/program", script, flags=re.M))
        (self.folder / "bin").mkdir()
        self.program("bin/scontrol", 'echo "$*" >> requeued')

    def program(self, name, text):
        path = self.folder / name
        path.write_text(f"#!/bin/bash\n{text}\n")
        path.chmod(0o755)

    def play(self, program, *signals, restarts=0, code):
        """Runs the script with `program`, sends it the signals, and says whether it queued itself again."""
        self.program("program", f"touch started\n{program}")
        (self.folder / "started").unlink(missing_ok=True)
        (self.folder / "requeued").unlink(missing_ok=True)
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "SLURM_ARRAY_JOB_ID": "17",
                       "SLURM_ARRAY_TASK_ID": "3", "SLURM_CPUS_PER_TASK": "2", "SLURM_RESTART_COUNT": str(restarts)}
        with open(self.folder / "shard-00003.log", "a") as log:
            process = subprocess.Popen(["bash", self.script, "0"], cwd=self.folder, env=environment, stdout=log,
                                       stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while not (self.folder / "started").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        for each in signals:
            process.send_signal(each)
            time.sleep(0.1)
        self.assertEqual(process.wait(30), code, (self.folder / "shard-00003.log").read_text())
        requeued = self.folder / "requeued"
        if requeued.exists():
            self.assertEqual(requeued.read_text(), "requeue 17_3\n")
        return requeued.exists()

    def test_when_it_queues_itself_again(self):
        patient = "trap 'sleep 0.3; exit 75' USR1 TERM; while :; do sleep 0.05; done"
        idle = 'trap "echo no part was finished; exit 1" USR1; while :; do sleep 0.05; done'
        warned, ended = signal.SIGUSR1, signal.SIGTERM
        self.assertFalse(self.play("exit 0", code=DONE))
        self.assertTrue(self.play(patient, warned, code=WORK_LEFT))
        self.assertTrue(self.play(patient, warned, warned, restarts=4, code=WORK_LEFT))
        self.assertFalse(self.play(patient, warned, restarts=5, code=WORK_LEFT), "as often as it may")
        self.assertFalse(self.play(patient, ended, code=WORK_LEFT), "cancelled or preempted: not its own business")
        self.assertTrue(self.play("exit 75", restarts=4, code=WORK_LEFT), "it waits for other shards")
        self.assertFalse(self.play("exit 75", restarts=5, code=WORK_LEFT))
        self.assertTrue(self.play("kill -9 $$", restarts=2, code=128 + 9))
        self.assertFalse(self.play("kill -9 $$", restarts=3, code=128 + 9), "killed again and again")
        self.assertFalse(self.play("exit 74", code=74), "a full disk is not better the next time")
        self.assertFalse(self.play("exit 1", code=1))
        self.assertEqual([self.play(idle, warned, code=1) for _ in range(3)], [True, True, False])

    def test_a_limit_that_will_not_do(self):
        study = self.study("long.cfg", study_trajectories=4000000, study_horizon=5000)
        command = ("submit", study, "--shards", 8, "--time", "1", "--dry-run")
        self.assertIn("warning: ", self.mixlab(*command).err)
        self.assertNotIn("warning: ", self.mixlab(*command[:-2], "UNLIMITED", "--dry-run").err)


if __name__ == "__main__":
    main()
