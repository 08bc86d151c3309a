#!/usr/bin/env python3
"""Write the report on a mixlab results file: report.html, and every figure as SVG and PDF.

`mixlab report OUT.h5` calls this with the verdict of `mixlab check OUT.h5 --format json`: no verdict is made here.
"""

import argparse
import json
import math
import multiprocessing
import os
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np

import mixlab_results
import page
import sweep
from cell_figures import calibration_figure, coverage_figure, ratio_figure, regret_figure
from drawing import POLICY_COLOURS, looks, save
from mixlab_results import ResultsError, cell_rows, cell_value
from policy_figures import pair_figure, policies_figure
from sweep_figures import Curve, Multiple, multiples_figure, side_by_side_figure

FAILURE, BAD_INPUT, WRITE_FAILED = 1, 2, 74
MOST_MULTIPLES = 12  # panels of one figure
MOST_SIDE_BY_SIDE = 6  # cells


class Report(NamedTuple):
    """What every section needs."""

    results: object
    verdict: dict
    folder: Path
    sets: dict  # name -> how it is drawn
    policies: dict


def main(arguments=None):
    options = parse(arguments)
    try:
        verdict = json.loads(Path(options.verdict).read_text(encoding="utf-8"))
        results = mixlab_results.open(options.results)
    except (ResultsError, OSError, ValueError) as error:
        return fail(error, BAD_INPUT)
    try:
        path = write(results, verdict, Path(options.folder))
    except OSError as error:
        return fail(f"report not written: {options.folder} ({error.strerror or error}); free some space or choose "
                    "another folder with -o", WRITE_FAILED)
    print(path)
    return 0


