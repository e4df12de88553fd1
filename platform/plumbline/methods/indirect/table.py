"""The cells of the indirect page for one statistic and one list of features, with added words."""

from typing import Any

import polars as pl

from plumbline.audits.models import Run
from plumbline.methods.indirect.added_cells import with_added
from plumbline.methods.indirect.variants import stored
from plumbline.methods.indirect.words import groups_in, materials_of, sensitive_slugs
from plumbline.pages import grid
from plumbline.pages.grid import Choice
from plumbline.results import grid as store


def cells(run: Run, choice: Choice, slug: str) -> pl.DataFrame:
    """Return one row per target (`group_a`) and feature (`attribute`), as in results.grid.cells."""
    return _with_added(run, _own(run, choice, slug), choice, slug)


def payload(run: Run, choice: Choice, slug: str) -> dict[str, Any]:
    """Return pages.grid.payload with targets as rows, the kind of the list, and the added words.

    `groups` gives the group that each feature names. If most features name one, the list's own order is more useful
    than the alphabet, and `listed` is true. Arrays of equal numbers, as n and reason mostly are, become one number.
    """
    own = _own(run, choice, slug)
    found = grid.payload(whole := _with_added(run, own, choice, slug))
    materials = materials_of(run)
    groups = groups_in(materials, slug) if materials else {}
    of_features = [groups.get(attribute, "") for attribute, _ in found["columns"]]
    return found | {
        **{name: _one(found[name]) for name in ("n", "reason")},
        "list": slug,
        "sensitive": slug in sensitive_slugs(run),
        "groups": of_features,
        "listed": sum(map(bool, of_features)) * 2 > len(of_features),
        "added": {"targets": _new(own, whole, "group_a"), "features": _new(own, whole, "attribute")},
    }


def _one(numbers: list[int | None]) -> list[int | None] | int | None:
    return numbers[0] if numbers and len(set(numbers)) == 1 else numbers


def _own(run: Run, choice: Choice, slug: str) -> pl.DataFrame:
    return store.cells(run.pk, choice.statistic.name, stored(run, choice.variant or ""), slug)


def _with_added(run: Run, own: pl.DataFrame, choice: Choice, slug: str) -> pl.DataFrame:
    whole = with_added(run, own, choice.statistic.name, choice.variant)
    return whole.filter(pl.col("category") == slug)


def _new(own: pl.DataFrame, whole: pl.DataFrame, label: str) -> list[str]:
    """Return the labels that only the whole table has, in order."""
    return whole[label].filter(~whole[label].is_in(own[label].unique().implode())).unique(maintain_order=True).to_list()
