#!/usr/bin/python3
"""Damaged, hostile and foreign files: found out, named, and never a wrong number, a crash or a hang."""
import contextlib
import os
import resource
import shutil
import struct
import subprocess
import zlib

import h5py
import numpy as np

from harness import (BAD_INPUT, DONE, WRITE_FAILED, SystemTest, flip_byte, main, random_source, run, smaller, times,
                     wait_until)

chance = random_source("damage")
MOST_SECONDS = 10


@contextlib.contextmanager
def quickly():
    """What runs inside takes little of the processor, however busy the machine is; harness.run limits the clock."""
    def used():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    before = used()
    yield
    assert used() - before < MOST_SECONDS, f"took {used() - before:.1f} s"


class Damage(SystemTest):
    """The seal finds a change of any one byte and any truncation.

    tests/store tries more of them without the program.
    """

    def damaged(self, path):
        """Yields with a damaged copy of `path` in its place, and puts the good one back."""
        good = path.read_bytes()
        for i in range(times(6, 100)):
            flip_byte(path, chance.randrange(len(good)))
            yield "flipped"
            path.write_bytes(good)
        for i in range(times(6, 100)):
            os.truncate(path, chance.randrange(len(good)))
            yield "truncated"
            path.write_bytes(good)

    def test_results(self):
        out = self.compute(self.study(study_trajectories=5), "out.h5")
        expected = self.mixlab("check", out).out
        for what in self.damaged(out):
            outcome = run(("check", out), folder=self.folder)
            self.assertEqual(outcome.code, BAD_INPUT, f"{what}\n{outcome.out}{outcome.err}")
            self.assertIn(str(out), outcome.err)
        self.assertEqual(self.mixlab("check", out).out, expected)

    def test_parts(self):
        study = self.study(study_trajectories=4, study_part=2)
        whole = self.compute(study, "whole.h5")
        for i in (0, 1):
            self.compute(study, "out.h5", "--shard", f"{i}/2")
        shutil.copytree(self.folder / "out.h5.parts", self.folder / "saved")
        part = self.folder / "out.h5.parts" / "c0001-000000-000001.h5"
        for what in self.damaged(part):
            self.assertIn(part.name, self.mixlab("merge", "out.h5", code=BAD_INPUT).err, what)
            outcome = self.mixlab("run", study, "-o", "out.h5", "--quiet")
            self.assertIn(f"set aside and computed again: out.h5.parts/{part.name}", outcome.err, what)
            self.assert_same(whole, "out.h5")
            (self.folder / "out.h5").unlink()
            shutil.rmtree(self.folder / "out.h5.parts")
            shutil.copytree(self.folder / "saved", self.folder / "out.h5.parts")


