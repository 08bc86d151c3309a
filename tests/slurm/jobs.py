"""What the tests on the cluster share: one cluster for all tests of a file, studies that take their time, and ways to
find a shard's processes and parts.
"""
import atexit
import os
import re
import resource
import shutil
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "system"))
from cluster import Cluster, missing, wait_until  # noqa: E402
from harness import DONE, PROGRAM, SystemTest  # noqa: E402

SKIPPED = 77  # the exit code that ctest shows as such


def skip_without_slurm():
    if missing():
        print(f"SKIPPED: {missing()}")
        sys.exit(SKIPPED)


class ClusterTest(SystemTest):
    """A test whose program finds a cluster: `cluster`, started once per class."""

    settings = {}

    @classmethod
    def setUpClass(cls):
        cls.state = tempfile.mkdtemp(prefix="mixlab-slurm-")
        cls.cluster = Cluster(cls.state, dies_with_us=True)
        atexit.register(cls.cluster.stop)  # also where unittest does not come to its tearDownClass
        cls.cluster.start(**cls.settings)
        cls.environment = dict(os.environ)
        os.environ.clear()
        os.environ.update(cls.cluster.environment)

    @classmethod
    def tearDownClass(cls):
        os.environ.clear()
        os.environ.update(cls.environment)
        cls.cluster.stop()
        shutil.rmtree(cls.state)

    def setUp(self):
        super().setUp()
        self.addCleanup(self.cluster.clear)

    def slow_study(self, trajectories, part=2, seconds=0.1, **overrides):
        """So many seconds of a processor per trajectory, more or less, whatever becomes of the engines."""
        keys = {"study_part": part, "noise_process": "sign-chasing", "noise_rho": None, "policy_name": "linucb",
                **overrides}
        speed = self.rounds_per_second(part, keys)
        return self.study(study_trajectories=trajectories, study_horizon=round(seconds * part * speed), **keys)

    def rounds_per_second(self, part, keys):
        """Of one processor that computes a part, trajectories side by side."""
        horizon, used = 2500, 0
        while used < 0.3:  # much longer than it takes to start
            horizon *= 2
            study = self.study("timed.cfg", study_trajectories=part, study_horizon=horizon, **keys)
            before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            self.compute(study, "timed.h5")
            used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
            (self.folder / "timed.h5").unlink()
        study.unlink()
        return horizon / used

    def submit(self, study, *options, code=DONE):
        return self.mixlab("submit", study, "-o", "out.h5", *options, code=code)

    def slurm(self, *command):
        answer = self.cluster.call(*command)
        self.assertEqual(answer.returncode, 0, f"{command}: {answer.stderr}")
        return answer.stdout

    def jobs(self):
        """The last array and the last finishing job."""
        text = (self.folder / "out.h5.jobs" / "jobs.txt").read_text()
        return re.findall(r" array (\d+) ", text)[-1], re.findall(r" finish (\d+) ", text)[-1]

    def log(self, shard):
        path = self.folder / "out.h5.jobs" / f"shard-{shard:05}.log"
        return path.read_text() if path.exists() else ""

    def finish_log(self):
        return (self.folder / "out.h5.jobs" / "finish.log").read_text()

    def parts(self):
        """Finished parts: name -> (inode, time of the last change)."""
        found = {}
        for path in (self.folder / "out.h5.parts").glob("c*-*-*.h5"):
            status = path.stat()
            found[path.name] = (status.st_ino, status.st_mtime_ns)
        return found

    def parts_of(self, shard, n_shards, size=2):
        """Of a study with one cell."""
        return [name for name in self.parts() if int(name[6:12]) // size % n_shards == shard]

    def wait_for_parts(self, shard, n_shards, at_least=1, seconds=60):
        wait_until(lambda: len(self.parts_of(shard, n_shards)) >= at_least, seconds, f"a part of shard {shard}")

    def programs_of(self, shard, n_shards):
        """Processes that run the shard."""
        wanted = [str(PROGRAM).encode(), b"run", str(self.folder / "out.h5").encode(), b"--shard",
                  f"{shard}/{n_shards}".encode()]
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cmdline").read_bytes().split(b"\0")[:5] == wanted:
                    found.append(int(process.name))
            except OSError:
                pass
        return found

    def assert_kept(self, before, after):
        self.assertTrue(before)
        changed = [name for name, identity in before.items() if after.get(name) != identity]
        self.assertEqual(changed, [], "finished parts were computed again or lost")

    def assert_computed_once(self, attributes, n_parts):
        """From the log of runs inside the results: every run that ended in order says how many parts it finished."""
        self.assertEqual(sum(map(int, re.findall(r"ended shard=\S+ parts=(\d+)", attributes["runs"]))), n_parts)

    def assert_merged_once(self):
        self.assertEqual(len(re.findall(r": merges$", self.finish_log(), re.M)), 1, self.finish_log())
