"""The explorer's page, its data and its CSV file."""

import csv
import gzip
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from plumbline.audits.models import Comparison, Run
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.analyses.explorer.conftest import (
    COLD,
    FORMULA,
    MEN,
    UNKNOWN,
    WARM,
    WOMEN,
    make_run,
    measure,
    measures,
)
from tests.plumbline.results.conftest import Load


def data(client: Client, run: Run, statistic: str = "ilps") -> dict[str, Any]:
    found: dict[str, Any] = client.get(reverse("explorer_data", args=[run.pk]), {"statistic": statistic}).json()
    return found


def test_the_data_are_the_cells_row_by_row_in_the_order_of_the_spec(run: Run, viewer: Client) -> None:
    found = data(viewer, run)
    assert found["rows"] == [[WOMEN, ""], [MEN, ""]]
    assert found["columns"] == [[WARM, ""], [COLD, ""], [FORMULA, ""]]
    assert found["value"] == [1.5, 0.5, None, -0.25, 0.5, None]
    assert found["low"] == [1.0, 0.0, None, -0.75, 0.0, None]
    assert found["q"] == [0.01, 0.2, None, 0.5, 0.5, None]
    assert found["n"] == [2, 2, 0, 2, 1, 0]
    assert [found["reasons"][number] for number in found["reason"]] == ["", "", UNKNOWN, "", "", UNKNOWN]


def test_a_difference_has_a_row_for_each_pair_of_groups(run: Run, viewer: Client) -> None:
    found = data(viewer, run, "ilps_difference")
    assert (found["rows"], found["columns"], found["value"]) == ([[WOMEN, MEN]], [[WARM, ""]], [1.75])


def test_rows_whose_order_other_sentences_may_change_are_named(run: Run, viewer: Client) -> None:
    def reliability(group: str, value: float, statistic: str = "ilps") -> dict[str, Any]:
        own = {"statistic": "split_half_reliability", "condition": statistic, "n": 3, "n_units": 12}
        return measure(group, "", None, None) | own | {"value": value}

    found = [reliability(WOMEN, 0.69), reliability(MEN, 0.7), reliability(MEN, 0.1, "pair_score")]
    replace_measures(run.pk, [*measures(), *found])
    assert data(viewer, run)["unreliable"] == [True, False]
    assert data(viewer, run, "ilps_difference")["unreliable"] == [False]


def test_a_statistic_without_cells_is_empty_and_an_unknown_one_not_found(run: Run, viewer: Client) -> None:
    assert data(viewer, run, "ilps_difference_centred")["rows"] == []
    assert viewer.get(reverse("explorer_data", args=[run.pk]), {"statistic": "kappa"}).status_code == 404


def test_the_data_travel_compressed(run: Run, viewer: Client) -> None:
    answer = viewer.get(reverse("explorer_data", args=[run.pk]), headers={"accept-encoding": "gzip"})
    assert gzip.decompress(answer.content).startswith(b"{")


def test_a_run_that_was_compared_shows_what_changed(load: Load, run: Run, viewer: Client) -> None:
    later = make_run(load)
    counts = {"paired": 4, "only_previous": 0, "only_new": 0, "not_scorable": 0, "cells": 1, "moved": 0}
    Comparison.objects.create(run=later, previous=run, **counts)
    change = {"statistic": "paired_difference", "value": 0.125}
    others = [change | {"variant": f"run:{number}", "value": value} for number, value in ((run.pk, 0.5), (777, 0.75))]
    replace_measures(later.pk, [measure(WOMEN, WARM, 0.0, 0.9) | other for other in others], compared=True)
    assert f"Change since run {run.pk}" in viewer.get(reverse("explorer", args=[later.pk])).content.decode()
    assert data(viewer, later, "paired_difference")["value"] == [0.5]


def test_the_page_shows_words_of_people_literally(run: Run, viewer: Client) -> None:
    page = viewer.get(reverse("explorer", args=[run.pk])).content.decode()
    assert "a &lt;/script&gt; run" in page
    assert "a </script> run" not in page


def test_a_run_of_an_unknown_probe_has_no_grid_but_a_page_that_says_so(viewer: Client, db: None) -> None:
    run = Run.objects.create(name="old", probe="crystal_ball", model="path:x", spec={})
    assert "has no grid" in viewer.get(reverse("explorer", args=[run.pk])).content.decode()


def test_the_file_says_what_it_is_about_and_runs_nothing(run: Run, viewer: Client) -> None:
    answer = viewer.get(reverse("explorer_csv", args=[run.pk]))
    assert answer.headers["Content-Disposition"] == f'attachment; filename="run-{run.pk}-ilps.csv"'
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    about = {row[0]: row[1] for row in rows if row[0].startswith("# ")}
    assert about["# model"] == "path:./some/dir"
    assert about["# cells"] == "6"
    assert "no proof of fairness" in about["# caveat"]
    cells = {(row[0], row[2]): row[4] for row in rows[len(about) + 1 :]}
    assert cells[WOMEN, WARM] == "1.5"
    assert cells[MEN, "'" + FORMULA] == ""
    assert cells[WOMEN, COLD] == "0.5"


@pytest.mark.parametrize(("name", "most"), [("explorer", 12), ("explorer_data", 8), ("explorer_csv", 8)])
def test_the_number_of_queries_is_bounded(
    name: str, most: int, run: Run, viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(most):
        viewer.get(reverse(name, args=[run.pk]))
