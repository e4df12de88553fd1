"""Budgets: what is set aside, charged and refused, also by two workers at once."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import transaction

from plumbline.audits import spending
from plumbline.audits.models import MonthSpending, Run, RunSpending
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from plumbline.spec.prices import Prices
from tests.patience import PATIENCE
from tests.plumbline.audits.conftest import Elsewhere, until_one_waits
from tests.plumbline.spec.some_questions import set_of_four

NONE, ONE, TWO = Decimal(0), Decimal(1), Decimal(2)


def spec(**params: Any) -> Any:
    data = {"name": "paid", "probe": "bbq", "model": "openai:http://127.0.0.1:1/v1#tiny", "params": params}
    return parse(data | {"bank": {"inline": set_of_four("1")}})


@pytest.fixture
def account(run: Run) -> RunSpending:
    spending.open_account(run.pk, Prices(ONE, ONE, budget=Decimal(3)))
    return RunSpending.objects.get()


def spent() -> tuple[Decimal, Decimal]:
    own = RunSpending.objects.get()
    assert (own.spent, own.reserved) == MonthSpending.objects.values_list("spent", "reserved").get()
    return own.spent, own.reserved


def test_what_is_set_aside_gives_way_to_what_was_paid(run: Run, account: RunSpending) -> None:
    reserved = spending.reserve(run.pk, TWO)
    assert reserved is not None
    assert spent() == (NONE, TWO)
    spending.settle(reserved, Decimal("0.5"))
    assert spent() == (Decimal("0.5"), NONE)
    assert spending.told(run.pk) == ["spent 0.50 of 3.00"]


def test_nothing_is_set_aside_beyond_the_budget_of_the_run(run: Run, account: RunSpending) -> None:
    assert spending.reserve(run.pk, TWO)
    assert spending.reserve(run.pk, TWO) is None
    assert spent() == (NONE, TWO)
    assert spending.reserve(run.pk, ONE)
    assert spending.exhausted(run.pk) == (
        "the budget of 3.00 for this run is spent: 0.00 for answers, up to 3.00 for requests without an answer."
        f" 'audit resume {run.pk} --budget AMOUNT' goes on with a larger one; answers are kept"
    )


def test_nothing_is_set_aside_beyond_the_budget_of_the_month(run: Run, account: RunSpending, settings: Any) -> None:
    settings.MONTHLY_BUDGET = 2.5
    assert spending.reserve(run.pk, TWO)
    assert spending.reserve(run.pk, ONE) is None
    assert spent() == (NONE, TWO)
    assert "the budget of 2.50 for 20" in spending.exhausted(run.pk)
    assert "raise MONTHLY_BUDGET" in spending.exhausted(run.pk)


def test_of_two_workers_at_the_same_moment_one_gets_the_rest(
    elsewhere: Elsewhere, run: Run, account: RunSpending
) -> None:
    with transaction.atomic():
        ours = spending.reserve(run.pk, TWO)
        theirs = elsewhere(lambda: spending.reserve(run.pk, TWO))
        until_one_waits()
    assert ours is not None
    assert theirs.result(timeout=PATIENCE) is None
    assert spent() == (NONE, TWO)


def test_a_larger_budget_stays_when_the_next_worker_begins(run: Run, account: RunSpending) -> None:
    spending.allow(run, Decimal(5))
    spending.open_account(run.pk, Prices(ONE, ONE, budget=Decimal(3)))
    assert RunSpending.objects.get().budget == 5


def test_a_budget_below_what_is_spent_is_refused(run: Run, account: RunSpending) -> None:
    assert spending.reserve(run.pk, TWO)
    with pytest.raises(InputError, match=rf"run {run.pk} has spent 2\.00: give a larger budget"):
        spending.allow(run, TWO)


def test_a_run_without_prices_has_no_budget(run: Run) -> None:
    assert spending.told(run.pk) == []
    with pytest.raises(InputError, match=f"run {run.pk} has no budget"):
        spending.allow(run, ONE)


@pytest.mark.parametrize("text", ["", "much", "nan", "-1", "0", "1e12", "1,5"])
def test_what_is_no_amount_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError, match="is no amount of money") as error:
        spending.amount(text)
    assert "\n" not in str(error.value)


def test_a_budget_of_the_months_needs_prices(settings: Any) -> None:
    spending.check(spec())
    settings.MONTHLY_BUDGET = 10.0
    spending.check(spec(price_in=1.0))
    with pytest.raises(InputError, match=r"what openai:.* costs is unknown: give params\.price_in"):
        spending.check(spec())


def test_a_budget_of_a_plan_needs_prices() -> None:
    with pytest.raises(InputError, match="budget needs price_in and price_out"):
        spec(budget=1.0)


def test_what_was_spent_outlives_its_run(run: Run, account: RunSpending) -> None:
    assert spending.reserve(run.pk, ONE)
    run.delete()
    assert not RunSpending.objects.exists()
    assert spending.this_month().reserved == 1
