"""What the system tests share: the program under test, a folder for each test, and small fast studies.

The program is $MIXLAB, else build/release/mixlab. Randomness comes from `random_source`, which prints its seed; $SEED
repeats a run.
"""
import os
import random
import re
import resource
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
PROGRAM = os.environ.get("MIXLAB") or str(PROJECT / "build" / "release" / "mixlab")
QUICKSTART = PROJECT / "studies" / "quickstart.cfg"

# What the program was built with takes time and memory of its own: "thread", "address" or nothing.
SANITIZER = next((name for name in ("thread", "address")
                  if f"__{name[0]}san_init".encode() in Path(PROGRAM).read_bytes()), None)

# Where a sanitizer writes what it finds: the child that reads a file says nothing, and exit codes look like others.
REPORTS = tempfile.TemporaryDirectory(prefix="mixlab-sanitizer-") if SANITIZER else None
if REPORTS:
    os.chmod(REPORTS.name, 0o777)  # some tests are somebody else
    for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
        os.environ[name] = f"{os.environ.get(name, '')}:log_path={REPORTS.name}/report"

HANGS = 1200 if SANITIZER else 300  # seconds after which a command hangs
# What LeakSanitizer says in a container, or of a process that is killed while it looks: no findings.
REMARK = (r"==\d+==(Running thread \d+ was not suspended. False leaks are possible"
          r"|Unable to get registers from thread \d+)\.\n")

# The same tests in their long form: tests/soak.
SOAK = bool(os.environ.get("MIXLAB_SOAK"))

DONE, BAD_INPUT, CONTRADICTED, WRITE_FAILED, WORK_LEFT, INTERRUPTED = 0, 2, 3, 74, 75, 130

SMALL_STUDY = {
    "study": {"trajectories": 20, "horizon": 60, "seed": 7, "checkpoints": 12},
    "problem": {"dimension": 2, "arms": "circle:5", "norm_bound": 1, "theta_norm": 0.9},
    "noise": {"process": "sticky", "rho": 0.8},
    "policy": {"name": "mixing-linucb, linucb"},
    "confidence": {"delta": 0.1, "delay": 5, "monitor": "paper oful otc"},
    "expect": {},
}


def random_source(name):
    """A random.Random whose seed is printed, so that a failure can be repeated."""
    seed = int(os.environ.get("SEED") or random.SystemRandom().randrange(2**32))
    print(f"{name}: SEED={seed}", flush=True)
    return random.Random(seed)


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def times(short, long):
    """How often a test repeats itself: in the test suite, and in tests/soak."""
    return long if SOAK else short


def smaller(size, by=8):
    """A size that is there to take time: under a sanitizer less takes as long, and shows it the same code."""
    return size // by if SANITIZER else size


def run(args, folder=None, file_size=None, stdout=subprocess.PIPE, program=PROGRAM, environment=None, sent=""):
    """Run the program to its end; `sent` is its standard input. `file_size` limits every file it writes, in bytes."""
    if file_size is not None and SANITIZER == "thread":
        raise unittest.SkipTest("ThreadSanitizer itself does not survive a limit on files")
    limit = None if file_size is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
    process = subprocess.run([program, *map(str, args)], cwd=folder, input=sent.encode(), stdout=stdout,
                             stderr=subprocess.PIPE, preexec_fn=limit, timeout=HANGS,
                             env={**os.environ, **(environment or {})})
    return Outcome(process.returncode, (process.stdout or b"").decode(), process.stderr.decode())


def start(args, folder=None, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
    """Start the program and leave it running."""
    return subprocess.Popen([PROGRAM, *map(str, args)], cwd=folder, stdin=subprocess.DEVNULL,
                            stdout=stdout, stderr=stderr)


def wait_until(condition, seconds=60):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError("the program did not get as far as the test needs")
        time.sleep(0.002)


def signals(process, which):
    """Numbers of the signals that are "ShdPnd" (sent, not yet taken) or "SigCgt" (caught) by a running process."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    mask = int(next(line for line in status.splitlines() if line.startswith(f"{which}:")).split()[1], 16)
    return {number for number in range(1, 65) if mask >> (number - 1) & 1}


def study_text(**overrides):
    """The small study with keys replaced: study_text(noise_rho=0.5); None removes a key."""
    sections = {name: dict(keys) for name, keys in SMALL_STUDY.items()}
    for name, value in overrides.items():
        section, key = name.split("_", 1)
        sections[section].pop(key, None)
        if value is not None:
            sections[section][key] = value
    lines = []
    for section, keys in sections.items():
        lines += [f"[{section}]", *(f"{key} = {value}" for key, value in keys.items())] if keys else []
    return "\n".join(lines) + "\n"


def sanitizer_reports():
    """What the sanitizer has written since the last call, of any process."""
    found = sorted(Path(REPORTS.name).iterdir()) if REPORTS else []
    text = "".join(path.read_text(errors="replace") for path in found)
    for path in found:
        path.unlink()
    return re.sub(REMARK, "", text)


def flip_byte(path, at):
    data = bytearray(Path(path).read_bytes())
    data[at] ^= 1
    Path(path).write_bytes(data)


class SystemTest(unittest.TestCase):
    """A test with its own folder, in which the program runs."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory(prefix="mixlab-")
        self.addCleanup(temporary.cleanup)
        self.folder = Path(temporary.name)
        self.addCleanup(self.assert_no_reports)

    def assert_no_reports(self):
        found = sanitizer_reports()
        self.assertFalse(found, f"a sanitizer found something\n{found}")

    def study(self, file="study.cfg", **overrides):
        path = self.folder / file
        path.write_text(study_text(**overrides))
        return path

    def mixlab(self, *args, code=DONE, **options):
        """Run the program in the test's folder; it must end with `code`."""
        outcome = run(args, folder=self.folder, **options)
        self.assertEqual(outcome.code, code, f"mixlab {' '.join(map(str, args))}\n{outcome.out}{outcome.err}")
        return outcome

    def compute(self, study, out, *options):
        """Path of the finished results."""
        self.mixlab("run", study, "-o", out, "--quiet", *options)
        return self.folder / out

    def start(self, *args, **options):
        process = start(args, folder=self.folder, **options)
        self.addCleanup(lambda: (process.kill(), process.wait()) if process.poll() is None else None)
        return process

    def assert_same(self, a, b):
        self.assertIn("same: all", self.mixlab("diff", a, b).out)

    def files(self):
        """Everything in the test's folder, with its bytes."""
        return {str(path.relative_to(self.folder)): path.read_bytes() if path.is_file() else None
                for path in self.folder.rglob("*")}


def stored(path):
    """Every variable of a results or trace file, and its attributes, as plain values."""
    import h5py
    import numpy as np

    with h5py.File(path, "r") as file:
        variables = {name: data.asstr()[()] if h5py.check_string_dtype(data.dtype) else data[()]
                     for name, data in file.items()}
        attributes = {name: value.decode() if isinstance(value, bytes) else np.ravel(value)[0]
                      for name, value in file.attrs.items()}
    return variables, attributes


main = unittest.main
