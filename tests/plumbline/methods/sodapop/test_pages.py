"""The pages of SODAPOP: words of two groups, two models side by side, names and clusters, questions that misled."""

import csv
import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from plumbline.audits.models import Run
from plumbline.methods.sodapop.card import FEW
from plumbline.methods.sodapop.success_rates import bars, matrix
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import Measure
from tests.plumbline.annotation.discovered import MARKED, MEN, NAMES, PARTY, SPEC, WOMEN, make_run
from tests.plumbline.methods.conftest import PREFERENCE, MakeRun, See


@pytest.fixture
def found(db: None) -> Run:
    return make_run()


def row_of(page: str, word: str) -> str:
    return page[page.index(f"<bdi>{escape(word)}</bdi>") :].split("</tr>")[0]


def projected(group: str, name: str, axis: str, value: float | None) -> Measure:
    place: dict[str, Any] = {"group_a": group, "attribute": name, "condition": axis}
    return Measure("success_rate_projection", "name", 1, 1, value, reason="" if value is not None else "none", **place)


def test_bars_grow_from_the_middle_to_either_side() -> None:
    values = [Measure("relative_difference", "name", 4, 4, value) for value in (0.5, -0.25)]
    assert [(one.drawn.left, one.drawn.width) for one in bars(values)] == [(50.0, 50.0), (25.0, 25.0)]
    assert [one.drawn.width for one in bars(values, end=1.0)] == [25.0, 12.5]


def test_a_pair_of_groups_has_one_cell_with_all_that_was_measured_of_it() -> None:
    pair: dict[str, Any] = {"group_a": "b", "group_b": "a"}
    whole = Measure("kmeans_accuracy", "name", 4, 4, 0.9, **pair)
    chance = Measure("kmeans_accuracy", "name", 4, 4, 0.56, condition="chance", **pair)
    groups, rows = matrix([whole, chance])
    assert groups == ["a", "b"]
    assert [(group, len(cells)) for group, cells in rows] == [("a", 0), ("b", 1)]
    (cell,) = rows[1][1]
    assert cell is not None
    assert (cell.measure, cell.others) == (whole, {"chance": chance})


def test_the_words_are_ordered_from_one_group_to_the_other(found: Run, see: See) -> None:
    page = see("run_words", found)
    order = [page.index(f"<bdi>{word}</bdi>") for word in ("sweet", "=cmd", "dull", "ruthless", "violent")]
    assert order == sorted(order)
    assert "▶ +0.50" in row_of(page, "sweet")
    assert "◀ -0.60" in row_of(page, "violent")
    assert 'data-label="q">0.01<' in row_of(page, "violent")
    assert "<b><bdi>sweet" in page
    assert "<b><bdi>dull" not in page
    assert f"{reverse('run_misled', args=[found.pk])}?word=violent" in page
    assert MARKED not in page


def weighed(word: str, value: float, low: float, high: float, **more: Any) -> dict[str, Any]:
    pair = {"statistic": "relative_difference", "group_a": "women", "group_b": "men", "attribute": word, "n": 167}
    return {**pair, "value": value, "ci_low": low, "ci_high": high, "n_units": 50, "unit": "name", **more}


def test_words_are_ranked_by_how_far_their_intervals_lie_from_zero(found: Run, see: See) -> None:
    replace_measures(
        found.pk,
        [
            weighed("rare", 2.0, 0.01, 2.0),
            weighed("often", 0.5, 0.4, 0.6, verdict="present", confounds="matched"),
            weighed("seldom", -1.5, -1.9, 0.3),
            weighed("clear", -0.3, -0.4, -0.2),
            weighed("cheerful", 2.0, -0.4, 2.0, category=FEW),
        ],
    )
    page = see("run_words", found)
    order = [page.index(f"<bdi>{word}</bdi>") for word in ("often", "rare", "seldom", "clear", "cheerful")]
    assert order == sorted(order)
    assert page.index("fewer than five successes") < page.index("<bdi>cheerful</bdi>")
    assert "not significant with names matched" in row_of(page, "often")


def test_the_summary_shows_words_and_clusters_and_offers_no_sentences(found: Run, see: See) -> None:
    page = see("run", found)
    assert f"Wrong answers with “violent” mislead {escape(found.model)} more about" in page
    assert "match the groups better than chance in 3 of 3 pairs" in page
    assert f'href="{reverse("run_words", args=[found.pk])}">Where it comes from' in page
    assert "template frames" not in page
    for name in ("items", "explorer"):
        assert f'href="{reverse(name, args=[found.pk])}"' not in page


def test_each_phase_says_which_model_answered(found: Run, see: See) -> None:
    found.provenance = {
        "model": "m",
        "stages": {"generating": {"model": "bundled:writer"}, "asking": {"model": "bundled:reader"}},
    }
    found.save()
    page = see("run_provenance", found)
    assert page.index("Generating: answered by") < page.index("bundled:writer") < page.index("Asking: answered by")


def test_pair_context_and_definition_are_in_the_address(found: Run, see: See) -> None:
    page = see("run_words", found, pair="1", context=PARTY, variant="none")
    assert f'<option value="{PARTY}" selected' in page
    assert escape(MARKED) in page
    assert "sweet" in see("run_words", found, pair="99", context="nowhere")


