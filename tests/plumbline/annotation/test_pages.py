"""The pages of annotation: made by auditors, answered by reviewers who see neither groups nor others, seen by all."""

import csv
import io

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from plumbline.annotation.models import AnnotationTask, Answer
from plumbline.audits.models import Run
from plumbline.vocab.models import RatingList, TraitList
from tests.plumbline.annotation.conftest import Person
from tests.plumbline.annotation.discovered import MARKED, MEN, NAMES, WOMEN

MAPPED = {"sweet": ["warm"], "violent": ["threatening", "cold"], "ruthless": ["threatening", "powerful"], "=cmd": []}


@pytest.fixture
def ann(person: Person) -> Client:
    return person("ann", "reviewer")


def text_of(client: Client, name: str, *arguments: int | str, **query: str) -> str:
    response = client.get(reverse(name, args=arguments), query)
    assert response.status_code == 200, response.status_code
    return response.content.decode()


def answer_all(client: Client, task: AnnotationTask) -> None:
    for item in task.items.all():
        if task.kind == "mapping":
            given: dict[str, object] = {"pole": MAPPED[item.content["word"]]}
        else:
            given = {"grammar": 5, "fluency": 4, "plausibility": 1 + item.position % 2, "similarity": 1}
        client.post(reverse("annotate_save", args=[task.pk]), {"item": item.position, **given})
    client.post(reverse("annotate_end", args=[task.pk]))


def test_an_empty_list_says_what_to_do(person: Person) -> None:
    page = text_of(person("kim", "auditor"), "annotation")
    assert "To create one, open a finished run" in page
    assert '?probe=sodapop">' in page
    assert "An auditor creates them" in text_of(person("vic", "viewer"), "annotation")


def test_an_auditor_makes_a_mapping_from_a_run(run: Run, traits: TraitList, person: Person) -> None:
    kim = person("kim", "auditor")
    page = text_of(kim, "annotation_new", run.pk, "mapping")
    assert escape(f"{WOMEN} and {MEN}") in page
    given = {"title": "Table 5", "seed": 1, "pairs": ["0"], "level": "0.05", "most": "", "traits": "traits"}
    response = kim.post(reverse("annotation_make", args=[run.pk, "mapping"]), given)
    task = AnnotationTask.objects.get()
    assert response["Location"] == reverse("annotation_task", args=[task.pk])
    assert (task.title, task.items.count(), task.created_by.get_username()) == ("Table 5", 4, "kim")  # type: ignore[union-attr]
    assert "Table 5" in text_of(kim, "annotation")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pairs": []}, "This field is required"),
        ({"pairs": ["9"]}, "not one of the available choices"),
        ({"level": "2"}, "less than or equal to 1"),
        ({"level": "0.0002"}, "choose other groups"),
        ({"traits": "none"}, "not one of the available choices"),
        ({"title": "x" * 121}, "at most 120"),
    ],
)
def test_a_wrong_choice_is_said_on_the_form(
    wrong: dict[str, object], said: str, run: Run, traits: TraitList, person: Person
) -> None:
    given = {"title": "t", "seed": 1, "pairs": ["0"], "level": "0.05", "traits": "traits"} | wrong
    response = person("kim", "auditor").post(reverse("annotation_make", args=[run.pk, "mapping"]), given)
    assert said in response.content.decode()
    assert not AnnotationTask.objects.exists()


def test_an_auditor_makes_a_rating(run: Run, person: Person) -> None:
    kim = person("kim", "auditor")
    assert "1000" in text_of(kim, "annotation_new", run.pk, "rating")
    kim.post(reverse("annotation_make", args=[run.pk, "rating"]), {"title": "t", "seed": 1, "wanted": 1000})
    assert AnnotationTask.objects.get().items.count() == 60
    assert kim.get(reverse("annotation_new", args=[run.pk, "other"])).status_code == 404


