#!/usr/bin/python3
"""Whatever interrupts a run, running it again completes it to the same bits and computes nothing twice."""
import contextlib
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

from harness import (SOAK, BAD_INPUT, DONE, INTERRUPTED, SANITIZER, WORK_LEFT, WRITE_FAILED, SystemTest,
                     flip_byte, main, random_source, run, signals, smaller, stored, times, wait_until)

chance = random_source("crash")
FAULTS = os.environ.get("MIXLAB_FAULTS")
PROMPT = 20 if SANITIZER else 2  # seconds that a stop may take


class CrashTest(SystemTest):
    def parts(self, out="out.h5"):
        """Finished parts: name -> (inode, time of the last change)."""
        found = {}
        for path in (self.folder / f"{out}.parts").glob("c*-*-*.h5"):
            with contextlib.suppress(FileNotFoundError):  # a run that is done has merged it
                status = path.stat()
                found[path.name] = (status.st_ino, status.st_mtime_ns)
        return found

    def assert_kept(self, before, after):
        changed = [name for name, identity in before.items() if after.get(name) != identity]
        self.assertEqual(changed, [], "parts computed before the stop were computed again or lost")

    def temporaries(self):
        return [str(path) for path in self.folder.rglob("*.tmp.*")]

    def assert_no_temporaries(self):
        self.assertEqual(self.temporaries(), [])


class Kill(CrashTest):
    def test_kill_while_running(self):
        study = self.study(study_trajectories=times(120, 4800), study_horizon=smaller(20000), study_part=times(2, 8),
                           study_checkpoints=64)
        command = ("run", study, "-o", "out.h5", "--quiet")
        n_killed, kept = 0, {}
        for _ in range(times(10, 200)):
            process = self.start(*command)
            # Some parts later, or while it starts, and anywhere from there: on a machine as slow as may be.
            wanted = len(kept) + chance.randrange(3)
            wait_until(lambda: len(self.parts()) >= wanted or process.poll() is not None)
            time.sleep(chance.uniform(0, 0.04))
            process.kill()
            n_killed += process.wait() == -signal.SIGKILL
            now = self.parts()
            if (self.folder / "out.h5").exists():
                break
            self.assert_kept(kept, now)
            kept = now
        print(f"killed {n_killed} times while running")
        self.assertGreaterEqual(n_killed, times(5, 200), "the study is too short to be killed")
        self.assertTrue(kept, "no part was finished before the kills")
        self.mixlab(*command)
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")
        self.assertFalse((self.folder / "out.h5.parts").exists())
        self.assert_no_temporaries()

    def test_kill_while_merging(self):
        study = self.study(study_trajectories=300, study_horizon=12, study_part=2)
        for i in (0, 1):
            self.compute(study, "out.h5", "--shard", f"{i}/2")
        shutil.copytree(self.folder / "out.h5.parts", self.folder / "copy.h5.parts")
        started = time.monotonic()
        self.mixlab("merge", "copy.h5")
        duration = time.monotonic() - started
        shutil.copytree(self.folder / "out.h5.parts", self.folder / "saved")
        n_killed = 0
        for _ in range(times(5, 200)):
            if not (self.folder / "out.h5.parts").exists():  # the last one was too fast for us: again
                (self.folder / "out.h5").unlink()
                shutil.copytree(self.folder / "saved", self.folder / "out.h5.parts")
            process = self.start("merge", "out.h5")
            time.sleep(chance.uniform(0.1, 0.9) * duration)
            process.kill()
            n_killed += process.wait() == -signal.SIGKILL
            self.assertIn(self.start("status", "out.h5").wait(60), (DONE, WORK_LEFT))
        print(f"killed {n_killed} times while merging")
        if n_killed == 0:
            self.skipTest("every merge ended before it was killed")
        self.mixlab("merge", "out.h5")
        self.assert_same("copy.h5", "out.h5")
        self.mixlab("status", "out.h5")
        self.assert_no_temporaries()

    def test_temporaries_of_the_dead_are_removed(self):
        dead = subprocess.Popen(["true"])
        dead.wait()
        host = socket.gethostname()
        study = self.study(study_part=5)

        def leftovers(out, owner):
            return [self.folder / f"{name}.tmp.{owner}" for name in (out, f"{out}.parts/c0000-000005-000009.h5")]

        for command in (("run", study, "--quiet", "-o"), ("merge",)):
            out = f"{command[0]}.h5"
            with self.subTest(command[0]):
                for i in (0, 1):
                    self.compute(study, out, "--shard", f"{i}/2")
                remove = leftovers(out, f"{host}.{dead.pid}")
                keep = leftovers(out, f"{host}.{os.getpid()}")
                keep.append(self.folder / f"other.h5.tmp.{host}.{dead.pid}")
                # Of another machine: whether its process lives cannot be seen from here, but all parts are merged.
                for paths, path in zip((keep, remove), leftovers(out, f"another-{host}.{dead.pid}")):
                    paths.append(path)
                for path in remove + keep:
                    path.write_text("half written")
                self.mixlab(*command, out)
                self.assertEqual([path.name for path in remove if path.exists()], [])
                self.assertEqual([path.name for path in keep if not path.exists()], [])


