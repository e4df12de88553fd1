"""Notices of an import of ratings: implausible ratings, and means that do not follow from the raters."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from plumbline.spec.judgements import Judgements, judgements_of, means
from plumbline.vocab.models import Rating
from plumbline.vocab.ratings_file import Mean
from plumbline.vocab.replacing import Difference

MOST_SAID = 20
KEEP = "in a spec 'human: {list: LIST, flagged: keep}' keeps them"


def notices_of(differences: Iterable[Difference], published: Sequence[Mean] = ()) -> list[str]:
    """Return the notices about the lists as they would be; none for lists without ratings."""
    found = [one for one in differences if one.kind.entry_model is Rating]
    return [notice for one in found for notice in rating_notices(one.word_list.slug, entries_after(one), published)]


def rating_notices(slug: str, entries: Iterable[Any], published: Sequence[Mean] = ()) -> list[str]:
    """Return flags of the ratings, with the effect of leaving them out, then the published means that do not follow."""
    judged = judgements_of(entries)
    checked = judged.checked()
    said = [f"{slug}: {flag.reason}." for flag in checked.flags] + [_left_out(slug, judged, checked)]
    return _shortened(said if checked.flags else []) + _shortened(_unexplained_means(slug, judged, published))


def entries_after(difference: Difference) -> list[Any]:
    """Return the entries of a list after the difference, with unsaved ones among them."""
    changed = {row.key(): entry for row, entry in difference.changed}
    removed = {row.key() for row in difference.removed}
    rows = difference.word_list.rows() if difference.word_list.pk else []
    kept = [changed.get(row.key(), row) for row in rows if row.key() not in removed]
    return [*kept, *(entry for _, entry in difference.added)]


def _left_out(slug: str, judged: Judgements, checked: Judgements) -> str:
    before, after = ~np.isnan(means(judged.values)), ~np.isnan(means(checked.values))
    ratings = int((~np.isnan(judged.values)).sum() - (~np.isnan(checked.values)).sum())
    return (
        f"{slug}: audits leave these {ratings:,} ratings out, so that {int((before & ~after).sum()):,} of"
        f" {int(before.sum()):,} cells (a group on a pair) have no mean; {KEEP}."
    )


def _unexplained_means(slug: str, judged: Judgements, published: Sequence[Mean]) -> list[str]:
    """Return each published mean that differs from that of its raters in the digits that are given."""
    own = means(judged.values, least=1)
    places = {
        (group, f"{left} - {right}"): float(own[row, column])
        for row, group in enumerate(judged.groups)
        for column, (left, right) in enumerate(judged.pairs)
    }
    return [
        f"{slug}: {one.group}, {one.pair}: the published mean {one.text} does not follow from the raters, whose mean is"
        f" {places[one.group, one.pair]:.2f}."
        for one in published
        if not abs(places.get((one.group, one.pair), one.value) - one.value) <= one.rounding
    ]


def _shortened(said: list[str]) -> list[str]:
    more = len(said) - MOST_SAID
    return said if more <= 0 else [*said[: MOST_SAID - 1], f"{more} further notices of this kind.", said[-1]]
