#!/usr/bin/python3
"""Folders where others write: planted links and pipes, leftovers, outputs that lead elsewhere."""
import os
import shutil
import signal
import socket
import stat
import subprocess
import unittest

from attack import FAILURE, AttackTest
from forgery import copy_folder
from harness import BAD_INPUT, DONE, PROGRAM, SANITIZER, WRITE_FAILED, main, run, smaller, times, wait_until

QUICK = 200 if SANITIZER else 20  # seconds after which a program waits for something


class SharedFolder(AttackTest):
    """In a folder where others write: nothing of theirs is overwritten, followed or waited for."""

    def setUp(self):
        super().setUp()
        self.target = self.folder / "target"
        self.target.write_text("somebody's thesis")
        self.addCleanup(lambda: self.assertEqual(self.target.read_text(), "somebody's thesis"))

    def assert_quick(self, process):
        try:
            out, err = process.communicate(timeout=QUICK)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail("the program waits")
        return process.returncode, err.decode()

    def test_links_for_the_next_processes(self):
        host, (folder, here) = socket.gethostname(), (self.folder / "out.h5.parts", self.folder)
        folder.mkdir()
        for pid in range(os.getpid(), os.getpid() + 3000):
            for name in (folder / f"c0000-000000-000019.h5.tmp.{host}.{pid}", folder / f"study.cfg.tmp.{host}.{pid}",
                         here / f"out.h5.tmp.{host}.{pid}"):
                name.symlink_to(self.target)
        self.compute(self.study(), "out.h5")
        self.assertFalse((self.folder / "out.h5").is_symlink())

    def test_names_cannot_be_foreseen(self):
        study = self.study(study_trajectories=20000, study_horizon=20000)
        seen = set()
        for _ in range(2):
            process = self.start("run", study, "-o", "out.h5", "--quiet")
            wait_until(lambda: list(self.folder.rglob("c0*.tmp.*")))
            seen |= {path.name.rsplit(".", 1)[-1] for path in self.folder.rglob("c0*.tmp.*")}
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        self.assertGreaterEqual(len(seen), 2)
        for word in seen:
            self.assertRegex(word, "^[0-9a-f]{16}$")

    def test_permissions_follow_the_umask(self):
        for umask, mode in ((0o022, 0o644), (0o027, 0o640), (0o002, 0o664)):
            old = os.umask(umask)
            try:
                out = self.compute(self.study(), f"{umask:o}.h5")
            finally:
                os.umask(old)
            self.assertEqual(stat.S_IMODE(out.stat().st_mode), mode)

    def plant(self, kind, path):
        if path.exists() or path.is_symlink():
            path.unlink()
        if kind == "link":
            path.symlink_to(self.target)
        elif kind == "hard link":
            os.link(self.target, path)
        elif kind == "dead":
            path.symlink_to("nowhere")
        elif kind == "pipe":
            os.mkfifo(path)
        elif kind == "endless":
            path.symlink_to("/dev/zero")

    def test_planted_in_the_folder_of_parts(self):
        study, parts = self.shards()
        saved = self.folder / "saved"
        shutil.copytree(self.folder / "out.h5.parts", saved)
        for kind in ("link", "pipe", "endless", "hard link"):
            for name in ("study.cfg", "runs.log", "lock", parts[0].name, "files.txt"):
                if kind == "hard link" and name not in ("lock", "runs.log"):
                    continue  # a hard link is a file like any other where it is only read
                with self.subTest(f"{kind} as {name}"):
                    copy_folder(saved, self.folder / "out.h5.parts")
                    planted = self.folder / "out.h5.parts" / name
                    self.plant(kind, planted)
                    more = ("--set", "study.trajectories=40")
                    for args in (("merge", "out.h5"), ("run", study, "-o", "out.h5", "--quiet", *more)):
                        was_there = os.path.lexists(planted)
                        code, err = self.assert_quick(self.start(*args, stderr=subprocess.PIPE))
                        is_only_read = kind == "hard link" and name == "runs.log" and args[0] == "merge"
                        if was_there and not is_only_read:
                            self.assertIn(code, (BAD_INPUT, WRITE_FAILED), f"{args}: {err}")
                        self.assertEqual(self.target.read_text(), "somebody's thesis")
                    (self.folder / "out.h5").unlink(missing_ok=True)

    def test_files_that_a_study_names(self):
        os.mkfifo(self.folder / "pipe")
        for path in ("pipe", "/dev/zero", "/proc/kmsg", "/dev/stdin", "."):
            with self.subTest(path):
                study = self.study(problem_arms=f"file:{path}")
                for args in (("plan", study), ("certify", "replay", "--set", f"noise.file={path}"),
                             ("init", "new.cfg", "--replay", path)):
                    code, err = self.assert_quick(self.start(*args, stderr=subprocess.PIPE))
                    self.assertIn(code, (BAD_INPUT, FAILURE), err)
                    self.assertEqual(err.count("\n"), 1)
        for args in (("plan", "pipe"), ("check", "pipe"), ("run", "pipe"), ("certify", "pipe"), ("rare", "pipe"),
                     ("trace", "pipe"), ("diff", "pipe", "pipe"), ("report", "pipe"), ("status", "pipe"),
                     ("merge", "out.h5", "pipe"), ("submit", "pipe", "--dry-run")):
            code, err = self.assert_quick(self.start(*args, stderr=subprocess.PIPE))
            self.assertEqual(code, BAD_INPUT, err)

    def test_output_that_leads_to_itself(self):
        (self.folder / "out.h5").symlink_to("out.h5")
        self.assert_refused("run", self.study(), "-o", "out.h5", words=["out.h5", "link"])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out.h5", "study.cfg", "target"])

    def test_other_outputs_that_lead_to_themselves(self):
        out = self.compute(self.study(), "out.h5")
        (self.folder / "ring.h5").symlink_to("ring.h5")
        for args in (("trace", out, "--cell", 0, "--trajectory", 0, "-o", "ring.h5"),
                     ("rare", self.study(), "--paths", 100, "--cell", 0, "-o", "ring.h5")):
            self.assert_refused(*args, words=["ring.h5", "leads to itself"])

    def test_folder_of_parts_that_leads_nowhere(self):
        (self.folder / "out.h5.parts").symlink_to("nowhere")
        study = self.study()
        for args in (("run", study, "-o", "out.h5"), ("rare", study, "--paths", 100, "--cell", 0, "-o", "out.h5")):
            code, err = self.assert_quick(self.start(*args, stderr=subprocess.PIPE))
            self.assertEqual(code, WRITE_FAILED, err)
            self.assertIn("out.h5.parts", err)

    def test_planted_where_others_write(self):
        """Of init, export, trace: a link is not followed, a pipe not waited for."""
        out = self.compute(self.study(), "out.h5")
        for kind in ("link", "pipe", "dead"):
            for name, args, codes in (
                    ("new.cfg", ("init", "new.cfg"), (BAD_INPUT,)),
                    ("tables", ("export", out, "-o", "tables"), (BAD_INPUT, WRITE_FAILED)),
                    ("trace.h5", ("trace", out, "--cell", 0, "--trajectory", 0, "-o", "trace.h5"), (BAD_INPUT, DONE))):
                with self.subTest(f"{kind} as {name}"):
                    self.plant(kind, self.folder / name)
                    code, err = self.assert_quick(self.start(*args, stderr=subprocess.PIPE))
                    self.assertIn(code, codes, err)
                    self.assertFalse((self.folder / "nowhere").exists())
                    self.assertEqual(self.target.read_text(), "somebody's thesis")

    @unittest.skipUnless(os.getuid() == 0, "needs root, to be two users")
    def test_links_of_another_user(self):
        elsewhere = self.folder / "elsewhere"
        elsewhere.mkdir()
        for name, to in (("out.h5", elsewhere / "new.h5"), ("out.h5.parts", elsewhere)):
            (self.folder / name).symlink_to(to)
            os.chown(self.folder / name, 65534, 65534, follow_symlinks=False)
            self.assert_refused("run", self.study(), "-o", "out.h5", words=["another user"])
            (self.folder / name).unlink()
        self.assertEqual(list(elsewhere.iterdir()), [])

    def link_of_another(self, name, to):
        link = self.folder / name
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(to)
        os.chown(link, 65534, 65534, follow_symlinks=False)
        return link

    @unittest.skipUnless(os.getuid() == 0, "needs root, to be two users")
    def test_folders_of_reports_that_another_user_linked(self):
        out, victim = self.compute(self.study(), "out.h5"), self.folder / "victim"
        victim.mkdir()
        for name in ("verdict.json", "report.html"):
            (victim / name).write_text("somebody's thesis")
        for args, name in (((out,), "out-report"), ((out, "-o", "x"), "x"), ((out, "-o", "x/"), "x"),
                           ((out, out, "-o", "all"), "all/out"), ((out,), "out-report/figures"),
                           ((out,), "out-report/figures/cell-000")):
            with self.subTest(f"{args[1:]} {name}"):
                before = {path.name: path.read_text() for path in victim.iterdir()}
                link = self.link_of_another(name, victim)
                self.assert_refused("report", *args, words=[name, "another user"])
                self.assertEqual({path.name: path.read_text() for path in victim.iterdir()}, before)
                link.unlink()

    @unittest.skipUnless(os.getuid() == 0, "needs root, to be two users")
    def test_folder_of_jobs_that_another_user_linked(self):
        victim, slurm = self.folder / "victim", self.folder / "slurm"
        for folder in (victim, slurm):
            folder.mkdir()
        (victim / "array.sh").write_text("somebody's thesis")
        for name in ("sbatch", "scontrol", "sinfo", "squeue", "sacct", "scancel"):
            (slurm / name).write_text("#!/bin/sh\necho 17\n")
            (slurm / name).chmod(0o755)
        self.link_of_another("out.h5.jobs", victim)
        outcome = self.mixlab("submit", self.study(), "-o", "out.h5", "--shards", 2, code=BAD_INPUT,
                              environment={"PATH": f"{slurm}:{os.environ['PATH']}"})
        self.assertRegex(outcome.err, "out.h5.jobs.*another user")
        self.assertEqual([path.name for path in victim.iterdir()], ["array.sh"])
        self.assertEqual((victim / "array.sh").read_text(), "somebody's thesis")

    def test_our_own_links_are_fine(self):
        (self.folder / "disk").mkdir()
        (self.folder / "out.h5").symlink_to("disk/real.h5")
        self.compute(self.study(), "out.h5")
        self.assertTrue((self.folder / "out.h5").is_symlink())
        self.mixlab("check", "out.h5")
        (self.folder / "out-report").symlink_to("disk")
        (self.folder / "plots").mkdir()
        (self.folder / "disk" / "figures").symlink_to("../plots")
        if not SANITIZER:
            self.mixlab("report", "out.h5")
            self.assertTrue((self.folder / "disk" / "report.html").exists())
            self.assertTrue(list((self.folder / "plots").rglob("*.svg")))

    @unittest.skipIf("Clang" in run(("--version",)).out, "clang's OpenMP cannot do without its own /proc")
    @unittest.skipUnless(os.getuid() == 0 and shutil.which("unshare"), "needs root, to number processes anew")
    def test_two_containers_of_one_name(self):
        study = self.study(study_trajectories=40, study_horizon=smaller(3000), study_part=1)
        whole = self.compute(study, "whole.h5")
        for _ in range(times(2, 20)):
            command = ["unshare", "--pid", "--fork", PROGRAM, "run", str(study), "-o", "out.h5", "--quiet"]
            runs = [subprocess.Popen(command, cwd=self.folder, stderr=subprocess.PIPE) for _ in range(2)]
            while any(process.poll() is None for process in runs):  # as a third would, that sees neither
                run(("clean", "out.h5"), folder=self.folder)
            for process in runs:
                err = process.communicate()[1].decode()
                self.assertEqual(process.returncode, DONE, err)
                self.assertNotIn("set aside", err)
            self.assert_same(whole, "out.h5")
            (self.folder / "out.h5").unlink()


