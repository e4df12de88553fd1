"""What the indirect page can show: a run's statistics, its lists of features, and other runs to compare."""

from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.card import (
    CARD,
    CENTRED,
    DIRECT,
    PARTIAL,
    SCORE,
    SIGN,
    WITHIN,
    WITHOUT,
    WITHOUT_VARIANT,
)
from plumbline.methods.indirect.variants import estimator, stored
from plumbline.methods.indirect.words import materials_of, sensitive_slugs
from plumbline.pages import titles
from plumbline.pages.grid import Choice
from plumbline.results import summary
from plumbline.results.summary import OF_CELLS
from plumbline.spec.card import Statistic

OF_PAIRS = (WITHIN, SCORE, CENTRED, PARTIAL, WITHOUT, SIGN, DIRECT)
"""The statistics of a target and a feature in the order of the menu. The one with a verdict comes first."""
MOST_RUNS = 100


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of features of a run by slug, with their words, in the order of the spec."""

    neutral: dict[str, list[str]]
    sensitive: dict[str, list[str]]

    @property
    def all(self) -> tuple[str, ...]:
        return (*self.neutral, *self.sensitive)


@dataclass(frozen=True, slots=True)
class ComparableRun:
    """Another finished run of the method, with the same targets (another model) or with other targets."""

    run: Run
    targets: str


def lists_of(run: Run) -> Lists:
    """Return the lists of features. Empty without a valid spec."""
    materials = materials_of(run)
    if materials is None:
        return Lists({}, {})
    neutral: dict[str, list[str]] = {}
    for one, category in zip(materials.neutral.features, materials.neutral.categories, strict=True):
        neutral.setdefault(category, []).append(one.text)
    return Lists(neutral, {own.slug: [one.text for one in own.features] for own in materials.sensitive})


def choices_of(run: Run) -> list[Choice]:
    """Return the statistics that have a grid, with one entry for each sensitive set to control for."""
    named = {one.name: one for one in CARD.statistics}
    variants = {WITHOUT: [f"{WITHOUT_VARIANT}{slug}" for slug in sensitive_slugs(run)]}
    asked = [(named[name], variant) for name in OF_PAIRS if name in named for variant in variants.get(name, [""])]
    return [_choice(statistic, variant) for statistic, variant in asked if _is_there(run, statistic.name, variant)]


def _is_there(run: Run, statistic: str, variant: str) -> bool:
    """Return whether the run has the statistic.

    Without groups of names, scores within groups are empty and count as absent.
    """
    own = summary.of_run(run.pk, statistic).filter(OF_CELLS, variant=stored(run, variant)).order_by()
    return bool((own.filter(value__isnull=False) if statistic == WITHIN else own).exists())


def _choice(statistic: Statistic, variant: str) -> Choice:
    title = f"Without {variant.removeprefix(WITHOUT_VARIANT)}" if variant else titles.titles(CARD)[statistic.name]
    return Choice(statistic, title, variant)


def comparable_runs(run: Run) -> tuple[list[ComparableRun], list[ComparableRun]]:
    """Return the latest run of each model with the same targets, this one included, and the runs with other targets.

    Only runs of the same estimator count: scores of causal and masked models are not comparable.
    """
    done = (
        Run.objects.top_level()
        .filter(probe=run.probe, state=RunState.DONE)
        .defer("traceback", "provenance")
        .order_by("-pk")
    )
    own, same = targets_of(run), {run.model: run}
    other: dict[tuple[str, str], Run] = {}
    for one in (one for one in done[:MOST_RUNS] if estimator(one) == estimator(run)):
        targets = targets_of(one)
        if targets == own:
            same.setdefault(one.model, one)
        else:
            other.setdefault((targets, one.model), one)
    ordered = sorted(same.values(), key=lambda one: one.model)
    return [ComparableRun(one, own) for one in ordered], [
        ComparableRun(one, targets) for (targets, _), one in other.items()
    ]


def targets_of(run: Run) -> str:
    """Return the name of a run's targets: their lists, or their first words."""
    sources = run.spec.get("targets") or []
    return " + ".join(_called(source) for source in (sources if isinstance(sources, list | tuple) else [sources]))


def _called(source: Any) -> str:
    if source.get("list"):
        chosen = len(source.get("only") or [])
        return f"{source['list']} ({chosen} chosen)" if chosen else str(source["list"])
    words = [one if isinstance(one, str) else str(one.get("text", "")) for one in source.get("inline") or []]
    return ", ".join(words[:3]) + (" …" if len(words) > 3 else "")
