"""The store of replies in the database and an endpoint's account, for the run that is executed."""

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.audits import spending
from plumbline.audits.spending import Reserved
from plumbline.results import replies
from plumbline.spec.answers.reply import KeptReply, Reply
from plumbline.spec.errors import InputError
from plumbline.spec.prices import Prices
from workers.engine.causal import CausalModel
from workers.engine.endpoints.remote import RemoteModel
from workers.engine.endpoints.request_budget import Unlimited
from workers.engine.local_chat import LocalChat
from workers.execution.worker import Work
from workers.probes.protocol import AnyModel


class RunReplies:
    """The replies of one run. With `source`, those of another run are parsed anew, and nothing is asked."""

    def __init__(self, run: int, source: int | None) -> None:
        self.run, self.source = run, source

    def known(self, requests: Sequence[str]) -> Mapping[str, KeptReply]:
        """Return the kept replies. Raises InputError if the other run does not keep all of them."""
        if self.source is None:
            return replies.known(self.run, requests)
        found = replies.known(self.source, requests)
        if len(found) < len(set(requests)):
            missing = len(set(requests)) - len(found)
            raise InputError(
                f"run {self.source} keeps no answer to {missing} of {len(set(requests))} requests: their time has"
                " passed (REPLIES_DAYS), or they were asked otherwise. Run the audit again to ask the endpoint."
            )
        return found

    def keep(self, request: str, reply: Reply) -> KeptReply:
        return replies.keep(self.run, request, reply)


class RunAccount:
    """The account of one run, which its workers share."""

    def __init__(self, run: int, prices: Prices) -> None:
        self.run, self.prices = run, prices
        spending.open_account(run, prices)

    def reserve(self, body: Mapping[str, Any]) -> Reserved | None:
        return spending.reserve(self.run, self.prices.highest(body))

    def settle(self, reserved: Reserved, reply: Reply) -> None:
        spending.settle(reserved, self.prices.of(reply, reserved.amount))

    def exhausted(self) -> str:
        return spending.exhausted(self.run)


def for_run(work: Work, model: AnyModel) -> AnyModel:
    """Return the model as the run asks it.

    One that answers in text keeps its replies with the run, and an endpoint spends the run's budget.
    """
    store = RunReplies(work.run.pk, work.spec.answers_of())
    if isinstance(model, CausalModel) and work.spec.in_text():
        return LocalChat(model, store)
    if isinstance(model, RemoteModel):
        model.store = store
        prices = known_prices(work)
        model.account = RunAccount(work.run.pk, prices) if prices else Unlimited()
    return model


def known_prices(work: Work) -> Prices | None:
    """Return the prices of a run's requests, if they are known."""
    prices = work.spec.prices()
    return prices if prices and prices.known else None
