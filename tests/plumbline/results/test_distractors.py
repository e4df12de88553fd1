"""Drawing distractors of a run: each as likely as any other, the same seed the same ones, only those read."""

from collections import Counter
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from plumbline.results import distractors
from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.tables import distractor
from plumbline.results.terms import ids_of

pytestmark = pytest.mark.django_db


def load(run: int, shard: int, texts: list[str]) -> None:
    ids = ids_of(["sodapop", "a party", "Ada", "women"])
    labels = {"probe": "sodapop", "context": "a party", "name": "Ada", "group": "women"}
    columns: dict[str, Any] = {key: [ids[label]] * len(texts) for key, label in labels.items()}
    more: dict[str, Any] = {"text": texts, "distance": [1] * len(texts), "log_p": [-1.0] * len(texts)}
    own: dict[str, Any] = {"id": record_ids(run, shard, len(texts)), "run": [run] * len(texts)}
    copy_in(distractor, own | columns | more)


@pytest.fixture
def loaded() -> None:
    """Shard 1 is empty, shard 2 the largest; the runs before and after it have some of their own."""
    load(7, 0, ["a", "b"])
    load(7, 2, ["c", "d", "e", "f", "g"])
    load(7, 3, ["h"])
    load(6, 4, ["not this"])
    load(8, 0, ["nor this"])


def test_a_draw_knows_its_shards(loaded: None) -> None:
    assert distractors.count(7) == 8
    assert [one.text for one in distractors.sample(7, 100, 0)] == list("abcdefgh")
    first = distractors.sample(7, 100, 0)[0]
    assert (first.context, first.name, first.group, first.distance) == ("a party", "Ada", "women", 1)


def test_the_seed_decides_and_none_is_drawn_twice(loaded: None) -> None:
    drawn = [one.text for one in distractors.sample(7, 4, 3)]
    assert drawn == [one.text for one in distractors.sample(7, 4, 3)]
    assert len(set(drawn)) == 4
    assert len({tuple(one.text for one in distractors.sample(7, 4, seed)) for seed in range(10)}) > 5


def test_each_is_as_likely_as_any_other(loaded: None) -> None:
    """400 draws of 2 of 8: each is expected 100 times, with a standard deviation of 8.7."""
    times = Counter(one.text for seed in range(400) for one in distractors.sample(7, 2, seed))
    assert set(times) == set("abcdefgh")
    assert all(60 < count < 140 for count in times.values())


def test_a_run_without_any_has_none() -> None:
    assert distractors.count(7) == 0
    assert distractors.sample(7, 5, 0) == []


def test_a_draw_asks_four_questions_however_many_it_wants(
    loaded: None, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(4):
        distractors.sample(7, 8, 0)