def test_who_makes_tasks_is_offered_them(found: Run, see: See) -> None:
    assert reverse("annotation_new", args=[found.pk, "mapping"]) not in see("run_words", found)


def test_two_models_are_next_to_each_other_and_opposed_words_are_marked(found: Run, see: See) -> None:
    assert "No other finished run" in see("run_words", found)
    other = make_run("path:./some/other", sign=-1.0)
    page = see("run_words_compared", found, **{"with": str(other.pk)})
    sweet = row_of(page, "sweet")
    assert "▶ +0.50" in sweet
    assert "◀ -0.50" in sweet
    assert "opposed" in sweet
    assert "opposed" not in row_of(page, "dull")
    assert page.count('<svg class="bar"') == 2 * 5
    assert "Choose the other run" in see("run_words_compared", found)


def test_only_a_run_of_the_method_can_be_compared(found: Run, make_run: MakeRun, viewer: Client) -> None:
    address = reverse("run_words_compared", args=[found.pk])
    for number in (make_run(PREFERENCE, []).pk, "x", 999999):
        assert viewer.get(address, {"with": number}).status_code == 404


def test_names_lie_on_a_map_and_every_pair_has_its_accuracy(found: Run, see: See) -> None:
    page = see("run_names", found)
    for name in NAMES:
        assert f"<title>{name}</title>" in page
    assert page.count("0.75") == 3
    assert page.count("chance 0.56 to 0.64") == 3
    assert "outlined" in page
    assert escape(MARKED) in page
    assert MARKED not in page


@pytest.mark.parametrize(
    ("facts", "told"),
    [
        ({"names_seen": ["Amanda"]}, "In the text that the model was fine-tuned on: <bdi>Amanda</bdi>."),
        ({"names_seen": []}, "None of these names occurs in the text"),
        ({}, "It is unknown which names occur in the text that the model was fine-tuned on."),
    ],
)
def test_names_that_the_model_was_fine_tuned_on_are_flagged(
    facts: dict[str, Any], told: str, found: Run, see: See
) -> None:
    found.provenance = {"stages": {"asking": facts}}
    found.save()
    assert told in see("run_names", found)


def test_a_word_leads_to_its_names_and_a_name_to_the_questions(found: Run, see: See) -> None:
    page = see("run_misled", found, word="violent")
    assert page.count("<bdi>Amanda</bdi>") == 2
    assert "<bdi>Adam</bdi>" not in see("run_misled", found, word="violent", group=WOMEN)
    questions = see("run_misled", found, word="violent", context=PARTY, name="Amanda")
    assert "Amanda danced all night." in questions
    assert "1 of 1 question with the word: it misled" in questions
    assert "<b>a violent guest</b>" in questions
    assert "+2.00" in questions


def test_a_word_that_did_not_mislead_says_so_and_shows_where_it_stood(found: Run, see: See) -> None:
    asked = {"word": "sweet", "context": PARTY, "name": "Amanda"}
    assert "It misled the model in none of these questions" in see("run_misled", found, **asked)
    every = see("run_misled", found, **asked, all="1")
    assert "0 of 2 questions" in every
    assert "a sweet, friendly clerk" in every


@pytest.mark.parametrize(("word", "said"), [("", "Choose a word"), ("unheard", "No distractor of this run has this")])
def test_a_word_that_is_not_there_says_so(word: str, said: str, found: Run, see: See) -> None:
    assert said in see("run_misled", found, word=word)
    assert "No question of this name" in see("run_misled", found, word="x", context=PARTY, name="Amanda")


def test_the_files_hold_no_formula(found: Run, see: See) -> None:
    lines = [line for line in see("run_words_csv", found).splitlines() if line[0] != "#"]
    rows = list(csv.DictReader(io.StringIO("\n".join(lines))))
    assert [row["attribute"] for row in rows] == ["violent", "sweet", "ruthless", "'=cmd", "dull"]
    assert "'=work" in see("run_misled_csv", found, word="violent")
    assert "kmeans_accuracy" in see("run_names_csv", found)


def test_a_run_that_asked_nobody_says_what_to_do(db: None, see: See) -> None:
    spec = SPEC | {"params": {"ask": False}}
    run = Run.objects.create(name="quiet", probe="sodapop", model="path:x", spec=spec, state="done")
    assert "no model was asked" in see("run_words", run)
    assert "no model was asked" in see("run_names", run)
    make_run()
    assert "compared no words between groups" in see("run_words_compared", run)


def test_other_methods_have_no_such_tabs(make_run: MakeRun, see: See) -> None:
    page = see("run", make_run(PREFERENCE, []))
    assert "/words/" not in page
    assert "/names/" not in page


def test_the_runs_own_page_offers_them(found: Run, see: See) -> None:
    page = see("run", found)
    assert reverse("run_words", args=[found.pk]) in page
    assert reverse("run_names", args=[found.pk]) in page
    assert MEN in page


def test_pages_ask_few_questions(found: Run, see: See, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    other = make_run("path:./some/other")
    for name, query in (
        ("run_words", {}),
        ("run_words_compared", {"with": str(other.pk)}),
        ("run_names", {}),
        ("run_misled", {"word": "violent"}),
        ("run_misled", {"word": "violent", "context": PARTY, "name": "Amanda"}),
    ):
        with django_assert_max_num_queries(20):
            see(name, found, **query)
