#!/usr/bin/python3
"""Parts and results with a good seal that no mixlab wrote: refused, whatever command reads them."""
import os
import zlib

import h5py
import numpy as np

from attack import AttackTest
from forgery import copy_folder, drop, forge, replace, write
from harness import main, random_source, times

chance = random_source("attack_forgeries")


def of_version(number):
    """Rows that no trajectory gives, in a format that nobody knows."""
    def change(file):
        file.attrs.modify("format_version", np.int64(number))
        file["potential"][...] = -1e9
    return change


def attribute(name, value):
    return lambda file: file.attrs.create(name, np.bytes_(value) if isinstance(value, str) else value)


def words(name, replacements):
    """Other words in an attribute."""
    def change(file):
        text = file.attrs[name].decode()
        for old, new in replacements.items():
            assert old in text, text
            text = text.replace(old, new, 1)
        file.attrs.create(name, np.bytes_(text.encode()))
    return change


def short_piece(name, packed, skipped=0):
    """A piece of the data that is less than its share: HDF5 takes the rest from memory."""
    def change(file):
        data = file[name]
        data.id.write_direct_chunk((0,) * data.ndim, packed, skipped)
    return change


def unpacked_pieces(file):
    """Of which HDF5 does not say how long they are."""
    data, scales = file["potential"], [file["cell"], file["trajectory"]]
    values, attributes, chunks = data[...], dict(data.attrs), data.chunks
    del file["potential"]
    anew = file.create_dataset("potential", data=values, chunks=chunks)
    for axis, scale in enumerate(scales):
        anew.dims[axis].attach_scale(scale)
    for name, value in attributes.items():
        if name not in ("DIMENSION_LIST", "_Netcdf4Dimid", "_Netcdf4Coordinates"):
            anew.attrs[name] = value


def together(*changes):
    def change(file):
        for each in changes:
            each(file)
    return change


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
    "declared_above_all": lambda file: file.attrs.modify("n_declared", np.int64(2**62)),
    "trajectories_of_another_part": lambda file: file["trajectory"].write_direct(file["trajectory"][:] + 10**6),
    "trajectory_twice": write("trajectory", 3, 2),
    "ratio_negative": write("sup_ratio", (1, 1), -0.5),
    "potential_negative": write("potential", 2, -1.0),
    "fresh_potential_negative": write("fresh_potential", 2, -1e-3),
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

    def test_a_version_that_nobody_knows_is_refused(self):
        """And kept: another mixlab may know it."""
        study, parts = self.shards()
        for number in (0, 99):
            forge(parts[0], of_version(number))
            for command in (("merge", "out.h5"), ("run", study, "-o", "out.h5", "--quiet")):
                self.assert_refused(*command, words=[parts[0].name, f"format version {number}"])
            self.assertTrue(parts[0].exists())


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


ALL = slice(None)
NEVER_WATCHED = (write("first_violation", (0, ALL, 0), -1),
                 *(write(name, (0, ALL, 0), np.nan) for name in ("log10_p", "horizon_log10_p", "sup_ratio")))
BOUNDS = ("bound_worst_case", "bound_gap", "bound_potential", "bound_fresh_potential", "bound_stale_rounds")
OTHER_LEVEL = write("confidence_delta", ALL, 0.5)
UNREADABLE = words("study", {"[study]": "[stdy]"})
OF_OWN_CODE = words("numerics", {"; revision": "; mine revision 1; revision"})
OWN_NOISE = words("study", {"process = sticky": "process = mine"})

RESULTS_FORGERIES = {
    "version_zero": of_version(0),
    "pieces_that_are_not_packed": unpacked_pieces,
    "short_piece": short_piece("regret", zlib.compress(bytes(64))),
    "short_piece_as_it_is": short_piece("potential", bytes(16), skipped=3),
    "newer_version": of_version(99),
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
    "unreadable_study": UNREADABLE,
    "unreadable_study_at_another_level": together(UNREADABLE, OTHER_LEVEL),
    "unreadable_study_of_own_code": together(UNREADABLE, OF_OWN_CODE),
    "own_noise_without_own_code": OWN_NOISE,
    "own_noise_at_another_level": together(OWN_NOISE, OF_OWN_CODE, OTHER_LEVEL),
    "own_noise_with_another_round": together(OWN_NOISE, OF_OWN_CODE, write("round", -2, 59)),
    "own_noise_with_more_trajectories": together(OF_OWN_CODE, words("study", {
        "process = sticky": "process = mine", "trajectories = 20": "trajectories = 40"})),
    "hash_of_another_study": attribute("study_hash", "0" * 32),
    "another_rho": write("noise_rho", 0, 0.5),
    "another_tau": write("noise_tau", 1, 2.0),
    "another_dimension": write("problem_dimension", ALL, 3),
    "another_policy": write("policy_name", 0, "linucb"),
    "no_policy": lambda file: file.__delitem__("policy_name"),
    "cells_from_one": write("cell", ALL, np.arange(1, 3)),
    "trajectory_twice": write("trajectory", 3, 2),
    "trajectories_from_one": write("trajectory", ALL, np.arange(1, 21)),
    "run_below_zero": write("n_run", 0, -1),
    "run_more_than_there_are": write("n_run", 1, 10**9),
    "run_fewer": write("n_run", 1, 19),
    "expected_otherwise": write("expected", (0, 0), 2),
    "never_watched": together(*NEVER_WATCHED),
    "never_watched_without_radius": together(*NEVER_WATCHED, write("radius2", (0, 0, ALL), np.nan)),
    "no_checkpoint": write("regret", (0, ALL, 2), np.nan),
    "no_checkpoint_without_radius": together(write("regret", (0, ALL, 2), np.nan),
                                             write("radius2", (0, ALL, 2), np.nan),
                                             *(write(name, (0, 2), np.nan) for name in BOUNDS)),
    "radius_nan": write("radius2", (1, 2, 3), np.nan),
    "radius_negative": write("radius2", (1, 2, 3), -1.0),
    "ratio_negative": write("sup_ratio", (1, 3, 0), -0.5),
    "potential_negative": write("potential", (1, 3), -1.0),
    "bound_of_no_stale_rounds": write("bound_stale_rounds", (0, 5), np.nan),
    **{f"{name}_{word}": write(name, (0, 5), value)
       for name in BOUNDS for word, value in (("negative", -1.0), ("infinite", -np.inf))},
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

    def test_noise_of_a_program_of_somebodys_own_is_no_forgery(self):
        """Its name is not known here; what the text of the study says is compared all the same (own_noise_...)."""
        out = self.compute(self.study(), "out.h5")
        forge(out, together(OWN_NOISE, OF_OWN_CODE))
        for command in (("check", out), ("export", out, "-o", "tables")):
            self.mixlab(*command)


if __name__ == "__main__":
    main()