def parse(arguments):
    parser = argparse.ArgumentParser(prog="report.py", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", metavar="OUT.h5")
    parser.add_argument("--verdict", required=True, metavar="VERDICT.json", help="of mixlab check --format json")
    parser.add_argument("-o", dest="folder", required=True, metavar="FOLDER", help="where the report goes")
    return parser.parse_args(arguments)


def fail(message, code):
    print(f"mixlab report: {message}", file=sys.stderr)
    return code


def write(results, verdict, folder):
    """Draw and write everything; returns the path of the page."""
    policies = [sweep.policy_words(results, cell) for cell in results["cell"].values]
    report = Report(results, verdict, folder, looks(results["set"].values),
                    looks(dict.fromkeys(policies), POLICY_COLOURS))
    body = "\n".join(section(report) for section in (head, verdict_section, sweep_section, comparison_section,
                                                     rate_section, cells_section, study_section))
    path = folder / "report.html"
    temporary = path.with_suffix(".html.tmp")
    temporary.write_text(page.page(results.attrs["title"], body), encoding="utf-8")
    temporary.replace(path)
    return path


# Sections, in the order of the page


def head(report):
    verdict, results = report.verdict, report.results
    judged = any(finding["expected"] != "any" for finding in verdict["findings"])
    kind = "contradicted" if verdict["contradicted"] else "" if judged else "open"
    facts = [f'{results.sizes["cell"]} cell{"s" * (results.sizes["cell"] > 1)}',
             f'{results.sizes["trajectory"]} trajectories each',
             f'horizon {spread(results["study_horizon"].values)}',
             f'δ = {spread(results["confidence_delta"].values)}',
             f'verdicts wrong with probability at most {verdict["alpha"]:g} over the whole study']
    changed = ", ".join(overrides(results))
    changed = f'<p class="soft">The study file with {page.escape(changed)}</p>' if changed else ""
    partial = "" if verdict["complete"] else (
        f'<p class="warning"><b>Partial:</b> {verdict["completed"]} of {verdict["trajectories"]} trajectories have been '
        "run; everything below is about those.</p>")
    return (f'<h1>{page.escape(results.attrs["title"])}</h1><p class="soft">{page.escape("; ".join(facts))}</p>{changed}'
            f'<p class="sentence {kind}">{page.escape(verdict["sentence"])}</p>{partial}')


def spread(values):
    low, high = min(values), max(values)
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def verdict_section(report):
    findings = report.verdict["findings"]
    if not findings:
        return ""
    layout = sweep.layout(report.results)
    picture = ""
    if layout and len(findings) > 12:
        picture = (page.glance(layout, findings, report.sets, sweep.short(layout.key))
                   + '<p class="note">Each entry: verdict and anytime coverage, with a link to its cell. '
                     "A frame marks what contradicts the study's expectation.</p>")
    return ("<h2>Verdict</h2><p>Is θ* in the set at every round at once, with probability at least 1 − δ? One escape at "
            f"any round is a miss.</p>{page.legend()}{picture}{page.filters(findings)}{page.verdict_table(findings)}")


def sweep_section(report):
    """Coverage of all cells side by side where they are few; curves over the swept key where it has enough values."""
    layout = sweep.layout(report.results)
    if layout is None:
        return ""
    n_cells = report.results.sizes["cell"]
    curves = len(layout.values) > 2 or n_cells > MOST_SIDE_BY_SIDE
    pieces = [*(side_by_side(report) if n_cells <= MOST_SIDE_BY_SIDE else ()),
              *(curves_over_key(report, layout) if curves else ())]
    return f"<h2>Over {page.escape(sweep.short(layout.key))}</h2>" + "".join(pieces)


def side_by_side(report):
    guaranteed = {cell: {} for cell in report.results["cell"].values.tolist()}
    for finding in report.verdict["findings"]:
        guaranteed[finding["cell"]][finding["set"]] = finding["guaranteed"]
    cells = [cell for cell, known in guaranteed.items() if known]
    if not cells:
        return
    drawing = side_by_side_figure(report.results, cells, report.sets, guaranteed)
    yield page.figure(save(drawing, report.folder / "figures" / "side-by-side"), "Coverage over rounds",
                      "share of trajectories with θ* in the set at every round so far, pointwise exact 95 % band; open "
                      "markers: no guarantee", wide=True)


def curves_over_key(report, layout):
    ticks = None if sweep.is_number(report.results, layout.key) else layout.values
    draw = lambda multiples, looks, *words, **options: multiples_pages(report, layout, ticks, multiples, looks, *words,
                                                                       **options)
    coverage = finding_multiples(report, layout, ticks, ("coverage", "coverage_low", "coverage_high"),
                                 lambda finding: 1 - finding["delta"])
    factor = finding_multiples(report, layout, ticks, ("c", "c_low", "c_high"), lambda finding: 1, math.sqrt)
    yield from draw(coverage, report.sets, "coverage", "anytime coverage", "Anytime coverage",
                    "share of trajectories with θ* in the set at every round, exact interval; dashed: 1 − δ")
    yield from draw(factor, report.sets, "sharpness", "radius factor √c", "Sharpness",
                    "factor on the radius that would give coverage 1 − δ exactly, with its interval; above the dashed 1 "
                    "the set misses too often, far below it is wider than needed", log_y=True)
    yield from draw(regret_multiples(report, layout, ticks), report.policies, "regret", "regret at the horizon",
                    "Regret at the horizon", "mean over trajectories; bar: from 1 % to 99 % of them", log_y=True)


def multiples_pages(report, layout, ticks, multiples, looks, stem, y_name, heading, explanation, **options):
    """Small multiples as figures of at most a dozen panels."""
    for first in range(0, len(multiples), MOST_MULTIPLES):
        drawing = multiples_figure(multiples[first:first + MOST_MULTIPLES], looks, sweep.short(layout.key), y_name,
                                   ticks, **options)
        number = f"-{first // MOST_MULTIPLES + 1}" if len(multiples) > MOST_MULTIPLES else ""
        yield page.figure(save(drawing, report.folder / "figures" / f"{stem}{number}"), heading, explanation,
                          wide=True)


def axis_place(layout, ticks, value):
    return layout.values.index(value) if ticks else value


def finding_multiples(report, layout, ticks, fields, target, transform=lambda value: value):
    """A panel a group of cells, a curve a set, from the verdict."""
    of = {(finding["cell"], finding["set"]): finding for finding in report.verdict["findings"]}
    multiples = []
    for words, cells in layout.groups.items():
        curves, targets = [], []
        for name in report.sets:
            points = [(axis_place(layout, ticks, value), of[cells[value], name]) for value in layout.values
                      if value in cells and (cells[value], name) in of]
            columns = [[math.nan if finding[field] is None else transform(finding[field]) for _, finding in points]
                       for field in fields]
            if points:
                curves.append(Curve(name, [x for x, _ in points], *columns))
                targets = [target(finding) for _, finding in points]
        if curves:
            multiples.append(Multiple(words, curves, targets))
    return multiples


def regret_multiples(report, layout, ticks):
    """A panel a group of cells that differ in policy only, a curve a policy."""
    results = report.results
    groups = {}
    for cells in layout.groups.values():
        words = sweep.describe(results, next(iter(cells.values())),
                               [name for name in mixlab_results.swept(results)
                                if name != layout.key and not name.startswith("policy_")])
        for value, cell in cells.items():
            regret = cell_rows(results, "regret", cell)[:, horizon_index(results, cell)]
            if regret.size:
                groups.setdefault(words, {}).setdefault(sweep.policy_words(results, cell), []).append(
                    (axis_place(layout, ticks, value), float(regret.mean()), *np.quantile(regret, (0.01, 0.99), method="inverted_cdf")))
    return [Multiple(words, [Curve(name, *map(list, zip(*sorted(points))))
                             for name, points in curves.items()], [])
            for words, curves in groups.items()]


def horizon_index(results, cell):
    return int((results["round"].values == cell_value(results, "study_horizon", cell)).argmax())


def comparison_section(report):
    comparisons = report.verdict["comparisons"]
    if not comparisons:
        return ""
    return ("<h2>Policies on the same noise</h2><p>Trajectory by trajectory: both policies meet the same θ*, arms and "
            "noise. The tail matters beside the mean; the figures are with the first policy of each kind of noise.</p>"
            + page.table(page.COMPARISON, comparisons, "comparisons"))


def rate_section(report):
    rates = report.verdict["rates"]
    if not rates:
        return ""
    return ("<h2>Rates</h2><p>How mean regret grows along a swept key, beside the exponent of the corollary.</p>"
            + page.table(page.RATE, rates, "rates"))


# Cells


def cells_section(report):
    cells = report.results["cell"].values.tolist()
    with multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0)), keep_report, (report,)) as pool:
        sections = pool.map(cell_section, cells, chunksize=1)
    chooser = page.controls([(cell, cell_value(report.results, "label", cell)) for cell in cells], report.sets)
    return f"<h2>Cell by cell</h2>{chooser}" + "\n".join(sections)


