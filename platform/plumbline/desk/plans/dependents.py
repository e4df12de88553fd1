"""Plans that use a curated list: what they take of it, and whether they ask one of its words."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.audits.models import Plan
from plumbline.desk.plans.contents import Frozen, PlanList, of_curated_list
from plumbline.spec.errors import InputError
from plumbline.spec.several_models import parse_each
from plumbline.vocab import content


@dataclass(frozen=True, slots=True)
class DependentPlan:
    """A plan that is not archived, with each of its fields that names the list."""

    plan: Plan
    lists: tuple[PlanList, ...]

    def leaves_out(self, word: str) -> bool:
        """Return whether no field of the plan asks this word of the list."""
        return all(word in one.left_out for one in self.lists)

    @property
    def field(self) -> str:
        """The first field that names the list, where a word that is left out can be added."""
        return self.lists[0].field


def dependent_plans(kind: str, slug: str) -> list[DependentPlan]:
    """Return the plans that name this list today, by name. `kind` is as in plumbline.vocab.content."""
    plans = Plan.objects.filter(archived_at=None).order_by("name")
    frozen = cache(content.frozen)
    found = ((plan, tuple(_lists(plan, kind, slug, frozen))) for plan in plans)
    return [DependentPlan(plan, lists) for plan, lists in found if lists]


def _lists(plan: Plan, kind: str, slug: str, frozen: Frozen) -> Iterator[PlanList]:
    """Yield what the plan takes of the list. A plan with several models names the same lists for each."""
    try:
        spec = parse_each(plan.spec)[0]
    except InputError:
        return
    for field, sources in spec.sources().items():
        if KIND_OF_FIELD[field] == kind:
            yield from (of_curated_list(field, source, frozen) for source in sources if source.slug == slug)
