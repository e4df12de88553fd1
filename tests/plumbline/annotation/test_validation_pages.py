"""The pages of validation: made by auditors, answered by reviewers who see no right answer, read by all."""

import csv
import io
import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from plumbline.annotation.models import AnnotationTask, Answer
from plumbline.vocab.models import Bank
from tests.plumbline.annotation.conftest import Person
from tests.plumbline.annotation.questions import MARKED, contents, make_bank, make_task, rate
from tests.plumbline.annotation.test_fillers import HEADER, LONG, SHORT
from tests.plumbline.annotation.test_pages import text_of

pytestmark = pytest.mark.django_db

GIVEN = {"title": "validate", "seed": 1, "categories": ["Age"], "raters": 5, "threshold": 0.8, "share": 0.13}
WRONG = ("S2", "ambig", "neg")
ROLE_OF = {"vic": "viewer", "bob": "reviewer", "new": "reviewer"}
"""Bob has answered."""
TOKEN = re.compile('name="csrfmiddlewaretoken" value="[^"]*"')
"""It may spell anything."""


@pytest.fixture
def bank() -> Bank:
    return make_bank()


@pytest.fixture
def task(bank: Bank) -> AnnotationTask:
    return make_task(bank)


@pytest.fixture
def ann(person: Person) -> Client:
    return person("ann", "reviewer")


def test_an_auditor_makes_a_task_from_a_bank(bank: Bank, person: Person) -> None:
    kim = person("kim", "auditor")
    assert "2 templates: 2 not validated" in text_of(kim, "bank_templates", bank.slug)
    assert "Single templates" in text_of(kim, "validation_new", bank.slug)
    response = kim.post(reverse("validation_make", args=[bank.slug]), GIVEN)
    task = AnnotationTask.objects.get()
    assert response["Location"] == reverse("annotation_task", args=[task.pk])
    assert (task.items.count(), task.templates.count(), task.chosen["bank"]) == (10, 2, "own")
    page = text_of(kim, "annotation_task", task.pk)
    assert "2 templates of" in page
    assert "5 are wanted" in page
    assert reverse("bank_templates", args=["own"]) in text_of(kim, "annotation")


def test_single_templates_and_own_fillers_are_taken(bank: Bank, person: Person) -> None:
    file = SimpleUploadedFile("mine.csv", (HEADER + SHORT + LONG).encode())
    single = {"categories": [], "templates": ['["Age", "S2"]'], "file": file}
    person("kim", "auditor").post(reverse("validation_make", args=[bank.slug]), GIVEN | single)
    task = AnnotationTask.objects.get()
    assert [one.template for one in task.templates.all()] == ["S2"]
    assert task.items.filter(content__context__startswith="Ada").count() == 1


def test_what_has_passed_can_be_left_out(bank: Bank, person: Person) -> None:
    rate(make_task(bank, raters=1), "ann", [WRONG])
    kim, make = person("kim", "auditor"), reverse("validation_make", args=[bank.slug])
    kim.post(make, GIVEN | {"unpassed": "on"})
    assert [one.template for one in AnnotationTask.objects.first().templates.all()] == ["S2"]  # type: ignore[union-attr]
    refused = kim.post(make, GIVEN | {"unpassed": "on", "categories": [], "templates": ['["Age", "S1"]']})
    assert "all of these templates have passed" in refused.content.decode()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"categories": []}, "no template is chosen"),
        ({"categories": ["None"]}, "not one of the available choices"),
        ({"templates": ['["Age", "S3"]']}, "not one of the available choices"),
        ({"share": 0.1}, "greater than or equal to 0.13"),
        ({"threshold": 0.4}, "greater than or equal to 0.5"),
        ({"raters": 0}, "greater than or equal to 1"),
        ({"file": SimpleUploadedFile("<b>.csv", b"a,b\n1,2\n")}, "&lt;b&gt;.csv: line 1: the header has no column"),
        ({"file": SimpleUploadedFile("big.csv", b"x" * 500_001)}, "big.csv is larger than 500 kB"),
    ],
)
def test_a_wrong_choice_is_said_on_the_form(wrong: dict[str, object], said: str, bank: Bank, person: Person) -> None:
    response = person("kim", "auditor").post(reverse("validation_make", args=[bank.slug]), GIVEN | wrong)
    assert said in response.content.decode()
    assert not AnnotationTask.objects.exists()


