"""Requests over HTTP that are sent again after faults that may pass."""

import threading

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception_type,
    sleep_using_event,
    stop_after_attempt,
    stop_when_event_set,
    wait_exponential_jitter,
)

PASSING = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""HTTP status codes of faults that may pass."""
BUSY = frozenset({408, 429, 503, 504})
"""HTTP status codes of passing faults by which a server asks for fewer requests at once."""
LONGEST_PAUSE = 60.0
"""Seconds between two attempts, also if the other side asks for more."""


class PassingError(Exception):
    """A fault that may pass, after `after` seconds if the other side says so.

    `busy`: the other side has too much to do.
    """

    def __init__(self, why: str, after: float = 0.0, *, busy: bool = False) -> None:
        super().__init__(why)
        self.after, self.busy = after, busy


def retrying(attempts: int, given_up: threading.Event, first_pause: float, jitter: float) -> Retrying:
    """Return what repeats a call after each PassingError, with growing pauses (seconds), and raises the last one.

    It ends early once `given_up` is set, also within a pause.
    """
    growing = wait_exponential_jitter(multiplier=first_pause, max=LONGEST_PAUSE, jitter=jitter)

    def pause(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return min(LONGEST_PAUSE, max(growing(state), error.after if isinstance(error, PassingError) else 0.0))

    return Retrying(
        retry=retry_if_exception_type(PassingError),
        stop=stop_after_attempt(attempts) | stop_when_event_set(given_up),
        sleep=sleep_using_event(given_up),
        wait=pause,
        reraise=True,
    )


def retry_after(header: str) -> float:
    """Return the seconds of a Retry-After header; 0 for a date, because the growing pause is enough."""
    return float(header) if header.isascii() and header.isdecimal() else 0.0