def test_no_page_of_answering_names_a_group_or_a_name(
    mapping: AnnotationTask, rating: AnnotationTask, ann: Client
) -> None:
    for task in (mapping, rating):
        for item in task.items.all():
            page = text_of(ann, "annotate", task.pk, item=str(item.position))
            hidden = [word for word in (WOMEN, MEN, MARKED, escape(MARKED), *NAMES, "sides") if word in page]
            assert hidden == []
        assert WOMEN not in text_of(ann, "annotation_task", task.pk)


def test_answers_are_saved_one_by_one_shown_again_and_undone(mapping: AnnotationTask, ann: Client) -> None:
    save, first = reverse("annotate_save", args=[mapping.pk]), mapping.items.all()[0]
    assert ann.post(save, {"item": 0, "pole": ["warm", "powerful"]})["Location"] == reverse(
        "annotate", args=[mapping.pk]
    )
    assert "1 of 4 answered" in text_of(ann, "annotate", mapping.pk)
    again = text_of(ann, "annotate", mapping.pk, item="0")
    assert first.content["word"] in again
    assert again.count(" checked") == 2
    response = ann.post(reverse("annotate_undo", args=[mapping.pk]), follow=True)
    assert "Answer removed" in response.content.decode()
    assert "0 of 4 answered" in response.content.decode()


def test_a_wrong_answer_is_not_saved(mapping: AnnotationTask, rating: AnnotationTask, ann: Client) -> None:
    for task, given in ((mapping, {"pole": ["tall"]}), (rating, {"grammar": "5"})):
        response = ann.post(reverse("annotate_save", args=[task.pk]), {"item": 0, **given}, follow=True)
        assert "Not saved: " in response.content.decode()
        assert ann.post(reverse("annotate_save", args=[task.pk]), {"item": 99}).status_code == 404
        assert ann.post(reverse("annotate_save", args=[task.pk]), {"item": "x"}).status_code == 404
    assert not Answer.objects.exists()


def test_an_unfinished_work_cannot_be_ended(mapping: AnnotationTask, ann: Client) -> None:
    response = ann.post(reverse("annotate_end", args=[mapping.pk]), follow=True)
    assert "4 of the items have no answer yet" in response.content.decode()


def test_nobody_who_may_annotate_sees_results_before_ending(
    mapping: AnnotationTask, ann: Client, person: Person
) -> None:
    bob, vic = person("bob", "reviewer"), person("vic", "viewer")
    answer_all(ann, mapping)
    for name in ("annotation_results", "annotation_csv"):
        response = bob.get(reverse(name, args=[mapping.pk]))
        assert response["Location"] == reverse("annotation_task", args=[mapping.pk])
        assert vic.get(reverse(name, args=[mapping.pk])).status_code == 200
        assert ann.get(reverse(name, args=[mapping.pk])).status_code == 200
    bob.post(reverse("annotate_decline", args=[mapping.pk]))
    assert bob.get(reverse("annotation_results", args=[mapping.pk])).status_code == 200
    assert bob.get(reverse("annotate", args=[mapping.pk])).status_code == 302


def test_the_results_compare_the_order_by_words_with_that_by_people(
    mapping: AnnotationTask, ratings: RatingList, ann: Client, person: Person
) -> None:
    """violent and ruthless mislead about men: C(men, threatening) = 4 by two people; people differ by 30 there."""
    answer_all(ann, mapping)
    answer_all(person("bob", "reviewer"), mapping)
    page = text_of(ann, "annotation_results", mapping.pk)
    assert "Answers of 2 annotators" in page
    assert "the two do not match exactly" in page
    benevolent = page[page.index("threatening</bdi> –") :].split("</tr>")[0]
    assert "≻" in benevolent
    assert "†" in benevolent
    assert "agrees" in benevolent
    assert "Words and people agree on 3 of 3 traits" in page
    assert "Fleiss' kappa over each word with each pole: <b>+1.00" in page
    assert "<bdi>threatening</bdi> 2" in page


def test_a_pair_of_which_nobody_was_asked_says_so_and_lets_choose(
    mapping: AnnotationTask, ratings: RatingList, ann: Client
) -> None:
    answer_all(ann, mapping)
    page = text_of(ann, "annotation_results", mapping.pk, pair="1")
    assert "No rated groups are known for these two" in page
    chosen = text_of(ann, "annotation_results", mapping.pk, pair="1", rated_a="women", rated_b="men")
    assert "as you chose" in chosen
    assert escape(MARKED) in chosen
    assert MARKED not in chosen


