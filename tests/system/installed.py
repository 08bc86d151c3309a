"""mixlab as `cmake --install` leaves it: the program, its pages, and the library, which studies/extension builds on.

$MIXLAB_BUILD names the build folder.
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

from harness import PROJECT, SANITIZER, SystemTest, main, run

BUILD = os.environ.get("MIXLAB_BUILD")
EXAMPLE = PROJECT / "studies" / "extension"
COMPLETION = "share/bash-completion/completions/mixlab"


def call(*words, cwd=None, environment=None):
    """Run to its end, which must be a good one; what it says."""
    process = subprocess.run([*map(str, words)], cwd=cwd, capture_output=True, text=True,
                             env={**os.environ, **(environment or {})})
    assert process.returncode == 0, f"{words}\n{process.stdout}\n{process.stderr}"
    return process.stdout


def compiler():
    """What built the library: another one might bring another OpenMP."""
    return re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", (Path(BUILD) / "CMakeCache.txt").read_text(), re.MULTILINE)[1]


class InstalledPlace(SystemTest):
    """A prefix with everything in it."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="mixlab-")
        cls.prefix = Path(cls.place.name) / "prefix"
        call("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.program = cls.prefix / "bin" / "mixlab"

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()


@unittest.skipUnless(BUILD, "MIXLAB_BUILD names no build folder")
class Installed(InstalledPlace):
    def commands(self):
        return re.findall(r"^  ([a-z]+)  +", call(self.program, "--help"), re.MULTILINE)

    def test_every_command_has_a_manual_page(self):
        pages = {path.name for path in (self.prefix / "share/man/man1").iterdir()}
        self.assertEqual(pages, {"mixlab.1", *(f"mixlab-{command}.1" for command in self.commands())})
        page = (self.prefix / "share/man/man1/mixlab-run.1").read_text()
        for piece in (".SH SYNOPSIS", ".SH DESCRIPTION", ".SH OPTIONS", r"\-\-threads N", "run a study"):
            self.assertIn(piece, page)
        if shutil.which("groff"):
            for path in (self.prefix / "share/man/man1").iterdir():
                told = subprocess.run(["groff", "-man", "-ww", "-Tutf8", path], capture_output=True, text=True)
                self.assertEqual(told.stderr, "", path.name)

    def test_what_messages_cite_is_there(self):
        cited = {name for path in (PROJECT / "src").rglob("*.cpp")
                 for name in re.findall(r'"[^"\n]*?([A-Z]+\.md)', path.read_text())}
        self.assertLessEqual({"MATHEMATICS.md", "CLUSTER.md", "FORMAT.md"}, cited)
        installed = {path.name for path in (self.prefix / "share").rglob("*.md")}
        self.assertLessEqual(cited, installed)

    def complete(self, *words):
        script = (f'. "{self.prefix / COMPLETION}"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _mixlab; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        return set(call("bash", "-c", script, "bash", self.program, *words, cwd=self.folder).split())

    def test_bash_completes(self):
        (self.folder / "study.cfg").touch()
        (self.folder / "study.txt").touch()
        self.assertEqual(self.complete("r"), {"run", "rare", "report"})
        self.assertEqual(self.complete("run", "st"), {"study.cfg"})
        self.assertEqual(self.complete("run", "--thr"), {"--threads"})
        self.assertEqual(self.complete("describe", "stic"), {"sticky"})
        self.assertEqual(self.complete("list", "del"), {"delays"})
        self.assertEqual(self.complete("check", "--list", "su"), {"summaries"})
        self.assertEqual(self.complete("check", "out.h5", "--only", "telesc"), {"telescope"})
        self.assertEqual(self.complete("run", "study.cfg", "--set", "noise.rh"), {"noise.rho="})
        self.assertEqual(self.complete("status", "st"), set())

    def test_bash_offers_what_is_accepted(self):
        for command in self.commands():
            offered = self.complete(command, "--")
            self.assertIn("--help", offered)
            for option in offered:
                told = run((command, option), folder=self.folder, program=self.program)
                self.assertNotIn("unknown option", told.err, f"{command} {option}")
        self.assertIn("unknown option", run(("run", "--alpha"), folder=self.folder, program=self.program).err)

    def test_headers_need_no_hdf5(self):
        top = self.prefix / "include"
        for header in top.rglob("*.h"):
            for name in re.findall(r'#include ["<]([^">]+)[">]', header.read_text()):
                self.assertNotEqual(name, "hdf5.h", header)
                if name.startswith("mixlab/"):
                    self.assertTrue((top / name).exists(), f"{header} includes {name}")

    @unittest.skipIf(SANITIZER, "the library wants a sanitizer to be linked")
    def test_pkg_config_knows_the_way(self):
        if not shutil.which("pkg-config"):
            self.skipTest("no pkg-config")
        words = call("pkg-config", "--cflags", "--libs", "mixlab",
                     environment={"PKG_CONFIG_PATH": str(next(self.prefix.rglob("pkgconfig")))}).split()
        source = self.folder / "version.cpp"
        source.write_text('#include <cstdio>\n#include "mixlab/command_line.h"\n'
                          "int main(int n, char** words) { return mixlab::run_command_line(n, words); }\n")
        call(compiler(), source, "-o", "program", *words, cwd=self.folder)
        self.assertIn("mixlab ", call(self.folder / "program", "--version"))


@unittest.skipUnless(BUILD and not SANITIZER, "no build folder, or one whose library wants a sanitizer to be linked")
class Example(InstalledPlace):
    """studies/extension against the installed package, as its readers build it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.built = Path(cls.place.name) / "example"
        call("cmake", "-S", EXAMPLE, "-B", cls.built, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={cls.prefix}",
             "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_COMPILER={compiler()}")
        call("cmake", "--build", cls.built)

    def test_its_study(self):
        program = str(self.built / "my-mixlab")
        self.mixlab("run", EXAMPLE / "own.cfg", "-o", "own.h5", "--quiet", program=program)
        told = self.mixlab("check", "own.h5", "--full", program=program).out
        self.assertIn("AS EXPECTED", told)
        self.assertIn("sigma is measured, not known", told)
        self.assertIn("curiosity", self.mixlab("describe", "curious", program=program).out)

    def test_its_noise_is_what_it_certifies(self):
        self.mixlab("certify", "alternating", program=str(self.built / "my-mixlab"))

    def test_from_a_program(self):
        told = call(self.built / "my-program", "out.h5", cwd=self.folder)
        self.assertIn("stopped; what is finished is kept", told)
        self.assertIn("400 of 400 trajectories", told)
        self.assertRegex(told, r"paper +coverage 1\.0000")
        whole = self.folder / "study.cfg"
        text = re.search(r"const std::string text =(.*?);\n", (EXAMPLE / "program.cpp").read_text(), re.DOTALL)[1]
        whole.write_text("".join(re.findall(r'"(.*?)"', text)).replace("\\n", "\n"))
        program = str(self.built / "my-mixlab")
        self.mixlab("run", whole, "-o", "whole.h5", "--quiet", program=program)
        self.assertIn("bit for bit", self.mixlab("diff", "out.h5", "whole.h5", program=program).out)


if __name__ == "__main__":
    main()
