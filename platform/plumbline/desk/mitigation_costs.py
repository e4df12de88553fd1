"""What a mitigation costs: runs of both models by methods that measure quality, and the changes between them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import findings_of
from plumbline.results.summary import measures, of_run
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.registry import PROBES

MOST_RUNS = 50
"""The latest runs of a model among which those with the same plan are searched."""
OF_A_RUN = ("name", "model")


@dataclass(frozen=True, slots=True)
class Cost:
    """Two runs of one plan that measure quality, and the sentences on what changed; none before a comparison."""

    title: str
    first: Run
    second: Run
    sentences: list[str]


def titles() -> list[str]:
    """Return the titles of the methods that measure what a mitigation costs."""
    return [PROBES[probe].card.title for probe in _probes()]


def measures_quality(run: Run) -> bool:
    """Return whether the run's method measures what a mitigation costs."""
    return run.probe in _probes()


def costs(first: Run, second: Run) -> list[Cost]:
    """Return the costs of the second run's model against the first's, one per method that ran on both."""
    return [cost for probe in _probes() for cost in _of_method(probe, first, second)]


def _probes() -> list[str]:
    return [probe for probe in PROBES if findings_of(probe).cost]


def _of_method(probe: str, first: Run, second: Run) -> Iterator[Cost]:
    pair = (first, second) if first.probe == probe else _latest_pair(probe, first.model, second.model)
    if pair:
        yield Cost(PROBES[probe].card.title, *pair, _sentences(probe, *pair))


def _latest_pair(probe: str, model_before: str, model_after: str) -> tuple[Run, Run] | None:
    """Return the latest runs of both models with the same spec; None if there are none."""
    earlier = finished(probe, model_before)
    for later in finished(probe, model_after):
        alike = next((one for one in earlier if one != later and plan_of(one.spec) == plan_of(later.spec)), None)
        if alike:
            return alike, later
    return None


def finished(probe: str, model: str) -> list[Run]:
    """Return the latest finished runs of a method on a model, the last one first."""
    runs = Run.objects.top_level().filter(probe=probe, model=model, state=RunState.DONE).order_by("-pk")
    return list(runs.defer("traceback")[:MOST_RUNS])


def plan_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a spec asks of any model."""
    return {key: value for key, value in spec.items() if key not in OF_A_RUN}


def _sentences(probe: str, first: Run, second: Run) -> list[str]:
    tell = findings_of(probe).cost
    found = of_run(second.pk, PAIRED_DIFFERENCE.name).filter(variant=f"run:{first.pk}").order_by("pk")
    return [tell(one) for one in measures(found)] if tell else []
