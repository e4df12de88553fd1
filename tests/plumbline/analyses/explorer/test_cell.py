"""The drawer of one cell."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import DjangoAssertNumQueries

from plumbline.analyses.explorer import cell_page
from plumbline.audits.models import Plan, Run
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.analyses.explorer.conftest import ALL, COLD, FORMULA, MEN, UNKNOWN, WARM, WOMEN, make_run, measure
from tests.plumbline.results.conftest import Load


def drawer(client: Client, run: Run, group: str, attribute: str, **more: str) -> Any:
    return client.get(reverse("cell", args=[run.pk]), {"group": group, "attribute": attribute} | more)


def text(client: Client, run: Run, group: str, attribute: str, **more: str) -> str:
    return " ".join(drawer(client, run, group, attribute, **more).content.decode().split())


def test_a_cell_shows_its_value_its_sentences_and_both_probabilities(run: Run, viewer: Client) -> None:
    found = text(viewer, run, WOMEN, WARM)
    assert "+1.50 [+1.00, +2.00] n = 2 templates q = 0.01" in found
    assert (
        'All <mark class="group"><bdi>women</bdi></mark> are <mark class="attribute"><bdi>warm</bdi></mark>.' in found
    )
    assert "+1.00 = log p -4.00 − prior -5.00" in found
    assert "(p 0.018, prior 0.0067)" in found
    assert found.count("<circle") == 2
    assert "In these sentences" not in found


def test_words_are_shown_literally_and_invisible_characters_are_written_out(run: Run, viewer: Client) -> None:
    found = text(viewer, run, MEN, COLD)
    assert "<b>men" not in found
    assert "&lt;b&gt;men&lt;/b&gt;" in found
    assert "co⟨U+200B⟩ld" in found
    assert "In these sentences <bdi>" in found
    assert "; whether it holds beyond these sentences is undecided." in found


def test_a_cell_that_is_not_scorable_is_hatched_and_says_why(run: Run, viewer: Client) -> None:
    found = text(viewer, run, WOMEN, FORMULA)
    assert f'<p class="hatched">Not scorable: {UNKNOWN} (n = 0)</p>' in found
    assert "<circle" not in found


def test_a_difference_shows_both_groups_and_the_differences_of_their_templates(run: Run, viewer: Client) -> None:
    found = text(viewer, run, WOMEN, WARM, statistic="ilps_difference", other=MEN)
    assert "+1.75 [+1.25, +2.25]" in found
    assert found.count("<li>") == 4
    assert found.count("<circle") == 6


def test_a_cell_counts_its_units_in_english(run: Run, viewer: Client) -> None:
    kinds = {"unit": "kind of sentence", "n_units": 12}
    replace_measures(run.pk, [measure(WOMEN, WARM, 1.5, 0.01, **kinds), measure(MEN, WARM, 1.5, 0.01, n_units=1)])
    assert "; 12 kinds of sentence. <button" in text(viewer, run, WOMEN, WARM)
    assert "; 1 template. <button" in text(viewer, run, MEN, WARM)


def test_a_difference_from_all_others_uses_their_mean(run: Run, viewer: Client) -> None:
    others = "(other groups)"
    replace_measures(run.pk, [measure(MEN, WARM, -1.75, 0.5, statistic="ilps_difference", group_b=others)])
    found = text(viewer, run, MEN, WARM, statistic="ilps_difference", other=others)
    assert found.count("<li>") == 2
    assert found.count("<circle") == 6


def test_too_many_others_are_left_out_rather_than_cut(
    run: Run, viewer: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_page, "MOST_ITEMS", 1)
    found = text(viewer, run, WOMEN, WARM, statistic="ilps_difference", other=MEN)
    assert "difference</text>" not in found
    assert "women</text>" in found


def test_a_long_label_is_cut_in_the_strip_and_whole_in_its_title(load: Load, viewer: Client) -> None:
    run, long = make_run(load), "people who " + "very " * 20 + "much like tea"
    load(run.pk, [(ALL, long, WARM, 0.5, None)], shard=1)
    replace_measures(run.pk, [measure(long, WARM, 0.5, 0.5)])
    found = text(viewer, run, long, WARM)
    (drawn,) = re.findall(r'<text x="2" y="-10">(.*?)</text>', found)
    title, shown = drawn.removeprefix("<title>").split("</title>")
    assert title == long
    assert len(shown) <= 44


def test_what_the_grid_does_not_have_is_not_found(run: Run, viewer: Client) -> None:
    assert drawer(viewer, run, "nobody", WARM).status_code == 404
    assert drawer(viewer, run, WOMEN, WARM, statistic="ilps_difference").status_code == 404


def test_the_history_is_of_the_same_plan_and_model(load: Load, viewer: Client) -> None:
    plan = Plan.objects.create(name="plan", spec={})
    first, foreign, last = make_run(load, plan=plan), make_run(load), make_run(load, plan=plan)
    found = text(viewer, last, WOMEN, WARM)
    assert reverse("explorer", args=[first.pk]) in found
    assert reverse("explorer", args=[foreign.pk]) not in found
    assert "Over time" not in text(viewer, foreign, WOMEN, WARM)


def test_the_number_of_queries_is_bounded(
    run: Run, viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(12):
        drawer(viewer, run, WOMEN, WARM)
