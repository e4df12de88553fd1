"""The batches of an OpenAI-compatible endpoint over HTTP: upload, submit, poll, read, cancel."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2

from plumbline.spec.errors import ModelError
from workers.engine.endpoints.remote import FIRST_PAUSE, JITTER, Manner, RemoteModel
from workers.engine.endpoints.retries import PASSING, PassingError, retry_after, retrying

Found = TypeVar("Found")
ENDPOINT, WINDOW = "/v1/chat/completions", "24h"
KEY = "plumbline_batch"
"""The field of a batch's metadata that holds its key."""
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
ABSENT = frozenset({404, 405, 501})
"""HTTP status codes of an endpoint without batches."""
GONE = frozenset({404, 410})
"""HTTP status codes of a file that the endpoint has deleted."""


class BatchError(ModelError):
    """An error of batches that ends the run: another worker would meet it too, and might pay for it again."""


class BatchRefusedError(BatchError):
    """The endpoint refused to take a batch, so none exists there."""


class BatchGoneError(BatchError):
    """The endpoint does not have the results of a batch any more."""


@dataclass(frozen=True, slots=True)
class BatchState:
    """What the endpoint says of a batch."""

    status: str
    answered: int
    files: tuple[str, ...]
    """The ids of the files of results that are there: those of answers, then those of errors."""
    why: str
    """The reasons of a batch that failed as a whole."""

    @property
    def ended(self) -> bool:
        return self.status in ENDED


