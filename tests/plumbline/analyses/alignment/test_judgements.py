"""Ratings at the desk."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import DjangoAssertNumQueries

from plumbline.pages.charts.histogram import TALL, bars
from plumbline.vocab.models import Rating, RatingList
from tests.plumbline.analyses.alignment.judged import MARKED, MEN, PAIRS, RATED, ratings


@pytest.fixture
def rated(db: None) -> RatingList:
    word_list = RatingList.objects.create(slug="said", title="What <they> said")
    Rating.objects.bulk_create(
        Rating(word_list=word_list, position=place, **row) for place, row in enumerate(ratings(), 1)
    )
    return word_list


def page(client: Client, word_list: RatingList, **query: str) -> str:
    answer = client.get(reverse("judgements", args=[word_list.slug]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_group_has_a_row_for_each_pair_with_its_figures(rated: RatingList, viewer: Client) -> None:
    text = page(viewer, rated, group=MARKED)
    for mean in RATED[MARKED]:
        assert f'data-label="Mean">{mean}</td>' in text
    assert text.count('class="histogram"') == len(PAIRS)
    assert 'data-label="SD">2</td>' in text
    assert MARKED not in text
    assert "Reliability" in text


def test_a_cell_of_few_raters_is_hidden_and_counted(rated: RatingList, viewer: Client) -> None:
    text = page(viewer, rated, group="elders")
    assert "1 cell of fewer than 5 raters hidden" in text
    assert text.count('class="histogram"') == len(PAIRS) - 1
    assert 'data-label="Mean">30</td>' not in text


def test_all_groups_are_next_to_each_other_on_one_pair(rated: RatingList, viewer: Client) -> None:
    text = page(viewer, rated, pair="cold - warm", order="mean")
    assert text.index("<bdi>women</bdi></a></td>") < text.index("<bdi>elders</bdi></a></td>")
    assert text.count('class="histogram"') == len(RATED)


def test_some_raters_are_shown_alone(rated: RatingList, viewer: Client) -> None:
    text = page(viewer, rated, group="women", raters=MEN)
    assert "(n = 6 raters)" in text
    assert 'data-label="Raters (n)">6</td>' in text


def test_what_the_address_makes_up_is_left_aside(rated: RatingList, viewer: Client) -> None:
    text = page(viewer, rated, group="nobody", pair="no - pair", raters="x", order="x")
    assert "<bdi>women</bdi> on all pairs" in text


def test_an_empty_list_says_what_it_will_hold(db: None, viewer: Client) -> None:
    text = page(viewer, RatingList.objects.create(slug="empty", title="Empty"))
    assert "has no ratings yet" in text


def test_an_unknown_list_is_not_found_and_words_need_their_permission(rated: RatingList, viewer: Client) -> None:
    assert viewer.get(reverse("judgements", args=["nowhere"])).status_code == 404
    user = User.objects.create_user("runs-only")
    group = Group.objects.create(name="runs only")
    group.permissions.set(Permission.objects.filter(codename="view_run"))
    user.groups.add(group)
    client = Client()
    client.force_login(user)
    assert client.get(reverse("judgements", args=[rated.slug])).status_code == 403


@given(st.lists(st.integers(0, 500), min_size=10, max_size=10))
def test_the_commonest_bin_fills_the_height_and_none_is_taller(histogram: list[int]) -> None:
    drawn = bars(histogram)
    if not any(histogram):
        assert drawn == []
        return
    assert max(height for _, _, height, _ in drawn) == TALL
    assert all(top + height == pytest.approx(TALL) for _, top, height, _ in drawn)
    assert [count for *_, count in drawn] == histogram


def test_the_number_of_queries_is_bounded(
    rated: RatingList, viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(6):
        page(viewer, rated)
