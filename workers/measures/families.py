"""Families of tests: which measures are corrected together, as the spec declares it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.spec.measure import Measure

LABELS = ("statistic", "variant", "group_a", "group_b", "category", "condition", "attribute", "template")


@dataclass(frozen=True, slots=True)
class FamilyBy:
    """One family for each statistic and each value of the spec's columns; overall rows are families apart."""

    columns: tuple[str, ...]
    own: str

    def __call__(self, measure: Measure) -> str | None:
        """None for another variant than the run's own: it tests the same thing as the primary figure once more."""
        if measure.variant != self.own:
            return None
        return self.label({name: getattr(measure, name) for name in LABELS})

    def label(self, key: Mapping[str, str]) -> str:
        """Of a measure's labels. Agreement with people (which has a condition) has overall rows of all, of each group,
        and of some of the annotators.
        """
        parts = [key.get(column, "") for column in ("statistic", *self.columns)]
        of = [label for label in ("group_a", "category") if key.get("condition") and key.get(label)]
        return "\x1f".join([*parts, *([] if key.get("attribute") else ["overall", *of])])


def family_by(columns: Sequence[str], own: str = "") -> FamilyBy:
    """`own` is the variant that is tested."""
    return FamilyBy(tuple(columns), own)
