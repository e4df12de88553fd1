"""What a mitigation costs: runs of both models by methods that measure quality, and the changes between them."""

from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.desk.mitigation_pairs import Pair, alike_pairs
from plumbline.findings.by_method import findings_of
from plumbline.results.summary import measures, of_run
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.registry import PROBES


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
    pairs = _pairs(first, second)
    found = [(probe, pairs[probe]) for probe in _probes() if probe in pairs]
    return [Cost(PROBES[probe].card.title, *pair, _sentences(probe, *pair)) for probe, pair in found]


def _pairs(first: Run, second: Run) -> dict[str, Pair]:
    """Return the best pair of runs of each method: of the method of the two runs, these two."""
    best = {first.probe: (first, second)}
    for pair in alike_pairs(_probes(), first.model, second.model):
        best.setdefault(pair[1].probe, pair)
    return best


def _probes() -> list[str]:
    return [probe for probe in PROBES if findings_of(probe).cost]


def _sentences(probe: str, first: Run, second: Run) -> list[str]:
    tell = findings_of(probe).cost
    found = of_run(second.pk, PAIRED_DIFFERENCE.name).filter(variant=f"run:{first.pk}").order_by("pk")
    return [tell(one) for one in measures(found)] if tell else []
