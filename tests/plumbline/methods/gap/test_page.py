"""The pages of a GAP run: P(neither) beside what is really so, topics, and the passages under them."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.gap.passages import pieces
from plumbline.methods.gap.spec import SEEN
from plumbline.pages.charts.scatter import Point, scatter
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.tables import choice
from plumbline.results.terms import ids_of
from plumbline.spec.banks.passages import Passage
from tests.plumbline.methods.conftest import GAP, MARKED, MakeRun, See, measured

BOTH = {"group_a": "feminine", "group_b": "masculine"}
CUT = "2 passages were cut to the model&#x27;s length"
MEASURES = [
    *(
        measured(statistic, value, group_a=gender, unit="passage")
        for gender, shift in (("feminine", 0.0), ("masculine", 0.04))
        for statistic, value in (
            ("p_neither", 0.11 + shift),
            ("neither_rate", 0.098 + shift),
            ("p_neither_excess", 0.012),
            ("accuracy", 0.63),
            ("f1", 0.67),
        )
    ),
    measured("accuracy", 0.45, condition="chance"),
    measured("accuracy", 0.66),
    measured("f1", 0.7),
    measured(
        "p_neither_difference",
        -0.04,
        q_value=0.003,
        p_value=0.003,
        reason="2 passages were cut to the model's length",
        **BOTH,
    ),
    measured(
        "p_neither_excess_difference",
        0.0,
        q_value=0.9,
        p_value=0.9,
        reason="2 passages were cut to the model's length",
        **BOTH,
    ),
    measured("topic_bias", 0.19, category="topic 1", attribute=f"war, {MARKED}", group_a="men", group_b="women"),
    measured("topic_bias", -0.05, category="topic 2", attribute="women, sister", group_a="men", group_b="women"),
    measured("topic_bias", None, category="topic 3", attribute="ᚠ", reason="not scorable, left out: ᚠ"),
    measured("topic_p_neither", 0.14, category="topic 1", group_a="feminine"),
    measured("topic_p_neither", 0.12, category="topic 2", group_a="feminine"),
    measured("topic_p_neither", 0.16, category="topic 2", group_a="masculine"),
    measured("topic_bias_correlation", 0.207, group_a="feminine", p_value=0.001, q_value=0.002),
    measured("topic_bias_correlation", 0.02, group_a="feminine", variant="partial", p_value=0.7),
]
ANSWERS = [
    ("p0", "feminine", [-0.4, -1.6, -2.04], 0),
    ("p1", "masculine", [-2.3, -2.3, -0.2], 2),
    ("p2", "feminine", None, 2),
]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    """Three passages: one answered rightly with A, one rightly with neither, one that has no answer."""
    return with_answers(make_run(GAP, MEASURES), "gap")


def with_answers(made: Run, probe: str) -> Run:
    """The run with three choices, one of them without an answer."""
    options, why = '["Ann", "Eve", "NEITHER"]', "'Ann' is spelled with the unknown token"
    ids = ids_of([probe, "", options, why, "feminine", "masculine", *(item for item, *_ in ANSWERS)])
    rows = len(ANSWERS)
    copy_in(
        choice,
        {
            "id": record_ids(made.pk, 0, rows),
            "run": [made.pk] * rows,
            "probe": [ids[probe]] * rows,
            **{name: [ids[""]] * rows for name in ("bank", "category", "condition", "polarity", "name")},
            "item": [ids[item] for item, *_ in ANSWERS],
            "group": [ids[gender] for _, gender, *_ in ANSWERS],
            "options": [ids[options]] * rows,
            "logits": [None if told is None else json.dumps(told) for *_, told, _ in ANSWERS],
            "chosen": [None if told is None else told.index(max(told)) for *_, told, _ in ANSWERS],
            "gold": [gold for *_, gold in ANSWERS],
            "reason": [ids[why] if told is None else None for *_, told, _ in ANSWERS],
        },
    )
    return made


def test_p_neither_is_next_to_what_is_really_so(run: Run, see: See) -> None:
    text = see("run_pronouns", run)
    assert "a lower probability for feminine than for masculine pronouns. After the true shares" in text
    assert '0.11 <span class="small faint">[-0.39, 0.61]</span>' in text
    assert '0.098 <span class="small faint">' in text
    assert CUT in text
    assert ">0.45<" in text


def test_topics_are_listed_from_men_to_women_with_their_words(run: Run, see: See) -> None:
    text = see("run_pronouns", run)
    assert text.index(">topic 1<") < text.index(">topic 2<") < text.index(">topic 3<")
    assert f"{reverse('items', args=[run.pk])}?attribute=sister" in text
    assert "Not defined: not scorable, left out: ᚠ" in text
    assert "+0.21 [-0.29, +0.71]" in text
    assert "without length and number of names" in text
    assert MARKED not in text


def test_each_topic_is_a_mark_for_each_gender_it_has_figures_of(run: Run, see: See) -> None:
    drawing = see("run_pronouns", run).partition('class="chart scatter"')[2].partition("</svg>")[0]
    assert (drawing.count("<circle"), drawing.count("<rect")) == (2, 1)


def test_the_passages_show_what_was_answered_with_their_words_escaped(run: Run, see: See) -> None:
    text = see("run_passages", run)
    assert "&lt;i&gt;" in text
    assert "<i>Ann" not in text
    assert '<mark class="pronoun"><bdi>she</bdi></mark>' in text
    assert '<mark class="a"><bdi>Ann</bdi></mark>' in text
    assert "✓ <bdi>Ann</bdi>" in text
    assert ">0.13<" in text
    assert "No answer: &#x27;Ann&#x27; is spelled with the unknown token" in text
    assert "3 passages." in text


@pytest.mark.parametrize(
    ("query", "items"),
    [
        ({"gender": "feminine"}, {"p0", "p2"}),
        ({"really": "neither"}, {"p1", "p2"}),
        ({"really": "name", "gender": "feminine"}, {"p0"}),
        ({"answer": "right"}, {"p0", "p1"}),
        ({"answer": "wrong"}, set()),
        ({"answer": "none"}, {"p2"}),
        ({"answer": "rubbish", "page": "99"}, {"p0", "p1", "p2"}),
        ({"gender": "\x01"}, {"p0", "p1", "p2"}),
    ],
)
def test_the_address_chooses_passages(run: Run, see: See, query: dict[str, str], items: set[str]) -> None:
    text = see("run_passages", run, **query)
    assert {item for item, *_ in ANSWERS if f'note">{item}<' in text} == items


def test_the_passages_of_a_page_are_few_queries(run: Run, viewer: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(14):
        viewer.get(reverse("run_passages", args=[run.pk]))


def test_the_run_page_shows_it_first_and_leads_there(run: Run, see: See) -> None:
    text = see("run", run)
    assert "gives “neither name” a lower probability for feminine" in text
    assert reverse("run_pronouns", args=[run.pk]) in text


@pytest.mark.parametrize(("table", "holds"), [("genders", "p_neither_excess"), ("topics", "topic_bias_correlation")])
def test_the_tables_are_files(run: Run, see: See, table: str, holds: str) -> None:
    assert holds in see("run_pronouns_csv", run, table)


def test_there_is_no_other_table(run: Run, viewer: Client) -> None:
    assert viewer.get(reverse("run_pronouns_csv", args=[run.pk, "passwords"])).status_code == 404


def test_nobody_without_a_role_sees_passages(run: Run) -> None:
    stranger = Client()
    address = reverse("run_passages", args=[run.pk])
    assert stranger.get(address).status_code == 302
    stranger.force_login(User.objects.create_user("nobody"))
    assert stranger.get(address).status_code == 403
    assert stranger.get(reverse("run_pronouns", args=[run.pk])).status_code == 403


def test_a_run_without_pronouns_says_so(make_run: MakeRun, see: See) -> None:
    plain = make_run(GAP, [])
    assert "This run resolved no pronouns." in see("run_pronouns", plain)
    assert "This run has no passages." in see("run_passages", plain)
    assert reverse("run_pronouns", args=[plain.pk]) not in see("run", plain)


def test_a_word_inside_another_marked_one_is_not_cut_out_again() -> None:
    places: dict[str, Any] = {"pronoun_offset": 18, "a": "Ann Lee", "a_offset": 0, "b": "Lee", "b_offset": 4}
    passage = Passage(id="p", text="Ann Lee left when she did.", pronoun="she", a_coref=True, b_coref=False, **places)
    assert "".join(one.text for one in pieces(passage)) == passage.text
    assert [one.text for one in pieces(passage) if one.slot] == ["Ann Lee", "she"]


def test_points_are_laid_out_between_the_axes_and_equal_ones_have_room() -> None:
    drawn = scatter([Point(-1, 0.2, "feminine", ""), Point(1, 0.2, "masculine", "")])
    assert drawn is not None
    first, last = drawn.points
    assert drawn.frame.left < first.x < last.x < drawn.frame.right
    assert drawn.frame.top < first.y == last.y < drawn.frame.bottom
    assert drawn.zero == pytest.approx((first.x + last.x) / 2, abs=0.1)
    assert scatter([Point(0, 0, "feminine", "")]) is None


def test_the_choices_of_another_method_are_no_passages(make_run: MakeRun, see: See) -> None:
    """They may have two options, of which none says neither."""
    assert "This run has no passages." in see("run_passages", with_answers(make_run(GAP, []), "name_embedding"))


def test_a_model_that_saw_the_passages_is_reported_once_on_each_page(make_run: MakeRun, see: See) -> None:
    seen = [one | {"reason": SEEN} if one["statistic"] == "p_neither_difference" else one for one in MEASURES]
    run = make_run(GAP | {"model": "bundled:masked-demo"}, seen)
    for page in ("run", "run_pronouns"):
        assert "bundled:masked-demo saw passages of GAP in training." in see(page, run)
    assert SEEN not in see("run_pronouns", run)
