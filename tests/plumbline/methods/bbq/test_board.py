"""The board of a BBQ run: what is read first, scores with their colours, definitions, labels, templates, files."""

from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.bbq import board, variants
from plumbline.spec.measure import Measure
from tests.plumbline.methods.bbq.answered import BBQ, LABEL, MEASURES, QUESTIONS, UNKNOWN_ALWAYS, answer
from tests.plumbline.methods.conftest import MakeRun, See
from workers.probes.bbq import summary_cells, summary_definitions, summary_shares, summary_wide

PAGES = ("run_bbq", "run_bbq_labels", "run_bbq_templates", "run_bbq_items")


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    made = make_run(BBQ, MEASURES)
    answer(made.pk)
    return made


def cells(text: str) -> str:
    return text.partition('id="board"')[2].partition("</tbody>")[0]


def test_places_unknown_and_what_is_left_out_precede_any_score(run: Run, see: See) -> None:
    text = see("run_bbq", run)
    first, _, rest = text.partition('id="board"')
    assert ">0.55 <" in first.replace("\n", "")
    assert ">2</a>" in first
    assert '3 <span class="small faint">of 99' in first
    assert "chooses some places far more often" in first
    assert "Near zero is no proof of fairness" in rest.partition("<table")[0]


def test_a_score_has_its_colour_sign_interval_n_and_templates(run: Run, see: See) -> None:
    text = cells(see("run_bbq", run))
    assert 'class="number outlined tint more depth-4"' in text
    assert "▲ +0.32" in text
    assert "[-0.18, +0.82]" in text
    assert "n = 1,881, 25 templates<br>q = 0.003" in text


def test_few_templates_say_their_number_and_minus_one_is_minus_one(run: Run, see: See) -> None:
    text = cells(see("run_bbq", run))
    assert "▼ -1.00" in text
    assert "pale tint less depth-10" in text
    assert "n = 40, 2 templates<br>not testable</span>" in text


def test_an_undefined_score_is_hatched_with_its_reason_and_n(run: Run, see: See) -> None:
    text = cells(see("run_bbq", run))
    assert f'not defined</a><br><span class="small">{UNKNOWN_ALWAYS}<br>n = 7</span>' in text


def test_the_pooled_row_and_the_mean_are_named_apart(run: Run, see: See) -> None:
    text = cells(see("run_bbq", run))
    pooled, mean = text.index("All categories, pooled"), text.index("Mean over categories")
    assert pooled < text.index("+0.20") < mean < text.index("+0.16")


def test_without_flagged_items_what_changes_changes_and_the_rest_stays(run: Run, see: See) -> None:
    text = cells(see("run_bbq", run, flagged="without"))
    assert "+0.25" in text
    assert "+0.32" not in text
    assert "-1.00" in text


def test_another_definition_takes_the_board_over(run: Run, see: See) -> None:
    text = cells(see("run_bbq", run, rule="as HELM"))
    assert "+0.12" in text
    assert "0.59" in text
    assert "Mean over categories" not in text


def test_definitions_are_next_to_each_other_with_what_each_leaves_out(run: Run, see: See) -> None:
    text = see("run_bbq", run).partition('id="definitions"')[2].partition("</tbody>")[0]
    assert text.index("the paper&#x27;s text") < text.index("accuracy of both contexts") < text.index("as HELM")
    assert '1 <span class="small faint">of 99' in text
    assert "+0.11" in see("run_bbq", run, category="Colour").partition('id="definitions"')[2]


def test_the_order_follows_the_scores_with_undefined_ones_last(run: Run, see: See) -> None:
    by_name, by_score = (cells(see("run_bbq", run, order=order)) for order in ("category", "disambig"))
    assert by_name.index(">Colour<") < by_name.index(">Shape<")
    assert by_score.index(">Colour<") < by_score.index(">Shape<")


