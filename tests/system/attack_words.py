#!/usr/bin/python3
"""Titles, labels and names that give orders to a terminal."""
import numpy as np

from attack import AttackTest
from forgery import forge
from harness import BAD_INPUT, main, run, study_text


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


if __name__ == "__main__":
    main()