@unittest.skipUnless(FAULTS, "no library of faults for this build")
class Faults(CrashTest):
    """Every n-th change of the file system kills the program, is done by half before that, or finds the disk full."""

    def setUp(self):
        super().setUp()
        self.cfg = self.study(study_trajectories=300, study_part=150, study_horizon=12)  # parts of several blocks
        self.whole = self.compute(self.cfg, "whole.h5")
        self.n_parts = 4
        for i in (0, 1):
            self.compute(self.cfg, "shards.h5", "--shard", f"{i}/2")

    def fresh(self, command):
        """The folder as it is before the command."""
        for path in self.folder.glob("out.h5*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        if command == "merge":
            shutil.copytree(self.folder / "shards.h5.parts", self.folder / "out.h5.parts")
            return ("merge", "out.h5")
        return ("run", self.cfg, "-o", "out.h5", "--quiet", "--threads", 1)

    def fault(self, command, kind, n):
        """True if the command met the fault."""
        words = self.fresh(command)
        outcome = run(words, folder=self.folder,
                      environment={"LD_PRELOAD": FAULTS, "MIXLAB_FAULT": f"{kind}:{n}"})
        if kind == "full" and outcome.code != DONE:
            self.assertEqual(outcome.code, WRITE_FAILED, f"{kind}:{n}\n{outcome.err}")
            self.assertEqual(len(outcome.err.splitlines()), 1, outcome.err)
            self.assertIn("No space left on device", outcome.err)
        elif kind != "full" and outcome.code != -signal.SIGKILL:
            self.assertEqual(outcome.code, DONE, outcome.err)
            return False
        kept, merged = self.parts(), (self.folder / "out.h5").exists()
        if command == "merge" and not merged:
            self.assertEqual(len(kept), self.n_parts)
        finished = self.mixlab(*words)
        self.assertNotIn("set aside", finished.err, "a part that was acknowledged is damaged")
        self.assert_same(self.whole, "out.h5")
        if command == "run" and kept and not merged:
            second_run = stored(self.folder / "out.h5")[1]["runs"].split(" started ")[2:]
            computed = sum(int(count) for count in re.findall(r"ended.* parts=(\d+)", "".join(second_run)))
            self.assertEqual(computed, self.n_parts - len(kept), "a finished part was computed again")
        self.assert_no_temporaries()
        self.assertFalse((self.folder / "out.h5.parts").exists())
        return outcome.code != DONE

    def walk(self, command, kind):
        points = itertools.count(1) if SOAK else [chance.randrange(1, 20), *sorted(chance.sample(range(20, 100), 3))]
        n_met = n_in_vain = 0  # a write that fails may do no harm; many in a row lie beyond the end
        for n in points:
            met = self.fault(command, kind, n)
            n_met += met
            n_in_vain = 0 if met else n_in_vain + 1
            if n_in_vain == 20:
                break
        print(f"{command}: {n_met} faults of kind {kind}")
        self.assertGreater(n_met, 0)


for command in ("run", "merge"):
    for kind in ("kill", "torn", "full"):
        setattr(Faults, f"test_{kind}_while_{command}",
                lambda self, command=command, kind=kind: self.walk(command, kind))


class Stop(CrashTest):
    def test_stops_keep_parts_and_resume_to_the_same_bits(self):
        study = self.study(study_trajectories=120, study_horizon=smaller(30000), study_part=1)
        command = ("run", study, "-o", "out.h5")
        for name, code in (("SIGTERM", WORK_LEFT), ("SIGUSR1", WORK_LEFT), ("SIGINT", INTERRUPTED)):
            with self.subTest(name):
                before = self.parts()
                process = self.start(*command, stderr=subprocess.PIPE)
                wait_until(lambda: len(self.parts()) >= len(before) + 4)
                self.mixlab("status", "out.h5", code=WORK_LEFT)
                process.send_signal(getattr(signal, name))
                _, message = process.communicate(timeout=PROMPT)
                self.assertEqual(process.returncode, code)
                self.assertIn(b"run the same command again", message)
                self.assert_kept(before, self.parts())
        self.mixlab(*command)
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_max_time(self):
        study = self.study(study_trajectories=1000, study_horizon=20000, study_part=1)
        started = time.monotonic()
        outcome = self.mixlab("run", study, "-o", "out.h5", "--max-time", "0.5s", code=WORK_LEFT)
        self.assertLess(time.monotonic() - started, 0.5 + PROMPT)
        self.assertIn("--max-time", outcome.err)
        before = self.parts()
        self.assertTrue(before)
        self.mixlab("run", study, "-o", "out.h5", "--max-time", "0:00:01", "--quiet", code=WORK_LEFT)
        after = self.parts()
        self.assert_kept(before, after)
        self.assertGreater(len(after), len(before))

    def test_prompt_in_a_long_trajectory(self):
        study = self.study(study_trajectories=1000, study_horizon=1000000)
        for name, code in (("SIGTERM", WORK_LEFT), ("SIGUSR1", WORK_LEFT), ("SIGINT", INTERRUPTED)):
            with self.subTest(name):
                process = self.start("run", study, "-o", "out.h5", "--quiet")
                wait_until(lambda: (self.folder / "out.h5.parts" / "runs.log").exists())
                time.sleep(0.2)
                process.send_signal(getattr(signal, name))
                self.assertEqual(process.wait(PROMPT), code)

    def test_half_a_part_leaves_nothing(self):
        study = self.study(study_trajectories=40000, study_horizon=30000, study_part=40000, policy_name="linucb")
        for name, code in (("SIGTERM", WORK_LEFT), ("SIGINT", INTERRUPTED)):
            with self.subTest(name):
                process = self.start("run", study, "-o", "out.h5", "--quiet")
                wait_until(lambda: list(self.folder.rglob("c0*.tmp.*")))  # of a part, not of the study beside it
                self.mixlab("status", "out.h5", code=WORK_LEFT)
                process.send_signal(getattr(signal, name))
                self.assertEqual(process.wait(PROMPT), code)
                self.assert_no_temporaries()
                self.assertEqual(self.parts(), {})

    def test_prompt_while_merging(self):
        study = self.study(study_trajectories=smaller(40000), study_horizon=100, study_checkpoints=100,
                           study_part=smaller(8192))
        for shard in range(2):
            self.compute(study, "out.h5", "--shard", f"{shard}/2")
        before = self.parts()
        for command in (("merge", "out.h5"), ("run", study, "-o", "out.h5")):
            for name, code in (("SIGTERM", WORK_LEFT), ("SIGUSR1", WORK_LEFT), ("SIGINT", INTERRUPTED)):
                with self.subTest(f"{name} while {command[0]} merges"):
                    process = self.start(*command, stderr=subprocess.PIPE)
                    wait_until(lambda: self.temporaries() or process.poll() is not None)
                    process.send_signal(getattr(signal, name))
                    _, message = process.communicate(timeout=PROMPT)
                    self.assertEqual(process.returncode, code)
                    self.assertIn(b"run the same command again", message)
                    self.assertEqual(self.temporaries(), [])
                    self.assert_kept(before, self.parts())
        self.mixlab("merge", "out.h5")
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_stopped_trace(self):
        study = self.study(study_trajectories=10, study_horizon=20000000)
        for name, code in (("SIGTERM", WORK_LEFT), ("SIGINT", INTERRUPTED)):
            with self.subTest(name):
                process = self.start("trace", study, "--cell", 0, "--trajectory", 0)
                wait_until(lambda: getattr(signal, name) in signals(process, "SigCgt"))
                time.sleep(0.2)
                process.send_signal(getattr(signal, name))
                self.assertEqual(process.wait(PROMPT), code)

    @unittest.skipIf(SANITIZER == "thread", "ThreadSanitizer holds signals back while a write waits")
    def test_second_interrupt_ends_at_once(self):
        # Its standard error is a full pipe that nobody reads: the program cannot get on, and cannot stop in order.
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        try:
            while True:
                os.write(writer, b"x" * 1024)
        except BlockingIOError:
            os.set_blocking(writer, True)
        study = self.study()
        process = self.start("run", study, "-o", "out.h5", stderr=writer)
        wait_until(lambda: (self.folder / "out.h5.parts" / "study.cfg").exists())
        process.send_signal(signal.SIGINT)
        wait_until(lambda: signal.SIGINT not in signals(process, "ShdPnd"))
        time.sleep(0.2)
        self.assertIsNone(process.poll(), "the pipe did not hold the program")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(PROMPT), INTERRUPTED)
        os.close(reader)
        os.close(writer)


