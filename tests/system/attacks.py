#!/usr/bin/python3
"""What others may do to us: forged files, planted links and pipes, names that give orders, machines that fail.

Each class is a row of the table of attacks that once got through.
"""
import json
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import time
import unittest

import h5py
import numpy as np

from forgery import copy_folder, drop, forge, replace, write
from harness import (BAD_INPUT, DONE, PROGRAM, PROJECT, SANITIZER, WRITE_FAILED, SystemTest, main, random_source, run,
                     study_text, times, wait_until)

chance = random_source("attacks")
FAILURE = 1
FAULTS = os.environ.get("MIXLAB_FAULTS")


class AttackTest(SystemTest):
    def shards(self, out="out.h5", **changes):
        """A study whose parts are done and not merged."""
        study = self.study(**{"study_part": 10, **changes})
        for i in (0, 1):
            self.compute(study, out, "--shard", f"{i}/2")
        return study, sorted((self.folder / f"{out}.parts").glob("c*.h5"))

    def assert_refused(self, *args, words=(), code=BAD_INPUT):
        outcome = self.mixlab(*args, code=code)
        self.assertEqual(outcome.err.count("\n"), 1, outcome.err)
        for word in words:
            self.assertIn(str(word), outcome.err)
        return outcome


PART_FORGERIES = {
    "fewer_rounds": drop("round", 5),
    "fewer_sets": drop("set", 2),
    "fewer_rows": drop("trajectory", 7),
    "no_round": drop("round", 0),
    "another_set": write("set", 1, "selfnorm"),
    "another_round": write("round", 2, 4711),
    "single_precision": lambda file: replace(file, "regret", dtype="f4"),
    "unsigned": lambda file: replace(file, "first_violation", dtype="u4"),
    "regret_nan": write("regret", (3, 4), np.nan),
    "regret_infinite": write("regret", (3, 4), -np.inf),
    "p_value_nan": write("log10_p", (0, 0), np.nan),
    "p_value_of_nothing": write("horizon_log10_p", (9, 2), -np.inf),
    "ratio_infinite": write("sup_ratio", (1, 1), np.inf),
    "potential_nan": write("potential", 2, np.nan),
    "escape_after_the_end": write("first_violation", (5, 0), 61),
    "escape_before_the_start": write("first_violation", (5, 0), -2),
    "not_watched": write("first_violation", (5, 0), -1),
    "declared_below_zero": lambda file: file.attrs.modify("n_declared", np.int64(-1)),
}


class ForgedParts(AttackTest):
    def test_a_part_means_what_the_study_says(self):
        """Or it is refused, whatever its seal; a run computes it again."""
        study, parts = self.shards()
        whole = self.compute(study, "whole.h5")
        copy_folder(self.folder / "out.h5.parts", self.folder / "saved")
        for name, change in PART_FORGERIES.items():
            with self.subTest(name):
                part = chance.choice(parts)
                forge(part, change)
                self.assert_refused("merge", "out.h5", words=[part.name])
                self.assertFalse((self.folder / "out.h5").exists())
                self.assertIn("set aside", self.mixlab("run", study, "-o", "out.h5", "--quiet").err)
                self.assert_same(whole, "out.h5")
            (self.folder / "out.h5").unlink(missing_ok=True)
            copy_folder(self.folder / "saved", self.folder / "out.h5.parts")


def secret_elsewhere(file):
    """Where a file could be made to store its numbers: eight bytes each of somebody's secrets."""
    return str(os.path.join(os.path.dirname(os.path.abspath(file.filename)), "secret"))


def external_storage(file):
    data = file["potential"]
    shape, size = data.shape, data.size * 8
    scales = [axis[0] for axis in data.dims]
    del file["potential"]
    space = h5py.h5s.create_simple(shape)
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_external(secret_elsewhere(file).encode(), 0, size)
    h5py.h5d.create(file.id, b"potential", h5py.h5t.IEEE_F64LE, space, properties)
    for axis, scale in enumerate(scales):
        file["potential"].dims[axis].attach_scale(scale)


