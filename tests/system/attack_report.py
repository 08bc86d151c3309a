#!/usr/bin/python3
"""What `report` runs, opens and writes: modules of strangers, planted links, files that are exchanged."""
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

from attack import AttackTest
from forgery import forge, write
from harness import BAD_INPUT, PROGRAM, PROJECT, SANITIZER, main, run, wait_until


def is_running(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


@unittest.skipIf(SANITIZER, "Python is not what is tested")
class Report(AttackTest):
    def setUp(self):
        super().setUp()
        self.out = self.compute(self.study(study_trajectories=4, policy_name="linucb"), "out.h5")

    def test_modules_of_the_working_folder(self):
        for name in ("contextlib", "sitecustomize", "numpy", "mixlab", "matplotlib", "ctypes"):
            (self.folder / f"{name}.py").write_text("open('executed', 'w')\n")
        (self.folder / "matplotlibrc").write_text("savefig.dpi: nonsense\n")
        outcome = self.mixlab("report", self.out, environment={"PYTHONPATH": ":", "PYTHONSTARTUP": "numpy.py"})
        self.assertFalse((self.folder / "executed").exists())
        self.assertNotIn("matplotlibrc", outcome.err)

    def test_planted_links(self):
        folder, target = self.folder / "out-report", self.folder / "target"
        target.write_text("mine")
        (folder / "figures").mkdir(parents=True)
        for name in ("verdict.json", "report.html", "report.html.tmp"):
            (folder / name).symlink_to(target)
        self.mixlab("report", self.out)
        self.assertEqual(target.read_text(), "mine")

    def test_figures_named_by_a_file(self):
        """The method of an estimate is a part of a name, not a way to another folder."""
        rare = self.folder / "rare.h5"
        self.mixlab("rare", self.out, "--paths", 200, "--delta", "0.1,0.2", "-o", rare, "--quiet")
        forge(rare, write("method", ..., "x/../../../planted"))
        self.mixlab("report", self.out, "--rare", rare)
        self.assertEqual(list(self.folder.glob("planted*")), [])
        self.assertTrue(list((self.folder / "out-report" / "figures").glob("rare-*planted.svg")))

    def test_stopped_report_ends_its_python(self):
        fake = self.folder / "python"
        fake.write_text(f"#!/bin/sh\necho $$ >> pids\nexec {sys.executable} \"$@\"\n")
        fake.chmod(0o755)
        process = self.start("report", self.out)
        process.kill()
        process.wait()
        (self.folder / "pids").write_text("")
        environment = {**os.environ, "MIXLAB_PYTHON": str(fake)}
        for name in ("SIGTERM", "SIGKILL"):
            for n_seen, seconds in ((1, 0), (2, 0), (2, 0.05), (2, 0.7)):  # the first is asked what modules it has
                with self.subTest(f"{name} {seconds} s after Python {n_seen}"):
                    process = subprocess.Popen([PROGRAM, "report", self.out], cwd=self.folder, env=environment,
                                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                    wait_until(lambda: len((self.folder / "pids").read_text().split()) >= n_seen)
                    time.sleep(seconds)
                    process.send_signal(getattr(signal, name))
                    process.wait()
                    pid = int((self.folder / "pids").read_text().split()[-1])
                    wait_until(lambda: not is_running(pid), 15)
                    if seconds == 0:
                        self.assertFalse((self.folder / "out-report" / "report.html").exists())
                    shutil.rmtree(self.folder / "out-report", ignore_errors=True)
                    (self.folder / "pids").write_text("")

    def test_python_behind_a_script(self):
        """That waits for it: it is not taken for one whose program is gone."""
        fake = self.folder / "python"
        fake.write_text(f"#!/bin/sh\n{sys.executable} \"$@\"\n")
        fake.chmod(0o755)
        self.mixlab("report", self.out, environment={"MIXLAB_PYTHON": str(fake)})

    def test_results_that_are_exchanged(self):
        """Between the guard and the verdict: the file that was found good is judged."""
        other = self.compute(self.study("other.cfg", study_trajectories=7, policy_name="linucb"), "other.h5")
        fake = self.folder / "python"  # the first that `report` starts, to see which modules there are
        fake.write_text(f"#!/bin/sh\n[ ! -e {other} ] || mv {other} {self.out}\nexec /usr/bin/python3 \"$@\"\n")
        fake.chmod(0o755)
        outcome = run(("report", self.out), folder=self.folder, environment={"MIXLAB_PYTHON": str(fake)})
        self.assertIn("file in motion", outcome.err)
        self.assertEqual(outcome.code, BAD_INPUT)
        with open(self.folder / "out-report" / "verdict.json") as file:
            self.assertEqual(json.load(file)["trajectories"], 4)

    DRAW_ESCAPE = """import json, sys
from pathlib import Path
from mixlab.report.context import make_report
from mixlab.report.escape_section import escape_section
from mixlab.report.files import open_checked
from mixlab.results import open_results
path, identity, program = sys.argv[1:]
results = open_checked(open_results, path, identity)
verdict = json.loads(Path("verdict.json").read_text())
escape_section(make_report(results, verdict, Path("x"), Path(path), program))
"""

    def test_trajectories_of_exchanged_results(self):
        """Between Python's opening and the trajectory that it asks for: that of the file that was found good."""
        out, other = (self.compute(self.study(study_trajectories=n, policy_name="linucb", noise_rho=0.95), f"{n}.h5")
                      for n in (60, 61))
        status = out.stat()
        identity = ":".join(str(x) for x in (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns,
                                             status.st_ctime_ns))
        (self.folder / "verdict.json").write_text(run(("check", out, "--format", "json"), folder=self.folder).out)
        fake = self.folder / "mixlab"
        fake.write_text(f"#!/bin/sh\nmv {other} {out}\n{PROGRAM} check $2 --format json > said\n"
                        f"exec {PROGRAM} \"$@\"\n")
        fake.chmod(0o755)
        subprocess.run(["/usr/bin/python3", "-B", "-c", self.DRAW_ESCAPE, out, identity, fake], cwd=self.folder,
                       check=True, env={**os.environ, "PYTHONPATH": str(PROJECT / "analysis")})
        self.assertIn('"trajectories": 60,', (self.folder / "said").read_text())
        self.assertFalse(other.exists())

    def test_names_that_the_report_needs_itself(self):
        names = ("...h5", "report.html.h5")
        for name in names:
            shutil.copy(self.out, self.folder / name)
        before = set(self.folder.iterdir())
        self.mixlab("report", *names, "-o", "all")
        self.assertEqual(set(self.folder.iterdir()) - before, {self.folder / "all"})
        self.assertEqual(len([*(self.folder / "all").glob("*/report.html")]), len(names))
        self.assertTrue((self.folder / "all" / "report.html").is_file())

    def test_another_file_than_the_one_checked(self):
        """Whoever exchanges a file between the check and Python's opening is found out."""
        status = self.out.stat()
        right = ":".join(str(x) for x in (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns,
                                          status.st_ctime_ns))
        self.mixlab("rare", self.out, "--paths", 200, "--delta", "0.1", "-o", "rare.h5", "--quiet")
        (self.folder / "verdict.json").write_text(self.mixlab("check", self.out, "--format", "json").out)
        for options, words in ((("--checked", "1:2:3:4:5"), f"file in motion: {self.out}"),
                               (("--checked", right, "--rare", "rare.h5", "--rare-checked", right),
                                "file in motion: rare.h5"),
                               (("--checked", right, "--rare", self.out, "--rare-checked", right),
                                f"foreign file: {self.out}")):
            process = subprocess.run(["/usr/bin/python3", "-B", "-m", "mixlab.report", self.out, "--verdict",
                                      "verdict.json", "-o", "x", *options], capture_output=True, text=True,
                                     cwd=self.folder, env={**os.environ, "PYTHONPATH": str(PROJECT / "analysis")})
            self.assertEqual(process.returncode, BAD_INPUT, process.stderr)
            self.assertIn(words, process.stderr)


if __name__ == "__main__":
    main()
