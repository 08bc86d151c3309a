#!/usr/bin/python3
"""Large studies: merging is quick, and the memory of run, merge and check does not grow with the trajectories."""
import os
import subprocess

from harness import SANITIZER, SystemTest, main, times


def measured(args, folder):
    """Seconds of the processor and peak memory in MB of a command that ends well."""
    process = subprocess.Popen([os.environ["MIXLAB"], *map(str, args)], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"mixlab {args} ended with {process.returncode}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def sizes(short, long):
    return tuple(n // 16 for n in short) if SANITIZER else times(short, long)


class Scale(SystemTest):
    def assert_flat(self, small, large, allowed):
        """In MB."""
        if SANITIZER:
            self.skipTest(f"what the {SANITIZER} sanitizer keeps of freed memory grows, not what the program uses")
        self.assertLess(large, small + allowed)

    def test_run(self):
        # The parts grow along, and rounds are so few that writing hardly keeps up.
        self.study(study_horizon=100, policy_name="mixing-linucb", confidence_delay=20,
                   confidence_monitor="paper proof tight selfnorm oful otc theorem1 excess-loss")
        used = []
        for n in sizes((2000, 60_000), (2000, 200_000)):
            command = ("run", "study.cfg", "-o", f"{n}.h5", "--quiet", "--set", f"study.trajectories={n}")
            seconds, memory = measured(command, self.folder)
            print(f"run of {n} trajectories: {seconds:.1f} s, {memory:.0f} MB")
            used.append(memory)
        self.assert_flat(*used, 0.1 * used[0])

    def merge_of(self, n, part, **study):
        out = f"{n}.h5"
        self.study(study_trajectories=n, study_part=part, problem_arms="circle:2", confidence_monitor="oful", **study)
        for shard in range(2):
            self.compute("study.cfg", out, "--shard", f"{shard}/2")
        return measured(("merge", out), self.folder)

    def test_merge(self):
        few, many = sizes((16384, 65536), (100_000, 1_000_000))
        (_, small), (seconds, large) = (
            self.merge_of(n, 4096, policy_name="linucb", study_horizon=64, study_checkpoints=64) for n in (few, many))
        print(f"merge of {few} trajectories: {small:.0f} MB; of {many}: {large:.0f} MB, {seconds:.1f} s")
        self.assertLess(seconds, 300)
        self.assert_flat(small, large, 0.2 * small + 10)

    def test_check(self):
        # Two policies and two horizons, so that there are comparisons and rates.
        used = []
        for n in sizes((20_000, 300_000), (20_000, 2_000_000)):
            self.merge_of(n, 100_000, policy_name="linucb, greedy", study_horizon="3, 6", study_checkpoints=2)
            seconds, memory = measured(("check", f"{n}.h5"), self.folder)
            print(f"check of 4 x {n} trajectories: {seconds:.1f} s, {memory:.0f} MB")
            used.append(memory)
        self.assert_flat(*used, 20)  # 43 MB at 300 000, 35 MB at 1 000 000: what a look needs, whatever there is


if __name__ == "__main__":
    main()