def keep_report(report):
    """Workers draw different cells of one report."""
    global drawn
    drawn = report


def cell_section(cell):
    report, results = drawn, drawn.results
    label = cell_value(results, "label", cell)
    findings = [finding for finding in report.verdict["findings"] if finding["cell"] == cell]
    parts = [f"<h3>Cell {cell}: {page.escape(label)}</h3>"]
    if findings:
        parts += [page.cell_verdict(findings), bound_words(report, cell), page.figures(cell_figures(report, cell, findings))]
    else:
        parts.append("<p>No trajectory of this cell has been run.</p>")
    parts.append(f"<details><summary>Parameters of this cell</summary>{cell_parameters(results, cell)}</details>")
    return f'<section class="cell" id="cell-{cell}">{"".join(parts)}</section>'


def cell_figures(report, cell, findings):
    results, folder = report.results, report.folder / "figures" / f"cell-{cell:03d}"
    guaranteed = {finding["set"]: finding["guaranteed"] for finding in findings}
    sharpness = {finding["set"]: (finding["c"], finding["c_low"], finding["c_high"]) for finding in findings}
    n = max(finding["n"] for finding in findings)
    margin = math.sqrt(math.log(1 / report.verdict["alpha"]) / (2 * n))
    policy = report.policies[sweep.policy_words(results, cell)]
    sets = {name: look for name, look in report.sets.items() if name in guaranteed}
    drawings = (
        ("coverage", coverage_figure(results, cell, sets, guaranteed), "Coverage over rounds",
         "share of trajectories with θ* in the set at every round so far, pointwise exact 95 % band; open markers: no "
         "guarantee"),
        ("ratio", ratio_figure(results, cell, sets, sharpness), "How close to a miss",
         "the worst round of every trajectory; the black mark is the factor c on the squared radius that would give 1 − δ, "
         "with its interval"),
        ("calibration", calibration_figure(results, cell, sets, margin), "All levels at once",
         "share of trajectories that miss at level δ, for every δ; a valid set stays below the diagonal, chance reaches "
         f"the dashed line with probability {report.verdict['alpha']:g}"),
        ("regret", regret_figure(results, cell, policy.colour), "Regret",
         "mean and median; light band from 1 % to 99 %, dark from 25 % to 75 % of trajectories; dotted: the theorem"),
    )
    return [page.figure(save(drawing, folder / stem), heading, explanation)
            for stem, drawing, heading, explanation in (*drawings, *rival_drawings(report, cell))]


