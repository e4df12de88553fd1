import math
import sys
from typing import Any

import numpy as np
import pytest
from django.db import IntegrityError, connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase
from psycopg import sql

from plumbline.results.copying import copy_in
from plumbline.results.tables import measure, term


def stored(*columns: str) -> list[tuple[Any, ...]]:
    names = sql.SQL(",").join(map(sql.Identifier, columns))
    with connection.cursor() as cursor:
        cursor.execute(sql.SQL("SELECT {} FROM results.measure ORDER BY id").format(names))
        return list(cursor.fetchall())


texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=30)
floats = st.none() | st.floats(allow_nan=False)
integers = st.integers(-(2**31), 2**31 - 1)


class EveryValueComesBack(TestCase):
    @settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(st.lists(st.tuples(texts, floats, integers), min_size=1, max_size=8))
    def test_exactly_as_it_went_in(self, rows: list[tuple[str, float | None, int]]) -> None:
        label, value, number = (list(column) for column in zip(*rows, strict=True))
        columns = {"run": [1] * len(rows), "statistic": label, "value": value, "n": number, "reason": ["x"] * len(rows)}
        assert copy_in(measure, columns) == len(rows)
        assert stored("statistic", "value", "n") == rows


@pytest.mark.django_db
def test_the_edges_of_the_floats_are_exact_to_the_bit() -> None:
    edges = [5e-324, -0.0, sys.float_info.max, sys.float_info.epsilon, 0.1, -math.inf]
    copy_in(measure, {"run": [1] * 6, "statistic": ["s"] * 6, "n": range(6), "value": np.array(edges)})
    assert [value.hex() for (value,) in stored("value")] == [edge.hex() for edge in edges]


@pytest.mark.django_db
def test_none_masked_and_nan_are_null() -> None:
    copy_in(
        measure,
        {
            "run": np.array([1, 1]),
            "statistic": ["a", "b"],
            "n": np.array([3, 4], dtype=np.int64),
            "value": np.array([np.nan, 2.0]),
            "ci_low": [1.0, None],
            "ci_high": np.ma.MaskedArray([1.0, 2.0], [False, True]),
            "reason": ["undefined", ""],
        },
    )
    assert stored("value", "ci_low", "ci_high", "variant") == [(None, 1.0, 1.0, ""), (2.0, None, None, "")]


@pytest.mark.django_db
def test_more_rows_than_one_block_arrive_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plumbline.results.copying.ROWS_PER_BLOCK", 7)
    assert copy_in(measure, {"run": [1] * 20, "statistic": ["s"] * 20, "n": range(20), "value": [0.5] * 20}) == 20
    assert sorted(number for (number,) in stored("n")) == list(range(20))


@pytest.mark.django_db
def test_no_rows_are_no_error() -> None:
    assert copy_in(term, {"text": []}) == 0


@pytest.mark.parametrize(
    ("columns", "fault"),
    [
        ({"run": [1], "colour": ["red"]}, "no column 'colour'"),
        ({"run": [1, 2], "statistic": ["s"]}, "unequal length"),
        ({"run": [2**31], "statistic": ["s"], "n": [1], "value": [0.0]}, "'run'"),
        ({"run": np.array([1.5]), "statistic": ["s"], "n": [1], "value": [0.0]}, "'run'"),
    ],
)
@pytest.mark.django_db
def test_columns_that_do_not_fit_are_refused(columns: dict[str, Any], fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        copy_in(measure, columns)


@pytest.mark.django_db
def test_a_score_without_value_needs_a_reason() -> None:
    with pytest.raises(IntegrityError, match="measure_value_or_reason_ck"):
        copy_in(measure, {"run": [1], "statistic": ["s"], "n": [0], "value": [None]})
