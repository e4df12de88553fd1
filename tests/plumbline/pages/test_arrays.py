"""Long arrays of numbers are written as the standard library would write them."""

import json
from typing import Any

import pytest

from plumbline.pages.arrays import LONG, as_json

FIGURES = [0.1, -0.25, None, 1e-9, 1e300, 0.0, -3.0] * LONG


@pytest.mark.parametrize(
    "values",
    [
        FIGURES,
        [1, None, 3] * LONG,
        [None] * LONG,
        ["a", "b"] * LONG,
        [[1, 2]] * LONG,
        [True, False] * LONG,
        [1, 0.5] * LONG,
        [],
    ],
    ids=lambda values: str(values[:3]),
)
def test_what_is_read_back_is_what_was_written(values: list[Any]) -> None:
    payload = {"<name>": values, "short": [0.5, None], "text": 'a "quoted" one'}
    assert json.loads(as_json(payload)) == payload


def test_numbers_that_json_does_not_have_are_left_to_the_standard_library() -> None:
    values = [float("nan")] * LONG
    assert as_json({"a": values}) == json.dumps({"a": values})
