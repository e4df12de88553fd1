"""Models behind an OpenAI-compatible HTTP endpoint: chat completions, a few requests at a time, each paid for once."""

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_when_event_set,
    wait_exponential_jitter,
)

from plumbline.spec.digests import digest
from plumbline.spec.errors import ModelError
from plumbline.spec.reference import ModelReference
from workers.engine.answer_cache import AnswerCache
from workers.engine.checkpoint import Checkpoint, Kind
from workers.engine.folders import var_folder

Progress = Callable[[int], None]
KEY = "OPENAI_API_KEY"
"""The environment variable of the key; without it, requests have no key."""
PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""HTTP status codes of faults that may pass."""
LONGEST_PAUSE = 60.0
MOST_TOKENS = 32
"""Maximum number of tokens of an answer."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How requests are sent: the number at a time, attempts of each, and the timeout of one in seconds."""

    concurrency: int = 4
    attempts: int = 6
    timeout: float = 60.0


class _PassingError(Exception):
    """A fault that may pass, after `after` seconds if the endpoint says so."""

    def __init__(self, why: str, after: float = 0.0) -> None:
        super().__init__(why)
        self.after = after


def remote(reference: str) -> Checkpoint:
    """Return the checkpoint of an endpoint. It has no files; only its name is known, and its weights may change."""
    note = "remote: which weights answer is its operator's choice"
    return Checkpoint(reference, Path(), Kind.REMOTE, "", digest(reference), "", note)


class RemoteModel:
    """A model at `openai:BASE_URL#MODEL`, queried with temperature 0."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
        self.url, _, self.name = ModelReference.parse(checkpoint.reference).target.partition("#")
        self._cache = AnswerCache(var_folder() / "remote" / "answers.sqlite")

    def outputs(
        self, texts: Sequence[str], manner: Manner, once: str, seed: int = 0, progress: Progress | None = None
    ) -> list[str]:
        """Return the model's answer to each text; each distinct text is sent once.

        `once` names the run. Answers that the run has received before come from a cache on this machine, so repeated
        work is free; another run sends its texts again. A fault that may pass is retried with growing pauses that
        respect Retry-After. `progress` is called with the number of texts answered since its last call. Raises
        ModelError for an endpoint that refuses or stays unreachable; earlier answers are kept.
        """
        distinct = list(dict.fromkeys(texts))
        found: dict[str, str] = {}
        given_up = threading.Event()
        headers = {"Authorization": f"Bearer {os.environ[KEY]}"} if os.environ.get(KEY) else {}
        with (
            httpx2.Client(timeout=manner.timeout, headers=headers) as client,
            ThreadPoolExecutor(manner.concurrency) as pool,
        ):
            asked = {pool.submit(self._answer, client, text, manner, once, seed, given_up): text for text in distinct}
            try:
                for future in as_completed(asked):
                    found[asked[future]] = future.result()
                    if progress:
                        progress(texts.count(asked[future]) if len(distinct) < len(texts) else 1)
            except BaseException:
                # Requests whose answers are not needed any more must not be paid for or waited for.
                given_up.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return [found[text] for text in texts]

    def _answer(
        self, client: httpx2.Client, text: str, manner: Manner, once: str, seed: int, given_up: threading.Event
    ) -> str:
        body = {
            "model": self.name,
            "messages": [{"role": "user", "content": text}],
            "temperature": 0,
            "max_tokens": MOST_TOKENS,
            "seed": seed,
        }
        key = digest([once, self.url, body])
        if (known := self._cache.get(key)) is not None:
            return known
        retrying = Retrying(
            retry=retry_if_exception_type(_PassingError),
            stop=stop_after_attempt(manner.attempts) | stop_when_event_set(given_up),
            sleep=sleep_using_event(given_up),
            wait=_pause,
            reraise=True,
        )
        try:
            answer = str(retrying(self._ask, client, body))
        except _PassingError as error:
            raise ModelError(
                f"{self.checkpoint.reference}: {error}, {manner.attempts} times in a row: check the endpoint, then"
                " resume the run; earlier answers are kept"
            ) from error
        self._cache.put(key, answer)
        return answer

    def _ask(self, client: httpx2.Client, body: dict[str, Any]) -> str:
        try:
            response = client.post(f"{self.url.rstrip('/')}/chat/completions", json=body)
        except httpx2.TransportError as error:
            raise _PassingError(f"cannot be reached ({type(error).__name__})") from error
        if response.status_code in PASSING:
            raise _PassingError(f"answers {response.status_code}", _seconds(response.headers.get("Retry-After", "")))
        if response.status_code != httpx2.codes.OK:
            raise ModelError(self._refusal(response))
        try:
            return str(response.json()["choices"][0]["message"]["content"] or "")
        except (ValueError, LookupError, TypeError) as error:
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


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    own = wait_exponential_jitter(multiplier=0.5, max=LONGEST_PAUSE)(state)
    return min(LONGEST_PAUSE, max(own, error.after if isinstance(error, _PassingError) else 0.0))


def _seconds(text: str) -> float:
    """Return the seconds of a Retry-After header; 0 for a date, because the growing pause is enough."""
    return float(text) if text.isascii() and text.isdecimal() else 0.0
