"""Models behind an OpenAI-compatible HTTP endpoint: chat completions, a few requests at a time, each paid for once."""

import os
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import httpx2

from plumbline.spec.answers.reply import KeptReply, Reply
from plumbline.spec.digests import digest
from plumbline.spec.errors import ModelError
from plumbline.spec.reference import ModelReference
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.endpoints.chat_completion import Wording, body_of, refused_parameter, reply_in, without
from workers.engine.endpoints.limiter import Limiter, LimiterAt, own_limiter
from workers.engine.endpoints.reply_store import Arrived, MemoryStore, Progress, ReplyStore, replies_once
from workers.engine.endpoints.request_budget import Account, Unlimited
from workers.engine.endpoints.retries import BUSY, PASSING, PassingError, retry_after, retrying

KEY = "OPENAI_API_KEY"
"""The environment variable of the key; without it, requests have no key."""
REFUSING = frozenset({400, 422})
"""HTTP status codes of a request with a parameter that the model does not take."""
FIRST_PAUSE, JITTER = 0.5, 1.0
"""Seconds."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How requests are sent: the most at a time, attempts of each, and the timeout of one in seconds."""

    concurrency: int = 4
    attempts: int = 6
    timeout: float = 60.0


@dataclass(frozen=True, slots=True)
class _Sending:
    """What the threads share that send the requests of one call."""

    client: httpx2.Client
    limiter: Limiter
    given_up: threading.Event

    def give_up(self) -> None:
        self.given_up.set()
        self.limiter.wake()


def remote(reference: str) -> Checkpoint:
    """Return the checkpoint of an endpoint. It has no files; only its name is known, and its weights may change."""
    note = "remote: which weights answer is its operator's choice"
    return Checkpoint(reference, Path(), Kind.REMOTE, "", digest(reference), "", note)


@cache
def _trust() -> ssl.SSLContext:
    """Return the certificates that are trusted. To read them takes 30 ms, as long as a shard's records."""
    return httpx2.create_ssl_context()


