"""The sections of the page that need no figure, in its order: head, verdict, tables, study."""

from __future__ import annotations

import xarray

from mixlab.report import page, tables
from mixlab.report.context import Report
from mixlab.report.found import OUTCOMES, found_words
from mixlab.report.layout import lay_out, short

FEW_FINDINGS = 12  # a table of these is seen at a glance
PROVENANCE = (
    "name",
    "seed",
    "mixlab_version",
    "git_commit",
    "git_dirty",
    "compiler",
    "hdf5_version",
    "boost_version",
    "armadillo_version",
    "blas",
    "numerics",
    "start",
    "end",
    "machine",
    "threads",
    "job_id",
    "study_hash",
    "study_overrides",
)


def head(report: Report) -> str:
    """Title, size of the study, what was found, and whether it was expected."""
    verdict, results = report.verdict, report.results
    changed = ", ".join(overrides(results))
    if changed:
        changed = f'<p class="soft">The study file with {page.escape(changed)}</p>'
    partial = ""
    if not verdict["complete"]:
        partial = (
            f'<p class="warning"><b>Partial:</b> {verdict["completed"]} of '
            f'{verdict["trajectories"]} trajectories have been run; everything below is about '
            "those.</p>"
        )
    caveats = "".join(
        f'<p class="warning">{page.escape(words)}</p>' for words in caveats_of(results)
    )
    return (
        f'<h1>{page.escape(results.attrs["title"])}</h1>'
        f'<p class="soft">{page.escape(size_words(report))}</p>{changed}'
        f"{sentence(report)}{caveats}{partial}"
    )


def caveats_of(results: xarray.Dataset) -> list[str]:
    """What the verdict must be read with, each once: of noise that was replayed, for example."""
    caveats = results["caveat"].values.tolist() if "caveat" in results else []
    return [words for words in dict.fromkeys(caveats) if words]


def size_words(report: Report) -> str:
    """How large the study is, and what its words promise."""
    results = report.results
    n_cells, n_trajectories = results.sizes["cell"], results.sizes["trajectory"]
    return "; ".join(
        [
            f'{n_cells} cell{"s" * (n_cells > 1)}',
            f"{n_trajectories} trajectories each",
            f'horizon {_range(results["study_horizon"])}',
            f'δ = {_range(results["confidence_delta"])}',
            f'verdicts wrong with probability at most {report.verdict["alpha"]:g} over the whole '
            "study",
        ]
    )


def _range(values: xarray.DataArray) -> str:
    low, high = float(values.min()), float(values.max())
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"


def sentence(report: Report) -> str:
    """What was found of every set, then whether the study expected it."""
    verdict = report.verdict
    symbol, kind = OUTCOMES[verdict["outcome"]]
    words = page.escape(verdict["sentence"])
    return (
        f'<div class="sentence {kind}">{found_words(report.findings)}'
        f'<p><span class="outcome {kind}">{symbol}</span> {words}</p></div>'
    )


def glance(report: Report) -> str:
    """All findings of a sweep in one picture; empty where a table shows them as well."""
    layout = lay_out(report.results)
    if not layout or len(report.findings) <= FEW_FINDINGS:
        return ""
    return tables.glance(layout, report.findings, report.sets, short(layout.key)) + (
        '<p class="note">Each entry: verdict and anytime coverage, with a link to its cell. '
        "A black frame with ≠ contradicts the study's expectation; hatched with ? is undecided."
        "</p>"
    )


def verdict_section(report: Report) -> str:
    """Every finding, at a glance where they are many."""
    findings = report.findings
    if not findings:
        return ""
    sets = dict.fromkeys(finding["set"] for finding in findings)
    return (
        "<h2>Verdict</h2><p>Is θ* in the set at every round at once, with probability at least "
        f"1 − δ? One escape at any round is a miss.</p>{page.legend()}{glance(report)}"
        f"{page.filters(sets)}{tables.verdict_table(findings)}"
    )


def comparison_section(report: Report) -> str:
    """Policies on the same noise, pair by pair."""
    if not report.comparisons:
        return ""
    return (
        "<h2>Policies on the same noise</h2><p>Trajectory by trajectory: both policies meet the "
        "same θ*, arms and noise. The tail matters beside the mean; the figures are with the "
        "first policy of each kind of noise.</p>"
        + tables.table(tables.COMPARISON, report.comparisons, "comparisons")
    )


def rate_section(report: Report) -> str:
    """Exponents of regret along a swept key."""
    rates = report.verdict["rates"]
    if not rates:
        return ""
    return (
        "<h2>Rates</h2><p>How mean regret grows along a swept key, beside the exponent of the "
        "corollary.</p>" + tables.table(tables.RATE, rates, "rates")
    )


def summary_section(report: Report) -> str:
    """Statistics of trajectories that no other section speaks of."""
    summaries = report.verdict["summaries"]
    if not summaries:
        return ""
    return (
        "<h2>Other statistics</h2><p>Over the trajectories that were run; "
        "<code>mixlab describe format</code> says what each means.</p>"
        + tables.table(tables.SUMMARY, summaries, "summaries")
    )


def study_section(report: Report) -> str:
    """What to type to get this page again, and where the numbers come from."""
    attributes = report.results.attrs
    facts = [
        (name.replace("_", " "), str(attributes[name]))
        for name in PROVENANCE
        if attributes.get(name)
    ]
    effective = page.verbatim(attributes["study"])
    runs = page.verbatim(attributes.get("runs", ""))
    return (
        "<h2>The study, and how to repeat it</h2><p>The same seed gives the same numbers, bit "
        "for bit, whatever the threads, shards and restarts.</p>"
        f"{page.verbatim(commands(report.results))}"
        f"<h3>Study file</h3>{page.verbatim(attributes['study_file'])}"
        f"{page.details('The study as it took effect, with all defaults', effective)}"
        f"<h3>Provenance</h3>{page.definitions(facts)}"
        f"{page.details('Runs that contributed', runs)}"
    )


def overrides(results: xarray.Dataset) -> list[str]:
    """What was changed in the study file: `noise.rho=0.5` and the like."""
    lines = results.attrs.get("study_overrides", "").splitlines()
    return [line.strip() for line in lines if line.strip()]


def commands(results: xarray.Dataset) -> str:
    """What to type to get this page again."""
    attributes, name = results.attrs, results.attrs["name"]
    settings = "".join(f" --set '{setting}'" for setting in overrides(results))
    return "\n".join(
        [
            f"# mixlab {attributes['mixlab_version']}, commit {attributes['git_commit']}",
            f"mixlab run {name}.cfg -o {name}.h5{settings}    # the study file below",
            f"mixlab check {name}.h5",
            f"mixlab report {name}.h5",
        ]
    )
