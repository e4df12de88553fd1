"""The overall differences of several runs, by contrast, in the order of the runs."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, Func, JSONField, QuerySet, TextField, Value
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import MD5, Cast, Coalesce, Concat

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import findings_of
from plumbline.findings.identity import NO_PART_OF_THE_METHOD
from plumbline.findings.models import Update
from plumbline.findings.sign_off.baselines import standing_runs
from plumbline.pages.charts.timeline import Audit, Chart, chart
from plumbline.results import summary
from plumbline.spec.digests import digest
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES


@dataclass(frozen=True, slots=True, order=True)
class Contrast:
    """The fields that two runs' figures must share to belong to one line."""

    model: str
    name: str
    probe: str
    statistic: str
    group_a: str
    group_b: str
    category: str
    variant: str
    prior: str

    @property
    def key(self) -> str:
        """The contrast's key in addresses."""
        return digest(list(astuple(self)))[:16]


@dataclass(frozen=True, slots=True)
class Line:
    """One contrast over the runs that have it, oldest first."""

    contrast: Contrast
    audits: tuple[Audit, ...]

    @property
    def of_plan(self) -> tuple[str, str, str]:
        """The fields that the audits of one plan share."""
        return self.contrast.model, self.contrast.name, self.contrast.probe

    @property
    def unit(self) -> str:
        return PROBES[self.contrast.probe].card.unit_of(self.contrast.statistic)

    @property
    def baseline(self) -> int | None:
        """The run of the plan with which the others are compared."""
        return next((audit.run for audit in self.audits if audit.is_baseline), None)

    @property
    def chart(self) -> Chart:
        return chart(self.audits)

    @property
    def spark(self) -> Chart:
        return chart(self.audits, 120, 28, slim=True)

    @property
    def small(self) -> Chart:
        """One of the small multiples of the Overview."""
        return chart(self.audits, 280, 56, slim=True)

    @property
    def latest(self) -> Measure | None:
        return self.audits[-1].measure

    @property
    def size(self) -> float:
        """The size of the latest value."""
        return abs(self.latest.value or 0.0) if self.latest else 0.0


@dataclass(frozen=True, slots=True)
class Trend:
    """The contrast that shows a plan's development over its audits.

    `before` is the contrast of the earlier audits if the latest audit no longer has it.
    """

    line: Line
    before: Line | None = None


def since_baseline(runs: Sequence[Run]) -> list[Line]:
    """Return the contrasts of finished runs, with the baselines before them. Four more queries.

    A baseline is the latest signed-off run of a plan, model and probe, otherwise the earliest finished one. Runs
    without a plan have none. Runs whose figures cannot be read are neither drawn nor baselines.
    """
    withheld = concerns_of(runs)
    runs = [run for run in runs if run.pk not in withheld]
    plans, models = {run.plan_id for run in runs if run.plan_id}, {run.model for run in runs}
    done = Run.objects.filter(plan__in=plans, model__in=models, state=RunState.DONE)
    done = done.exclude(pk__in=Update.objects.exclude(withheld="").values("run"))
    alike = ("plan_id", "model", "probe")
    earliest = dict(_by_key(done.order_by(*alike, "pk").distinct(*alike)))
    signed = done.filter(pk__in=standing_runs()).order_by(*alike, "-pk").distinct(*alike)
    baselines = {*(earliest | dict(_by_key(signed))).values()}
    given = {run.pk for run in runs}
    older = Run.objects.filter(pk__in=baselines - given).defer("spec", "traceback", "provenance")
    drawn = lines([*runs, *older], baselines)
    return [line for line in drawn if any(audit.run in given for audit in line.audits)]


def concerns_of(runs: Iterable[Run]) -> dict[int, str]:
    """Return why the figures of some of these runs cannot be read, by run, the latest first.

    The runs come with their `findings_update`, or each needs a query.
    """
    found = {run.pk: run.findings_update.withheld for run in runs if hasattr(run, "findings_update")}
    return {pk: found[pk] for pk in sorted(found, reverse=True) if found[pk]}


