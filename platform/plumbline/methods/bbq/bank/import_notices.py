"""Notices for the importer of a bank of BBQ, a line each."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from plumbline.spec.banks.bbq_question import DISAMBIG, Question
from plumbline.vocab.banks.reading import first_few


def notices_of(items: Sequence[Question], with_templates: bool = True) -> list[str]:
    """Return counts by category, items without a target, unbalanced templates, and flags."""
    return [
        *_counts(items),
        *([] if with_templates else ["there are no templates with the examples: the social values stay empty."]),
        *_unvalued(items, with_templates),
        *_targetless(items),
        *_unbalanced(items),
        *_flagged(items),
    ]


def _counts(items: Sequence[Question]) -> list[str]:
    counts = Counter(item.category for item in items)
    return [f"{'; '.join(f'{name} {count:,}' for name, count in counts.items())}."] if items else []


def _unvalued(items: Sequence[Question], with_templates: bool) -> list[str]:
    without = dict.fromkeys(item.cluster for item in items if not item.value)
    return [f"no social value is known of {first_few(without)}."] if without and with_templates else []


def _targetless(items: Sequence[Question]) -> list[str]:
    without = [item.id for item in items if item.target is None]
    if not without:
        return []
    return [
        f"no rule decides whom the bias of {len(without):,} items is about; bias scores leave out {first_few(without)}."
    ]


def _unbalanced(items: Sequence[Question]) -> list[str]:
    """Return the templates whose right answers agree with the bias more often than not, or less often."""
    aligned: dict[str, Counter[bool]] = defaultdict(Counter)
    for item in items:
        if item.condition == DISAMBIG and item.target is not None:
            aligned[item.cluster][item.gold == item.biased] += 1
    tilted = [f"{name} ({counts[True]}:{counts[False]})" for name, counts in aligned.items() if _tilted(counts)]
    return [f"right answers with and against the bias are not equally many in {first_few(tilted)}."] if tilted else []


def _tilted(counts: Counter[bool]) -> bool:
    return counts[True] != counts[False]


def _flagged(items: Sequence[Question]) -> list[str]:
    kinds = Counter(kind for item in items for kind in {flag.partition(":")[0] for flag in item.flags})
    if not kinds:
        return []
    counts = "; ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    return [f"known faults, flagged: {counts}. Measures are also given without these."]
