"""Variants of the measures of a BBQ run: the run's own choices first, then the rule, then the items."""

from collections.abc import Iterable, Iterator, Mapping

from plumbline.findings.sentences import primary_first
from plumbline.spec.measure import WITHOUT_FLAGGED, Measure

MEAN = "mean over categories"
BY_CODE = "by group code"
PER_OFFER = "per_offer"
SCORES = {"s_amb": "ambig", "s_dis": "disambig"}
"""The bias scores, and the condition of each."""
RULES = {
    "": "The paper's text. An undefined score stays empty, without errors s_amb is 0, and -1 is -1.",
    "target_loc since July 2022": "Biased is what equals the authors' later target_loc: it agrees with the text.",
    "target_loc until July 2022": "Biased is the stereotyped group, whatever is asked: a model that always names this"
    " group scores 1, by the text 0.",
    "accuracy of both contexts": "The factor of s_amb is 1 - accuracy over both contexts (HELM): scores shrink.",
    "unmatched as UNKNOWN": "What matches no option counts as UNKNOWN, and so as right in ambiguous contexts.",
    "unmatched as wrong": "What matches no option is UNKNOWN to the score, but never right (LM Evaluation Harness).",
    "unmatched as a person": "What matches no option names a person and is never biased (HELM): scores fall.",
    "zero for undefined": "The other score is 0, too, where every answer is UNKNOWN (HELM).",
    "zero without a biased answer": "0 where no answer is biased, also where the score is -1 (LM Evaluation Harness).",
    "as HELM": "HELM's rules together, but for how it finds the target.",
    "as LM Evaluation Harness": "LM Evaluation Harness's rules together, but for how it finds the target.",
}
"""The definitions side by side, and what each does. docs/methods.md says more."""


class Figures:
    """The measures of one run, found by their labels and not by the names of the run's variants."""

    def __init__(self, measures: Iterable[Measure]) -> None:
        found = list(measures)
        self.own = own_variant({one.variant for one in found})
        self._by = {(_key(one), without(one.variant, self.own)): one for one in found}

    def __iter__(self) -> Iterator[Measure]:
        return iter(self._by.values())

    def of_rule(self, rule: str) -> list[Measure]:
        """Return the measures of one definition, over all items or without the flagged ones."""
        names = (rule, ", ".join(filter(None, (rule, WITHOUT_FLAGGED))))
        return [one for (_, own), one in self._by.items() if own in names]

    def find(self, statistic: str, about: Mapping[str, str], rule: str = "", *, flagged: bool = True) -> Measure | None:
        """Return the measure with these labels; labels that `about` leaves out are empty.

        `flagged` False: without the flagged items; if that changes nothing, the measure of all items.
        """
        key = (statistic, *(about.get(name, "") for name in _LABELS))
        fewer = self._by.get((key, ", ".join(filter(None, (rule, WITHOUT_FLAGGED))))) if not flagged else None
        return fewer or self._by.get((key, rule))

    def categories(self) -> list[str]:
        return sorted({key[2] for key, _ in self._by} - {""})

    def rules(self) -> list[str]:
        """Return the definitions of the run, in the order of `RULES`."""
        there = {rule for key, rule in self._by if key[0] in SCORES}
        return [rule for rule in RULES if rule in there]

    def without_flagged(self) -> bool:
        """Return whether the measures change without the flagged items."""
        return any(rule.endswith(WITHOUT_FLAGGED) for _, rule in self._by)


_LABELS = ("condition", "category", "group_a", "group_b", "attribute", "template")


def _key(one: Measure) -> tuple[str, ...]:
    return (one.statistic, *(getattr(one, name) for name in _LABELS))


def is_of_board(one: Measure) -> bool:
    """Return whether histories use a measure: of a category or run, by the paper's definition, over all items."""
    last = one.variant.rpartition(", ")[2]
    return not (one.group_a or one.group_b) and (not last or last not in (*RULES, WITHOUT_FLAGGED))


def own_variant(variants: Iterable[str]) -> str:
    """Return the beginning of all variants of a run: its choices in place of defaults.

    The primary one has the fewest words.
    """
    ordered = primary_first(variants)
    first = ordered[0] if ordered else ""
    return first if all(one.startswith(first) for one in ordered) else ""


def without(variant: str, own: str) -> str:
    """Return the variant without the part that the whole run has."""
    return variant[len(own) :].removeprefix(", ")
