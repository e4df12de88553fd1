"""Effect sizes of a run: the sets that they compare, each with both p-values."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.analyses.word_sets.method import word_set_test
from plumbline.spec.measure import Measure

STATISTICS = ("effect_size", "combined_effect_size")
ONE_SIDED = "one-sided"
RELEASED = "released_code"


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two sets of words, x and y, and the two opposites a and b with which they are compared."""

    x: str
    y: str
    a: str
    b: str


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect size by one definition, with its p-values if it has them."""

    measure: Measure
    variant: str
    two_sided: float | None
    one_sided: float | None
    one_sided_reason: str

    @property
    def p(self) -> float | None:
        """The p-value that the sentence gives."""
        return self.one_sided if self.two_sided is None else self.two_sided


def contrast_of(probe: str, one: Measure) -> Contrast:
    """Return the sets of an effect size.

    For bias scores, the category names the words and the groups are the opposites.
    """
    first, _, second = one.category.partition(" - ")
    if word_set_test(probe).words_are_attributes:
        return Contrast(first, second, one.group_a, one.group_b)
    return Contrast(one.group_a, one.group_b, first, second)


def effects(found: Sequence[Measure]) -> list[Effect]:
    """Return one effect per definition. Its one-sided p, a separate measure, joins the two-sided one."""
    sides = {_key(one): one for one in found if _is_one_sided(one)}
    return [_effect(one, sides.get(_key(one))) for one in found if not _is_one_sided(one)]


def _is_one_sided(one: Measure) -> bool:
    return one.variant.split(", ")[-1] == ONE_SIDED


def _key(one: Measure) -> tuple[str, ...]:
    parts = [part for part in one.variant.split(", ") if part not in ("", ONE_SIDED)]
    return one.statistic, one.group_a, one.group_b, one.category, one.template, *parts


def _effect(one: Measure, side: Measure | None) -> Effect:
    if RELEASED in one.variant.split(", ") and side is None:
        return Effect(one, one.variant, None, one.p_value, "")
    reason = side.reason if side is not None and side.p_value is None else ""
    return Effect(one, one.variant, one.p_value, side.p_value if side else None, reason)