def virtual_dataset(file):
    data = file["potential"]
    layout = h5py.VirtualLayout(shape=data.shape, dtype="f8")
    layout[...] = h5py.VirtualSource(secret_elsewhere(file) + ".h5", "x", shape=data.shape)
    scales = [axis[0] for axis in data.dims]
    del file["potential"]
    file.create_virtual_dataset("potential", layout)
    for axis, scale in enumerate(scales):
        file["potential"].dims[axis].attach_scale(scale)


def external_link(file):
    del file["potential"]
    file["potential"] = h5py.ExternalLink(secret_elsewhere(file) + ".h5", "x")


def another_filter(file):
    replace(file, "potential", chunks=file["potential"].shape, fletcher32=True)


def a_group(file):
    file.create_group("more")


def another_variable(file):
    """One that no mixlab writes, over a dimension that is shorter."""
    file["aaa"] = np.arange(100000.0)
    file["aaa"].dims[0].attach_scale(file["cell"])


def another_parameter(file):
    file["noise_\x1b[2J"] = np.zeros(file["cell"].shape)
    file["noise_\x1b[2J"].dims[0].attach_scale(file["cell"])


def dimension_of_another_length(file):
    for name in ("potential", "first_bound_violation", "completed"):
        file[name].dims[1].detach_scale(file["trajectory"])
        file[name].dims[1].attach_scale(file["set"])


RESULTS_FORGERIES = {
    "more_swept": lambda file: file.attrs.create("swept", np.bytes_(b"policy.name noise.rho")),
    "no_sweep": drop("swept", 0),
    "another_variable": another_variable,
    "another_parameter": another_parameter,
    "dimension_of_another_length": dimension_of_another_length,
    "external_storage": external_storage,
    "virtual_dataset": virtual_dataset,
    "external_link": external_link,
    "another_filter": another_filter,
    "a_group": a_group,
    "another_set": write("set", 0, "selfnorm"),
    "set_twice": write("set", 0, "oful"),
    "another_round": write("round", 0, 2),
    "descending_rounds": write("round", 3, 1),
    "regret_nan": write("regret", (0, 3, 4), np.nan),
    "regret_infinite": write("regret", (0, 3, 4), np.inf),
    "p_value_nan": write("log10_p", (1, 3, 0), np.nan),
    "p_value_of_nothing": write("log10_p", (1, 3, 0), -np.inf),
    "ratio_infinite": write("sup_ratio", (1, 3, 0), np.inf),
    "completed_twice": write("completed", (0, 0), 2),
    "expected_what": write("expected", (0, 0), 3),
    "delta_zero": write("confidence_delta", 0, 0.0),
    "delta_nan": write("confidence_delta", 1, np.nan),
    "declared_below_zero": write("n_declared", 0, -7),
    "declared_above_all": write("n_declared", 1, 10**9),
    "no_horizon": write("study_horizon", 0, 0),
    "longer_horizon": write("study_horizon", 0, 10**9),
    "escape_after_the_end": write("first_violation", (0, 5, 0), 61),
}


class ForgedResults(AttackTest):
    COMMANDS = (("status",), ("export", "-o", "tables"), ("merge",), ("trace", "--cell", 0, "--trajectory", 5))

    def test_results_mean_what_their_study_says(self):
        """Nothing outside their bytes is read, nothing is judged that no study gives."""
        out = self.compute(self.study(), "out.h5")
        good = out.read_bytes()
        (self.folder / "secret").write_bytes(np.full(1000, 1234.5).tobytes())
        with h5py.File(self.folder / "secret.h5", "w") as file:
            file["x"] = np.full((2, 20), 1234.5)
        for name, change in RESULTS_FORGERIES.items():
            with self.subTest(name):
                forge(out, change)
                for command in (("check",), *chance.sample(self.COMMANDS, times(1, 4))):
                    self.assert_refused(command[0], out, *command[1:], words=[out])
                self.assertFalse((self.folder / "tables").exists())
            out.unlink()
            out.write_bytes(good)


