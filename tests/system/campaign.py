#!/usr/bin/python3
"""A campaign of random attacks: signals, failing calls, files with a good seal that no mixlab wrote.

Nothing is lost, no number is wrong, nothing crashes, nothing hangs. The test suite has a skirmish; tests/soak has 2000
of each, and $ATTACKS as many as one likes. Each attack has a seed of its own, which a failure names.
"""
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import h5py
import numpy as np

from forgery import SEAL_SIZE, drop, forge, replace, sealed
from harness import DONE, INTERRUPTED, WORK_LEFT, WRITE_FAILED, SystemTest, main, random_source, run, times

chance = random_source("campaign")
FAULTS = os.environ.get("MIXLAB_FAULTS")
LONGEST = 60  # seconds that any command may take
CODES = {DONE, 1, 2, 3, WRITE_FAILED, WORK_LEFT, INTERRUPTED}


def attacks(short):
    """How many: few in the test suite, 2000 in tests/soak, or what $ATTACKS says."""
    return int(os.environ.get("ATTACKS") or times(short, 2000))


class Campaign(SystemTest):
    def setUp(self):
        super().setUp()
        self.cfg = self.study(study_trajectories=24, study_part=6, study_horizon=20, study_checkpoints=6)
        self.whole = self.compute(self.cfg, "whole.h5")
        for i in (0, 1):
            self.compute(self.cfg, "shards.h5", "--shard", f"{i}/2")
        self.verdict = run(("check", "whole.h5", "--format", "json"), folder=self.folder).out
        rare = ("rare", self.cfg, "--cell", 0, "--only", "oful", "--paths", 400, "--method", "both", "--format", "json",
                "--quiet", "-o")
        self.estimates = self.mixlab(*rare, "rare.h5").out
        self.mixlab(*rare, "pieces.h5", "--shard", "0/2")
        self.rare = (*rare, "out-rare.h5")

    def fresh(self, state):
        """OUT.h5 as it is before anything, half done, all done but not merged, or merged."""
        for path in self.folder.glob("out*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if state in ("half", "parts"):
            shutil.copytree(self.folder / "shards.h5.parts", self.folder / "out.h5.parts")
        if state == "half":
            for part in sorted((self.folder / "out.h5.parts").glob("c*.h5"))[::2]:
                part.unlink()
        if state == "merged":
            shutil.copy(self.whole, self.folder / "out.h5")
        if state == "rare half":
            shutil.copytree(self.folder / "pieces.h5.parts", self.folder / "out-rare.h5.parts")
        if state == "rare done":
            shutil.copy(self.folder / "rare.h5", self.folder / "out-rare.h5")

    COMMANDS = {"new": ["run"], "half": ["run", "status", "clean", "partial"], "parts": ["run", "merge", "clean"],
                "merged": ["run", "check", "export", "status", "clean", "trace", "diff", "merge"],
                "rare half": ["rare"], "rare done": ["rare"]}

    def words(self, command):
        return {"run": ("run", self.cfg, "-o", "out.h5", "--quiet"), "merge": ("merge", "out.h5"),
                "partial": ("merge", "out.h5", "--partial"), "clean": ("clean", "out.h5"),
                "status": ("status", "out.h5"), "check": ("check", "out.h5", "--format", "json"),
                "export": ("export", "out.h5", "-o", "out-tables"), "diff": ("diff", "out.h5", "whole.h5"),
                "trace": ("trace", "out.h5", "--cell", 1, "--trajectory", 7), "rare": self.rare}[command]

    def parts(self):
        return {path.name: path.read_bytes() for path in self.folder.glob("out*.parts/*.h5")}

    def assert_nothing_lost(self, before, what):
        """Parts that were there are there, or their rows are merged; then all is finished to the same bits."""
        aside = [path.name for path in self.folder.rglob("*.damaged")]
        self.assertEqual(aside, [], f"{what}: a good part was set aside")
        after = self.parts()
        if not any((self.folder / name).exists() for name in ("out.h5", "out-rare.h5")):
            lost = [name for name, data in before.items() if after.get(name) != data]
            self.assertEqual(lost, [], f"{what}: parts were lost")
        is_rare = "rare" in what
        outcome = run(self.words("rare" if is_rare else "run"), folder=self.folder)
        self.assertEqual((outcome.code, outcome.err), (DONE, ""), what)
        if is_rare:
            self.assertEqual(json.loads(outcome.out), json.loads(self.estimates), what)
        else:
            self.assert_same(self.whole, "out.h5")
            run(("clean", "out.h5"), folder=self.folder)
        left = [str(path) for path in self.folder.rglob("*") if ".tmp." in path.name or path.name.endswith(".parts")
                and path.name.startswith("out")]
        self.assertEqual(left, [], f"{what}: leftovers")

    def choose(self, dice):
        pairs = [(state, command) for state, commands in self.COMMANDS.items() for command in commands]
        state, command = dice.choice(pairs)
        self.fresh(state)
        return state, command

    def duration(self, state, command):
        """Seconds that the command takes when nobody disturbs it."""
        if (state, command) not in self.durations:
            start = time.monotonic()
            run(self.words(command), folder=self.folder)
            self.durations[state, command] = time.monotonic() - start
            self.fresh(state)
        return self.durations[state, command]

    def test_signals(self):
        numbers = [getattr(signal, f"SIG{name}") for name in ("KILL", "TERM", "INT", "USR1", "STOP", "HUP")]
        n_met = 0
        self.durations = {}
        for _ in range(attacks(12)):
            seed = chance.randrange(2**32)
            dice = random.Random(seed)
            state, command = self.choose(dice)
            number = dice.choice(numbers)
            what = f"seed {seed}: {signal.Signals(number).name} to {command} of {state}"
            moment = dice.uniform(0, 1.1) * self.duration(state, command)
            before = self.parts()
            process = self.start(*self.words(command), stderr=subprocess.PIPE)
            time.sleep(moment)
            n_met += process.poll() is None
            process.send_signal(number)
            if number == signal.SIGSTOP:
                time.sleep(dice.uniform(0, 0.05))
                process.send_signal(signal.SIGCONT)
            try:
                process.communicate(timeout=LONGEST)
            except subprocess.TimeoutExpired:
                self.fail(f"{what}: hangs")
            self.assertIn(process.returncode, CODES | {-number}, what)
            self.assert_nothing_lost(before, what)
        print(f"signals: {n_met} met a command at work")

    # How many of each a command makes, about.
    CALLS = {"open": 10, "read": 20, "pread": 30, "write": 5, "pwrite": 20, "fsync": 10, "rename": 5, "unlink": 5,
             "fstat": 10, "stat": 20, "lstat": 10, "statvfs": 1, "mkdir": 1, "rmdir": 1, "link": 1, "readlink": 2,
             "opendir": 5, "readdir": 20, "close": 20, "pipe": 2, "fork": 2, "poll": 3, "waitpid": 2, "ftruncate": 3,
             "flock": 1, "getrandom": 5, "thread": 1, "any": 100}
    ERRNOS = ("EIO", "ESTALE", "ENOSPC", "EDQUOT", "EMFILE", "ENFILE", "ENOMEM", "EACCES", "EROFS", "EINTR", "EAGAIN",
              "EPERM", "ENOENT", "ETIMEDOUT")

    @unittest.skipUnless(FAULTS, "no library of faults for this build")
    def test_faults(self):
        n_met = 0
        deck = list(itertools.product(self.CALLS, self.ERRNOS))  # each with each, before any comes again
        chance.shuffle(deck)
        for call, errno in itertools.islice(itertools.cycle(deck), attacks(20)):
            seed = chance.randrange(2**32)
            dice = random.Random(seed)
            state, command = self.choose(dice)
            fault = f"fail:{call}:{errno}:{1 + int(dice.expovariate(1 / self.CALLS[call]))}"
            what = f"seed {seed}: {fault} in {command} of {state}"
            before = self.parts()
            outcome = run(self.words(command), folder=self.folder,
                          environment={"LD_PRELOAD": FAULTS, "MIXLAB_FAULT": fault})
            self.assertIn(outcome.code, CODES, f"{what}\n{outcome.err}")
            if outcome.code not in (DONE, WORK_LEFT):
                n_met += 1
                self.assertRegex(outcome.err, r"(mixlab|libgomp): .+\n", what)
            if command == "check" and outcome.code in (DONE, 3):
                self.assertEqual(outcome.out.replace("out.h5", "whole.h5"), self.verdict, what)
            self.assert_nothing_lost(before, what)
        print(f"faults: {n_met} made a command fail")

    VICTIMS = {"parts": "out.h5.parts/c*.h5", "merged": "out.h5", "rare half": "out-rare.h5.parts/*.h5",
               "rare done": "out-rare.h5"}

    def test_forgeries(self):
        counts = {"refused": 0, "taken": 0}
        for _ in range(attacks(12)):
            seed = chance.randrange(2**32)
            dice = random.Random(seed)
            state = dice.choice(list(self.VICTIMS))
            self.fresh(state)
            victim = dice.choice(sorted(self.folder.glob(self.VICTIMS[state])))
            what = f"seed {seed}: {mutate(victim, dice)} in {victim.name}"
            held = contents(victim) if state == "parts" else None
            if state == "parts" and self.count(counts, self.forged("merge", what)) == DONE:
                self.assert_taken_as_held(victim, held, what)
            for command in self.COMMANDS[state]:  # run may have put the part aside: what is merged then is ours again
                self.count(counts, self.forged(command, what))
        print(f"forgeries: {counts}")

    @staticmethod
    def count(counts, outcome):
        counts["taken" if outcome.code in (DONE, 3) else "refused"] += 1
        return outcome.code

    def forged(self, command, what):
        start = time.monotonic()
        shutil.rmtree(self.folder / "out-tables", ignore_errors=True)
        outcome = run(self.words(command), folder=self.folder)
        self.assertIn(outcome.code, (DONE, 2, 3, WORK_LEFT), f"{what}, {command}\n{outcome.err}")
        self.assertNotIn("Sanitizer", outcome.err, f"{what}, {command}")
        self.assertLess(time.monotonic() - start, LONGEST, f"{what}, {command}")
        return outcome

    def assert_taken_as_held(self, victim, held, what):
        """What was merged is what the part holds, number by number."""
        cell, first, last = (int(word) for word in victim.name[1:-3].split("-"))
        with h5py.File(self.folder / "out.h5") as merged:
            for name, values in held.items():
                np.testing.assert_array_equal(merged[name][cell, first:last + 1], values, f"{what}: {name}")


ROW_COLUMNS = ("regret", "first_violation", "log10_p", "horizon_log10_p", "sup_ratio", "potential",
               "first_bound_violation")


def contents(part):
    """The rows of a part as another reader sees them, if it can."""
    try:
        with h5py.File(part) as file:
            return {name: file[name][()] for name in ROW_COLUMNS}
    except (OSError, KeyError, ValueError, RuntimeError):
        return {}


def mutate(path, dice):
    """Change a sealed file and seal it again; says how."""
    kind = dice.choice(("bytes", "value", "shape", "type", "attribute", "missing", "link"))
    if kind == "bytes":
        image = bytearray(path.read_bytes()[:-SEAL_SIZE])
        places = [dice.randrange(len(image)) for _ in range(dice.randrange(1, 9))]
        for at in places:
            image[at] = dice.randrange(256)
        path.unlink()
        path.write_bytes(sealed(bytes(image)))
        return f"bytes {places}"
    words = [kind]

    def change(file):
        names = [name for name, data in file.items() if data.size]
        name = dice.choice(names)
        words.append(name)
        data = file[name]
        if kind == "value":
            at = tuple(dice.randrange(n) for n in data.shape)
            special = (np.nan, np.inf, -np.inf, 0.0, -1.0, 1e308, 5e-324, 3.0) if data.dtype.kind == "f" else (
                0, 1, 2, 255) if data.dtype.kind == "u" else (-2**31, -2, -1, 0, 1, 61, 2**31 - 1)
            data[at] = "\x1b[2J" if data.dtype.kind == "O" else dice.choice(special)
        elif kind == "shape":
            dimension = dice.choice([n for n, found in file.items() if h5py.h5ds.is_scale(found.id)])
            words.append(dimension)
            drop(dimension, dice.randrange(file[dimension].shape[0]))(file)
        elif kind == "type":
            if data.dtype.kind in "fiu" and not h5py.h5ds.is_scale(data.id):
                replace(file, name, dtype=dice.choice(("f4", "f8", "i2", "i8", "u1", ">f8")))
        elif kind == "attribute":
            key = dice.choice(list(file.attrs))
            words.append(key)
            if dice.random() < 0.3:
                del file.attrs[key]
            else:
                file.attrs[key] = dice.choice((np.bytes_(b"\x1b[31m"), np.int64(-1), np.int64(2**62), 0.5, "text"))
        elif kind == "missing":
            del file[name]
        else:
            del file[name]
            file[name] = dice.choice((h5py.SoftLink("/nothing"), h5py.SoftLink(f"/{name}"),
                                      h5py.ExternalLink("whole.h5", f"/{name}"), h5py.ExternalLink("/etc/passwd", "/")))

    try:
        forge(path, change)
    except (OSError, RuntimeError, ValueError, LookupError, TypeError):  # h5py would not: leave the file as it was
        Path(f"{path}.image").unlink(missing_ok=True)
    return " ".join(words)


if __name__ == "__main__":
    main()