@pytest.mark.parametrize("query", [{"rule": "rubbish", "order": "x", "category": "<b>"}, {"flagged": "\x01"}])
def test_what_an_address_holds_beside_choices_falls_back(run: Run, see: See, query: dict[str, str]) -> None:
    assert "+0.32" in cells(see("run_bbq", run, **query))


def test_a_score_leads_to_its_questions(run: Run, see: See) -> None:
    assert f"{reverse('run_bbq_items', args=[run.pk])}?category=Colour&amp;condition=ambig" in see("run_bbq", run)


def test_the_accuracy_that_the_stereotype_costs_is_drawn(run: Run, see: See) -> None:
    drawing = see("run_bbq", run).partition('class="chart costs"')[2].partition("</svg>")[0]
    assert drawing.count("<circle") == 1
    assert "no answer to aligned items" in drawing


def test_labels_are_a_heatmap_whose_missing_pairs_stay_empty(run: Run, see: See) -> None:
    text = see("run_bbq_labels", run, category="Colour")
    assert "<i>Blue" not in text
    assert "&lt;i&gt;Blue&lt;/i&gt; &quot;one&quot;" in text
    # By value: of each label one, of all labels both; by what differs one of Green and one of all labels.
    assert text.count("<td></td>") == (1 + 1 + 2) + (1 + 1)
    assert UNKNOWN_ALWAYS in text
    assert f"label={quote(LABEL, safe='').replace('%20', '+')}&amp;value=care+%26+order" in text
    assert "what the other person differs in" in text


def test_the_mean_of_two_runs_has_no_interval(run: Run, make_run: MakeRun, see: See) -> None:
    other = make_run(BBQ, [one | {"value": 0.04} if one["value"] == 0.44 else one for one in MEASURES])
    text = see("run_bbq_labels", run, **{"category": "Colour", "with": str(other.pk)})
    assert "+0.24" in text
    assert "mean of 2 runs: no interval" in text


def test_templates_note_real_differences_of_base_rates(run: Run, see: See) -> None:
    text = see("run_bbq_templates", run, category="Colour")
    assert "Colour 1" in text
    assert 'class="small">a real difference of base rates<' in text


def test_a_template_has_the_rates_of_table_2_with_its_question(run: Run, see: See) -> None:
    text = see("run_bbq_template", run, name="Colour 1")
    assert "Who loses things?" in text
    assert ">0.80" in text
    assert ">0.050" in text


def test_there_is_no_other_template_and_no_other_table(run: Run, viewer: Client) -> None:
    assert viewer.get(reverse("run_bbq_template", args=[run.pk]), {"name": "Colour 9"}).status_code == 404
    assert viewer.get(reverse("run_bbq_csv", args=[run.pk, "passwords"])).status_code == 404


@pytest.mark.parametrize("table", ["board", "first", "definitions", "costs", "wordings"])
def test_each_table_is_a_file_that_says_what_it_is(run: Run, see: See, table: str) -> None:
    text = see("run_bbq_csv", run, table)
    assert "# model,answers:made-up" in text
    assert "no proof of fairness" in text


def test_a_heatmap_is_a_picture_with_its_category_and_caveat(run: Run, see: See) -> None:
    page = see("run_bbq_labels", run, category="Colour")
    assert 'labels/stereotyped-value.svg?category=Colour"' in page
    drawn = see("run_bbq_labels_svg", run, "stereotyped-value", category="Colour")
    told = " ".join(ElementTree.fromstring(drawn).itertext())  # noqa: S314 -- our own
    for part in ("Colour, ambiguous contexts", LABEL, "care & order", "▲ +0.44", "not defined", "no proof of fairness"):
        assert part in told


def test_a_heatmap_that_a_run_lacks_is_not_found(run: Run, viewer: Client) -> None:
    assert viewer.get(reverse("run_bbq_labels_svg", args=[run.pk, "weather"])).status_code == 404


