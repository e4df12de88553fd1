"""What requests cost, and the most that they can cost."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.answers.reply import Reply
from plumbline.spec.prices import TEMPLATE_TOKENS, Prices

PRICES = Prices(Decimal("2.5"), Decimal(10))


def body(text: str, max_tokens: int = 32) -> dict[str, object]:
    return {"messages": [{"role": "user", "content": text}], "max_tokens": max_tokens}


def reply(read: int | None, written: int | None) -> Reply:
    return Reply("A", prompt_tokens=read, completion_tokens=written)


def test_an_answer_costs_its_tokens_by_the_million() -> None:
    assert PRICES.of(reply(400_000, 50_000), Decimal(9)) == Decimal("1.5")


@pytest.mark.parametrize("told", [reply(None, 5), reply(5, None)])
def test_an_answer_without_its_tokens_costs_the_most_that_it_can(told: Reply) -> None:
    assert PRICES.of(told, Decimal("0.25")) == Decimal("0.25")


def test_a_price_that_is_not_given_counts_as_none() -> None:
    assert Prices(written=Decimal(10)).of(reply(1_000_000, 100_000), Decimal()) == 1
    assert [Prices().known, Prices(read=Decimal(0)).known] == [False, True]


@given(st.text(max_size=300), st.integers(1, 1000), st.data())
def test_no_answer_costs_more_than_the_highest_cost(text: str, most: int, data: st.DataObject) -> None:
    """Every token of a text has at least one byte of it."""
    text = text.encode("utf-8", "replace").decode()
    read = data.draw(st.integers(0, len(text.encode()) + TEMPLATE_TOKENS))
    written = data.draw(st.integers(0, most))
    highest = PRICES.highest(body(text, most))
    assert PRICES.of(reply(read, written), highest) <= highest
