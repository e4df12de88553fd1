"""A user study: made for a run, sat by people with accounts, closed, and its results."""

import csv
import io
import re
from datetime import timedelta
from html import unescape
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import models
from django.test import Client
from django.urls import reverse

from plumbline.annotation.study import sitting
from plumbline.annotation.study.models import Sitting, Study, StudyAnswer
from plumbline.annotation.study.questions import COULD_NOT, StudyStep, steps
from plumbline.annotation.study.results import scale_results, task_results, text_results
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.card import SCORE
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.annotation.conftest import Person
from tests.plumbline.methods.conftest import measured
from tests.plumbline.methods.indirect.test_spec import SPEC

pytestmark = pytest.mark.django_db
TARGETS = ("engineer", "nurse", "<b>cook</b>")
TRAITS, GENDERS = ("ambitious", "kind", "shy"), ("female", "male")
VALUES = {
    ("engineer", "kind"): 0.9,
    ("nurse", "ambitious"): 0.7,
    ("engineer", "male"): 0.5,
    ("<b>cook</b>", "ambitious"): 0.7,
}


@pytest.fixture
def run(db: None) -> Run:
    """Of two lists: the highest scores are VALUES, all others 0."""
    made = Run.objects.create(spec=SPEC, state=RunState.DONE, name="traits", probe="indirect", model="bundled:none")
    features = [*product(["traits"], TRAITS), *product(["genders"], GENDERS)]
    cells = [
        measured(SCORE, VALUES.get((target, word), 0.0), group_a=target, attribute=word, category=category, q_value=0.1)
        for target in TARGETS
        for category, word in features
    ]
    replace_measures(made.pk, cells)
    return made


def given(run: Run, **fields: Any) -> dict[str, Any]:
    return {"title": "How <we> explore", "run": run.pk, "target": "engineer", "feature": "ambitious"} | fields


@pytest.fixture
def kim(person: Person) -> Client:
    return person("kim", "auditor")


@pytest.fixture
def study(kim: Client, run: Run) -> Study:
    kim.post(reverse("study_make"), given(run))
    return Study.objects.get()


def text_of(client: Client, name: str, *arguments: int) -> str:
    response = client.get(reverse(name, args=arguments))
    assert response.status_code == 200, response.status_code
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def answers(step: StudyStep, word: str, point: str = "7") -> dict[str, str]:
    """Answers to every question of a step: this word where one is to be chosen."""
    found = {}
    for field in step.fields:
        other = point if point in field.choices else next(iter(field.choices), "")
        found[field.name] = "own words" if field.kind == "text" else word if word in field.choices else other
    return found


def sit(client: Client, study: Study, word: str = "kind", until: int | None = None, point: str = "7") -> None:
    client.post(reverse("study_begin", args=[study.pk]))
    for step in steps(study)[:until]:
        client.post(reverse("study_answer", args=[study.pk]), {"step": step.key, **answers(step, word, point)})


def sat_by(person: Person, study: Study, people: int, word: str = "kind", point: str = "7") -> None:
    for number in range(people):
        sit(person(f"{word}{point}{number}", "viewer"), study, word, point=point)


def test_a_study_keeps_the_words_and_the_right_answers_of_its_run(study: Study, run: Run) -> None:
    replace_measures(run.pk, [])
    run.delete()
    study.refresh_from_db()
    assert study.words["features"] == sorted(TRAITS)
    assert study.words["other"] == sorted(GENDERS)
    assert study.right == {
        "target_checked": ["kind"],
        "target_others_checked": ["male"],
        "feature_checked": ["<b>cook</b>", "nurse"],
    }


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"target": "pilot"}, "'pilot' is no target of this run; it has engineer, nurse, <b>cook</b>."),
        ({"feature": "bold"}, "'bold' is no feature of this run; it has ambitious, kind, shy, female, male."),
        ({"list": "genders"}, "has no feature 'ambitious'; choose traits"),
        ({"run": 999999}, "there is no run 999999"),
        ({"title": ""}, "This field is required"),
    ],
)
def test_the_form_says_which_word_the_run_does_not_have(
    kim: Client, run: Run, wrong: dict[str, Any], said: str
) -> None:
    answer = unescape(kim.post(reverse("study_make"), given(run) | wrong).content.decode())
    assert said in answer
    assert not Study.objects.exists()


