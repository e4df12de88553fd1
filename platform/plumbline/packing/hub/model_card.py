"""A section for a model card: YAML metadata (model-index) and Markdown with figures, undefined figures and limits.

Source: huggingface_hub 2.4.0, `EvalResult` and `eval_results_to_model_index`, read on 2026-11-25.
"""

import re
from collections.abc import Iterator

import yaml
from huggingface_hub import EvalResult
from huggingface_hub.repocard_data import eval_results_to_model_index

from plumbline.audits.models import Run
from plumbline.audits.opposites import opposites_of
from plumbline.findings.by_method import run_findings
from plumbline.findings.contrasts import opposites_sentence
from plumbline.packing.hub.figures import Figures, figures_of, name_of, subject
from plumbline.spec.digests import digest
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import probability, sample, with_interval

MOST_FINDINGS = 10
MARKS = re.compile(r"([\\`*_\[\]<>|~&])")
"""What Markdown or HTML would not show literally within a line."""
HARM = "Harmful associations are shown because they were measured. They describe the model, not people."


def model_card(run: Run) -> str:
    """Return the section. Its metadata can be merged into the card's own. Raises InputError as `figures_of`."""
    figures = figures_of(run)
    index = eval_results_to_model_index(run.model, [_result(figures, one) for one in figures.defined])
    metadata = yaml.safe_dump({"model-index": index}, sort_keys=False, allow_unicode=True, width=120)
    return f"---\n{metadata}---\n\n" + "\n".join(_section(figures)) + "\n"


def _result(figures: Figures, one: Measure) -> EvalResult:
    finished = figures.run.finished_at
    stored = {
        "interval": [one.ci_low, one.ci_high],
        "n": one.n,
        "q_value": one.q_value,
        "verdict": one.verdict,
        "unit": figures.card.own(figures.statistic(one)).unit,
    }
    return EvalResult(
        task_type="other",
        task_name=figures.card.title,
        dataset_type="plumbline",
        dataset_name=figures.run.name,
        dataset_revision=digest(figures.run.spec),
        dataset_args={"run": figures.run.pk, "finished": finished.date().isoformat() if finished else ""},
        metric_type=one.statistic,
        metric_name=", ".join(filter(None, (name_of(figures.statistic(one)), subject(one)))),
        metric_value=one.value,
        metric_args={name: value for name, value in stored.items() if value not in (None, "", [None, None])},
    )


def _section(figures: Figures) -> list[str]:
    run = figures.run
    finished = f", finished on {run.finished_at:%Y-%m-%d}" if run.finished_at else ""
    return [
        "## Audit for social stereotypes",
        "",
        f"{_text(figures.card.title)} on {_text(run.model)}: {_text(run.name)} (Plumbline, run {run.pk}{finished})."
        f" {HARM}",
        "",
        *_findings(run),
        f"| Figure | Of | Value [{figures.interval}] | n | q | Verdict |",
        "|---|---|---|---|---|---|",
        *(_row(figures, one) for one in figures.defined),
        *([f"\n{figures.left_out:,} more figures are left out."] if figures.left_out else []),
        *_undefined(figures),
        "",
        "### Limits",
        "",
        *(f"- {_text(one)}" for one in _limits(figures)),
    ]


def _limits(figures: Figures) -> Iterator[str]:
    if note := (figures.run.provenance or {}).get("note"):
        yield f"The model is {note}: draw no conclusions about other models from it."
    means = {one.category for one in figures.defined if not one.attribute}
    yield from (opposites_sentence(name, pair) for name, pair in opposites_of(figures.run).items() if name in means)
    yield from figures.caveats()


def _findings(run: Run) -> list[str]:
    found = run_findings(run)
    told = [f"- {_text(one.sentence)} {_text(one.figures)}".rstrip() for one in found[:MOST_FINDINGS]]
    more = [f"- {len(found) - MOST_FINDINGS} more findings are left out."] if len(found) > MOST_FINDINGS else []
    return [*told, *more, ""] if told else []


def _row(figures: Figures, one: Measure) -> str:
    statistic = figures.statistic(one)
    cells = (
        f"{name_of(statistic)} ({figures.card.own(statistic).unit})",
        subject(one) or "the whole run",
        with_interval(one),
        sample(one).removeprefix("n = "),
        probability(one.q_value),
        one.verdict or "none",
    )
    return f"| {' | '.join(map(_text, cells))} |"


def _undefined(figures: Figures) -> list[str]:
    if not figures.undefined:
        return []
    named = (
        (_text(name_of(figures.statistic(one))), _text(subject(one)), _text(one.reason)) for one in figures.undefined
    )
    rows = [f"- {name}, {of or 'the whole run'}: {reason or 'no reason stored'}" for name, of, reason in named]
    return ["", "### Not defined", "", "These figures have no value. They are not zero.", "", *rows]


def _text(text: str) -> str:
    """Return text that Markdown and HTML show literally, in one line."""
    return MARKS.sub(r"\\\1", " ".join(text.split()))
