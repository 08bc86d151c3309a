#!/usr/bin/python3
"""Large studies: merging is quick, and its memory does not grow with the number of trajectories."""
import os
import subprocess

from harness import SystemTest, main, times


def measured(args, folder):
    """Seconds of the processor and peak memory in MB of a command that ends well."""
    process = subprocess.Popen([os.environ["MIXLAB"], *map(str, args)], cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"mixlab {args} ended with {process.returncode}"
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Scale(SystemTest):
    def merge_of(self, n):
        out = f"{n}.h5"
        self.compute(self.study(study_trajectories=n, study_horizon=64, study_checkpoints=64, policy_name="linucb",
                                problem_arms="circle:2", study_part=4096, confidence_monitor="oful"),
                     out, "--shard", "0/2")
        self.compute("study.cfg", out, "--shard", "1/2")
        return measured(("merge", out), self.folder)

    def test_merge(self):
        sizes = times((16384, 65536), (100_000, 1_000_000))
        (_, small), (seconds, large) = (self.merge_of(n) for n in sizes)
        for n in sizes:
            took, memory = measured(("check", f"{n}.h5"), self.folder)
            print(f"check of {n} trajectories: {took:.1f} s, {memory:.0f} MB")
        print(f"merge of {sizes[0]} trajectories: {small:.0f} MB; of {sizes[1]}: {large:.0f} MB, {seconds:.1f} s")
        self.assertLess(large, 1.2 * small + 10)
        self.assertLess(seconds, 300)


if __name__ == "__main__":
    main()