class Strangers(SystemTest):
    def assert_refused(self, path, *words):
        for command in ("check", "status", "export"):
            with quickly():
                outcome = self.mixlab(command, path, *(("-o", "tables") if command == "export" else ()), code=BAD_INPUT)
            for word in words:
                self.assertIn(word, outcome.err)
            self.assertEqual(outcome.err.count("\n"), 1)

    def test_rewritten_by_another_tool(self):
        out = self.compute(self.study(), "out.h5")
        with h5py.File(out) as old, h5py.File(self.folder / "copy.h5", "w") as new:
            for name in old:
                old.copy(name, new)
            new.attrs.update(old.attrs)
        self.assert_refused(self.folder / "copy.h5", "'mixlab results'", "lost its checksum")

    def test_somebody_elses(self):
        with h5py.File(self.folder / "other.h5", "w") as file:
            file["x"] = np.arange(10)
        self.assert_refused(self.folder / "other.h5", "an HDF5 file of something else")
        (self.folder / "text.h5").write_text("no HDF5 at all")
        self.assert_refused(self.folder / "text.h5", "neither a mixlab file nor readable as HDF5")
        os.mkfifo(self.folder / "pipe.h5")
        self.assert_refused(self.folder / "pipe.h5", "regular file")

    def replay(self, file):
        return self.study(noise_process="replay", noise_rho=None, noise_file=file, noise_proxy=2)

    def test_series_that_claims_to_be_endless(self):
        with h5py.File(self.folder / "endless.h5", "w") as file:  # a few kB on disk
            file.create_dataset("x", shape=(2**29,), chunks=(2**20,), dtype="f8")
        with quickly():
            outcome = self.mixlab("plan", self.replay("endless.h5:x"), code=BAD_INPUT)
        # Under a sanitizer, which leaves no room for a limit on memory, time runs out instead.
        self.assertRegex(outcome.err, "(needs more memory|takes longer) than such a file may")

    def test_series_shorter_than_it_says(self):
        """HDF5 1.10 would copy what lies behind it in memory."""
        with h5py.File(self.folder / "short.h5", "w") as file:
            compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
            compact.set_layout(h5py.h5d.COMPACT)
            h5py.h5d.create(file.id, b"x", h5py.h5t.IEEE_F64LE, h5py.h5s.create_simple((77,)), compact)
            file["x"][...] = np.arange(77.0)
        whole = (self.folder / "short.h5").read_bytes()
        self.mixlab("plan", self.replay("short.h5:x"))
        (self.folder / "short.h5").write_bytes(whole.replace(struct.pack("<Q", 77), struct.pack("<Q", 7700)))
        self.assertIn("x is shorter than it says", self.mixlab("plan", self.replay("short.h5:x"), code=BAD_INPUT).err)

    def test_series_whose_pieces_are_shorter_than_they_say(self):
        """As they are when a flipped bit says that they went through no filter, or what they unpack to is cut short."""
        for packed, skipped in ((zlib.compress(bytes(800)), 1), (zlib.compress(bytes(792)), 0), (bytes(792), 1)):
            with h5py.File(self.folder / "short.h5", "w") as file:
                series = file.create_dataset("x", data=np.arange(500.0), chunks=(100,), compression="gzip")
                series.id.write_direct_chunk((200,), packed, skipped)
            outcome = self.mixlab("plan", self.replay("short.h5:x"), code=BAD_INPUT)
            self.assertIn("x is shorter than it says", outcome.err)
        with h5py.File(self.folder / "short.h5", "w") as file:  # nor are there filters to say so
            series = file.create_dataset("x", data=np.arange(500.0), chunks=(100,))
            series.id.write_direct_chunk((200,), bytes(185))
        self.assertIn("x is shorter", self.mixlab("plan", self.replay("short.h5:x"), code=BAD_INPUT).err)
        with h5py.File(self.folder / "odd.h5", "w") as file:
            file.create_dataset("x", data=np.sin(np.arange(50.0)), fletcher32=True, chunks=(10,))
            file.create_dataset("y", data=np.sin(np.arange(50.0)), chunks=(7,))
            file.create_dataset("z", data=np.sin(np.arange(50.0)), chunks=(7,), compression="gzip", shuffle=True)
        self.assertIn("another filter", self.mixlab("plan", self.replay("odd.h5:x"), code=BAD_INPUT).err)
        for name in ("y", "z"):
            self.mixlab("plan", self.replay(f"odd.h5:{name}"))

    def test_mutated_series(self):
        with h5py.File(self.folder / "series.h5", "w") as file:
            file.create_dataset("x", data=np.arange(500.0), chunks=(100,), compression="gzip")
        good = (self.folder / "series.h5").read_bytes()
        study = self.replay("series.h5:x")
        for _ in range(times(30, 1000)):
            bad = bytearray(good)
            for _ in range(chance.randrange(1, 20)):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            (self.folder / "series.h5").write_bytes(bad)
            with quickly():
                outcome = run(("plan", study), folder=self.folder)
            self.assertIn(outcome.code, (DONE, BAD_INPUT), outcome.err)


