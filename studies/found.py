"""The tables of studies/found: what `mixlab check` said of every study of the catalogue and of its control.

One table per list of the verdict, and `cells.csv`, what the results file itself says of a cell. Every row names its study and
run; `runs.csv` has the commit of the program, seed, options, outcome and time of each."""
import csv
import json
import math
import re
import shlex
from pathlib import Path
from typing import NamedTuple

STUDIES = Path(__file__).resolve().parent
FOLDER = STUDIES / "found"

# Fields of `mixlab check --format json` that are kept.
KEPT = {
    "findings": ["cell", "label", "set", "guaranteed", "delta", "n", "misses", "coverage", "coverage_low", "coverage_high",
                 "horizon_coverage", "adjusted_p", "state", "expected", "met", "c", "c_low", "c_high", "detectable"],
    "bounds": ["cell", "label", "applies", "vacuous", "violations", "coverage_low", "state", "regret_largest", "bound",
               "potential_violations", "potential_largest", "potential_bound"],
    "comparisons": ["cell_a", "cell_b", "label_a", "label_b", "n", "difference", "difference_low", "difference_high",
                    "win_share", "win_low", "win_high", "mean_a", "q99_a", "q99_low_a", "q99_high_a", "largest_a", "mean_b",
                    "q99_b", "q99_low_b", "q99_high_b", "largest_b"],
    "rates": ["key", "label", "x", "mean_regret", "slope", "slope_low", "slope_high", "predicted", "bound_slope"],
}
OF_CELLS = ["cell", "label", "n", "horizon", "d", "lag", "phi", "radius2", "regret_mean", "regret_error", "regret_q99",
            "regret_largest", "bound", "gap_bound", "potential", "potential_bound", "fresh_potential",
            "fresh_potential_bound", "stale_rounds", "stale_rounds_bound"]
OF_RARE = ["cell", "label", "set", "delta", "method", "log10_estimate", "relative_error", "low", "high", "reliable", "why"]
OF_CLAIMS = ["claim", "lag", "declared", "seen", "visible", "log10_e"]
OF_CERTIFICATES = ["noise", "refuted", "log10_enough", *OF_CLAIMS]
OF_RUNS = ["options", "commit", "seed", "trajectories", "as_expected", "bytes", "seconds"]
OF_CURVES = ["cell", "label", "set", "round", "coverage", "low", "high"]
COLUMNS = {**KEPT, "cells": OF_CELLS, "rare": OF_RARE, "certificates": OF_CERTIFICATES, "runs": OF_RUNS, "curves": OF_CURVES}
MACHINE = {"commit", "seconds", "bytes"}  # what another machine or program may change


class Run(NamedTuple):
    """A study as it stands, or its control."""
    name: str
    study: Path
    kind: str  # study or control
    settings: list  # --set options
    rare: list  # options of `mixlab rare`, none: it is not run
    certify: list  # options of `mixlab certify`, alike


def catalogue():
    """Names of the studies that have a head with an expectation."""
    return sorted(path.stem for path in STUDIES.glob("*.cfg") if "Expected" in head_of(path))


def head_of(path):
    """The paragraphs of a study's head by their first word: {"Expected": "...", "Control": "..."}."""
    paragraphs, word = {"": ""}, ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            break
        begin = re.match(r"# ([A-Z][a-z]+) {2,}(.*)", line)
        word, text = begin.groups() if begin else (word, line[1:])
        paragraphs[word] = paragraphs.get(word, "") + text.strip() + "\n"
    return paragraphs


def runs_of(name):
    """The study, and its control where that is a run of its own: lines of its paragraph that begin with --set."""
    path = STUDIES / f"{name}.cfg"
    head = head_of(path)
    rare, certify = (shlex.split(head.get(word, "").split("\n")[0]) for word in ("Rare", "Certify"))
    runs = [Run(name, path, "study", [], rare, certify)]
    settings = [word for line in head["Control"].splitlines() if line.startswith("--set") for word in shlex.split(line)]
    if settings:
        runs.append(Run(f"{name}-control", path, "control", settings, rare, certify))
    return runs


def collect(names, folder, seconds):
    """The tables of these studies, from what studies/all has left in the folder."""
    tables = {table: [] for table in COLUMNS}
    for name in names:
        for run in runs_of(name):
            results = Path(folder) / f"{run.name}.h5"
            key = {"study": name, "run": run.kind}
            verdict = json.loads((Path(folder) / f"{run.name}.verdict.json").read_text(), parse_float=str, parse_int=str)
            for table, columns in KEPT.items():
                tables[table] += [{**key, **{column: plain(row[column]) for column in columns}} for row in verdict[table]]
            if run.rare:
                for row in csv.DictReader((Path(folder) / f"{run.name}.rare.csv").read_text().splitlines()):
                    tables["rare"].append({**key, **{column: row[column] for column in OF_RARE}})
            if run.certify:
                for audit in json.loads((Path(folder) / f"{run.name}.certify.json").read_text()):
                    tables["certificates"] += [{**key, **row} for row in certificate_rows(audit)]
            met = [row["met"] for row in tables["findings"] if row["study"] == name and row["run"] == run.kind]
            read_results(tables, key, results, run, {"NO": "no", "?": "undecided"}.get(worst(met), "yes"),
                         seconds.get(run.name, 0))
    return {table: [{column: str(value) for column, value in row.items()} for row in rows]
            for table, rows in tables.items()}