def test_an_error_names_twelve_of_many_words(kim: Client, run: Run) -> None:
    many = [f"job {number}" for number in range(13)]
    replace_measures(run.pk, [measured(SCORE, 0.1, group_a=one, attribute="kind", category="traits") for one in many])
    answer = unescape(kim.post(reverse("study_make"), given(run)).content.decode())
    assert "job 10, job 11 and others." in answer
    assert "job 12" not in answer


def test_a_run_that_is_not_done_has_no_study(kim: Client, run: Run) -> None:
    Run.objects.update(state=RunState.FAILED)
    assert "choose a finished run" in kim.post(reverse("study_make"), given(run)).content.decode()


def test_who_must_not_look_at_the_scores_is_not_led_to_them(person: Person, study: Study) -> None:
    vic, to_the_run = person("vic", "viewer"), "Open the run in another tab"
    sit(vic, study, until=0)
    expected = text_of(vic, "study_sit", study.pk)
    assert "Do not look at the scores yet" in expected
    assert "there is no right answer" in expected
    assert to_the_run not in expected
    sit(vic, study, until=1)
    checked = text_of(vic, "study_sit", study.pk)
    assert to_the_run in checked
    assert "there is no right answer" not in checked


def test_the_run_opens_with_the_scores_of_the_right_answers(person: Person, study: Study, run: Run) -> None:
    vic = person("vic", "viewer")
    sit(vic, study, until=1)
    page = vic.get(reverse("study_sit", args=[study.pk]))
    assert f'"/runs/{run.pk}/indirect/?statistic={SCORE}&amp;list=traits"' in page.content.decode()
    assert "“Indirect log probability bias score”. It opens with the list traits" in text_of(vic, "study_sit", study.pk)


def test_a_person_chooses_from_words_that_stand_beside_the_question(person: Person, study: Study) -> None:
    vic = person("vic", "viewer")
    sit(vic, study, until=0)
    assert "The 3 words ambitious , kind , shy" in text_of(vic, "study_sit", study.pk)
    assert "with the words of the list traits" in str(steps(study))
    Study.objects.update(version=1)
    assert "The 3 words" not in text_of(vic, "study_sit", study.pk)


def test_who_sits_a_study_whose_run_is_gone_hears_why_there_is_no_way_to_it(
    person: Person, study: Study, run: Run
) -> None:
    vic, gone = person("vic", "viewer"), "The run of this study was deleted"
    sit(vic, study, until=1)
    assert gone not in text_of(vic, "study_sit", study.pk)
    replace_measures(run.pk, [])
    run.delete()
    assert f"{gone}, so its scores cannot be looked at any more." in text_of(vic, "study_sit", study.pk)
    sit(vic, study)
    assert gone not in text_of(vic, "study_sit", study.pk)


def test_who_begins_a_study_whose_run_is_gone_is_warned(person: Person, study: Study, run: Run) -> None:
    replace_measures(run.pk, [])
    run.delete()
    assert "The run of this study was deleted" in text_of(person("vic", "viewer"), "study_sit", study.pk)


def test_a_person_agrees_answers_each_step_and_reaches_the_end(person: Person, study: Study) -> None:
    vic = person("vic", "viewer")
    assert "You can leave at any time" in text_of(vic, "study_sit", study.pk)
    sit(vic, study, until=1)
    page = vic.get(reverse("study_sit", args=[study.pk])).content.decode()
    assert f"Step 2 of {len(steps(study))}" in page
    sit(vic, study)
    assert "Your answers are complete" in text_of(vic, "study_sit", study.pk)
    own = StudyAnswer.objects.filter(sitting__person__username="vic")
    assert own.count() == len(steps(study))
    assert own.get(step="target_checked").value["answer"] == "kind"


def test_a_task_is_answered_or_given_up_and_not_both_and_a_scale_needs_neither(person: Person, study: Study) -> None:
    vic, save = person("vic", "viewer"), reverse("study_answer", args=[study.pk])
    vic.post(reverse("study_begin", args=[study.pk]))
    assert "There is no answer yet" in vic.post(save, {"step": "target_expected"}).content.decode()
    vic.post(save, {"step": "target_expected", COULD_NOT: "yes"})
    wrong = vic.post(save, {"step": "target_checked", "answer": "made up", "judged": "yes"})
    assert "none of the answers" in wrong.content.decode()
    both = vic.post(save, {"step": "target_checked", "answer": "kind", "judged": "yes", COULD_NOT: "yes"})
    assert "Send one of the two." in both.content.decode()
    assert not StudyAnswer.objects.filter(step="target_checked").exists()
    for step in steps(study)[1:]:
        vic.post(save, {"step": step.key, **({COULD_NOT: "yes"} if step.is_task else {})})
    assert Sitting.objects.get().ended


