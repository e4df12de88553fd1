"""The overall differences of several runs, contrast by contrast, as they came one after the other."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

from plumbline.audits.models import Run
from plumbline.results import summary
from plumbline.review.timeline import Audit, Chart, chart
from plumbline.spec.digests import digest
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES


@dataclass(frozen=True, slots=True, order=True)
class Contrast:
    """What must agree for two runs' figures to be of one line."""

    model: str
    name: str
    statistic: str
    group_a: str
    group_b: str
    category: str
    variant: str
    prior: str

    @property
    def key(self) -> str:
        """How an address names it."""
        return digest(list(astuple(self)))[:16]


@dataclass(frozen=True, slots=True)
class Line:
    """One contrast over the runs that have it, the oldest first."""

    contrast: Contrast
    audits: tuple[Audit, ...]

    @property
    def chart(self) -> Chart:
        return chart(self.audits)

    @property
    def spark(self) -> Chart:
        return chart(self.audits, 120, 28, slim=True)

    @property
    def latest(self) -> Measure | None:
        return self.audits[-1].measure

    @property
    def size(self) -> float:
        """How far from zero the latest value is."""
        return abs(self.latest.value or 0.0) if self.latest else 0.0


def lines(runs: Iterable[Run]) -> list[Line]:
    """Every contrast of these runs; the one whose latest value is farthest from zero first. One query."""
    oldest_first = sorted(runs, key=lambda run: run.pk)
    by_pk = {run.pk: run for run in oldest_first}
    differences = {PROBES[run.probe].card.difference for run in oldest_first if run.probe in PROBES}
    found: dict[Contrast, dict[int, Measure]] = {}
    for pk, one in summary.overall(by_pk, differences):
        of = by_pk[pk]
        contrast = Contrast(
            of.model, of.name, one.statistic, one.group_a, one.group_b, one.category, one.variant, one.prior
        )
        found.setdefault(contrast, {})[pk] = one
    drawn = [Line(contrast, tuple(_audit(by_pk[pk], own[pk]) for pk in sorted(own))) for contrast, own in found.items()]
    return sorted(drawn, key=lambda line: (-line.size, line.contrast))


def _audit(run: Run, measure: Measure) -> Audit:
    return Audit(run.pk, f"{run.created_at:%Y-%m-%d}", measure)


def chosen(drawn: Sequence[Line], key: str | None) -> Line | None:
    """The line that an address names, else the first."""
    return next((line for line in drawn if line.contrast.key == key), drawn[0] if drawn else None)
