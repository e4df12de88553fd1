"""Replies to the questions of a probe in a chat, asked as the params of its audit say."""

from collections.abc import Sequence

from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.params import AnswerParams
from plumbline.spec.answers.reply import KeptReply
from workers.engine.endpoints.chat_completion import Wording
from workers.engine.endpoints.remote import Manner, RemoteModel
from workers.engine.local_chat import LocalChat
from workers.probes.protocol import Progress

ChatModel = RemoteModel | LocalChat
"""A model that answers in text."""


def chat_replies(
    model: ChatModel,
    params: AnswerParams,
    texts: Sequence[str],
    seed: int,
    progress: Progress,
    examples: Sequence[WorkedExample] = (),
    samples: Sequence[int] | None = None,
) -> list[KeptReply]:
    """Return the reply to each text. `progress` is called with the number of replies since its last call.

    `examples` come before each text. `samples` has the number of each text's sample.
    """
    wording = wording_of(params, examples)
    if isinstance(model, LocalChat):
        return model.replies(texts, wording, seed, progress, samples)
    return model.replies(texts, manner_of(params), wording, seed, progress, samples)


def wording_of(params: AnswerParams, examples: Sequence[WorkedExample] = ()) -> Wording:
    """Return what each request of an audit holds besides its text."""
    return Wording(
        params.system, params.max_tokens, params.extra_body, examples, params.temperature, params.chat_template_kwargs
    )


def manner_of(params: AnswerParams) -> Manner:
    """Return how the requests of an audit are sent."""
    return Manner(params.concurrency, params.attempts, params.timeout)
