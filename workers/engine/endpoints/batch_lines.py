"""The lines of a batch: requests as the endpoint reads them, and results as it writes them, in any order."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST_REQUESTS, MOST_BYTES = 50_000, 100_000_000
"""The most of one batch. Endpoints take 50,000 requests and 200 MB."""
PATH = "/v1/chat/completions"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one request. `status` is 0 if the request was not answered, such as in a batch that expired."""

    request: str
    status: int
    body: Any
    why: str
    """What the endpoint says of a failure."""


def request_line(request: str, body: Mapping[str, Any]) -> bytes:
    """Return the line of a request, whose digest is its name."""
    line = {"custom_id": request, "method": "POST", "url": PATH, "body": body}
    return json.dumps(line).encode() + b"\n"


def in_files(lines: Sequence[bytes]) -> Iterator[int]:
    """Yield the number of lines of each file, so that none exceeds what endpoints take."""
    count = size = 0
    for line in lines:
        if count and (count == MOST_REQUESTS or size + len(line) > MOST_BYTES):
            yield count
            count = size = 0
        count, size = count + 1, size + len(line)
    if count:
        yield count


def result_in(line: bytes) -> Result | None:
    """Return the result in a line; None if the line is cut or has another form."""
    try:
        content = json.loads(line)
        request, response, error = content["custom_id"], content.get("response") or {}, content.get("error")
        status, body = int(response.get("status_code") or 0), response.get("body")
    except (ValueError, LookupError, TypeError, AttributeError):
        return None
    return Result(str(request), status, body, _message(error) or (_message(body) if status != OK else ""))


OK = 200


def _message(error: Any) -> str:
    """Return an error as one line of at most 200 characters."""
    if isinstance(error, Mapping):
        inner = error.get("error")
        error = inner if inner else error.get("message") or error.get("code") or error
        if isinstance(error, Mapping):
            error = error.get("message") or error.get("code") or error
    return " ".join(str(error or "").split())[:200]
