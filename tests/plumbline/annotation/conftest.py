"""A finished run, tasks made from it, and people to answer them."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.annotation.models import AnnotationTask
from plumbline.audits.models import Run
from plumbline.methods.sodapop.annotation_tasks import Words, make_mapping, make_rating
from plumbline.vocab.models import RatingList, TraitList
from tests.plumbline.annotation.discovered import MARKED, MEN, WOMEN, make_run

TRAITS = (("cold", "warm"), ("threatening", "benevolent"), ("powerless", "powerful"))
"""The pairs of the task's trait list, left and right."""
MEANS = {"women": (80, 90, 40), "men": (75, 60, 85)}
"""What people say of two groups: by pair."""

Person = Callable[[str, str], Client]


@pytest.fixture
def run(db: None) -> Run:
    return make_run()


@pytest.fixture
def traits(db: None) -> TraitList:
    word_list = TraitList.objects.create(slug="traits", title="Traits")
    for position, (left, right) in enumerate(TRAITS):
        word_list.entries.create(left=left, right=right, position=position)
    return word_list


@pytest.fixture
def ratings(traits: TraitList) -> RatingList:
    word_list = RatingList.objects.create(slug="ratings", title="Ratings")
    for rater in range(6):
        for group, means in MEANS.items():
            for (left, right), mean in zip(TRAITS, means, strict=True):
                word_list.entries.create(annotator=f"r{rater}", group=group, left=left, right=right, rating=mean)
    return word_list


@pytest.fixture
def maker(db: None) -> User:
    return User.objects.create_user("maker")


@pytest.fixture
def mapping(run: Run, traits: TraitList, maker: User) -> AnnotationTask:
    words = Words(((WOMEN, MEN), (WOMEN, MARKED)), 0.05)
    return make_mapping(run, "map <these>", words, traits, 7, maker)


@pytest.fixture
def rating(run: Run, maker: User) -> AnnotationTask:
    return make_rating(run, "rate these", 10, 7, maker)


@pytest.fixture
def person(db: None) -> Person:
    """person("ann", "reviewer"): somebody of a role, logged in."""

    def logged_in(name: str, role: str) -> Client:
        user = User.objects.filter(username=name).first() or User.objects.create_user(name)
        user.groups.set(Group.objects.filter(name=role))
        client = Client()
        client.force_login(user)
        return client

    return logged_in
