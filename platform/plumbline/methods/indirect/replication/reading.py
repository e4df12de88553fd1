"""The data of the page on known biases, from a run and other runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.card import AGREEMENT, DIRECT, SCORE
from plumbline.methods.indirect.choices import targets_of
from plumbline.methods.indirect.replication.gendered import Gendered
from plumbline.methods.indirect.replication.ranking import Scores, both
from plumbline.methods.indirect.spec import SUMMARY_PARAMS, IndirectParams
from plumbline.results import grid as store
from plumbline.results import models, summary
from plumbline.spec.digests import canonical_json
from plumbline.spec.measure import Measure

DEFAULTS = IndirectParams().model_dump(mode="json")
MOST_RUNS = 100
WORDS_OF_TEXT = 8


@dataclass(frozen=True, slots=True)
class Padded:
    """A run with its padding text and the text's name."""

    run: Run
    text: str

    @property
    def title(self) -> str:
        words = self.text.split()
        return " ".join(words[:WORDS_OF_TEXT]) + " …" * (len(words) > WORDS_OF_TEXT) if words else "no padding text"


def scores_of(run: Run, own: Gendered, statistic: str = SCORE) -> tuple[Scores, Scores]:
    """Return the direct and the indirect scores of the targets with the gender words."""
    direct, indirect = (store.cells(run.pk, one, None, own.slug) for one in (DIRECT, statistic))
    return both(direct, indirect, own.targets, list(own.words))


def agreements(run: Run) -> list[Measure]:
    return summary.measures(summary.of_run(run.pk, AGREEMENT).order_by("pk"))


def of_target(run: Run, slug: str, target: str, statistic: str = SCORE) -> dict[str, dict[str, Measure]]:
    """Return the `direct` and `indirect` score of one target with each word of a list."""
    named = {DIRECT: "direct", statistic: "indirect"}
    found: dict[str, dict[str, Measure]] = {}
    asked = summary.of_run(run.pk, *named).filter(group_a=target, category=slug, template="").exclude(attribute="")
    for one in summary.measures(asked.order_by("pk")):
        found.setdefault(one.attribute, {})[named[one.statistic]] = one
    return found


def of_model(run: Run) -> dict[str, tuple[int, list[Measure]]]:
    """Return for each list of targets a run of the model (this one or the latest) with the agreement of its two scores.

    Runs with other params are excluded, since their scores differ.
    """
    chosen, params = {targets_of(run): run.pk}, _params(run)
    for other in _finished(run):
        if _params(other) == params:
            chosen.setdefault(targets_of(other), other.pk)
    asked = models.Measure.objects.filter(
        run__in=list(chosen.values()), statistic=AGREEMENT, attribute="", group_b="", template=""
    )
    found: dict[int, list[Measure]] = {pk: [] for pk in chosen.values()}
    for row in asked.order_by("pk").values("run", *summary.FIELDS):
        found[row.pop("run")].append(Measure(**row))
    return {targets: (pk, found[pk]) for targets, pk in chosen.items() if found[pk]}


def padded(run: Run) -> list[Padded]:
    """Return the latest run for each padding text whose spec is otherwise the same.

    This run represents its own text.
    """
    own, texts = _besides_padding(run), {_text(run): run}
    for other in _finished(run):
        if _besides_padding(other) == own:
            texts.setdefault(_text(other), other)
    return [Padded(one, text) for text, one in sorted(texts.items(), key=lambda pair: pair[1].pk)]


def _finished(run: Run) -> Iterator[Run]:
    """Yield the finished runs of the same model, the latest first, without runs of added words."""
    done = Run.objects.filter(probe=run.probe, model=run.model, state=RunState.DONE).exclude(spec__has_key="adds_to")
    yield from done.defer("traceback", "provenance").order_by("-pk")[:MOST_RUNS]


def _params(run: Run) -> dict[str, Any]:
    """Return the params that change the scores and differ from their defaults."""
    own = run.spec.get("params") or {}
    return {key: value for key, value in own.items() if key not in SUMMARY_PARAMS and value != DEFAULTS.get(key)}


def _text(run: Run) -> str:
    return str(_params(run).get("padding", ""))


def _besides_padding(run: Run) -> str:
    spec = {key: value for key, value in run.spec.items() if key not in ("name", "params")}
    params = {key: value for key, value in _params(run).items() if key != "padding"}
    return canonical_json({**spec, "params": params})
