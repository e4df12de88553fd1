"""Tables of pairs of groups: identity order, dominance of domains and emergent traits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.findings.contrasts import is_present
from plumbline.pages.charts.direction_style import Lean, lean
from plumbline.results.summary import measures, of_run
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES

COMPONENTS = ("first component", "second component")
ORDERS = ("value", "score", "q", "pair", "trait")


@dataclass(frozen=True, slots=True)
class Pair:
    """The labels of a pair's two components, and their domains."""

    components: tuple[str, ...]
    domains: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Dominance:
    """A cell of the matrix: how much more like their component in the row's domain pairs are than the column's."""

    measure: Measure
    lean: Lean
    outlined: bool
    """Whether the difference is shown to differ from zero. The threshold of Table A8 is no test."""


@dataclass(frozen=True, slots=True)
class Row:
    """A domain's row: its cells (None on the diagonal and for domains without pairs) and its counts (Table A8)."""

    domain: str
    cells: list[Dominance | None]
    dominates: int
    dominated: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A pair between two domains, with its similarity to its component in each. None if unknown."""

    label: str
    with_one: Measure | None
    with_other: Measure | None

    @property
    def difference(self) -> float | None:
        if self.with_one is None or self.with_other is None:
            return None
        if self.with_one.value is None or self.with_other.value is None:
            return None
        return self.with_one.value - self.with_other.value


@dataclass(frozen=True, slots=True)
class Emergent:
    """A trait that a pair has beyond its components, with the score of the nearer component."""

    measure: Measure
    pair: Pair
    score: float | None


def pairs_of_run(run: Run) -> dict[str, Pair]:
    """Return the pairs of a run by label, or none if its spec is no longer valid."""
    try:
        spec, snapshots = frozen_spec(run)
        groups = spec.rated_words(snapshots)[0]
    except InputError:
        groups = ()
    domains = {group.label: group.domain for group in groups}
    return {
        group.label: Pair(group.components, tuple(domains.get(label, "") for label in group.components))
        for group in groups
        if group.components
    }


def identity_order(run: int) -> dict[tuple[str, str], Measure]:
    """Return the means over pairs by comparison and condition."""
    found = measures(of_run(run, "identity_order").filter(group_a="").order_by("pk"))
    return {(one.category, one.condition): one for one in found}


def incomplete(run: int, most: int) -> list[Measure]:
    """Return pairs that are not counted because the run lacks one of their components."""
    return measures(of_run(run, "identity_order").filter(category="").exclude(group_a="").order_by("pk")[:most])


def dominance(found: Sequence[Measure]) -> list[Row]:
    """Return the matrix of domain_dominance and domains_dominated, domains in the order of the run."""
    counts = {(one.group_a, one.condition): one for one in found if one.statistic == "domains_dominated"}
    between = {(one.group_a, one.group_b): one for one in found if one.statistic == "domain_dominance"}
    between |= {(other, one): _turned(measure) for (one, other), measure in between.items()}
    domains = list(dict.fromkeys(domain for pair in between for domain in pair))
    end = max((abs(one.value) for one in between.values() if one.value is not None), default=1.0)
    return [
        Row(
            domain,
            [_cell(between.get((domain, other)), end) for other in domains],
            *(_count(counts.get((domain, condition))) for condition in ("dominates", "dominated")),
        )
        for domain in domains
    ]


def _cell(measure: Measure | None, end: float) -> Dominance | None:
    if measure is None:
        return None
    return Dominance(measure, lean(measure.value, end), is_present(measure))


def _count(measure: Measure | None) -> int:
    return int(measure.value or 0) if measure else 0


def _turned(one: Measure) -> Measure:
    """Return the same difference from the other domain's side."""
    value, low, high = (None if bound is None else -bound for bound in (one.value, one.ci_high, one.ci_low))
    return replace(one, group_a=one.group_b, group_b=one.group_a, value=value, ci_low=low, ci_high=high)


def joined(run: int, pairs: Mapping[str, Pair], domain: str, other: str) -> list[Joined]:
    """Return the pairs behind a cell of the matrix, those most similar to their component in `domain` first."""
    within = {label: pair for label, pair in pairs.items() if {domain, other} == set(pair.domains) and domain != other}
    rows = measures(of_run(run, "identity_order").filter(group_a__in=within, category__in=COMPONENTS))
    taus = {(one.group_a, one.group_b): one for one in rows}
    found = []
    for label, pair in within.items():
        of = dict(zip(pair.domains, pair.components, strict=True))
        found.append(Joined(label, taus.get((label, of[domain])), taus.get((label, of[other]))))
    return sorted(found, key=lambda one: (one.difference is None, -(one.difference or 0.0), one.label))


def emergent(run: Run, pairs: Mapping[str, Pair]) -> list[Emergent]:
    """Return all emergent traits of the run in both directions, the largest first."""
    found = measures(of_run(run.pk, "emergent_trait").order_by("-value", "group_a", "attribute"))
    scores = _scores(run, found)
    nothing = Pair((), ())
    return [Emergent(one, pairs.get(one.group_a, nothing), scores.get((one.group_b, one.attribute))) for one in found]


def _scores(run: Run, found: Sequence[Measure]) -> dict[tuple[str, str], float]:
    """Return the scores of the nearer components of these traits."""
    if run.probe not in PROBES or not found:
        return {}
    own = of_run(run.pk, PROBES[run.probe].card.score).filter(
        template="",
        group_a__in={one.group_b for one in found},
        attribute__in={one.attribute for one in found},
        value__isnull=False,
    )
    return {(group, attribute): value for group, attribute, value in own.values_list("group_a", "attribute", "value")}


def chosen(
    found: Sequence[Emergent], condition: str, domain: str, trait: str, order: str, other: str = ""
) -> list[Emergent]:
    """Return the traits of one direction whose pair has these domains and whose attribute contains the text, sorted."""
    kept = [
        one
        for one in found
        if one.measure.condition == condition
        and {domain, other} - {""} <= set(one.pair.domains)
        and trait.casefold() in one.measure.attribute.casefold()
    ]
    keys = {
        "score": lambda one: -(one.score if one.score is not None else float("-inf")),
        "q": lambda one: one.measure.q_value if one.measure.q_value is not None else 2.0,
        "pair": lambda one: one.measure.group_a.casefold(),
        "trait": lambda one: one.measure.attribute.casefold(),
    }
    return sorted(kept, key=keys[order]) if order in keys else kept
