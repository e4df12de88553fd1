"""The batches of a run at its endpoint, with what is set aside for them in the budgets."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from plumbline.audits import spending
from plumbline.audits.models import RequestBatch, Run
from plumbline.audits.spending import Reserved
from plumbline.spec.numbers import counted
from plumbline.spec.reference import ModelReference


def open_batches(run: int) -> list[RequestBatch]:
    """Return the batches of a run whose answers are not all read."""
    return list(RequestBatch.objects.filter(run=run, ended=False))


@transaction.atomic
def begin(run: int, highest: Sequence[Decimal] | None, requests: int, left_out: str) -> RequestBatch | None:
    """Store a batch of as many of these requests as the budgets allow, before it is submitted; None: they allow none.

    `highest` is the highest cost of each request, or None if nothing is paid.
    """
    month, amount = timezone.now().date().replace(day=1), Decimal()
    if highest is not None:
        requests, reserved = spending.reserve_most(run, highest)
        if reserved is None:
            return None
        month, amount = reserved.month, reserved.amount
    return RequestBatch.objects.create(run_id=run, requests=requests, left_out=left_out, month=month, reserved=amount)


@contextmanager
def charged(batch: RequestBatch, highest: Decimal, cost: Decimal) -> Iterator[None]:
    """Charge an answer in the transaction that stores it, so that an answer read again is not charged again."""
    with transaction.atomic():
        if highest:
            spending.settle(Reserved(batch.run_id, batch.month, highest), cost)
            RequestBatch.objects.filter(pk=batch.pk).update(reserved=F("reserved") - highest)
        yield


@transaction.atomic
def end(batch: RequestBatch, unpaid: Decimal) -> None:
    """End a batch, and set free what was set aside for requests that the endpoint did not answer and does not bill."""
    if unpaid:
        spending.settle(Reserved(batch.run_id, batch.month, unpaid), Decimal())
    RequestBatch.objects.filter(pk=batch.pk).update(ended=True, reserved=F("reserved") - unpaid)


def forget(batch: RequestBatch) -> None:
    """End a batch that the endpoint never got."""
    batch.refresh_from_db()
    end(batch, batch.reserved)


def waits_for_batches(run: Run) -> str:
    """Return the batches that a run waits for, as text, or ""."""
    waiting = [one for one in open_batches(run.pk) if one.endpoint_id]
    if not waiting:
        return ""
    requests, answered = (sum(getattr(one, name) for one in waiting) for name in ("requests", "answered"))
    batches = "a batch" if len(waiting) == 1 else f"{len(waiting)} batches"
    url = ModelReference.parse(run.model).target.partition("#")[0]
    since = timezone.localtime(waiting[0].submitted_at)
    return (
        f"for {batches} of {counted(requests, 'request')} at {urlsplit(url).netloc}, submitted {since:%Y-%m-%d %H:%M}:"
        f" {answered:,} of {requests:,} done"
    )