def plain(value):
    """A value of the json as text: numbers as the program wrote them."""
    if isinstance(value, list):
        return " ".join(map(plain, value))
    return {None: "", True: "1", False: "0"}.get(value, value)


def certificate_rows(audit):
    """One row per claim of a process: what it certifies at a lag, and the evidence against it."""
    for one in audit["claims"]:
        yield {"noise": audit["noise"], "refuted": int(audit["refuted"]), "log10_enough": text_of(audit["log10_enough"]),
               **{column: text_of(math.nan if one[column] is None else one[column]) for column in OF_CLAIMS}}


def worst(words):
    return next((word for word in ("NO", "?") if word in words), "ok")


def read_results(tables, key, path, run, as_expected, seconds):
    """What the results file itself says: cells, and the run."""
    import h5py

    with h5py.File(path, "r") as file:
        for cell in range(len(file["cell"])):
            tables["cells"].append({**key, **cell_row(file, cell)})
        if key["study"] == "iid-breaks":
            tables["curves"] += [{**key, **row} for row in curve_rows(file)]
        tables["runs"].append({**key, "options": shlex.join(run.settings), "commit": file.attrs["git_commit"].decode()[:12],
                               "seed": file.attrs["seed"].decode(), "trajectories": int(file["n_run"][:].sum()),
                               "as_expected": as_expected, "bytes": path.stat().st_size, "seconds": round(seconds, 1)})


def cell_row(file, cell):
    import numpy as np

    horizon = int(file["study_horizon"][cell])
    last = list(file["round"][:]).index(horizon)
    ran = file["completed"][cell] == 1
    regret = np.sort(file["regret"][cell, :, last][ran])
    sets = [name.decode() for name in file["set"][:]]
    own = file["policy_set"][cell].decode()
    row = {"cell": cell, "label": file["label"][cell].decode(), "n": len(regret), "horizon": horizon,
           "d": file["confidence_delay"][cell], "lag": file["policy_delay"][cell], "phi": file["confidence_phi"][cell],
           "radius2": file["radius2"][cell, sets.index(own), last] if own in sets else "",
           "regret_mean": regret.mean(), "regret_error": regret.std(ddof=1) / len(regret)**0.5,
           "regret_q99": regret[int(np.ceil(0.99 * len(regret))) - 1], "regret_largest": regret[-1],
           "bound": file["bound_worst_case"][cell, last], "gap_bound": file["bound_gap"][cell, last]}
    for name in ("potential", "fresh_potential", "stale_rounds"):
        row[name] = file[name][cell][ran].max()
        row[f"{name}_bound"] = file[f"bound_{name}"][cell, last]
    return {column: text_of(value) for column, value in row.items()}


def curve_rows(file):
    """Anytime coverage over rounds of every set of the cells at rho = 0.9, with the exact 95% interval."""
    import numpy as np
    from scipy.stats import beta

    for cell in np.flatnonzero(file["noise_rho"][:] == 0.9):
        horizon = int(file["study_horizon"][cell])
        rounds = np.unique(np.round(np.geomspace(1, horizon, 60)).astype(int))
        for s, name in enumerate(file["set"][:]):
            first = file["first_violation"][cell, :, s]
            for t in rounds:
                n, k = len(first), int(np.sum((first > 0) & (first <= t)))
                low = 1 - (beta.ppf(0.975, k + 1, n - k) if k < n else 1)
                high = 1 - (beta.ppf(0.025, k, n - k + 1) if k else 0)
                yield {"cell": int(cell), "label": file["label"][cell].decode(), "set": name.decode(), "round": int(t),
                       "coverage": 1 - k / n, "low": f"{low:.6f}", "high": f"{high:.6f}"}


def text_of(value):
    """The shortest text that reads back to the same number; empty for none."""
    if isinstance(value, str):
        return value
    number = float(value)
    return "" if number != number else repr(int(number)) if number == int(number) else repr(number)


def load(folder=FOLDER):
    """{"findings": [{"study": ..., "run": ..., ...}, ...], ...}, all values as text."""
    def rows_of(path):
        return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines())) if path.exists() else []

    return {table: rows_of(folder / f"{table}.csv") for table in COLUMNS}


def save(tables, folder=FOLDER):
    folder.mkdir(exist_ok=True)
    for table, columns in COLUMNS.items():
        with (folder / f"{table}.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["study", "run", *columns], lineterminator="\n")
            writer.writeheader()
            writer.writerows(tables[table])


def replaced(tables, newer, names):
    """`tables` with the rows of these studies taken from `newer`."""
    def rows_of(table):
        kept = [row for row in tables[table] if row["study"] not in names]
        return sorted(kept + newer[table], key=lambda row: (row["study"], row["run"] == "control"))

    return {table: rows_of(table) for table in COLUMNS}


def numbers(tables, name):
    """What another machine must find again."""
    return {table: [{column: value for column, value in row.items() if column not in MACHINE}
                    for row in rows if row["study"] == name] for table, rows in tables.items()}