def test_questions_are_shown_literally_without_a_right_answer(task: AnnotationTask, ann: Client) -> None:
    for item in task.items.all():
        page = TOKEN.sub("", text_of(ann, "annotate", task.pk, item=str(item.position)))
        for text in (item.content["context"], item.content["question"], *item.content["options"]):
            assert escape(text) in page
        assert MARKED not in page
        hidden = [word for word in ("gold", "target", "ambig", "Age", "S1", "S2", "filler", "checked") if word in page]
        assert hidden == []


def test_an_answer_is_one_of_three_places(task: AnnotationTask, ann: Client) -> None:
    save = reverse("annotate_save", args=[task.pk])
    for given in ({}, {"option": "3"}, {"option": "x"}, {"option": ["0", "1"]}):
        assert "no answer is chosen" in ann.post(save, {"item": 0, **given}, follow=True).content.decode()
    assert not Answer.objects.exists()
    ann.post(save, {"item": 0, "option": "2"})
    assert [one.value for one in Answer.objects.all()] == [2]
    again = text_of(ann, "annotate", task.pk, item="0")
    assert 'value="2" data-key="3" required checked' in again


def test_who_stops_midway_goes_on_where_they_were(task: AnnotationTask, ann: Client) -> None:
    for place in range(4):
        ann.post(reverse("annotate_save", args=[task.pk]), {"item": place, "option": "0"})
    assert "4 of 10 answered" in text_of(ann, "annotation_task", task.pk)
    assert "Item 5." in text_of(ann, "annotate", task.pk)
    assert (
        "6 of the items have no answer"
        in ann.post(reverse("annotate_end", args=[task.pk]), follow=True).content.decode()
    )


def test_an_item_of_another_task_is_not_shown(task: AnnotationTask, ann: Client) -> None:
    assert ann.get(reverse("annotate", args=[task.pk]), {"item": "10"}).status_code == 404
    assert ann.post(reverse("annotate_save", args=[task.pk]), {"item": "10", "option": "0"}).status_code == 404


def all_rate(task: AnnotationTask) -> None:
    """Two are wrong about one question; the first gets a filler wrong, too."""
    rate(task, "ann", [WRONG], fillers_wrong=1)
    rate(task, "bob", [WRONG])
    for name in ("cem", "dee", "eve"):
        rate(task, name)


def test_the_results_show_who_agrees_what_passes_and_what_the_paper_found(task: AnnotationTask, person: Person) -> None:
    vic = person("vic", "viewer")
    assert "Nobody has finished this task" in text_of(vic, "annotation_results", task.pk)
    all_rate(task)
    page = text_of(vic, "annotation_results", task.pk)
    assert "1 of 2 templates passes" in page
    assert "at least 4 of 5 raters" in page
    assert "3/5 ✗" in page
    assert "38 of 40 answers" in page
    assert "<b>0.950</b>" in page
    assert "8 of 8 questions" in page
    for figure in ("0.957", "0.997", "0.883", "1 rater got too many fillers wrong", "1 of 2", "50.0%"):
        assert figure in page, figure
    assert escape(MARKED) in page
    assert MARKED not in page


def test_flagged_raters_are_left_out_on_demand(task: AnnotationTask, person: Person) -> None:
    all_rate(task)
    vic = person("vic", "viewer")
    page = text_of(vic, "annotation_results", task.pk, flagged="out")
    assert "4 of 5 raters so far" in page
    assert "under 85%, left out" in page
    assert "31 of 32 answers" in page
    assert "not validated: 4 of 5 raters so far" in text_of(vic, "bank_templates", "own", flagged="out")
    assert "1 passed, 1 failed" in text_of(vic, "bank_templates", "own")


