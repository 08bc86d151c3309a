#!/usr/bin/python3
"""The lines for GNU parallel in studies/CLUSTER.md, as they stand there."""
import os
import re
import shutil
import signal
import subprocess
import time
import unittest

from harness import PROGRAM, PROJECT, SystemTest, main


def lines_of_the_page():
    page = (PROJECT / "studies" / "CLUSTER.md").read_text()
    section = re.search(r"## GNU parallel\n(.*?)\n## ", page, re.S).group(1)
    return re.findall(r"^    (.*)$", section, re.M)


@unittest.skipUnless(shutil.which("parallel"), "no GNU parallel (cmake/install-deps tests)")
class Parallel(SystemTest):
    def setUp(self):
        super().setUp()
        self.home = self.folder / "home"
        (self.home / "bin").mkdir(parents=True)
        (self.home / "bin" / "mixlab").symlink_to(PROGRAM)

    def sh(self, line):
        environment = {**os.environ, "PATH": f"{self.home}/bin:{os.environ['PATH']}", "HOME": str(self.home)}
        return subprocess.Popen(["sh", "-c", line], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def test_page(self):
        study = self.study(study_part=2, study_trajectories=40, study_horizon=2000)
        whole = self.compute(study, "whole.h5")
        compute, merge, check = lines_of_the_page()
        self.assertRegex(compute, "^parallel .*--shard {}/8")
        interrupted = self.sh(compute)
        deadline = time.monotonic() + 60
        while not list(self.folder.glob("study.h5.parts/c*.h5")) and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(interrupted.pid, signal.SIGKILL)
        interrupted.communicate()
        for line in (compute, merge, check):
            process = self.sh(line)
            out = process.communicate(timeout=120)[0].decode()
            self.assertEqual(process.returncode, 0, f"{line}\n{out}")
        self.assert_same(whole, "study.h5")


if __name__ == "__main__":
    main()
