"""Acceptance of a proposal: the names that a curator chose become a name list like any other."""

from collections.abc import Sequence

from django.db import transaction

from plumbline.spec.errors import InputError
from plumbline.vocab.importing import entries_of
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.locking import lock
from plumbline.vocab.proposals.proportions import Share, Thresholds
from plumbline.vocab.proposals.table import Table
from plumbline.vocab.replacing import Change, replace
from plumbline.vocab.sheet import Row

PRONOUNS = {"F": "she", "M": "he"}


@transaction.atomic
def accept(slug: str, title: str, names: Sequence[Share], about: dict[str, str]) -> Change:
    """Create a list of these names. Raises InputError if the slug is taken, and for no name."""
    kind = KINDS["names"]
    lock(kind, slug=slug)
    if kind.list_model.objects.filter(slug=slug).exists():
        raise InputError(f"there is a list {slug!r} already; choose another slug.")
    if not names:
        raise InputError("no name is chosen; tick those that the list shall have.")
    rows = [Row(place, cells_of(share), "name") for place, share in enumerate(names, start=1)]
    return replace(kind, slug, {**about, "title": title or slug}, entries_of(kind, rows, about=about))


def cells_of(share: Share) -> dict[str, str]:
    """Return a name as a row of `vocab import names`. Its frequency is its count in the table."""
    return {
        "name": share.name,
        "group": share.group,
        "race": share.race,
        "gender": share.gender,
        "pronoun": PRONOUNS[share.gender],
        "frequency": str(share.count),
        "note": f"Proportion_r {share.race_share:.3f}, Proportion_g {share.gender_share:.3f}"
        + (", low" if share.is_low else ""),
    }


def about_list(file: str, table: Table, needed: Thresholds) -> dict[str, str]:
    """Return the fields of the new list: the table, and the thresholds by which its names were chosen."""
    first, last = table.years
    years = f"{first}" if first == last else f"{first} to {last}"
    return {
        "source": f"{file}, births of {years}: names with Proportion_r >= {needed.race:g}, Proportion_g >="
        f" {needed.gender:g} and a count >= {needed.count:,} (after An et al. 2023, appendix A.1)",
        "frequency_source": f"{file}: children of that name born {years}",
        "description": "Proposed from a table of births and accepted by a curator. Names are proxies: they say how a"
        " name is read, not who bears it.",
    }