class Damage(CrashTest):
    def test_damaged_part_is_set_aside_and_computed_again(self):
        study = self.study(study_part=4)
        shard = ("run", study, "-o", "out.h5", "--quiet", "--shard", "0/2")
        self.mixlab(*shard)
        before = self.parts()
        broken = chance.choice(sorted(before))
        path = self.folder / "out.h5.parts" / broken
        at = chance.randrange(path.stat().st_size)
        flip_byte(path, at)
        message = self.mixlab(*shard).err
        self.assertIn("set aside", message, f"byte {at} of {broken} was flipped")
        self.assertIn(broken, message)
        self.assertTrue((path.parent / f"{broken}.damaged").exists())
        after = self.parts()
        self.assert_kept({name: identity for name, identity in before.items() if name != broken}, after)
        self.assertIn(broken, after)
        self.mixlab("run", study, "-o", "out.h5", "--quiet")
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_truncated_part(self):
        study = self.study(study_part=4)
        self.compute(study, "out.h5", "--shard", "0/2")
        part = self.folder / "out.h5.parts" / "c0000-000000-000003.h5"
        os.truncate(part, chance.randrange(part.stat().st_size))
        self.assertIn("set aside", self.mixlab("run", study, "-o", "out.h5", "--quiet").err)
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_merge_refuses_a_damaged_part(self):
        study = self.study(study_part=10)
        for i in (0, 1):
            self.compute(study, "out.h5", "--shard", f"{i}/2")
        part = self.folder / "out.h5.parts" / "c0001-000010-000019.h5"
        flip_byte(part, part.stat().st_size - 1)
        self.assertIn(part.name, self.mixlab("merge", "out.h5", code=BAD_INPUT).err)
        self.assertFalse((self.folder / "out.h5").exists())
        self.mixlab("run", study, "-o", "out.h5", "--quiet")
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_renamed_part_is_refused(self):
        study = self.study(study_part=10)
        self.compute(study, "out.h5", "--shard", "0/2")
        folder = self.folder / "out.h5.parts"
        (folder / "c0000-000000-000009.h5").rename(folder / "c0000-000010-000019.h5")
        for command in (("run", study, "-o", "out.h5"), ("merge", "out.h5")):
            self.assertIn("c0000-000010-000019.h5", self.mixlab(*command, code=BAD_INPUT).err)


