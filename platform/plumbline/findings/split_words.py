"""The words of a table of which a run scored only the first subword."""

from collections.abc import Iterable

from plumbline.audits.models import Run
from plumbline.findings.word_reasons import OnWord
from plumbline.results.subwords import subwords_of
from plumbline.spec.registry import card_of


def scores_first_subword(run: Run) -> bool:
    """Return whether the run's method scores only the first subword of a word that splits."""
    card = card_of(run.probe)
    return card is not None and card.basis is not None and card.basis.first_subword_only


def split_words(run: Run, rows: Iterable[OnWord]) -> dict[str, int]:
    """Return the subwords of the words that split, of a run that scored only the first one. Other runs have none."""
    if not scores_first_subword(run):
        return {}
    rows = list(rows)
    groups = {group for one in rows for group in (one.group_a, one.group_b)}
    found = subwords_of(run.pk, groups, (one.attribute for one in rows))
    return {word: count for word, count in found.items() if count > 1}
