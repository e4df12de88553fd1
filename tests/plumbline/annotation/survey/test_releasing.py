"""Answers become ratings in fixed steps."""

import pytest
from django.contrib.auth.models import User

from plumbline.annotation.survey import releasing
from plumbline.annotation.survey.answering import delete_unfinished
from plumbline.annotation.survey.models import GroupAnswer, Respondent, Survey, SurveyInvitation
from plumbline.spec.errors import InputError
from plumbline.vocab.models import Rating, RatingList
from tests.plumbline.annotation.survey.players import GROUPS, Player, answered, steady

pytestmark = pytest.mark.django_db


def raters() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for group, annotator in Rating.objects.values_list("group", "annotator"):
        found.setdefault(group, set()).add(annotator)
    return found


def test_four_raters_of_a_group_are_not_released(survey: Survey, link: SurveyInvitation, maker: User) -> None:
    answered(link, 8, steady)  # eight people, four of eight groups each: four raters a group
    with pytest.raises(InputError, match="nothing to release yet"):
        releasing.release(survey, maker)
    assert not RatingList.objects.exists()


def test_a_release_moves_the_answers_into_a_rating_list(survey: Survey, link: SurveyInvitation, maker: User) -> None:
    answered(link, 10, steady)
    (made,) = releasing.release(survey, maker)
    assert raters().keys() == set(GROUPS)
    assert {len(own) for own in raters().values()} == {5}
    assert {(one.group, one.right): one.rating for one in Rating.objects.all()}["tall", "warm"] == steady("tall", 0)
    assert made.about["people"] == 10
    assert RatingList.objects.get().slug == "asked"
    assert not GroupAnswer.objects.exists()
    assert {str(one) for one in Respondent.objects.values_list("order", "demographics", "seed")} == {"([], {}, 0)"}


def test_the_difference_of_two_releases_has_five_raters_of_a_group_or_none(
    survey: Survey, link: SurveyInvitation, maker: User
) -> None:
    answered(link, 10, steady)
    releasing.release(survey, maker)
    before = raters()
    answered(link, 5, steady)
    with pytest.raises(InputError):
        releasing.release(survey, maker)
    answered(link, 7, steady)
    releasing.release(survey, maker)
    new = {group: len(own - before[group]) for group, own in raters().items()}
    assert set(new.values()) <= {0, 5, 6, 7, 8}
    assert sum(new.values()) > 0


def test_answers_that_do_not_count_are_never_released(survey: Survey, link: SurveyInvitation, maker: User) -> None:
    answered(link, 10, steady)
    answered(link, 10, faults=("name_check",))
    releasing.release(survey, maker)
    assert sum(len(own) for own in raters().values()) == 40
    assert not GroupAnswer.objects.exists()


def test_a_rare_answer_about_oneself_is_not_published(survey: Survey, link: SurveyInvitation, maker: User) -> None:
    answered(link, 19, gender="Woman")
    answered(link, 1, gender="Ada of Elm Street")
    releasing.release(survey, maker)
    assert "Ada of Elm Street" not in str(list(Rating.objects.values()))


def test_the_list_does_not_show_who_answered_first(survey: Survey, link: SurveyInvitation, maker: User) -> None:
    for number in range(10):
        answered(link, 1, lambda group, place, own=10 * number: own)  # type: ignore[misc]
    releasing.release(survey, maker)
    ratings = list(Rating.objects.order_by("annotator").values_list("annotator", "rating").distinct())
    assert [rating for _, rating in ratings] != sorted(rating for _, rating in ratings)


def test_old_unfinished_answers_are_deleted_and_their_places_freed(
    survey: Survey, link: SurveyInvitation, maker: User
) -> None:
    Player(steady).play(link, pages=3)
    Respondent.objects.update(started_on="2020-01-01")
    with pytest.raises(InputError):
        releasing.release(survey, maker)
    delete_unfinished(survey)
    assert not Respondent.objects.exists()
    link.refresh_from_db()
    assert link.used == 0