def attribute(name, value):
    return lambda file: file.attrs.modify(name, value)


PIECE_FORGERIES = {
    "mixture": {
        "empty": drop("tilt", 0),
        "other_dimension": drop("coordinate", 1),
        "fewer_counts": lambda file: replace(file, "tilt_paths", data=file["tilt_paths"][:1]),
        "huge_counts": write("tilt_paths", 1, 2**62),
        "negative_counts": write("tilt_paths", 1, -20),
        "eta_nan": write("eta", 1, np.nan),
        "direction_infinite": write("direction", (1, 0), np.inf),
        "single_precision": lambda file: replace(file, "direction", dtype="f4"),
        "version": attribute("format_version", np.int64(7)),
    },
    "twisted": {
        "fewer_paths": drop("path", 3),
        "no_target": drop("target", 0),
        "weight_nan": write("log_weight", (0, 0), np.nan),
        "weight_infinite": write("log_weight", (0, 0), np.inf),
        "crossing_after_the_end": write("first_crossing", (0, 0), 10**6),
        "component_of_nobody": write("component", 0, 10**6),
    },
    "splitting": {
        "no_level": drop("level", 0),
        "estimate_nan": write("log_estimate", 0, np.nan),
        "estimate_infinite": write("log_estimate", 0, np.inf),
        "paths_below_zero": attribute("n_paths", np.int64(-5)),
    },
}
RARE_FORGERIES = {
    "fewer_sets": lambda file: replace(file, "set", data=np.array([], dtype=object), dtype=h5py.string_dtype()),
    "sets_are_numbers": lambda file: replace(file, "set", data=np.zeros(file["set"].shape)),
    "no_label": lambda file: file.__delitem__("label"),
    "single_precision": lambda file: replace(file, "log10_estimate", dtype="f4"),
    "version": attribute("format_version", np.int64(2)),
    "no_question": lambda file: file.attrs.__delitem__("question"),
}


class ForgedRareEvents(AttackTest):
    def rare(self, out, *options, form="json"):
        study = self.study(study_horizon=20, policy_name="linucb")
        return ("rare", study, "--only", "oful", "--method", "both", "--paths", 400, "--format", form, "--quiet",
                "-o", out, *options)

    def test_pieces_mean_what_the_question_says(self):
        """Or they are set aside and computed again."""
        good = self.mixlab(*self.rare("good.h5")).out
        self.mixlab(*self.rare("out.h5", "--shard", "0/2"))
        copy_folder(self.folder / "out.h5.parts", self.folder / "saved")
        for kind, forgeries in PIECE_FORGERIES.items():
            for name in chance.sample(list(forgeries), times(3, len(forgeries))):
                with self.subTest(f"{kind} {name}"):
                    piece = sorted((self.folder / "out.h5.parts").glob(f"{kind}-*.h5"))[0]
                    forge(piece, forgeries[name])
                    outcome = run(self.rare("out.h5"), folder=self.folder)
                    if name == "version":
                        self.assertEqual(outcome.code, BAD_INPUT, outcome.err)
                    else:
                        self.assertEqual((outcome.code, outcome.out), (DONE, good), outcome.err)
                        self.assertIn(f"{piece.name}.damaged", outcome.err)
                (self.folder / "out.h5").unlink(missing_ok=True)
                copy_folder(self.folder / "saved", self.folder / "out.h5.parts")

    def test_estimates(self):
        self.mixlab(*self.rare("good.h5"))
        for name, change in RARE_FORGERIES.items():
            with self.subTest(name):
                shutil.copy(self.folder / "good.h5", self.folder / "out.h5")
                forge(self.folder / "out.h5", change)
                self.assert_refused(*self.rare("out.h5"), words=["out.h5"])

    def test_words(self):
        self.mixlab(*self.rare("out.h5"))

        def change(file):
            for name in ("set", "label", "why", "method"):
                file[name][0] = "\x1b[2J\x9b31m"

        forge(self.folder / "out.h5", change)
        for form in ("table", "csv", "json"):
            said = self.mixlab(*self.rare("out.h5", form=form)).out
            self.assertNotRegex(said, "[\x00-\x08\x0b-\x1f\x7f-\x9f]")

    def test_planted_in_the_folder_of_pieces(self):
        self.mixlab(*self.rare("out.h5", "--shard", "0/2"))
        piece = sorted((self.folder / "out.h5.parts").glob("twisted-*.h5"))[0]
        piece.rename(self.folder / "elsewhere.h5")
        for plant in (lambda: piece.symlink_to(self.folder / "elsewhere.h5"), lambda: os.mkfifo(piece)):
            plant()
            self.assert_refused(*self.rare("out.h5"), words=[piece.name])
            piece.unlink()

    def test_leftovers(self):
        """What a killed process left goes with the next; what it had finished stays."""
        dead = subprocess.Popen(["true"])
        dead.wait()
        self.mixlab(*self.rare("out.h5", "--shard", "0/2"))
        pieces = self.folder / "out.h5.parts"
        copy_folder(pieces, self.folder / "saved")
        owner = f"{socket.gethostname()}.{dead.pid}"
        (pieces / f"splitting-c0000-oful-1.h5.tmp.{owner}").write_text("half")
        (self.folder / f"out.h5.tmp.{owner}").write_text("half")
        good = self.mixlab(*self.rare("out.h5")).out
        self.assertEqual([path.name for path in self.folder.rglob("*.tmp.*")], [])
        self.assertFalse(pieces.exists())
        copy_folder(self.folder / "saved", pieces)  # as if it had been killed before it could remove them
        (pieces / f"splitting-c0000-oful-1.h5.tmp.{owner}").write_text("half")
        self.assertEqual(self.mixlab(*self.rare("out.h5")).out, good)
        self.assertFalse(pieces.exists())


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