@pytest.mark.parametrize("name", ["run_bbq_labels_csv", "run_bbq_templates_csv"])
def test_the_parts_of_a_category_are_files(run: Run, see: See, name: str) -> None:
    assert "s_amb" in see(name, run, category="Colour")


def test_the_summary_shows_it_in_sentences_about_answers(run: Run, see: See) -> None:
    text = see("run", run)
    assert "In ambiguous contexts the answers of answers:made-up about “Colour” follow the stereotype" in text
    assert "2 of 99 answers match no option" in text
    assert "about “Colour” is not testable: 2 templates are too few." in text
    assert text.count("98.0%") == 1
    assert "97.0%" not in text


def test_a_cancelled_run_says_how_many_of_its_questions_were_asked(make_run: MakeRun, see: See) -> None:
    run = make_run(BBQ, [])
    run.state = RunState.CANCELLED
    run.save()
    assert "no question was answered" in see("run_bbq", run)
    answer(run.pk)
    text = see("run_bbq", run)
    assert "no question was answered" not in text
    assert f"{len(QUESTIONS)} questions were asked and the answers kept: “Resume”" in text


@pytest.mark.parametrize("name", PAGES)
def test_a_run_without_measures_says_so(make_run: MakeRun, see: See, name: str) -> None:
    assert 'class="empty"' in see(name, make_run(BBQ, []))


@pytest.mark.parametrize("name", [*PAGES, "run_bbq_template", "run_bbq_labels_csv", "run_bbq_templates_csv"])
def test_nobody_without_a_role_sees_it(run: Run, name: str) -> None:
    stranger, address = Client(), reverse(name, args=[run.pk])
    assert stranger.get(address).status_code == 302
    stranger.force_login(User.objects.create_user("nobody"))
    assert stranger.get(address).status_code == 403


@pytest.mark.parametrize(("name", "most"), [("run_bbq", 14), ("run_bbq_labels", 14), ("run_bbq_templates", 13)])
def test_a_page_is_few_queries(
    run: Run, viewer: Client, name: str, most: int, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(most):
        viewer.get(reverse(name, args=[run.pk]))


def test_the_history_of_a_model_follows_whole_categories_by_the_papers_definition(run: Run, viewer: Client) -> None:
    text = viewer.get(reverse("model"), {"reference": run.model}).content.decode()
    assert "Bias score, ambiguous contexts over <bdi>Colour</bdi>" in text
    assert " minus " not in text
    assert "as HELM" not in text
    assert "without flagged" not in text
    assert "mean over categories" in text


def test_a_measure_by_value_does_not_lead_to_sentences_that_are_not_there(run: Run, see: See) -> None:
    text = see("run_measures", run, statistic="s_amb")
    assert "care &amp; order" in text
    assert reverse("items", args=[run.pk]) not in text


def test_the_desk_calls_definitions_as_the_summary_does() -> None:
    assert variants.MEAN == summary_wide.MEAN
    assert variants.BY_CODE == summary_cells.BY_CODE
    assert variants.PER_OFFER == summary_shares.PER_OFFER
    assert list(variants.RULES) == ["", *(rule.variant for rule in summary_definitions.RULES)]


def test_a_run_with_choices_of_its_own_finds_its_measures() -> None:
    told = [("layout arc", 0.3), ("layout arc, without flagged", 0.2), ("layout arc, mean over categories", 0.1)]
    found = [Measure("s_amb", value=value, n=1, unit="", n_units=1, variant=variant) for variant, value in told]
    figures = variants.Figures(found)
    assert figures.own == "layout arc"
    assert [figures.find("s_amb", {}, flagged=flagged) for flagged in (True, False)] == found[:2]
    assert figures.find("s_amb", {}, "mean over categories", flagged=False) == found[2]


@pytest.mark.parametrize(("value", "depth"), [(0.001, 1), (0.1, 1), (0.11, 2), (-1.0, 10), (1.0, 10)])
def test_colours_end_at_one_on_either_side(value: float, depth: int) -> None:
    assert board.depth(value) == depth
