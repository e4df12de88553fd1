"""The store of an endpoint's replies in the database, for the run that is executed."""

from collections.abc import Mapping, Sequence

from plumbline.results import replies
from plumbline.spec.answers.reply import KeptReply, Reply
from plumbline.spec.errors import InputError
from workers.engine.remote import RemoteModel
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


def use_store_of(work: Work, model: AnyModel) -> None:
    """Let an endpoint's model keep its replies with the run. Other models have none."""
    if isinstance(model, RemoteModel):
        model.store = RunReplies(work.run.pk, work.spec.answers_of())
