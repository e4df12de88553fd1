"""Values of an answer on the page."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.sql_page.asking import Column, Kind
from plumbline.sql_page.cells import indented, shown

TRUTH = Column("ok", "bool", Kind.TRUTH)
TEXTS = Column("texts", "text[]", Kind.LIST)
NUMBERS = Column("numbers", "numeric[]", Kind.LIST, Kind.NUMBER)
TRUTHS = Column("truths", "bool[]", Kind.LIST, Kind.TRUTH)
CONTENT = Column("content", "jsonb", Kind.JSON)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


@pytest.mark.parametrize(
    ("value", "column", "expected"),
    [
        ("t", TRUTH, "true"),
        ("f", TRUTH, "false"),
        ("{}", TEXTS, "[]"),
        ('{women,"a, \\"b\\"",NULL,"NULL"}', TEXTS, '["women", "a, \\"b\\"", NULL, "NULL"]'),
        ("{{1,2},{3,NULL}}", NUMBERS, "[[1, 2], [3, NULL]]"),
        ("{0.10000000000000000001}", NUMBERS, "[0.10000000000000000001]"),
        ("{t,f,NULL}", TRUTHS, "[true, false, NULL]"),
        ('{"a": 1}', CONTENT, '{"a": 1}'),
        ("t", Column("t", "text", Kind.TEXT), "t"),
    ],
)
def test_a_value_is_readable(value: str, column: Column, expected: str) -> None:
    assert shown(value, column) == expected


def test_long_json_has_lines_and_keeps_its_digits() -> None:
    text = '{"list": "abc-traits", "digest": "0123456789abcdef0123456789abcdef", "n": [1.10000000000000000001, []]}'
    assert shown(text, CONTENT).split("\n") == [
        "{",
        '  "list": "abc-traits",',
        '  "digest": "0123456789abcdef0123456789abcdef",',
        '  "n": [',
        "    1.10000000000000000001,",
        "    []",
        "  ]",
        "}",
    ]


@given(JSON)
def test_lines_change_no_value(value: object) -> None:
    assert json.loads(indented(json.dumps(value, ensure_ascii=False))) == value