class BatchClient:
    """The batches of one model's endpoint. `given_up` ends pauses between attempts early."""

    def __init__(self, model: RemoteModel, manner: Manner, given_up: threading.Event) -> None:
        self.reference, self.url = model.checkpoint.reference, model.url.rstrip("/")
        self.manner, self.given_up, self.client = manner, given_up, model.client(manner)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.client.close()

    def submit(self, key: str, content: bytes) -> str:
        """Upload the lines, and return the id of the new batch. Raises BatchRefusedError, or BatchError."""
        files = {"file": (f"{key}.jsonl", content, "application/jsonl")}
        uploaded = self._repeated(lambda: self._sent("POST", "/files", files=files, data={"purpose": "batch"}))
        attempt = 0
        body = {
            "input_file_id": self._id_in(uploaded),
            "endpoint": ENDPOINT,
            "completion_window": WINDOW,
            "metadata": {KEY: key},
        }

        def create() -> str:
            nonlocal attempt
            attempt += 1
            # The answer to an earlier attempt may be lost, but not its batch.
            found = self._found(key) if attempt > 1 else ""
            return found or self._id_in(self._sent("POST", "/batches", json=body))

        return self._repeated(create)

    def find(self, key: str) -> str:
        """Return the id of the batch with this key among the endpoint's last hundred, or ""."""
        return self._repeated(lambda: self._found(key))

    def state(self, batch: str) -> BatchState | None:
        """Return the state of a batch; None if the endpoint does not know it."""
        response = self._repeated(lambda: self._answer("GET", f"/batches/{batch}"))
        if response.status_code == httpx2.codes.NOT_FOUND:
            return None
        return self._read(_state_in, self._content(self._accepted(response)))

    def lines(self, file: str) -> Iterator[bytes]:
        """Yield the lines of a file of results. Raises PassingError if it breaks off, BatchGoneError if it is gone."""
        try:
            with self.client.stream("GET", f"{self.url}/files/{file}/content") as response:
                if response.status_code in PASSING:
                    raise PassingError(f"answers {response.status_code}")
                if response.status_code in GONE:
                    raise BatchGoneError(f"{self.reference} does not have the file {file} any more")
                if response.status_code != httpx2.codes.OK:
                    response.read()
                    self._accepted(response)
                yield from _split(response.iter_bytes())
        except httpx2.TransportError as error:
            raise PassingError(f"breaks off ({type(error).__name__})") from error

    def cancel(self, batch: str) -> None:
        """Ask the endpoint to cancel a batch. A refusal is no error: the batch may have ended."""
        try:
            self.client.post(f"{self.url}/batches/{batch}/cancel")
        except httpx2.TransportError:
            return

    def repeated(self, call: Callable[[], Found]) -> Found:
        """Repeat a call after faults that may pass. Raises BatchError after the last attempt."""
        return self._repeated(call)

    def _repeated(self, call: Callable[[], Found]) -> Found:
        try:
            found: Found = retrying(self.manner.attempts, self.given_up, FIRST_PAUSE, JITTER)(call)
        except PassingError as error:
            raise BatchError(
                f"{self.reference}: {error}, {self.manner.attempts} times in a row: check the endpoint, then resume the"
                " run; its batches and earlier answers are kept"
            ) from error
        return found

    def _answer(self, method: str, path: str, **sent: Any) -> httpx2.Response:
        try:
            response = self.client.request(method, f"{self.url}{path}", **sent)
        except httpx2.TransportError as error:
            raise PassingError(f"cannot be reached ({type(error).__name__})") from error
        if response.status_code in PASSING:
            raise PassingError(f"answers {response.status_code}", retry_after(response.headers.get("Retry-After", "")))
        return response

    def _sent(self, method: str, path: str, **sent: Any) -> Any:
        return self._content(self._accepted(self._answer(method, path, **sent)))

    def _accepted(self, response: httpx2.Response) -> httpx2.Response:
        if response.is_success:
            return response
        told = " ".join(response.text.split())[:200]
        if response.status_code in ABSENT:
            raise BatchRefusedError(
                f"{self.reference} answers {response.status_code} to {response.request.url.path}, so it takes no"
                f" batches: leave out params.batch ({told})"
            )
        raise BatchRefusedError(
            f"{self.reference} refuses a batch with {response.status_code}: check the key and what the endpoint says of"
            f" it, or leave out params.batch ({told})"
        )

    def _content(self, response: httpx2.Response) -> Any:
        try:
            content = response.json()
        except ValueError:
            content = None
        if not isinstance(content, dict):
            raise BatchError(f"{self.reference} gives no batch: check its address, or leave out params.batch")
        return content

    def _read(self, reading: Callable[[Any], Found], content: Any) -> Found:
        try:
            return reading(content)
        except (ValueError, LookupError, TypeError, AttributeError) as error:
            raise BatchError(
                f"{self.reference} tells of a batch in another form than OpenAI's: leave out params.batch"
            ) from error

    def _id_in(self, content: Any) -> str:
        if not (isinstance(content.get("id"), str) and content["id"]):
            raise BatchError(f"{self.reference} gives no id of a file or batch: leave out params.batch")
        return str(content["id"])

    def _found(self, key: str) -> str:
        response = self._answer("GET", "/batches", params={"limit": 100})
        if response.status_code in ABSENT:
            return ""
        if not response.is_success:
            raise BatchError(
                f"{self.reference} answers {response.status_code} when asked for its batches, so whether one was"
                " submitted is not known: mend that and resume the run"
            )
        return self._read(lambda content: _listed(content, key), self._content(response))


def _listed(content: Any, key: str) -> str:
    """Return the id of the batch with this key in a list of batches, or ""."""
    listed = content.get("data") or []
    return next((str(one["id"]) for one in listed if (one.get("metadata") or {}).get(KEY) == key), "")


def _state_in(content: Any) -> BatchState:
    counts, errors = content.get("request_counts") or {}, (content.get("errors") or {}).get("data") or []
    told = "; ".join(str(one.get("message") or one.get("code")) for one in errors[:3])
    files = (content.get("output_file_id"), content.get("error_file_id"))
    answered = sum(int(counts.get(name) or 0) for name in ("completed", "failed"))
    return BatchState(
        str(content.get("status")), answered, tuple(str(one) for one in files if one), " ".join(told.split())[:300]
    )


def _split(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """Yield lines that end with a line feed. Other separators of lines may stand in a text."""
    rest = b""
    for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
    if rest:
        yield rest