def test_an_edit_is_reported_on_the_results_and_the_banks_page(task: AnnotationTask, person: Person) -> None:
    all_rate(task)
    make_bank(items=[*contents("S1", told="all <i>awake</i>"), *contents("S2")])
    vic = person("vic", "viewer")
    assert "void: edited since" in text_of(vic, "annotation_results", task.pk)
    assert "1 failed, 1 void" in text_of(vic, "bank_templates", "own")
    Bank.objects.all().delete()
    assert "no such bank" in text_of(vic, "annotation_results", task.pk)
    assert "own, which is gone" in text_of(vic, "annotation_task", task.pk)
    assert "own, which is gone" in text_of(vic, "annotation")


def test_the_file_holds_every_rating_and_no_formula(person: Person) -> None:
    items = [one | {"context": f"=cmd {one['context']}"} for one in contents("S1", 1)]
    task = make_task(make_bank(items=items), (("Age", "S1"),))
    rate(task, "ann", [("S1", "ambig", "neg")], fillers_wrong=1)
    rate(task, "bob")
    text = text_of(person("vic", "viewer"), "annotation_csv", task.pk)
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
    assert len(rows) == 2 * 5
    assert [(row["rater"], row["flagged"]) for row in rows[::5]] == [("1", "yes"), ("2", "")]
    asked = [row for row in rows if not row["filler"]]
    assert all(row["context"].startswith("'=cmd") for row in asked)
    assert [row["right"] for row in asked if (row["condition"], row["polarity"]) == ("ambig", "neg")] == ["0", "1"]
    assert "# bank,own" in text


def test_nobody_who_may_answer_sees_results_before_ending(task: AnnotationTask, ann: Client, person: Person) -> None:
    rate(task, "bob")
    for name in ("annotation_results", "annotation_csv"):
        assert ann.get(reverse(name, args=[task.pk])).status_code == 302
        assert person("vic", "viewer").get(reverse(name, args=[task.pk])).status_code == 200
        assert person("bob", "reviewer").get(reverse(name, args=[task.pk])).status_code == 200


def test_the_banks_page_gives_no_figures_to_who_may_still_answer(task: AnnotationTask, person: Person) -> None:
    all_rate(task)
    asked = {name: text_of(person(name, role), "bank_templates", "own") for name, role in ROLE_OF.items()}
    assert [name for name, page in asked.items() if "3/5" in page] == ["vic", "bob"]
    assert "after you have answered" in asked["new"]


def test_reviewers_make_no_tasks_auditors_answer_none_and_runs_give_none(
    task: AnnotationTask, ann: Client, person: Person
) -> None:
    assert ann.get(reverse("validation_new", args=["own"])).status_code == 403
    assert ann.post(reverse("validation_make", args=["own"]), GIVEN).status_code == 403
    kim = person("kim", "auditor")
    assert kim.get(reverse("annotate", args=[task.pk])).status_code == 403
    User.objects.create_user("lou")
    assert person("lou", "none").get(reverse("bank_templates", args=["own"])).status_code == 403


def test_banks_of_other_kinds_have_no_such_pages(person: Person) -> None:
    Bank.objects.create(slug="gap", title="GAP", kind="gap", digest="x")
    kim = person("kim", "auditor")
    for name in ("bank_templates", "validation_new"):
        assert kim.get(reverse(name, args=["gap"])).status_code == 404
        assert kim.get(reverse(name, args=["none"])).status_code == 404
    make_bank("empty", [])
    assert "This bank has no questions" in text_of(kim, "bank_templates", "empty")
    assert "nothing to validate" in text_of(kim, "validation_new", "empty")


def test_more_raters_and_templates_need_no_more_queries(
    person: Person, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    bank = make_bank(items=[one for number in range(6) for one in contents(f"T{number}", 1)])
    task = make_task(bank, tuple(("Age", f"T{number}") for number in range(6)))
    all_rate(task)
    vic = person("vic", "viewer")
    with django_assert_max_num_queries(20):
        text_of(vic, "annotation_results", task.pk)
    with django_assert_max_num_queries(14):
        text_of(vic, "bank_templates", "own")


def test_the_admin_leads_from_a_bank_to_its_templates(bank: Bank, person: Person) -> None:
    page = person("cat", "curator").get(reverse("admin:vocab_bank_changelist")).content.decode()
    assert reverse("bank_templates", args=["own"]) in page