class DiskFull(CrashTest):
    """The limit on file size stands in for a full disk: write() fails in the same places."""

    def assert_write_failed(self, outcome):
        self.assertEqual(len(outcome.err.splitlines()), 1, outcome.err)
        self.assertIn("free some space", outcome.err)
        self.assertFalse((self.folder / "out.h5").exists())
        self.assert_no_temporaries()

    def test_part_does_not_fit(self):
        study = self.study()
        command = ("run", study, "-o", "out.h5", "--quiet")
        self.assert_write_failed(self.mixlab(*command, code=WRITE_FAILED, file_size=9000))
        self.assertEqual(self.parts(), {})
        self.mixlab(*command)
        self.assert_same(self.compute(study, "whole.h5"), "out.h5")

    def test_results_do_not_fit(self):
        study = self.study(study_trajectories=200, study_part=10)
        whole = self.compute(study, "whole.h5")
        size = whole.stat().st_size
        for limit in (size - 1, chance.randrange(size // 2, size)):
            outcome = self.mixlab("run", study, "-o", "out.h5", "--quiet", code=WRITE_FAILED, file_size=limit)
            self.assert_write_failed(outcome)
            self.assertEqual(len(self.parts()), 40)
        before = self.parts()
        self.assert_write_failed(self.mixlab("merge", "out.h5", code=WRITE_FAILED, file_size=size - 1))
        self.assert_kept(before, self.parts())
        self.mixlab("merge", "out.h5")
        self.assert_same(whole, "out.h5")

    def test_known_beforehand(self):
        study = self.study(study_trajectories=10**9, study_horizon=10000, study_checkpoints=10000)
        before = self.files()
        outcome = self.mixlab("run", study, "-o", "out.h5", "--quiet", code=WRITE_FAILED)
        self.assertIn("not enough space for out.h5", outcome.err)
        self.assertEqual(self.files(), before, "nothing was computed, yet something was written")

    def test_trace_does_not_fit(self):
        study = self.study()
        self.mixlab("trace", study, "--cell", 0, "--trajectory", 0, "-o", "out.h5", code=WRITE_FAILED, file_size=9000)
        self.assertFalse((self.folder / "out.h5").exists())
        self.assert_no_temporaries()

    def test_table_does_not_fit(self):
        out = self.compute(self.study(), "out.h5")
        with open("/dev/full", "w") as full:
            self.mixlab("check", out, code=WRITE_FAILED, stdout=full)


if __name__ == "__main__":
    main()