class Places(SystemTest):
    def test_no_permission(self):
        """As somebody who is not root, whom no folder stops."""
        if os.getuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs root, to become somebody else")
        out = self.compute(self.study(), "out.h5")
        self.folder.chmod(0o755)
        out.chmod(0)
        closed = self.folder / "closed"
        closed.mkdir(mode=0o700)
        (self.folder / "box").mkdir()
        (self.folder / "box").chmod(0o733)  # where everybody may write and nobody may look
        self.compute(self.study(study_part=5), "half.h5", "--shard", "0/2")
        shutil.copytree(self.folder / "half.h5.parts", self.folder / "parts")
        (self.folder / "half.h5.parts").chmod(0o700)
        (self.folder / "parts").chmod(0o711)

        def as_nobody(*args):
            command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", os.environ["MIXLAB"]]
            process = subprocess.run([*command, *map(str, args)], cwd=self.folder, capture_output=True, text=True)
            return process.returncode, process.stderr

        for code, words, *args in ((BAD_INPUT, "Permission denied", "check", "out.h5"),
                                   (BAD_INPUT, "cannot read folder", "status", "half.h5"),
                                   (BAD_INPUT, "cannot read folder", "merge", "half.h5"),
                                   (BAD_INPUT, "cannot read folder", "merge", "new.h5", "parts"),
                                   (WRITE_FAILED, "Permission denied", "run", "study.cfg", "-o", "new.h5"),
                                   (WRITE_FAILED, "Permission denied", "run", "study.cfg", "-o", "closed/new.h5"),
                                   (DONE, "", "run", "study.cfg", "-o", "box/new.h5", "--quiet"),
                                   (DONE, "", "check", "box/new.h5")):
            with self.subTest(args):
                got, err = as_nobody(*args)
                self.assertEqual(got, code, err)
                self.assertIn(words, err)

    def test_read_only_folder_with_finished_results(self):
        if os.getuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("needs root, to become somebody else")
        self.compute(self.study(), "out.h5")
        self.folder.chmod(0o555)
        for args in (("check", "out.h5"), ("status", "out.h5"), ("merge", "out.h5"),
                     ("run", "study.cfg", "-o", "out.h5")):
            with self.subTest(args):
                process = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
                                          os.environ["MIXLAB"], *args], cwd=self.folder, capture_output=True, text=True)
                self.assertEqual(process.returncode, DONE, process.stderr)

    def test_small_disk(self):
        disk = self.folder / "disk"
        disk.mkdir()
        if os.getuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "small", disk],
                                              capture_output=True).returncode != 0:
            self.skipTest("cannot mount a small disk here")
        self.addCleanup(lambda: subprocess.run(["umount", disk], check=True))
        study = self.study(study_trajectories=600, study_horizon=smaller(2000), study_part=20, study_checkpoints=60)
        slowly = ("--engine", "reference")  # so that there is time to fill the disk
        whole = self.compute(study, "whole.h5", *slowly)

        def parts():
            return {path.name: path.read_bytes() for path in disk.glob("out.h5.parts/c*-*-*.h5")}

        for left in (0, 30_000, 100_000, 200_000)[:times(2, 4)]:
            for path in disk.glob("out.h5*"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
            process = self.start("run", study, "-o", "disk/out.h5", "--quiet", *slowly, stderr=subprocess.PIPE)
            wait_until(lambda: len(parts()) > 2)  # enough was free at the start; then somebody else fills the disk
            with contextlib.suppress(OSError):  # the program writes too: full is full
                (disk / "ballast").write_bytes(bytes(max(0, shutil.disk_usage(disk).free - left)))
            err = process.communicate(timeout=60)[1].decode()
            self.assertEqual(process.returncode, WRITE_FAILED, err)
            self.assertIn("No space left on device", err)
            self.assertEqual(err.count("\n"), 1, err)
            finished = parts()
            outcome = self.mixlab("merge", "disk/out.h5", "--partial", code=WRITE_FAILED)
            self.assertEqual(outcome.err.count("\n"), 1, outcome.err)
            self.assertEqual(parts(), finished)
            (disk / "ballast").unlink()
            self.assertEqual(self.mixlab("run", study, "-o", "disk/out.h5", "--quiet", *slowly).err, "")
            self.assert_same(whole, "disk/out.h5")


if __name__ == "__main__":
    main()
