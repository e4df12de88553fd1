"""A results file of the Hugging Face Hub, `.eval_results/NAME.yaml` in a model's repository.

Sources: huggingface.co/docs/hub/eval-results, read on 2026-11-25, when the page called the feature work in progress;
huggingface_hub 2.4.0, `EvalResultEntry`.
"""

import re

import yaml
from huggingface_hub import EvalResultEntry, eval_result_entries_to_yaml

from plumbline.audits.models import Run
from plumbline.packing.hub.figures import Figures, figures_of, subject
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import with_uncertainty

DATASET = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}", re.ASCII)
ABOUT = (
    "Results of an audit for social stereotypes, for a file .eval_results/NAME.yaml of the model's repository.",
    "The Hub shows them only if the data set is a registered benchmark whose eval.yaml has these task ids.",
    "Format as documented on 2026-11-25: https://huggingface.co/docs/hub/eval-results",
    "Higher is neither better nor worse: values are signed differences and descriptive figures. Do not rank by them.",
)


def eval_results(run: Run, dataset: str) -> str:
    """Return the figures as YAML. `dataset` is the id of the benchmark on the Hub, which no installation can know.

    Undefined figures are comments, since the format needs a value. Raises InputError for another form of id, and as
    `figures_of`.
    """
    if not DATASET.fullmatch(dataset):
        raise InputError(f"{dataset!r} is no id of a data set on the Hub, such as org/name: name the benchmark.")
    figures = figures_of(run)
    entries = [_entry(figures, one, dataset) for one in figures.defined]
    listed = yaml.safe_dump(eval_result_entries_to_yaml(entries), sort_keys=False, allow_unicode=True, width=120)
    return "\n".join([*(f"# {line}" for line in _comments(figures)), listed if entries else "[]\n"])


def task_id(one: Measure) -> str:
    """Return the task of a figure: the statistic, then its groups, list and condition, in letters, digits and _ . -."""
    parts = (one.statistic, one.category, one.condition, one.group_a, one.group_b)
    return ".".join(re.sub(r"[^\w-]+", "_", part).strip("_") or "_" for part in parts if part)


def _entry(figures: Figures, one: Measure, dataset: str) -> EvalResultEntry:
    finished = figures.run.finished_at
    return EvalResultEntry(
        dataset_id=dataset,
        task_id=task_id(one),
        value=one.value,
        date=finished.date().isoformat() if finished else None,
        notes="; ".join(filter(None, (f"{with_uncertainty(one)}  ({figures.interval})", one.verdict, subject(one)))),
    )


def _comments(figures: Figures) -> list[str]:
    lines = [*ABOUT, f"Run {figures.run.pk}: {figures.run.name}. Method: {figures.card.title}.", *figures.caveats()]
    if figures.left_out:
        lines.append(f"{figures.left_out:,} more figures are left out: 'audit export --table measure' writes all.")
    if figures.undefined:
        lines += ["Not defined, and so without a value:"]
        lines += [f"{task_id(one)}: {one.reason or 'no reason stored'}" for one in figures.undefined]
    return [" ".join(line.split()) for line in lines]
