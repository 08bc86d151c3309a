#!/usr/bin/python3
"""Titles, labels and names that give orders to a terminal."""
import json
import re
import unittest

import numpy as np

from attack import AttackTest
from forgery import forge
from harness import BAD_INPUT, SANITIZER, main, run, study_text


class WordsOfStrangers(AttackTest):
    """Control characters from files and studies are shown, never obeyed."""
    ORDERS = "\x1b]0;mine\x07\x1b[2J\x9b31m\x7f\x08\x0e\u202emine\u2066"
    CLAIM = "CERTIFIED: all is well"

    def assert_plain(self, text):
        self.assertEqual(re.findall("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text), [], text)

    def assert_no_line_of_its_own(self, text):
        self.assertEqual([line for line in text.splitlines() if line.strip().startswith(self.CLAIM)], [], text)

    def test_studies_are_text(self):
        study = self.study(study_title="a" + self.ORDERS)
        for command in ("plan", "run"):
            self.assert_plain(self.assert_refused(command, study, words=["control character", r"\x1b"]).err)
        self.assert_refused("plan", self.study(), "--set", "study.title=\x1b[2J", words=["control character"])
        self.assert_refused("plan", self.study(study_title="a\u202eb"), words=["study.cfg:6", r"'\u202e'"])
        (self.folder / "latin.cfg").write_bytes(b"# a\n# b\x9b31m\n" + study_text().encode())
        self.assert_refused("plan", "latin.cfg", words=["latin.cfg:2", r"byte '\x9b'", "UTF-8"])
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

    def forge_words(self, out, words):
        """In all that is read cell by cell."""
        def change(file):
            for name in ("label", "caveat", "why_not_guaranteed"):
                values = file[name][()]
                values.flat[0] = values.flat[0].decode() + words
                file[name][...] = values
            file.attrs.create("title", np.bytes_(("Title" + words).encode()))

        forge(out, change)

    def test_lines_of_strangers(self):
        """A label does not say on a line of its own what the verdict would."""
        out = self.compute(self.study(), "out.h5")
        self.forge_words(out, "\n" + self.CLAIM)
        for args in (("check", out), ("check", out, "--full"), ("check", out, "--cell", 0), ("status", out),
                     ("trace", out, "--cell", 0, "--trajectory", 0)):
            self.assert_no_line_of_its_own(run(args, folder=self.folder).out)
        self.assertIn(r"linucb\x0a" + self.CLAIM, self.mixlab("check", out).out)

    @unittest.skipIf(SANITIZER, "Python is not what is tested")
    def test_reports(self):
        """Neither the page nor its figures nor what matplotlib says of glyphs gives orders."""
        out = self.compute(self.study(), "out.h5")
        self.forge_words(out, self.ORDERS + "\t日\n" + self.CLAIM)
        outcome = run(("report", out, "--pdf"), folder=self.folder)
        self.assertEqual(outcome.err, "")
        files = (self.folder / "out-report").rglob("*")
        pages = [path.read_text() for path in files if path.suffix in (".html", ".svg")]
        self.assertGreater(len(pages), 2)
        for text in (outcome.out, *pages):
            self.assert_plain(text)
            self.assert_no_line_of_its_own(text)
        self.assertIn(r"\x1b]0;mine", pages[0] + pages[1])

    def test_bytes_that_are_no_characters(self):
        out = self.compute(self.study(study_title="Étude"), "out.h5")
        forge(out, lambda file: file.attrs.create("title", np.bytes_("É".encode() + b"\x9b31m\xe6")))
        shown = r"É\x9b31m\xe6"
        self.assertIn(shown, self.mixlab("check", out).out)
        self.assertEqual(json.loads(self.mixlab("check", out, "--format", "json").out)["title"], shown)
        if not SANITIZER:
            self.mixlab("report", out)
            self.assertIn(f"<h1>{shown}</h1>", (self.folder / "out-report" / "report.html").read_text())

    def test_names_of_files(self):
        self.assert_plain(self.mixlab("check", "\x1b[2Jx.h5", code=BAD_INPUT).err)
        out = self.compute(self.study(), "\x1b[2J\u202ex.h5")
        outcome = run(("report", out), folder=self.folder)
        self.assert_plain(outcome.out + outcome.err)
        self.assertTrue((self.folder / "\x1b[2J\u202ex-report" / "report.html").is_file() or SANITIZER)


if __name__ == "__main__":
    main()
