"""Families of tests: the measures that are corrected together, as the spec declares."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.spec.measure import Measure

LABELS = ("statistic", "variant", "group_a", "group_b", "category", "condition", "attribute", "template")


@dataclass(frozen=True, slots=True)
class FamilyBy:
    """The family of a measure: one per statistic and value of the spec's columns.

    Overall rows form families of their own.
    """

    columns: tuple[str, ...]
    own: str

    def __call__(self, measure: Measure) -> str | None:
        """Return the family's label, or None for a variant other than the run's own, which repeats the same test."""
        if measure.variant != self.own:
            return None
        return self.label({name: getattr(measure, name) for name in LABELS})

    def label(self, key: Mapping[str, str]) -> str:
        """Return the family's label from a measure's labels.

        Agreement with people (which has a condition) has overall rows of all groups, of each group, and of some of the
        annotators.
        """
        parts = [key.get(column, "") for column in ("statistic", *self.columns)]
        of = [label for label in ("group_a", "category") if key.get("condition") and key.get(label)]
        return "\x1f".join([*parts, *([] if key.get("attribute") else ["overall", *of])])


def family_by(columns: Sequence[str], own: str = "") -> FamilyBy:
    """Return the families by these columns; `own` is the variant that is tested."""
    return FamilyBy(tuple(columns), own)
