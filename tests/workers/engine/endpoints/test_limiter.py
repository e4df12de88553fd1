"""How many requests go to a server at a time: fewer after it was busy, and none while the share is 0."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from workers.engine.endpoints.limiter import Limiter
from workers.engine.endpoints.retries import PassingError

NEVER = threading.Event()


def asked(limiter: Limiter, answers: int) -> None:
    for _ in range(answers):
        with limiter.request(NEVER):
            pass


def met_busy(limiter: Limiter) -> None:
    with pytest.raises(PassingError), limiter.request(NEVER):
        raise PassingError("answers 429", busy=True)


def test_the_number_grows_by_one_with_each_round_of_answers_up_to_the_most() -> None:
    limiter = Limiter(4)
    asked(limiter, 2)
    assert 2 < limiter.limit < 3
    asked(limiter, 50)
    assert limiter.limit == 4


def test_a_busy_server_is_asked_half_as_much_and_another_fault_changes_nothing() -> None:
    limiter = Limiter(16)
    asked(limiter, 200)
    met_busy(limiter)
    assert limiter.limit == 8
    with pytest.raises(PassingError), limiter.request(NEVER):
        raise PassingError("answers 500")
    assert limiter.limit == 8
    for _ in range(9):
        met_busy(limiter)
    assert limiter.limit == 1
    assert limiter.active == 0


def test_no_request_goes_while_the_share_is_nothing_and_one_that_is_given_up_ends() -> None:
    limiter, given_up, sent = Limiter(0), threading.Event(), threading.Event()

    def request() -> None:
        with limiter.request(given_up):
            sent.set()

    with ThreadPoolExecutor(1) as pool:
        future = pool.submit(request)
        assert not sent.wait(0.05)
        given_up.set()
        limiter.wake()
        with pytest.raises(PassingError, match="not asked any more"):
            future.result(5)
    assert not sent.is_set()
    assert (limiter.active, limiter.waiting) == (0, 0)