def test_a_second_click_saves_a_step_once(person: Person, study: Study) -> None:
    vic = person("vic", "viewer")
    sit(vic, study, until=2)
    first = steps(study)[0]
    vic.post(reverse("study_answer", args=[study.pk]), {"step": first.key, "answer": "changed"})
    assert Sitting.objects.get().step == 2
    assert StudyAnswer.objects.get(step=first.key).value == {"answer": "own words"}


def _let_pass(seconds: float) -> None:
    Sitting.objects.update(shown_at=models.F("shown_at") - timedelta(seconds=seconds))


def test_the_time_of_a_step_stops_while_the_person_has_left(person: Person, study: Study) -> None:
    vic, save = person("vic", "viewer"), reverse("study_answer", args=[study.pk])
    vic.post(reverse("study_begin", args=[study.pk]))
    _let_pass(20)
    vic.post(save, {"leave": "yes"})
    assert Sitting.objects.get().shown_at is None
    assert "You left after 0 of" in text_of(vic, "study_sit", study.pk)
    vic.post(save, {"step": "target_expected", "answer": "sent while away"})
    assert not StudyAnswer.objects.exists()
    vic.post(reverse("study_begin", args=[study.pk]))
    _let_pass(10)
    vic.post(save, {"step": "target_expected", "answer": "tall"})
    vic.post(save, {"step": "target_checked", "answer": "kind", "judged": "yes"})
    first, second = StudyAnswer.objects.order_by("pk")
    assert 30 <= first.seconds < 40
    assert second.seconds < 10


def test_a_study_for_named_people_is_closed_to_others(kim: Client, run: Run, person: Person) -> None:
    vic, eve = person("vic", "viewer"), person("eve", "viewer")
    kim.post(reverse("study_make"), given(run, people=[User.objects.get(username="vic").pk]))
    number = Study.objects.get().pk
    assert vic.get(reverse("study_sit", args=[number])).status_code == 200
    assert eve.get(reverse("study_sit", args=[number])).status_code == 403
    assert eve.post(reverse("study_begin", args=[number])).status_code == 403


def test_a_person_withdraws_until_the_study_is_closed(kim: Client, person: Person, study: Study) -> None:
    vic = person("vic", "viewer")
    sit(vic, study)
    vic.post(reverse("study_withdraw", args=[study.pk]))
    assert not StudyAnswer.objects.exists()
    sit(vic, study)
    kim.post(reverse("study_close", args=[study.pk]))
    assert Sitting.objects.get().person is None
    vic.post(reverse("study_withdraw", args=[study.pk]))
    assert Sitting.objects.count() == 1


def test_nobody_begins_or_answers_once_the_study_is_closed(kim: Client, person: Person, study: Study) -> None:
    vic = person("vic", "viewer")
    sit(vic, study, until=1)
    own = Sitting.objects.get()
    kim.post(reverse("study_close", args=[study.pk]))
    sit(vic, study)
    sit(person("eve", "viewer"), study)
    assert StudyAnswer.objects.count() == 1
    with pytest.raises(ValueError, match="closed"):
        sitting.save(own, "target_checked", {})
    assert "This study is closed" in text_of(vic, "study_sit", study.pk)


def test_results_show_only_once_the_study_is_closed(kim: Client, person: Person, study: Study) -> None:
    sat_by(person, study, 5)
    before = text_of(kim, "study_page", study.pk)
    assert "5 people have finished" in before
    assert not {one.n for one in task_results(study)} - {0}
    assert "own words" not in before.replace("In your own words", "")
    kim.post(reverse("study_close", args=[study.pk]))
    study.refresh_from_db()
    assert {one.n for one in task_results(study)} == {5}


