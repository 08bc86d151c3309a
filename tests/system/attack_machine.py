#!/usr/bin/python3
"""Machines that fail: few descriptors, little memory, disks that do not answer, closed streams."""
import json
import subprocess
import unittest

import numpy as np

from attack import FAILURE, FAULTS, AttackTest
from forgery import forge
from harness import DONE, PROGRAM, SANITIZER, WORK_LEFT, WRITE_FAILED, main, random_source, run, times

chance = random_source("attack_machine")


class OnlyContentIsDamage(AttackTest):
    """A good part stays where it is, whatever the machine does to the process that looks at it."""

    def setUp(self):
        super().setUp()
        self.cfg, self.parts = self.shards()
        self.kept = {part.name: part.read_bytes() for part in self.parts}

    def assert_kept(self):
        now = {path.name: path.read_bytes() for path in (self.folder / "out.h5.parts").glob("c*")}
        self.assertEqual({name: now.get(name) == data for name, data in self.kept.items()},
                         dict.fromkeys(self.kept, True), "a good part was renamed or lost")

    def limited(self, limits, *args):
        command = ["sh", "-c", f'{limits}; exec "$@"', "sh", PROGRAM, *map(str, args)]
        process = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=60)
        return process.returncode, process.stderr

    @unittest.skipIf(SANITIZER, "a sanitizer needs descriptors and memory of its own")
    def test_few_descriptors(self):
        for n in range(4, 9):
            for args in (("merge", "out.h5"), ("run", self.cfg, "-o", "out.h5", "--quiet")):
                with self.subTest(f"ulimit -n {n}, {args[0]}"):
                    code, err = self.limited(f"ulimit -n {n}", *args)
                    if (self.folder / "out.h5").exists():
                        self.assertEqual(code, DONE)
                        return
                    self.assertIn(code, (FAILURE, WRITE_FAILED), err)
                    self.assertTrue(err)
                    self.assert_kept()

    @unittest.skipIf(SANITIZER, "a sanitizer needs memory of its own")
    def test_little_memory(self):
        for kilobytes in (60_000, 84_000, 86_000, 90_000, 120_000, 200_000, 400_000, 800_000):
            with self.subTest(f"ulimit -v {kilobytes}"):
                code, err = self.limited(f"ulimit -v {kilobytes}", "merge", "out.h5")
                if code == DONE:
                    return
                before_us = "libra" in err or "blas_thread_init" in err  # of a library, before our first instruction
                self.assertEqual(code, code if before_us else FAILURE, err)
                self.assertTrue(err)
                self.assert_kept()

    @unittest.skipUnless(FAULTS, "no library of faults for this build")
    def test_disk_that_does_not_answer(self):
        for errno in ("EIO", "ESTALE", "ENOMEM"):
            for n in [1, 2, 3, *(chance.randrange(4, 60) for _ in range(times(6, 60)))]:
                with self.subTest(f"{errno} at read {n}"):
                    outcome = run(("run", self.cfg, "-o", "out.h5", "--quiet", "--shard", "0/2"), folder=self.folder,
                                  environment={"LD_PRELOAD": FAULTS, "MIXLAB_FAULT": f"fail:pread:{errno}:{n}"})
                    self.assertIn(outcome.code, (DONE, FAILURE), outcome.err)
                    self.assert_kept()

    def test_set_aside_by_mistake(self):
        """As programs before this one did: clean gives a good part its name again."""
        aside = self.parts[0].with_name(self.parts[0].name + ".damaged")
        self.parts[0].rename(aside)
        broken = self.parts[1].with_name(self.parts[1].name + ".damaged")
        broken.write_bytes(self.parts[1].read_bytes()[:-100])
        self.mixlab("clean", "out.h5")
        self.assert_kept()
        self.assertFalse(aside.exists() or broken.exists())

    def test_only_what_was_seen_to_be_damaged_is_deleted(self):
        """Not what is of another study or of a newer program."""
        other = self.compute(self.study("other.cfg", study_part=10, study_seed=77), "other.h5", "--shard", "0/2")
        foreign = next((self.folder / f"{other.name}.parts").glob("c*.h5"))
        newer = self.folder / "newer.h5"
        newer.write_bytes(self.parts[1].read_bytes())
        forge(newer, lambda file: file.attrs.modify("format_version", np.int64(99)))
        for i, path in enumerate((foreign, newer)):
            aside = self.parts[i].with_name(self.parts[i].name + ".damaged")
            path.rename(aside)
            self.assertIn(f"kept out.h5.parts/{aside.name}", self.mixlab("clean", "out.h5").out)
            self.assertTrue(aside.exists())
        self.assert_kept()

    @unittest.skipUnless(FAULTS, "no library of faults for this build")
    def test_no_folder_that_cannot_be_read_passes_for_empty(self):
        for call, errno in (("open", "EPERM"), ("open", "EACCES"), ("readdir", "EIO"), ("readdir", "EPERM")):
            for n in range(1, 12):
                with self.subTest(f"{errno} at {call} {n}"):
                    outcome = run(("status", "out.h5", "--format", "json"), folder=self.folder,
                                  environment={"LD_PRELOAD": FAULTS, "MIXLAB_FAULT": f"fail:{call}:{errno}:{n}"})
                    if outcome.code == WORK_LEFT:
                        self.assertEqual(json.loads(outcome.out)["done"], 40)
                    else:
                        self.assertTrue(outcome.err)

    @unittest.skipUnless(FAULTS, "no library of faults for this build")
    def test_no_thread_to_be_had(self):
        whole = self.compute(self.cfg, "whole.h5")
        for n in range(1, 9):
            outcome = run(("export", whole, "-o", f"tables-{n}"), folder=self.folder,
                          environment={"LD_PRELOAD": FAULTS, "MIXLAB_FAULT": f"fail:thread:EAGAIN:{n}"})
            self.assertEqual((outcome.code, outcome.err), (DONE, ""), n)
            for path in (self.folder / "tables-1").iterdir():
                self.assertEqual(path.read_bytes(), (self.folder / f"tables-{n}" / path.name).read_bytes())


class Streams(AttackTest):
    @unittest.skipIf(SANITIZER == "thread", "ThreadSanitizer opens files before we do")
    def test_closed_streams(self):
        """No results file becomes standard error."""
        study = self.study()
        whole = self.compute(study, "whole.h5")
        for closed in ("0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"):
            with self.subTest(closed):
                command = f'exec "$@" {closed}'
                subprocess.run(["sh", "-c", command, "sh", PROGRAM, "run", study, "-o", "out.h5"], cwd=self.folder,
                               timeout=60)
                self.assert_same(whole, "out.h5")
                (self.folder / "out.h5").unlink()

    def test_closed_output_is_an_error(self):
        out = self.compute(self.study(), "out.h5")
        code = subprocess.run(["sh", "-c", 'exec "$@" 1>&-', "sh", PROGRAM, "check", out], cwd=self.folder,
                              stderr=subprocess.DEVNULL).returncode
        self.assertEqual(code, WRITE_FAILED)


if __name__ == "__main__":
    main()