def _by_key(runs: QuerySet[Run]) -> list[tuple[tuple[int | None, str, str], int]]:
    return [((plan, model, probe), pk) for plan, model, probe, pk in runs.values_list("plan", "model", "probe", "pk")]


def asked_of(runs: Iterable[int]) -> dict[int, str]:
    """Return a digest of what each run asked and how: its spec with the digests of its lists, and the method's version.

    Runs with equal ones differ in the model's answers alone. One query, which reads no spec.
    """
    others = Value(sorted(NO_PART_OF_THE_METHOD), ArrayField(TextField()))
    spec = Func(F("spec"), others, template="(%(expressions)s)", arg_joiner=" - ", output_field=JSONField())
    version = Coalesce(KeyTextTransform("probe_version", "provenance"), Value(""), output_field=TextField())
    digests = MD5(Concat(Cast(spec, TextField()), version, output_field=TextField()))
    return dict(Run.objects.filter(pk__in=list(runs)).annotate(asked=digests).values_list("pk", "asked"))


def lines(runs: Iterable[Run], baselines: Collection[int] = ()) -> list[Line]:
    """Return every contrast of these runs, the largest latest value first. Two queries."""
    oldest_first = sorted(runs, key=lambda run: run.pk)
    by_pk = {run.pk: run for run in oldest_first}
    differences = {run.probe: PROBES[run.probe].card.difference for run in oldest_first if run.probe in PROBES}
    found: dict[Contrast, dict[int, Measure]] = {}
    for pk, one in summary.overall(by_pk, set(differences.values())):
        of = by_pk[pk]
        if one.statistic != differences.get(of.probe):
            continue  # the difference of another probe
        if not findings_of(of.probe).is_followed(one):
            continue
        contrast = Contrast(
            of.model, of.name, of.probe, one.statistic, one.group_a, one.group_b, one.category, one.variant, one.prior
        )
        found.setdefault(contrast, {})[pk] = one
    asked = asked_of(by_pk)
    drawn = [Line(contrast, tuple(_audits(own, by_pk, asked, baselines))) for contrast, own in found.items()]
    return sorted(drawn, key=lambda line: (-line.size, line.contrast))


def _audits(
    own: Mapping[int, Measure], runs: Mapping[int, Run], asked: Mapping[int, str], baselines: Collection[int]
) -> Iterator[Audit]:
    before = None
    for pk in sorted(own):
        otherwise = before is not None and asked[pk] != asked[before]
        yield Audit(pk, f"{runs[pk].created_at:%Y-%m-%d}", own[pk], pk in baselines, asked_otherwise=otherwise)
        before = pk


def trend(drawn: Sequence[Line]) -> Trend | None:
    """Return the contrast that was largest in the first audit of the latest audit's plan, or None.

    If the latest audit lacks it, take that audit's contrast with the longest history, preferably with the same first
    group.
    """
    if not drawn:
        return None
    latest = max(drawn, key=lambda line: line.audits[-1].run)
    own = [line for line in drawn if line.of_plan == latest.of_plan]
    planned = min(own, key=_age)
    current = [line for line in own if line.audits[-1].run == latest.audits[-1].run]
    if planned in current:
        return Trend(planned)
    first = planned.contrast.group_a
    return Trend(
        min(current, key=lambda line: (line.audits[0].run, line.contrast.group_a != first, _age(line))), planned
    )


def _age(line: Line) -> tuple[int, float, Contrast]:
    """Return the key that orders lines: the oldest first, then the largest first value."""
    oldest = line.audits[0]
    value = oldest.measure.value if oldest.measure else None
    return oldest.run, -abs(value or 0.0), line.contrast


def chosen(drawn: Sequence[Line], key: str | None) -> Trend | None:
    """Return the line that an address names, else the trend of the latest audit."""
    named = next((line for line in drawn if line.contrast.key == key), None)
    return Trend(named) if named else trend(drawn)
