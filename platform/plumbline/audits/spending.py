"""Budgets of runs and of months. A request is reserved at its highest cost before it is sent, so no budget is exceeded.

What a process had reserved when it was killed stays reserved, since its requests may have been paid for.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from itertools import accumulate

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from plumbline.audits.models import MonthSpending, Run, RunSpending
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError, shown
from plumbline.spec.numbers import money
from plumbline.spec.prices import Prices

MOST = Decimal(10) ** 9
"""No budget is that large, and no column would hold it."""


@dataclass(frozen=True, slots=True)
class Reserved:
    """An amount that was set aside in a month, for one request of a run."""

    run: int
    month: date
    amount: Decimal


def check(spec: AuditSpec) -> None:
    """Raise InputError if requests are paid whose prices nobody gave, while the months have a budget."""
    prices = spec.prices()
    if settings.MONTHLY_BUDGET is not None and prices and not prices.known:
        raise InputError(
            f"the months have a budget (MONTHLY_BUDGET), and what {spec.model} costs is unknown: give params.price_in"
            " and params.price_out, the prices of a million tokens."
        )


def open_account(run: int, prices: Prices) -> None:
    """Let a run spend its budget. A budget that a person has changed since stays."""
    RunSpending.objects.get_or_create(run_id=run, defaults={"budget": prices.budget})


def allow(run: Run, budget: Decimal) -> None:
    """Change the budget of a run. Raises InputError if it is below what is spent, or if the run's requests are free."""
    spending = RunSpending.objects.filter(run=run).first()
    if spending is None:
        raise InputError(f"run {run.pk} has no budget: its plan names no prices, or it asks no endpoint.")
    if budget <= spending.spent + spending.reserved:
        raise InputError(f"run {run.pk} has spent {money(spending.spent + spending.reserved)}: give a larger budget.")
    RunSpending.objects.filter(run=run).update(budget=budget)


def amount(text: str) -> Decimal:
    """Return the amount that a person wrote. Raises InputError if it is none."""
    try:
        given = Decimal(text.strip())
    except InvalidOperation:
        given = Decimal("NaN")
    if not (given.is_finite() and 0 < given < MOST):
        raise InputError(f"{shown(text)} is no amount of money: write a number such as 12.50.")
    return given


def reserve(run: int, amount: Decimal) -> Reserved | None:
    """Set an amount aside in the budgets of the run and of this month; None if one of them does not allow it."""
    month = timezone.now().date().replace(day=1)
    MonthSpending.objects.get_or_create(month=month)
    with transaction.atomic():
        # The month's row is locked first by every run, so two runs cannot wait for each other.
        months, limit = MonthSpending.objects.filter(month=month), _limit()
        if limit is not None:
            months = months.filter(spent__lte=limit - amount - F("reserved"))
        runs = RunSpending.objects.filter(
            Q(budget=None) | Q(budget__gte=F("spent") + F("reserved") + amount), run_id=run
        )
        if not (_set_aside(months, amount) and _set_aside(runs, amount)):
            transaction.set_rollback(True)
            return None
    return Reserved(run, month, amount)


def reserve_most(run: int, amounts: Sequence[Decimal]) -> tuple[int, Reserved | None]:
    """Set aside the first of these amounts together, as many as the budgets allow. Returns how many they are."""
    room = min((*_room(run), sum(amounts, Decimal())))
    count = sum(total <= room for total in accumulate(amounts))
    while count:
        if (reserved := reserve(run, sum(amounts[:count], Decimal()))) is not None:
            return count, reserved
        # Another run has spent some of the month's budget in this moment.
        count //= 2
    return 0, None


def _room(run: int) -> list[Decimal]:
    """Return what is left of each budget that limits a run."""
    own, month = RunSpending.objects.get(run_id=run), this_month()
    limits = [(own.budget, own.spent + own.reserved), (month.limit, month.spent + month.reserved)]
    return [limit - used for limit, used in limits if limit is not None]


def settle(reserved: Reserved, cost: Decimal) -> None:
    """Charge the cost of an answered request in place of what was set aside for it."""
    change = {"reserved": F("reserved") - reserved.amount, "spent": F("spent") + cost}
    with transaction.atomic():
        MonthSpending.objects.filter(month=reserved.month).update(**change)
        RunSpending.objects.filter(run_id=reserved.run).update(**change)


def told(run: int) -> list[str]:
    """Return the line about what a run has spent at its endpoint; none for a run without prices."""
    own = RunSpending.objects.filter(run_id=run).first()
    if own is None:
        return []
    of = "" if own.budget is None else f" of {money(own.budget)}"
    return [f"spent {money(own.spent)}{of}{_open(own.reserved)}"]


def exhausted(run: int) -> str:
    """Return one line that says which budget is spent and what to do."""
    own, month = RunSpending.objects.get(run_id=run), this_month()
    left = None if month.limit is None else month.limit - month.spent
    if left is not None and (own.budget is None or left < own.budget - own.spent):
        which, spent, reserved = f"{money(month.limit or left)} for {month.name}", month.spent, month.reserved
        remedy = "Resume the run next month, or raise MONTHLY_BUDGET"
    else:
        which, spent, reserved = f"{money(own.budget or own.spent)} for this run", own.spent, own.reserved
        remedy = f"'audit resume {run} --budget AMOUNT' goes on with a larger one"
    return f"the budget of {which} is spent: {money(spent)} for answers{_open(reserved)}. {remedy}; answers are kept"


@dataclass(frozen=True, slots=True)
class Month:
    """What was spent in a month (UTC), and the limit, or None."""

    name: str
    spent: Decimal
    reserved: Decimal
    limit: Decimal | None


def this_month() -> Month:
    """Return what all runs have spent in this month."""
    first = timezone.now().date().replace(day=1)
    row = MonthSpending.objects.filter(month=first).first() or MonthSpending(month=first)
    return Month(f"{first:%Y-%m}", Decimal(row.spent), Decimal(row.reserved), _limit())


def _limit() -> Decimal | None:
    return None if settings.MONTHLY_BUDGET is None else Decimal(str(settings.MONTHLY_BUDGET))


def _set_aside(rows: QuerySet[MonthSpending] | QuerySet[RunSpending], amount: Decimal) -> bool:
    return bool(rows.update(reserved=F("reserved") + amount))


def _open(reserved: Decimal) -> str:
    return f", up to {money(reserved)} for requests without an answer" if reserved else ""
