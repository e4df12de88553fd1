"""Ratings that are hardly what people answered."""

import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import parse
from plumbline.spec.content import Rating
from plumbline.spec.judgements import Judgements, judgements_of
from plumbline.spec.rating_flags import flagged, flags_of
from tests.plumbline.spec.test_human import SPEC

RELEASED = Path(__file__).resolve().parents[3] / "../shared/data/abc/data_full.json"
PAIRS = ["cold - warm", "poor - rich", "weak - strong"]


def judgements(answers: dict[str, list[list[float]]], group: str = "women") -> Judgements:
    """`answers`: each rater's ratings of PAIRS, one list a group."""
    rows = [
        Rating(annotator=rater, group=f"{group}{number or ''}", left=left, right=right, rating=rating)
        for rater, groups in answers.items()
        for number, ratings in enumerate(groups)
        for pair, rating in zip(PAIRS, ratings, strict=True)
        for left, right in [pair.split(" - ")]
    ]
    return judgements_of(rows)


def test_pairs_that_every_rater_rates_alike_are_copied() -> None:
    found = judgements({f"r{one}": [[10.0 * one, 50 + one, 10.0 * one]] for one in range(5)}).checked()
    (flag,) = found.flags
    assert flag.reason == "women: every rater has the same rating on cold - warm and weak - strong"
    assert np.isnan(found.values[:, 0, [0, 2]]).all()
    assert not np.isnan(found.values[:, 0, 1]).any()
    assert found.otherwise is not None
    assert not np.isnan(found.otherwise).any()


@pytest.mark.parametrize(
    "columns",
    [
        [[10, 50, 10], [20, 51, 20], [30, 52, 30], [40, 53, 40]],  # too few raters to tell
        [[10, 50, 10], [20, 51, 20], [30, 52, 30], [40, 53, 40], [50, 54, 51]],  # one differs
        [[90, 10 + one, 90] for one in range(5)],  # all of one opinion
    ],
)
def test_pairs_that_may_well_be_alike_are_not(columns: list[list[float]]) -> None:
    found = judgements({f"r{number}": [ratings] for number, ratings in enumerate(columns)}).checked()
    assert found.flags == ()
    assert found.otherwise is None


def test_a_rater_of_one_answer_is_left_out() -> None:
    answers = {"flat": [[50.0] * 3] * 2, "real": [[50.0] * 3, [1.0, 2.0, 3.0]], "few": [[50.0] * 3]}
    found = judgements(answers).checked()
    assert [flag.reason for flag in found.flags] == ["'flat' gives every group the same rating on every pair"]
    assert np.isnan(found.values[0]).all()
    assert np.array_equal(np.isnan(found.values[1:]), np.isnan(judgements(answers).values[1:]))


@pytest.mark.skipif(not RELEASED.exists(), reason="the data are not here")
def test_of_the_published_ratings_three_cells_are_flagged() -> None:
    rows = [
        Rating(annotator=rater, group=group, left=left, right=right, rating=float(score))
        for rater, groups in json.loads(RELEASED.read_text()).items()
        for group, pairs in groups.items()
        for pair, score in pairs.items()
        for left, right in [pair.split(" - ")]
    ]
    found = judgements_of(rows)
    cells = flagged(found.values, flags_of(found.values, found.annotators, found.groups, found.pairs)).sum(axis=0)
    told = {(found.groups[row], found.pairs[at]): int(cells[row, at]) for row, at in np.argwhere(cells)}
    pairs = [("poor", "wealthy"), ("untrustworthy", "trustworthy"), ("egoistic", "altruistic")]
    assert told == {("women", pair): 20 for pair in pairs}


def test_a_spec_may_keep_them() -> None:
    rows = [
        {"annotator": f"r{one}", "group": "women", "left": left, "right": right, "rating": 10 * one}
        for one in range(5)
        for left, right in (("cold", "warm"), ("poor", "rich"))
    ]

    def used(**how: Any) -> Judgements:
        own = cast("AssociationSpec", parse(SPEC | {"human": {"inline": rows, **how}}))
        found = own.judgements({})
        assert found is not None
        return found

    assert np.isnan(used().values).all()
    assert not np.isnan(used(flagged="keep").values).any()
    assert used(flagged="keep").flags == used().flags
    assert "flagged" not in json.dumps(parse(SPEC).dump())