def test_without_ratings_the_models_column_is_alone(mapping: AnnotationTask, ann: Client) -> None:
    answer_all(ann, mapping)
    page = text_of(ann, "annotation_results", mapping.pk)
    assert "There is no list of ratings" in page
    assert "By people" not in page


def test_ratings_give_means_spread_and_histograms(rating: AnnotationTask, ann: Client, person: Person) -> None:
    assert "Nobody has finished this task" in text_of(person("vic", "viewer"), "annotation_results", rating.pk)
    answer_all(ann, rating)
    answer_all(person("bob", "reviewer"), rating)
    page = text_of(ann, "annotation_results", rating.pk)
    assert "Ratings of 1 to 5: 10, 10, 0, 0, 0" in page
    assert "<b>1.50</b>" in page
    assert "10 of 60 distractors" in page


def test_files_hold_no_formula(mapping: AnnotationTask, rating: AnnotationTask, ann: Client) -> None:
    answer_all(ann, mapping)
    answer_all(ann, rating)
    text = text_of(ann, "annotation_csv", mapping.pk)
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if line[0] != "#"))))
    assert {row["word"] for row in rows} == {"'=cmd", "ruthless", "sweet", "violent"}
    assert [row["annotators"] for row in rows if row["word"] == "violent"] == ["1"] * 4
    assert text_of(ann, "annotation_csv", rating.pk).count("\r\n") == 6 + 10


def test_a_task_that_somebody_answered_is_not_deleted(mapping: AnnotationTask, ann: Client, person: Person) -> None:
    kim = person("kim", "auditor")
    assert "Delete the task" in text_of(kim, "annotation_task", mapping.pk)
    answer_all(ann, mapping)
    kim.post(reverse("annotation_delete", args=[mapping.pk]))
    assert AnnotationTask.objects.filter(pk=mapping.pk).exists()


def test_a_task_without_ended_work_is_deleted_with_its_items(mapping: AnnotationTask, person: Person) -> None:
    person("kim", "auditor").post(reverse("annotation_delete", args=[mapping.pk]))
    assert not AnnotationTask.objects.exists()


def test_a_task_outlives_its_run(mapping: AnnotationTask, ann: Client) -> None:
    Run.objects.all().delete()
    assert "a run that is gone" in text_of(ann, "annotation")
    answer_all(ann, mapping)
    assert "Answers of 1 annotator" in text_of(ann, "annotation_results", mapping.pk)


def test_reviewers_make_no_tasks_and_auditors_answer_none(
    run: Run, mapping: AnnotationTask, ann: Client, person: Person
) -> None:
    assert ann.get(reverse("annotation_new", args=[run.pk, "mapping"])).status_code == 403
    assert ann.post(reverse("annotation_delete", args=[mapping.pk])).status_code == 403
    kim = person("kim", "auditor")
    assert kim.get(reverse("annotate", args=[mapping.pk])).status_code == 403
    assert kim.post(reverse("annotate_save", args=[mapping.pk]), {"item": 0}).status_code == 403


def test_more_annotators_need_no_more_queries(
    mapping: AnnotationTask,
    ratings: RatingList,
    ann: Client,
    person: Person,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for name in ("bob", "cem", "dee", "eve"):
        answer_all(person(name, "reviewer"), mapping)
    answer_all(ann, mapping)
    with django_assert_max_num_queries(18):
        text_of(ann, "annotation_results", mapping.pk)
    with django_assert_max_num_queries(10):
        text_of(ann, "annotation")
    with django_assert_max_num_queries(14):
        text_of(ann, "annotation_task", mapping.pk)


def test_answers_outlive_the_account(mapping: AnnotationTask, ann: Client, person: Person) -> None:
    answer_all(ann, mapping)
    User.objects.get(username="ann").delete()
    assert "Answers of 1 annotator" in text_of(person("vic", "viewer"), "annotation_results", mapping.pk)