def rival_drawings(report, cell):
    """The policies that met the same noise as `cell`, if it is the first of them."""
    comparisons = report.verdict["comparisons"]
    if any(comparison["cell_b"] == cell for comparison in comparisons):
        return
    rivals = [comparison for comparison in comparisons if comparison["cell_a"] == cell]
    name = {other: sweep.policy_words(report.results, other)
            for other in (cell, *(comparison["cell_b"] for comparison in rivals))}
    if rivals:
        yield ("policies", policies_figure(report.results, name, report.policies), "Policies on the same noise",
               "mean regret; thin line and band: all but 1 % of the trajectories on either side")
    for comparison in rivals:
        other = comparison["cell_b"]
        yield (f"against-{other:03d}",
               pair_figure(paired_difference(report.results, cell, other), name[cell], name[other], comparison),
               f"{name[cell]} against {name[other]}",
               "difference of regret at the horizon, trajectory by trajectory, with the interval of its mean")


def paired_difference(results, cell, other):
    """Regret at the horizon of one cell minus that of the other, over the trajectories that both ran."""
    regret = [results["regret"].sel(cell=c)[:, horizon_index(results, c)].values for c in (cell, other)]
    difference = regret[0] - regret[1]
    return difference[np.isfinite(difference)]


def bound_words(report, cell):
    bound = next((bound for bound in report.verdict["bounds"] if bound["cell"] == cell), None)
    if bound is None:
        return ""
    lemma = (f'Potential lemma: {bound["potential_violations"]} trajectories above it; the largest potential is '
             f'{page.digits(bound["potential_largest"])}, the lemma allows {page.digits(bound["potential_bound"])}.')
    if not bound["applies"]:
        return f"<p>No regret theorem speaks about this policy. {lemma}</p>"
    trivial = " (above the trivial 2BT)" if bound["vacuous"] else ""
    return (f'<p>Regret theorem: {page.state_mark(bound["state"])} {bound["violations"]} of {bound["n"]} trajectories exceed '
            f'it at some round; at the horizon it is {page.digits(bound["bound"], 4)}{trivial}, the largest regret '
            f'{page.digits(bound["regret_largest"], 4)}. {lemma}</p>')


def cell_parameters(results, cell):
    names = [name for name in results.data_vars if name.startswith(mixlab_results.SECTIONS)
             and results[name].dims == ("cell",)]
    values = [(name.replace("_", ".", 1), cell_value(results, name, cell)) for name in names]
    return page.definitions([(name, value if isinstance(value, str) else f"{value:.10g}")
                             for name, value in values if sweep.is_given(value)])


# Where it comes from

PROVENANCE = ("name", "seed", "mixlab_version", "git_commit", "git_dirty", "compiler", "hdf5_version", "boost_version",
              "armadillo_version", "blas", "numerics", "start", "end", "machine", "threads", "job_id", "study_hash",
              "study_overrides")


def study_section(report):
    attributes = report.results.attrs
    facts = [(name.replace("_", " "), str(attributes[name])) for name in PROVENANCE if attributes.get(name)]
    return ("<h2>The study, and how to repeat it</h2><p>The same seed gives the same numbers, bit for bit, whatever the "
            f"threads, shards and restarts.</p>{page.verbatim(commands(report))}"
            f"<h3>Study file</h3>{page.verbatim(attributes['study_file'])}"
            f"<details><summary>The study as it took effect, with all defaults</summary>"
            f"{page.verbatim(attributes['study'])}</details>"
            f"<h3>Provenance</h3>{page.definitions(facts)}"
            f"<details><summary>Runs that contributed</summary>{page.verbatim(attributes.get('runs', ''))}</details>")


def overrides(results):
    """What was changed in the study file, `noise.rho=0.5` each."""
    return [line.strip() for line in results.attrs.get("study_overrides", "").splitlines() if line.strip()]


def commands(report):
    """What to type to get this page again."""
    attributes, name = report.results.attrs, report.results.attrs["name"]
    settings = "".join(f" --set '{setting}'" for setting in overrides(report.results))
    return "\n".join([f"# mixlab {attributes['mixlab_version']}, commit {attributes['git_commit']}",
                      f"mixlab run {name}.cfg -o {name}.h5{settings}    # the study file below",
                      f"mixlab check {name}.h5", f"mixlab report {name}.h5"])


if __name__ == "__main__":
    sys.exit(main())
