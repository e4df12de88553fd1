"""Why items could not be scored: the counts that a summary kept, or those of the records."""

from typing import Any

import pytest

from plumbline.results import not_scorable
from plumbline.results.measure_writing import replace_measures
from plumbline.results.not_scorable import NotScorable, measured, reasons
from plumbline.spec import not_scorable_counts
from tests.plumbline.results.conftest import CELLS, Load

pytestmark = pytest.mark.django_db

EXPECTED = [
    NotScorable("several subwords", 3, (("women", 2), ("men", 1))),
    NotScorable("the tokenizer cannot spell it", 1, (("men", 1),)),
]


@pytest.fixture
def loaded(load: Load) -> None:
    """Records of the runs 1 and 2."""
    load(1, CELLS)
    own = [("x", "women"), ("y", "women"), ("x", "men")]
    load(1, [(template, group, "yare", None, "several subwords") for template, group in own], shard=1)
    load(2, CELLS)


def keep(run: int) -> None:
    replace_measures(run, [{name: getattr(one, name) for name in one.__slots__} for one in measured(run)])


@pytest.mark.parametrize("kept", [False, True])
def test_items_are_counted_by_reason_and_group(loaded: None, kept: bool) -> None:
    if kept:
        keep(1)
    assert not_scorable.not_scorable(1, 10) == EXPECTED
    assert not_scorable.not_scorable(1, 1) == EXPECTED[:1]
    assert not_scorable.not_scorable(3, 10) == []
    assert reasons(1) == [("several subwords", 3), ("the tokenizer cannot spell it", 1)]
    assert reasons(3) == []


def test_what_was_kept_is_not_counted_again(loaded: None, django_assert_num_queries: Any) -> None:
    keep(1)
    with django_assert_num_queries(1):
        assert not_scorable.not_scorable(1, 10) == EXPECTED
    with django_assert_num_queries(1):
        assert len(reasons(1)) == 2


def test_measures_have_the_items_of_all_groups_and_of_each(loaded: None) -> None:
    found = [(one.reason, one.group_a, one.value, one.n) for one in measured(1)]
    assert sorted(found) == [
        ("several subwords", "", 3, 3),
        ("several subwords", "men", 1, 1),
        ("several subwords", "women", 2, 2),
        ("the tokenizer cannot spell it", "", 1, 1),
        ("the tokenizer cannot spell it", "men", 1, 1),
    ]


def test_of_very_many_groups_those_with_most_items_are_kept_and_all_items_count(
    loaded: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(not_scorable_counts, "MOST_PAIRS", 1)
    assert not_scorable.not_scorable(1, 10) == [
        NotScorable("several subwords", 3, (("women", 2),)),
        NotScorable("the tokenizer cannot spell it", 1, ()),
    ]