class RemoteModel:
    """A model at `openai:BASE_URL#MODEL`.

    `store` keeps the replies of the current run, `account` limits what it spends, and `limiter_at` gives the limiter of
    the endpoint, which others may share. Whoever executes a run sets them.
    """

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.url, _, self.name = ModelReference.parse(checkpoint.reference).target.partition("#")
        self.store: ReplyStore = MemoryStore()
        self.account: Account = Unlimited()
        self.limiter_at: LimiterAt = own_limiter
        self.refused: set[str] = set()
        """Parameters that the model refuses, which are left out."""

    def replies(
        self,
        texts: Sequence[str],
        manner: Manner,
        wording: Wording | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        samples: Sequence[int] | None = None,
    ) -> list[KeptReply]:
        """Return the model's reply to each text; each distinct request is sent once.

        `samples` has the number of each text's sample, which is added to the seed, so that samples of one text are
        requests of their own. Replies that the store knows are not asked for again, so repeated work is free. Each
        other one is stored as soon as it arrives. A fault that may pass is retried with growing pauses that respect
        Retry-After. A parameter that the model refuses is left out from then on. `progress` is called with the number
        of texts answered since its last call. Raises ModelError for an endpoint that refuses or stays unreachable and
        for an exhausted account; earlier replies are kept.
        """
        bodies = self.bodies(texts, wording, seed, samples)
        requests = [(self.request_of(body), body) for body in bodies]
        return replies_once(self.store, requests, partial(self._ask_all, manner), progress)

    def _ask_all(self, manner: Manner, bodies: Mapping[str, dict[str, Any]], arrived: Arrived) -> None:
        with closing(self._asked(bodies, manner)) as arriving:
            for request, reply in arriving:
                arrived(request, reply)

    def bodies(
        self,
        texts: Sequence[str],
        wording: Wording | None = None,
        seed: int = 0,
        samples: Sequence[int] | None = None,
    ) -> list[dict[str, Any]]:
        """Return the body of the request of each text, with all parameters."""
        seeds = [seed + number for number in samples or [0] * len(texts)]
        return [body_of(self.name, text, wording or Wording(), own) for text, own in zip(texts, seeds, strict=True)]

    def request_of(self, body: Mapping[str, Any]) -> str:
        """Return the digest of a request, by which the store knows its reply.

        The seed is part of it also where a model refuses it, so that samples of one text stay apart.
        """
        return digest([self.url, body])

    def client(self, manner: Manner) -> httpx2.Client:
        """Return a client with the endpoint's key, to be closed by the caller."""
        headers = {"Authorization": f"Bearer {os.environ[KEY]}"} if os.environ.get(KEY) else {}
        return httpx2.Client(timeout=manner.timeout, headers=headers, verify=_trust())

    def _asked(self, bodies: Mapping[str, dict[str, Any]], manner: Manner) -> Generator[tuple[str, Reply], None, None]:
        """Yield the digest of each request with its reply, in the order in which they arrive."""
        if not bodies:
            return
        limiter = self.limiter_at(self.url, manner.concurrency)
        with (
            self.client(manner) as client,
            ThreadPoolExecutor(manner.concurrency) as pool,
        ):
            sending = _Sending(client, limiter, threading.Event())
            try:
                yield from self._answered(
                    deque(bodies.items()),
                    manner.concurrency,
                    lambda body: pool.submit(self._reply, sending, body, manner),
                )
            except BaseException:
                # Requests whose answers are not needed any more must not be paid for or waited for.
                sending.give_up()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _answered(
        self,
        waiting: deque[tuple[str, dict[str, Any]]],
        concurrency: int,
        send: Callable[[dict[str, Any]], Future[Reply]],
    ) -> Generator[tuple[str, Reply], None, None]:
        """Send the requests that the account allows, a few at a time, and yield each answer as it arrives."""
        sent: dict[Future[Reply], tuple[str, object]] = {}
        while waiting or sent:
            while waiting and len(sent) < concurrency and (reserved := self.account.reserve(waiting[0][1])) is not None:
                request, body = waiting.popleft()
                sent[send(body)] = request, reserved
            if not sent:
                raise ModelError(self.account.exhausted())
            # An answer may cost less than what was reserved for it, and so allow the next request.
            # Those that failed come last, so that the others are kept.
            for future in sorted(
                wait(sent, return_when=FIRST_COMPLETED).done, key=lambda one: one.exception() is not None
            ):
                request, reserved = sent.pop(future)
                reply = future.result()
                self.account.settle(reserved, reply)
                yield request, reply

    def _reply(self, sending: _Sending, body: dict[str, Any], manner: Manner) -> Reply:
        try:
            return retrying(manner.attempts, sending.given_up, FIRST_PAUSE, JITTER)(self._ask, sending, body)
        except PassingError as error:
            raise ModelError(
                f"{self.checkpoint.reference}: {error}, {manner.attempts} times in a row: check the endpoint, then"
                " resume the run; earlier answers are kept"
            ) from error

    def _ask(self, sending: _Sending, body: dict[str, Any]) -> Reply:
        """Return the reply to a request, sent again at once without each parameter that the model refuses."""
        while True:
            left_out = self.refused & body.keys()
            sent = without(body, left_out)
            with sending.limiter.request(sending.given_up):
                began = time.monotonic()
                response = self._posted(sending.client, sent)
                seconds = time.monotonic() - began
            if response.status_code == httpx2.codes.OK:
                return self._received(response, seconds, left_out)
            refused = refused_parameter(response.text, sent) if response.status_code in REFUSING else ""
            if not refused:
                raise ModelError(self._refusal(response))
            self.refused.add(refused)

    def _posted(self, client: httpx2.Client, body: dict[str, Any]) -> httpx2.Response:
        try:
            response = client.post(f"{self.url.rstrip('/')}/chat/completions", json=body)
        except httpx2.TransportError as error:
            late = isinstance(error, httpx2.TimeoutException)
            raise PassingError(f"cannot be reached ({type(error).__name__})", busy=late) from error
        if (status := response.status_code) in PASSING:
            after = retry_after(response.headers.get("Retry-After", ""))
            raise PassingError(f"answers {status}", after, busy=status in BUSY)
        return response

    def _received(self, response: httpx2.Response, seconds: float, left_out: Set[str]) -> Reply:
        try:
            return reply_in(response.json(), seconds, left_out)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise ModelError(
                f"{self.checkpoint.reference} gives no chat completion: check that the address ends before"
                " /chat/completions"
            ) from error

    def _refusal(self, response: httpx2.Response) -> str:
        remedy = {
            401: f"set {KEY} to a key of that endpoint",
            403: f"set {KEY} to a key that may use this model",
            404: "check the address and the model's name",
        }.get(response.status_code, "check what the endpoint says of it")
        told = " ".join(response.text.split())[:200]
        return f"{self.checkpoint.reference} refuses with {response.status_code}: {remedy} ({told})"
