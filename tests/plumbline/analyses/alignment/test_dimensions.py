"""The explorer by dimension: words and pairs of opposites stand dimension by dimension."""

import csv
import io
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.pages.grid import payload
from tests.plumbline.analyses.alignment.judged import GROUPS, MARKED, PAIRS
from tests.plumbline.pages.test_grid import cells

DIMENSIONS = ["Agency", "Communion", "Beliefs"]


def data(client: Client, run: Run, statistic: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(reverse("explorer_data", args=[run.pk]), {"statistic": statistic}).json()
    return found


def test_pairs_of_opposites_are_a_grid_of_their_own(run: Run, viewer: Client) -> None:
    found = data(viewer, run, "pair_score")
    assert [name for name, _ in found["columns"]] == [" - ".join(pair) for pair in PAIRS]
    assert found["dimensions"] == list(PAIRS.values())
    assert [group for group, _ in found["rows"]] == GROUPS


def test_words_are_grouped_by_dimension(run: Run, viewer: Client) -> None:
    found = data(viewer, run, "ilps")
    assert found["dimensions"] == [dimension for dimension in PAIRS.values() for _ in "lr"]
    page = viewer.get(reverse("explorer", args=[run.pk])).content.decode()
    assert "Right pole minus left pole of each pair" in page


def test_words_of_one_dimension_are_brought_together_with_their_values() -> None:
    found = payload(
        cells(*(("g", "", word, value) for word, value in (("a", 1.0), ("b", 2.0), ("c", 3.0)))), {"a": "X", "c": "X"}
    )
    assert [name for name, _ in found["columns"]] == ["a", "c", "b"]
    assert (found["value"], found["dimensions"]) == ([1.0, 3.0, 2.0], ["X", "X", ""])


def test_the_file_names_the_dimension(run: Run, viewer: Client) -> None:
    answer = viewer.get(reverse("explorer_csv", args=[run.pk]), {"statistic": "ilps"})
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert {row["dimension"] for row in rows if row["attribute"] in ("warm", "rude")} == {"Communion"}


@pytest.mark.parametrize(("group", "side"), [("women", "less than"), (MARKED, "more than")])
def test_the_drawer_of_a_pair_names_the_pole_and_has_the_sentences_of_both(
    group: str, side: str, run: Run, viewer: Client
) -> None:
    query = {"statistic": "pair_score", "group": group, "attribute": "poor - rich"}
    text = viewer.get(reverse("cell", args=[run.pk]), query).content.decode()
    assert re.search(rf"with <bdi>rich</bdi> {side} with <bdi>poor</bdi>", text)
    assert text.count('<mark class="attribute">') == 4
    assert "Open the items of <bdi>poor</bdi>" in text
