"""Two runs compared because somebody asked."""

from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from plumbline.audits import questions
from plumbline.audits.models import Comparison, ComparisonRequest, Run
from plumbline.results import reading
from tests.workers.execution.conftest import Silent
from workers.execution import Worker, answer_next

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def three_runs(audited: Callable[[Path], int], tiny_folders: tuple[Path, Path], changed: Path) -> list[int]:
    return [audited(weights) for weights in (tiny_folders[0], changed, tiny_folders[0])]


@pytest.fixture
def three(three_runs: list[int], db: None) -> list[Run]:
    """Three runs of a plan, the second one of other weights: it differs from both others by the same."""
    return [Run.objects.get(pk=number) for number in three_runs]


def answer() -> list[str]:
    done: list[str] = []
    assert answer_next(Worker("test", Silent(), owner=""), done.append)
    return done


def cells(run: Run, variant: str) -> list[tuple[str, str, float]]:
    return sorted(
        reading.read(run.pk, "measure", statistic="paired_difference", variant=variant)
        .select("group_a", "attribute", "value")
        .rows()
    )


def test_it_finds_what_the_comparison_of_a_plan_finds(three: list[Run]) -> None:
    first, second, third = three
    by_itself = Comparison.objects.get(run=second)
    questions.ask_comparison(third, second)
    assert answer() == [f"comparison of run {second.pk} with run {third.pk}"]
    asked = ComparisonRequest.objects.get()
    assert (asked.error, asked.answered) == ("", True)
    counts = ("paired", "only_previous", "only_new", "not_scorable", "cells", "moved", "also_differs")
    assert [getattr(asked, name) for name in counts] == [getattr(by_itself, name) for name in counts]
    assert asked.cells == 8
    assert cells(second, f"run:{third.pk}") == cells(second, f"run:{first.pk}")


def test_it_says_what_became_of_each_difference(three: list[Run]) -> None:
    first, second, third = three
    questions.ask_comparison(first, second)
    questions.ask_comparison(first, third)
    answer(), answer()
    changed = reading.read(second.pk, "before_after").filter(run_before=first.pk)
    same = reading.read(third.pk, "before_after").filter(run_before=first.pk)
    assert sorted(changed["attribute"]) == sorted(same["attribute"]) == ["", "dominant", "poor", "warm", "wealthy"]
    assert (changed["value"] - changed["value_before"]).to_list() == pytest.approx(changed["change"].to_list())
    assert min(map(abs, changed["change"].to_list())) > 0.001
    assert same["change"].to_list() == pytest.approx([0, 0, 0, 0, 0], abs=1e-5)
    assert set(same.filter(pl.col("attribute") != "")["outcome"]) == {"unchanged"}


def test_asked_again_it_replaces_its_own_cells_alone(three: list[Run]) -> None:
    first, second, third = three
    for _ in range(2):
        assert questions.ask_comparison(third, second)
        answer()
    assert len(cells(second, f"run:{third.pk}")) == len(cells(second, f"run:{first.pk}")) == 8


def test_who_asks_what_is_asked_already_waits_with_the_other(three: list[Run]) -> None:
    first, _, third = three
    assert questions.ask_comparison(first, third)
    assert not questions.ask_comparison(first, third)
    assert questions.ask_comparison(third, first)
