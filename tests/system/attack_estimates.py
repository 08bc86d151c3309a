#!/usr/bin/python3
"""Pieces and estimates of rare events that no mixlab wrote, and what is planted or left among them."""
import os
import shutil
import socket
import subprocess

import h5py
import numpy as np

from attack import AttackTest
from forgery import copy_folder, drop, forge, replace, write
from harness import BAD_INPUT, DONE, main, random_source, run, times

chance = random_source("attack_estimates")


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
                        self.assertFalse((self.folder / "out.h5.parts").exists(), "a damaged piece stays for ever")
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
        piece = sorted(pieces.glob("twisted-*.h5"))[0]
        shutil.copy(piece, pieces / f"{piece.name}.damaged")  # it was set aside before that
        self.assertEqual(self.mixlab(*self.rare("out.h5")).out, good)
        self.assertFalse(pieces.exists())


if __name__ == "__main__":
    main()
