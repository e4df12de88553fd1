"""The words of a run that a study asks about, and the right answers to its tasks."""

from collections.abc import Iterable
from typing import Any

import polars as pl

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.pages.tabs import EXPLORER, method_pages
from plumbline.results import grid
from plumbline.spec.errors import InputError, shown
from plumbline.spec.registry import card_of

NAMED = 12
"""The number of words of a run that an error names at most."""


def scores_of(run: Run) -> pl.DataFrame:
    """Return the scores of the run by target (`group_a`) and feature (`attribute`, of the list `category`).

    Raises InputError for a run without any.
    """
    card = card_of(run.probe)
    found = grid.cells(run.pk, card.score) if card and run.state == RunState.DONE else None
    if found is None or found.is_empty():
        raise InputError(
            f"run {run.pk} has no scores of groups with words; choose a finished run with a table of them."
        )
    return found.filter(pl.col("value").is_not_null())


def words_of(scores: pl.DataFrame, target: str, feature: str, category: str = "") -> dict[str, Any]:
    """Return the words that the tasks name and offer. Raises InputError for a word that the run does not have.

    `category` is needed if several lists have the feature.
    """
    if target not in scores["group_a"]:
        raise InputError(f"{shown(target)} is no target of this run; it has {_some(scores['group_a'])}.")
    own = scores.filter(attribute=feature)["category"].unique(maintain_order=True).to_list()
    if not own:
        raise InputError(f"{shown(feature)} is no feature of this run; it has {_some(scores['attribute'])}.")
    if category and category not in own:
        raise InputError(f"the list {shown(category)} has no feature {shown(feature)}; choose {', '.join(own)}.")
    if len(own) > 1 and not category:
        raise InputError(f"several lists have the feature {shown(feature)}; choose {' or '.join(own)}.")
    chosen = category or own[0]
    named = {"target": target, "feature": feature, "list": chosen}
    return {**named, "targets": _distinct(scores, "group_a"), **_features(scores, chosen)}


def _features(scores: pl.DataFrame, category: str) -> dict[str, list[str]]:
    within = pl.col("category") == category
    return {
        "features": _distinct(scores.filter(within), "attribute"),
        "other": _distinct(scores.filter(~within), "attribute"),
    }


def right_answers(scores: pl.DataFrame, words: dict[str, Any]) -> dict[str, list[str]]:
    """Return the words with the highest score by task, all of them if several share it. Other tasks have none."""
    of_target = scores.filter(pl.col("group_a") == words["target"])
    of_list = pl.col("category") == words["list"]
    found = {
        "target_checked": _highest(of_target.filter(of_list), "attribute"),
        "target_others_checked": _highest(of_target.filter(~of_list), "attribute"),
        "feature_checked": _highest(scores.filter(of_list, attribute=words["feature"]), "group_a"),
    }
    return {task: words for task, words in found.items() if words}


def _highest(cells: pl.DataFrame, column: str) -> list[str]:
    return sorted(set(cells.filter(pl.col("value") == pl.col("value").max())[column]))


def _distinct(scores: pl.DataFrame, column: str) -> list[str]:
    return sorted(set(scores[column]), key=str.casefold)


def _some(words: Iterable[str]) -> str:
    """Return the words, or the first NAMED of them if there are more."""
    known = list(dict.fromkeys(words))
    return ", ".join(known[:NAMED]) + (" and others" if len(known) > NAMED else "")


def address_of(run: Run) -> str:
    """Return the name of the address of the run's table: its method's own page, or the explorer."""
    pages = method_pages(run.probe)
    return pages.tabs[0].address if pages.own_grid and pages.tabs else EXPLORER.address