class TablesOfNumbers(AttackTest):
    """A first line is a header only if nothing in it looks like a number."""

    def plan(self, text, code):
        (self.folder / "arms.csv").write_text(text)
        return self.mixlab("plan", self.study(problem_arms="file:arms.csv"), code=code)

    def test_arms(self):
        for text in ("1x,0\n0,1\n0.6,0.8\n", "nan,0\n0,1\n", "inf 0\n0 1\n", "x,0\n0,1\n", "1,0\nx,y\n0,1\n",
                     "-.5y z\n0 1\n", "# mine\n0,1x\n0,1\n", "0;0,5\n0;1\n", "1,0\n0,nan\n", "1,0\n0,1e999\n"):
            with self.subTest(text):
                self.assertIn("arms.csv:", self.plan(text, BAD_INPUT).err)

    def test_good_arms(self):
        for text in ("x,y\n1,0\n0,1\n", "# mine\n\nfirst second\n1 0\n0 1\n", "1;0\n0;1\n", "\ufeffx,y\n1,0\n0,1\n",
                     "\ufeff1,0\n0,1\n"):
            with self.subTest(text):
                self.plan(text, DONE)

    def test_replay(self):
        for text in ("nan\n1\n2\n3\n", "1\n2\ninf\n", "0,5\n"):
            (self.folder / "series.csv").write_text(text)
            study = self.study(noise_process="replay", noise_rho=None, noise_file="series.csv", noise_proxy=2)
            self.assertIn("series", self.mixlab("plan", study, code=BAD_INPUT).err)


class SharedFolder(AttackTest):
    """In a folder where others write: nothing of theirs is overwritten, followed or waited for."""

    def setUp(self):
        super().setUp()
        self.target = self.folder / "target"
        self.target.write_text("somebody's thesis")
        self.addCleanup(lambda: self.assertEqual(self.target.read_text(), "somebody's thesis"))

    def assert_quick(self, process, seconds=20):
        try:
            out, err = process.communicate(timeout=seconds)
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

    def test_our_own_links_are_fine(self):
        (self.folder / "disk").mkdir()
        (self.folder / "out.h5").symlink_to("disk/real.h5")
        self.compute(self.study(), "out.h5")
        self.assertTrue((self.folder / "out.h5").is_symlink())
        self.mixlab("check", "out.h5")

    @unittest.skipUnless(os.getuid() == 0 and shutil.which("unshare"), "needs root, to number processes anew")
    def test_two_containers_of_one_name(self):
        study = self.study(study_trajectories=40, study_horizon=3000, study_part=1)
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