class Leftovers(AttackTest):
    def killed(self):
        """What the temporaries of a process are called that was killed, and that process."""
        process = self.start("run", self.study("long.cfg", study_trajectories=10**5, study_horizon=10**4), "-o",
                             "long.h5", "--quiet")
        wait_until(lambda: list(self.folder.rglob("c0*.tmp.*")))
        owner = next(self.folder.rglob("c0*.tmp.*")).name.split(".tmp.")[1]
        process.kill()
        process.wait()
        return owner, process

    def leave(self, *paths):
        for path in map(self.folder.joinpath, paths):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("half")

    @unittest.skipIf(SANITIZER, "Python is not what is tested")
    def test_of_export_and_report_elsewhere(self):
        """Where `clean` does not look, the next of the same removes them, and nothing else."""
        out = self.compute(self.study(), "out.h5")
        owner, process = self.killed()
        alive = owner.replace(str(process.pid), str(os.getpid()), 1)
        for args, left in ((("export", out, "-o", "elsewhere/tables"), ["elsewhere/tables.tmp.{}/cell.csv"]),
                           (("report", out, "-o", "x"), ["x/verdict.json.tmp.{}", "x/report.html.tmp.{}",
                                                         "x/figures/cell-000/ratio.svg.tmp.{}"]),
                           (("report", out, "long.h5", "-o", "all"), ["all/report.html.tmp.{}",
                                                                      "all/long/verdict.json.tmp.{}",
                                                                      "all/out/figures/escape.svg.tmp.{}"])):
            with self.subTest(" ".join(map(str, args))):
                shutil.copy(out, self.folder / "long.h5")
                kept = [left[0].format(alive), "elsewhere/other.tmp." + owner, "x/notes.tmp.txt"]
                self.leave(*kept, *(path.format(owner) for path in left))
                self.mixlab(*args)
                self.assertEqual([path for path in left if (self.folder / path.format(owner)).exists()], [])
                self.assertEqual([path for path in kept if not (self.folder / path).exists()], [])

    def test_of_export_and_report(self):
        out = self.compute(self.study(), "out.h5")
        owner, process = self.killed()
        left = [self.folder / f"tables.tmp.{owner}", self.folder / "out-report" / f"report.html.tmp.{owner}",
                self.folder / "out-report" / "figures" / f"x.pdf.tmp.{owner}"]
        alive = self.folder / f"tables.tmp.{owner.replace(str(process.pid), str(os.getpid()), 1)}"
        mine = self.folder / "notes.tmp.txt"
        for path in (*left[1:], alive, mine):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("half")
        left[0].mkdir()
        (left[0] / "cell.csv").write_text("half")
        said = self.mixlab("clean", out).out
        self.assertEqual([path.name for path in left if path.exists()], [], said)
        self.assertTrue(alive.exists() and mine.exists())


class Submit(AttackTest):
    def test_output_that_jobs_would_not_find(self):
        self.assert_refused("submit", self.study(), "--shards", 2, "--dry-run", "-o", "out.results",
                            words=["out.results", ".h5"])


if __name__ == "__main__":
    main()