def test_results_have_times_shares_counts_and_own_words(kim: Client, person: Person, study: Study) -> None:
    sat_by(person, study, 4, "kind", "2")
    sat_by(person, study, 2, "shy", "9")
    for number, own in enumerate(StudyAnswer.objects.filter(step="target_checked").order_by("pk")):
        own.seconds = 10 * number
        own.save()
    sit(person("late", "viewer"), study, until=3)
    kim.post(reverse("study_close", args=[study.pk]))
    study.refresh_from_db()
    checked = {one.step.key: one for one in task_results(study)}["target_checked"]
    assert checked.time is not None
    assert (checked.n, checked.time.lower, checked.time.median, checked.time.upper) == (6, 12.5, 25, 37.5)
    assert checked.right is not None
    assert round(checked.right.value, 3) == 0.667
    assert (round(checked.right.low, 3), round(checked.right.high, 3)) == (0.300, 0.903)
    habit = {one.field.name: one for one in scale_results(study)}["habit"]
    assert dict(habit.counts)["2"] == 4
    assert (dict(habit.counts)["9"], habit.median) == (2, 2)
    assert {one.n for one in text_results(study)} == {6}
    page = text_of(kim, "study_page", study.pk)
    assert "66.7% [30.0%, 90.3%]" in page
    assert "Delete 1 unfinished sitting" in page
    rows = list(csv.DictReader(line for line in csv_of(kim, study) if not line.startswith("#")))
    assert {row["seconds_median"] for row in rows if row["step"] == "target_checked"} == {"25.0", ""}
    assert not [row for row in rows if "own words" in str(row)]


def csv_of(client: Client, study: Study) -> io.StringIO:
    return io.StringIO(client.get(reverse("study_csv", args=[study.pk])).content.decode(), newline="")


def test_fewer_than_five_people_are_hidden_on_the_page_and_in_the_file(
    kim: Client, person: Person, study: Study
) -> None:
    sat_by(person, study, 4)
    kim.post(reverse("study_close", args=[study.pk]))
    study.refresh_from_db()
    assert {(one.n, one.time, one.right, one.gave_up) for one in task_results(study)} == {(4, None, None, None)}
    assert {one.counts for one in scale_results(study)} == {()}
    assert {one.texts for one in text_results(study)} == {()}
    page = text_of(kim, "study_page", study.pk)
    assert "hidden: fewer than 5 people" in page
    rows = list(csv.DictReader(line for line in csv_of(kim, study) if not line.startswith("#")))
    assert {(row["n"], row["seconds_median"], row["right"], row["count"]) for row in rows} == {("4", "", "", "")}


def test_own_words_are_for_auditors_and_unfinished_sittings_can_be_deleted(
    kim: Client, person: Person, study: Study
) -> None:
    sat_by(person, study, 5)
    sit(person("late", "viewer"), study, until=3)
    kim.post(reverse("study_tidy", args=[study.pk]))
    assert Sitting.objects.count() == 6  # the study is open: the person may still finish
    kim.post(reverse("study_close", args=[study.pk]))
    viewer = person("vic", "viewer")
    assert "In own words" in text_of(kim, "study_page", study.pk)
    assert "In own words" not in text_of(viewer, "study_page", study.pk)
    kim.post(reverse("study_tidy", args=[study.pk]))
    assert (Sitting.objects.count(), StudyAnswer.objects.count()) == (5, 5 * len(steps(study)))


def test_a_deleted_study_takes_its_answers_along_and_leaves_the_run(
    kim: Client, person: Person, study: Study, run: Run
) -> None:
    sat_by(person, study, 1)
    assert f"run {run.pk}" in text_of(kim, "study_list")
    kim.post(reverse("study_delete", args=[study.pk]))
    assert not StudyAnswer.objects.exists()
    assert Run.objects.filter(pk=run.pk).exists()
    assert "There is no study yet" in text_of(kim, "study_list")


def test_a_run_with_one_list_has_no_tasks_about_other_lists(kim: Client, run: Run) -> None:
    replace_measures(
        run.pk,
        [measured(SCORE, 0.4, group_a=one, attribute="ambitious", category="traits", q_value=0.1) for one in TARGETS],
    )
    kim.post(reverse("study_make"), given(run))
    tasks = [one.key for one in steps(Study.objects.get()) if one.is_task]
    assert len(tasks) == 6
    assert not [key for key in tasks if "others" in key]