class WordsOfStrangers(AttackTest):
    """Control characters from files and studies are shown, never obeyed."""
    ORDERS = "\x1b]0;mine\x07\x1b[2J\x9b31m\x7f\x08"

    def assert_plain(self, text):
        bad = [c for c in text if (ord(c) < 32 and c not in "\n\t") or 127 <= ord(c) < 160]
        self.assertEqual(bad, [], text)

    def test_studies_are_text(self):
        study = self.study(study_title="a" + self.ORDERS)
        for command in ("plan", "run"):
            self.assert_plain(self.assert_refused(command, study, words=["control character", r"\x1b"]).err)
        self.assert_refused("plan", self.study(), "--set", "study.title=\x1b[2J", words=["control character"])
        (self.folder / "returns.cfg").write_bytes(study_text().replace("\n", "\r\n").encode())
        self.mixlab("plan", "returns.cfg")
        (self.folder / "marked.cfg").write_text("\ufeff" + study_text())
        self.mixlab("plan", "marked.cfg")

    def test_stored_words(self):
        out = self.compute(self.study(), "out.h5")
        orders = self.ORDERS

        def change(file):
            for name in ("title", "study", "study_file", "runs"):
                text = file.attrs[name] if isinstance(file.attrs[name], str) else file.attrs[name].decode()
                text = text.replace("title = study", "title = " + orders) + (orders if name != "study" else "")
                file.attrs.create(name, np.bytes_(text.encode()))
            for name in ("label", "caveat"):
                file[name][0] = orders

        forge(out, change)
        for args in (("check", out), ("check", out, "--format", "csv"), ("check", out, "--format", "json"),
                     ("status", out), ("trace", out, "--cell", 0, "--trajectory", 0), ("export", out, "-o", "tables"),
                     ("diff", out, out), ("merge", out), ("run", out)):
            outcome = run(args, folder=self.folder)
            self.assert_plain(outcome.out + outcome.err)
        for table in (self.folder / "tables").glob("*.csv"):
            self.assert_plain(table.read_text())

    def test_names_of_files(self):
        self.assert_plain(self.mixlab("check", "\x1b[2Jx.h5", code=BAD_INPUT).err)


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
            process = subprocess.Popen([PROGRAM, "report", self.out], cwd=self.folder, env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until(lambda: len((self.folder / "pids").read_text().split()) >= 2)
            time.sleep(0.7)
            process.send_signal(getattr(signal, name))
            process.wait()
            pid = int((self.folder / "pids").read_text().split()[-1])
            wait_until(lambda: not is_running(pid), 15)
            (self.folder / "pids").write_text("")

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


class Leftovers(AttackTest):
    def test_of_export_and_report(self):
        out = self.compute(self.study(), "out.h5")
        dead = subprocess.Popen(["true"])
        dead.wait()
        process = self.start("run", self.study("long.cfg", study_trajectories=10**5, study_horizon=10**4), "-o",
                             "long.h5", "--quiet")
        wait_until(lambda: list(self.folder.rglob("c0*.tmp.*")))
        owner = next(self.folder.rglob("c0*.tmp.*")).name.split(".tmp.")[1]
        process.kill()
        process.wait()
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


class Numbers(AttackTest):
    """At the edge of what doubles hold: refused with the range, or right."""

    def test_regularisation(self):
        for key in ("confidence_lambda", "policy_lambda"):
            for value in ("1e308", "1e-308", "1e13", "1e-13", "inf"):
                with self.subTest(f"{key} = {value}"):
                    self.assert_refused("plan", self.study(**{key: value}), words=[key.replace("_", "."), value])
            self.compute(self.study(**{key: "1e9"}), f"{key}.h5")
        for changes in ({"noise_sigma": "1e-300"}, {"problem_norm_bound": "1e-200", "problem_theta_norm": None},
                        {"noise_sigma": "1e-9", "problem_norm_bound": "1e9"}):
            self.assertIn(BAD_INPUT, [run(("plan", self.study(**changes)), folder=self.folder).code])

    def test_large_lambda_is_computed_right(self):
        study = self.study(study_trajectories=300, confidence_lambda="1e12", confidence_monitor="oful", noise_rho=0,
                           problem_theta_norm=1)
        out = self.compute(study, "out.h5")
        self.assertIn("AS EXPECTED: oful certified in cells 0-1", self.mixlab("check", out).out)

    def test_levels(self):
        out = self.compute(self.study(), "out.h5")
        for option, value in (("--alpha", "5e-324"), ("--alpha", "1e-300"), ("--alpha", "nan"), ("--delta", "5e-324"),
                              ("--delta", "1e-310")):
            self.assert_refused("check", out, option, value, words=[option])
        self.assert_refused("plan", self.study(confidence_delta="1e-310"), words=["confidence.delta"])

    ABSURD = ("nan", "-nan", "inf", "-inf", "0", "-0", "-1", "1e308", "-1e308", "1e-308", "5e-324", "1e999", "1e18",
              "9223372036854775807", "9223372036854775808", "-9223372036854775808", "0x10", "1,,2", ",", "0:1:0",
              "1:0:-1", "0:1:1e-300", "log 0:1:5", "", "=", "~", "file:", "file:/", "circle:0", "circle:1e18", "\u202e",
              "a" * 10000, "%n%s", "$(touch executed)", "../../../etc/passwd", "[study]", "paper " * 1000)

    def keys(self):
        """Every key that a study may have, as the program lists them."""
        sections = ("study", "problem", "noise", "policy", "confidence")
        return [f"{section}.{key}" for section in sections
                for key in re.findall("^  ([a-zA-Z_]+)  ", self.mixlab("describe", section).out, re.M)] + [
            "noise.rho", "noise.file", "expect.paper"]

    def test_absurd_values(self):
        """Of any key: a word and exit code 2, or a study that can be run; at once, and in little memory."""
        keys = self.keys()
        self.assertGreater(len(keys), 20)
        study = self.study(study_trajectories=2, study_horizon=20)
        for _ in range(times(25, 2000)):
            sets = [f"{chance.choice(keys)}={chance.choice(self.ABSURD)}" for _ in range(chance.choice((1, 1, 2)))]
            with self.subTest(sets):
                args = ("plan", study, *(word for each in sets for word in ("--set", each)))
                process = self.start(*args, stderr=subprocess.PIPE)
                err = process.communicate(timeout=30)[1].decode()
                self.assertIn(process.returncode, (DONE, BAD_INPUT), err)
                if process.returncode == BAD_INPUT:
                    self.assertRegex(err, r"^mixlab: [^\n]+\n")
                elif not any("trajectories" in each or "horizon" in each or "dimension" in each for each in sets):
                    outcome = run(("run", *args[1:], "-o", "out.h5", "--quiet"), folder=self.folder)
                    self.assertIn(outcome.code, (DONE, BAD_INPUT), outcome.err)
                    for path in self.folder.glob("out.h5*"):
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
        self.assertFalse((self.folder / "executed").exists())

    def test_a_million_cells(self):
        sweep = ", ".join(str(i / 10**4) for i in range(1, 1001))
        study = self.study(noise_rho=sweep, confidence_delta=sweep)
        start = time.monotonic()
        self.assert_refused("plan", study, words=["cells"])
        self.assertLess(time.monotonic() - start, 30 if SANITIZER else 10)

    def test_bad_instruction_set_leaves_nothing(self):
        study = self.study()
        before = self.files()
        outcome = run(("run", study, "-o", "out.h5"), folder=self.folder, environment={"MIXLAB_ISA": "mmx"})
        self.assertEqual(outcome.code, BAD_INPUT, outcome.err)
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    main()
