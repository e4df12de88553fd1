"""The questions of a BBQ run: filters in the address, options with their shares, and pages by id."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run, Snapshot
from plumbline.methods.bbq import choices
from plumbline.methods.bbq.choices import Wanted
from plumbline.methods.bbq.item_display import softmax
from plumbline.spec.digests import digest
from tests.plumbline.methods.bbq.answered import BBQ, LABEL, MEASURES, QUESTIONS, REASON, answer
from tests.plumbline.methods.conftest import MakeRun, See

IDS = [one["id"] for one in QUESTIONS]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    made = make_run(BBQ, MEASURES)
    answer(made.pk)
    return made


@pytest.fixture
def frozen(run: Run) -> Run:
    """The same, with its bank in a snapshot."""
    content = {"kind": "banks", "slug": "colours", "entries": QUESTIONS}
    Snapshot.objects.create(sha256=digest(content), content=content)
    run.spec = BBQ | {"bank": [{"list": "colours", "sha256": digest(content)}]}
    run.save()
    return run


def shown(text: str) -> list[str]:
    return [name for name in IDS if f"<b><bdi>{name}</bdi></b>" in text]


FILTERS: list[tuple[dict[str, str], list[int]]] = [
    ({}, list(range(8))),
    ({"condition": "ambig"}, [0, 2, 4, 6]),
    ({"condition": "ambig", "polarity": "neg"}, [0, 4]),
    ({"category": "Colour"}, list(range(8))),
    ({"category": "Shape"}, []),
    ({"template": "Colour 2"}, [4, 5, 6, 7]),
    ({"label": LABEL}, [4, 5, 6, 7]),
    ({"label": "nobody"}, []),
    ({"value": "care & order"}, [4, 5, 6, 7]),
    ({"code": "Blue", "template": "Colour 1"}, [0, 1, 2, 3]),
    ({"differs": "shade"}, []),
    ({"flagged": "yes"}, [4, 5, 6, 7]),
    ({"flagged": "no"}, [0, 1, 2, 3]),
    ({"answer": "biased"}, [0, 3, 5]),
    ({"answer": "other"}, [4]),
    ({"answer": "UNKNOWN"}, [2, 6, 7]),
    ({"answer": "unmatched"}, [1]),
    ({"reason": REASON}, [1]),
    ({"answer": "right"}, [2, 6]),
    ({"answer": "rubbish", "after": "x", "before": "-1"}, list(range(8))),
]


@pytest.mark.parametrize(("query", "places"), FILTERS)
def test_the_address_chooses_questions(run: Run, see: See, query: dict[str, str], places: list[int]) -> None:
    assert shown(see("run_bbq_items", run, **query)) == [IDS[place] for place in places]


@pytest.mark.parametrize("query", [{}, {"flagged": "yes"}, {"value": "care & order"}, {"flagged": "no"}])
def test_a_frozen_bank_answers_as_an_inline_one(frozen: Run, see: See, query: dict[str, str]) -> None:
    text = see("run_bbq_items", frozen, **query)
    places = next(places for one, places in FILTERS if one == query)
    assert shown(text) == [IDS[place] for place in places]
    assert "Who loses things?" in text


def test_a_question_shows_its_options_with_what_they_are(run: Run, see: See) -> None:
    text = see("run_bbq_items", run, answer="biased", template="Colour 1", condition="ambig")
    assert "A Blue person and a Green person waited" in text
    assert 'title="chosen">●' in text
    assert '<bdi>The Blue person</bdi> <span class="role">target, biased</span>' in text
    assert '<bdi>The Green person</bdi> <span class="role">non-target</span>' in text
    assert '<span class="role">UNKNOWN</span>' in text
    assert ">0.63<" in text
    assert "Answer: biased." in text
    assert "the scores that were imported" in text


def test_an_answer_alone_has_no_shares_and_an_unmatched_one_its_reason(run: Run, see: See) -> None:
    assert "<rect" not in see("run_bbq_items", run, template="Colour 2")
    text = see("run_bbq_items", run, answer="unmatched")
    assert "No answer: the output &#x27;perhaps &lt;b&gt;me&lt;/b&gt;&#x27; matches no option" in text


def test_a_known_fault_is_reported_with_its_words_escaped(run: Run, see: See) -> None:
    text = see("run_bbq_items", run, flagged="yes")
    assert "Known fault: the option &lt;u&gt;names&lt;/u&gt; no group" in text


def test_a_text_that_is_gone_says_so(run: Run, see: See) -> None:
    run.spec = BBQ | {"bank": [{"list": "gone", "sha256": "0" * 64}]}
    run.save()
    text = see("run_bbq_items", run)
    assert text.count("The text is no longer available.") == len(IDS)
    assert "The Blue person" in text


@pytest.mark.django_db
def test_pages_go_on_by_id_in_both_directions(run: Run) -> None:
    first = choices.page(run.pk, Wanted(), 3)
    assert (len(first.answers), first.more_before, first.more_after, first.count) == (3, False, True, 8)
    second = choices.page(run.pk, Wanted(), 3, after=first.answers[-1].id)
    back = choices.page(run.pk, Wanted(), 3, before=second.answers[0].id)
    assert [one.id for one in back.answers] == [one.id for one in first.answers]
    last = choices.page(run.pk, Wanted(), 3, after=second.answers[-1].id)
    assert (len(last.answers), last.more_before, last.more_after) == (2, True, False)


def test_another_runs_answers_are_not_shown(run: Run, make_run: MakeRun, see: See) -> None:
    assert shown(see("run_bbq_items", make_run(BBQ, MEASURES))) == []


def test_a_page_is_few_queries(frozen: Run, viewer: Client, django_assert_max_num_queries: Any) -> None:
    with django_assert_max_num_queries(20):
        viewer.get(reverse("run_bbq_items", args=[frozen.pk]), {"category": "Colour", "flagged": "yes"})


def test_shares_are_a_softmax_that_large_scores_do_not_break() -> None:
    assert softmax([1000.0, 1000.0, -1000.0]) == pytest.approx([0.5, 0.5, 0.0])
