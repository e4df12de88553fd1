"""Boards of several runs side by side: columns, means, files and pictures."""

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from tests.plumbline.methods.bbq.answered import BBQ, MEASURES
from tests.plumbline.methods.conftest import GAP, MakeRun

HALVED = [one | {"value": one["value"] and one["value"] / 2} for one in MEASURES]
MARKED = BBQ | {"model": "answers:<b>"}


@pytest.fixture
def two(make_run: MakeRun) -> tuple[Run, Run]:
    return make_run(BBQ, MEASURES), make_run(MARKED, HALVED)


def page(viewer: Client, name: str = "bbq", **query: Any) -> str:
    response = viewer.get(reverse(name), query)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


@pytest.mark.parametrize("joined", [True, False])
def test_each_run_has_its_column_whose_cells_lead_to_its_questions(
    two: tuple[Run, Run], viewer: Client, joined: bool
) -> None:
    numbers = [str(run.pk) for run in two]
    text = page(viewer, runs=",".join(numbers) if joined else numbers)
    assert "+0.32" in text
    assert "+0.16" in text
    assert "&lt;b&gt;" in text
    assert "answers:<b>" not in text
    assert all(f"/runs/{number}/bbq/questions/?category=Colour" in text for number in numbers)
    assert "Near zero is no proof of fairness" in text


def test_the_mean_of_two_runs_is_next_to_them_where_it_is_asked_for(two: tuple[Run, Run], viewer: Client) -> None:
    runs = [run.pk for run in two]
    assert "<th>Mean of both</th>" not in page(viewer, runs=runs)
    text = page(viewer, runs=runs, mean="1")
    assert "<th>Mean of both</th>" in text
    assert "<b>▲ +0.24</b>" in text


def test_two_layouts_of_one_model_have_their_mean_at_once(make_run: MakeRun, viewer: Client) -> None:
    arc = [one | {"variant": ", ".join(filter(None, ("layout arc", one.get("variant", ""))))} for one in HALVED]
    runs = [make_run(BBQ, MEASURES), make_run(BBQ | {"params": {"layout": "arc"}}, arc)]
    text = page(viewer, runs=[run.pk for run in runs])
    assert "<br>layout arc</th>" in text
    assert "<b>▲ +0.24</b>" in text


def test_runs_of_other_categories_say_so(make_run: MakeRun, viewer: Client) -> None:
    fewer = [one for one in MEASURES if one["category"] != "Shape"]
    runs = [make_run(BBQ, MEASURES).pk, make_run(BBQ, fewer).pk]
    assert "did not ask the same categories" in page(viewer, runs=runs)
    assert "did not ask the same categories" not in page(viewer, runs=runs[:1])


def test_the_dots_of_each_run_have_a_shape_of_their_own(two: tuple[Run, Run], viewer: Client) -> None:
    drawing = page(viewer, runs=[run.pk for run in two]).partition('class="chart costs"')[2].partition("</svg>")[0]
    assert (drawing.count("<circle"), drawing.count("<rect")) == (1, 1)


def test_files_and_pictures_say_what_they_are_about(two: tuple[Run, Run], viewer: Client) -> None:
    runs = [run.pk for run in two]
    table = page(viewer, "bbq_csv", runs=runs)
    assert '# models,"answers:made-up, answers:<b>"' in table
    assert len(re.findall(r"^\d+,answers:made-up,s_amb", table, re.MULTILINE)) == len(
        re.findall(r"^\d+,answers:<b>,s_amb", table, re.MULTILINE)
    )
    told = " ".join(ElementTree.fromstring(page(viewer, "bbq_costs_svg", runs=runs)).itertext())  # noqa: S314 -- our own
    assert "answers:<b>" in told
    assert "no proof of fairness" in told


def test_the_board_is_a_picture_with_its_definition_and_caveat(two: tuple[Run, Run], viewer: Client) -> None:
    drawn = page(viewer, "bbq_board_svg", runs=[run.pk for run in two], rule="as HELM")
    told = " ".join(ElementTree.fromstring(drawn).itertext())  # noqa: S314 -- our own
    assert "Definition: as HELM." in told
    assert "answers:<b>" in told
    assert "no proof of fairness" in told
    assert "▲ +0.12" in told
    whole = page(viewer, "bbq_board_svg", runs=two[0].pk)
    assert 'class="hatched"' in whole
    assert 'class="less"' in whole
    assert whole.count('class="outline"') == 2


@pytest.mark.parametrize("runs", ["999999", "x", "-1", "1e3"])
def test_a_number_that_is_no_run_of_bbq_is_not_found(viewer: Client, runs: str) -> None:
    assert viewer.get(reverse("bbq"), {"runs": runs}).status_code == 404


def test_a_run_of_another_method_is_not_found(make_run: MakeRun, viewer: Client) -> None:
    assert viewer.get(reverse("bbq"), {"runs": make_run(GAP, []).pk}).status_code == 404


def test_without_runs_there_is_a_choice_or_a_word_about_it(viewer: Client, make_run: MakeRun) -> None:
    assert "No finished run of BBQ yet" in page(viewer)
    made = make_run(BBQ, MEASURES)
    assert f'value="{made.pk}"' in page(viewer)
    assert viewer.get(reverse("bbq_csv")).status_code == 404
    assert viewer.get(reverse("bbq_costs_svg")).status_code == 404


@pytest.mark.parametrize("name", ["bbq", "bbq_csv", "bbq_costs_svg", "bbq_board_svg"])
def test_nobody_without_a_role_sees_it(db: None, name: str) -> None:
    stranger = Client()
    stranger.force_login(User.objects.create_user("nobody"))
    assert stranger.get(reverse(name)).status_code == 403


def test_eight_runs_are_few_queries(make_run: MakeRun, viewer: Client, django_assert_max_num_queries: Any) -> None:
    runs = [make_run(BBQ, MEASURES).pk for _ in range(9)]
    with django_assert_max_num_queries(16):
        text = viewer.get(reverse("bbq"), {"runs": runs}).content.decode()
    assert f">Run {runs[7]}<" in text
    assert f">Run {runs[8]}<" not in text
