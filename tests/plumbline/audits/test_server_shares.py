"""The shares of workers that ask one server: their sum, who gets how many, and what lapses."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.db.models import Value
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.audits import server_shares
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import AskedServer, ServerShare
from plumbline.audits.ownership import this_process
from plumbline.audits.server_shares import FORGOTTEN, LAPSE, TURN_SECONDS, Report, deal
from plumbline.audits.sweep import sweep
from tests.plumbline.audits.conftest import Elsewhere

pytestmark = pytest.mark.django_db

addresses = (f"http://server-{number}:80" for number in count())


class Asking:
    """A worker that asks a server: what it may send, and what it has in flight."""

    def __init__(self, address: str, name: str, wish: int) -> None:
        self.address, self.name, self.wish = address, f"far:{name}:1", wish
        self.most = self.in_flight = 0

    def renew(self, answered: int = 0, busy: bool = False) -> int:
        self.most = server_shares.renew(self.address, self.name, Report(self.wish, answered, busy), self._lower)
        return self.most

    def send(self) -> None:
        self.in_flight = max(self.most, self.in_flight)

    def _lower(self, share: int) -> int:
        self.most = min(self.most, share)
        return self.in_flight


def asking(wishes: list[int]) -> list[Asking]:
    address = next(addresses)
    return [Asking(address, str(place), wish) for place, wish in enumerate(wishes)]


def silent_for(worker: Asking, time: timedelta) -> None:
    ServerShare.objects.filter(worker=worker.name).update(seen_at=ClockTimestamp() - Value(time))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The server's time, which the test moves on."""
    time = [datetime(2026, 1, 1, tzinfo=UTC)]
    monkeypatch.setattr(server_shares, "now", lambda: time[0])
    return time


@pytest.mark.parametrize(
    ("limit", "wishes", "shares"),
    [(8, [8, 8], [4, 4]), (8, [2, 8], [2, 6]), (8, [16], [8]), (8, [1, 2], [1, 2]), (7, [4, 4], [4, 3]), (0, [1], [0])],
)
def test_a_limit_is_dealt_out_evenly_and_nobody_gets_more_than_it_wishes_for(
    limit: int, wishes: list[int], shares: list[int]
) -> None:
    assert [*deal(limit, {str(place): wish for place, wish in enumerate(wishes)}, 0).values()] == shares


@given(limit=st.integers(1, 40), wishes=st.lists(st.integers(1, 20), min_size=1, max_size=8), turn=st.integers(0, 99))
def test_what_is_dealt_is_all_that_can_be_and_each_gets_one_where_they_suffice(
    limit: int, wishes: list[int], turn: int
) -> None:
    shares = deal(limit, {str(place): wish for place, wish in enumerate(wishes)}, turn)
    assert sum(shares.values()) == min(limit, sum(wishes))
    assert limit < len(wishes) or min(shares.values()) >= 1


def test_with_fewer_requests_than_workers_all_have_their_turn() -> None:
    workers = {str(place): 4 for place in range(3)}
    served = [{one for one, share in deal(2, workers, turn).items() if share} for turn in range(3)]
    assert [len(one) for one in served] == [2, 2, 2]
    assert set.union(*served) == set(workers)


STEPS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["renew", "send", "answer", "later"])), max_size=40)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(STEPS, st.integers(1, 9))
def test_requests_in_flight_never_exceed_the_limit_whatever_the_order_of_events(
    clock: list[datetime], steps: list[tuple[int, str]], limit: int
) -> None:
    workers = asking([limit] * 4)
    for place, what in steps:
        match what:
            case "renew":
                workers[place].renew()
            case "send":
                workers[place].send()
            case "answer":
                workers[place].in_flight = 0
            case "later":  # all are there: nobody is silent until its share lapses
                clock[0] += LAPSE * 0.7
                for one in workers:
                    one.renew()
        assert sum(max(one.in_flight, one.most) for one in workers) <= limit
    for one in workers:
        one.in_flight = 0
    for one in 3 * workers:
        one.renew()
    assert sum(one.most for one in workers) == limit


def test_a_worker_that_comes_later_gets_its_share_when_the_first_has_answers() -> None:
    first, second = asking([8, 8])
    assert first.renew() == 8
    first.send()
    assert second.renew() == 0
    assert (first.renew(), second.renew()) == (4, 0)  # eight are still in flight
    first.in_flight = 4
    assert (first.renew(), second.renew()) == (4, 4)


def test_the_setting_is_the_limit_where_workers_wish_for_more(settings: Any) -> None:
    settings.SERVER_REQUESTS = 3
    first, second = asking([8, 8])
    first.renew()
    second.renew()
    first.renew()
    assert first.most + second.renew() == 3


def test_a_worker_that_is_silent_for_too_long_loses_its_share() -> None:
    first, second = asking([8, 8])
    first.renew()
    silent_for(first, LAPSE - timedelta(seconds=5))
    assert second.renew() == 0
    silent_for(first, LAPSE + timedelta(seconds=1))
    assert second.renew() == 8
    assert ServerShare.objects.get(server=second.address).worker == second.name


def test_a_dead_process_of_this_machine_loses_its_share_at_once() -> None:
    first, second = asking([8, 8])
    place, _, _ = this_process().rsplit(":", 2)
    first.name = f"{place}:999999999:1"
    assert first.renew() == 8
    assert second.renew() == 8


def test_after_an_outage_of_the_database_nobody_takes_what_others_still_use() -> None:
    first, second = asking([8, 8])
    for one in (first, second, first, second):
        one.renew()
    first.send()
    second.send()
    silent_for(first, 2 * LAPSE)
    silent_for(second, 2 * LAPSE)
    assert [one.renew() for one in (first, second, first, second)] == [4, 4, 4, 4]


def test_a_busy_server_lowers_the_share_of_all_workers_once_and_answers_raise_it(clock: list[datetime]) -> None:
    workers = first, second = asking([8, 8])
    for one in (*workers, *workers):
        one.renew()
    assert [one.renew(busy=True) for one in workers] == [2, 2]
    clock[0] += timedelta(seconds=5)
    assert [one.renew(busy=True) for one in workers] == [1, 1]
    assert [first.renew(answered=4), second.renew()] == [2, 2]  # 2 + 4 / 2
    first.renew(answered=100)
    assert [one.renew() for one in workers] == [4, 4]
    assert AskedServer.objects.get(address=first.address).learnt is None


def test_the_limit_of_a_busy_server_stays_one(clock: list[datetime]) -> None:
    (only,) = asking([8])
    for _ in range(6):
        clock[0] += timedelta(seconds=5)
        only.renew(busy=True)
    assert only.most == 1


def test_the_turn_goes_round_where_the_limit_is_too_small_for_all(clock: list[datetime]) -> None:
    workers = asking([1, 1, 1])
    served = set()
    for _ in range(30):
        clock[0] += timedelta(seconds=TURN_SECONDS / 5)
        served |= {one.name for one in workers if one.renew()}
        assert sum(one.most for one in workers) <= 1
    assert len(served) == 3


def test_servers_that_nobody_asks_any_more_are_forgotten_by_the_sweep(db: None) -> None:
    old, new = asking([1]) + asking([1])
    old.renew()
    new.renew()
    AskedServer.objects.filter(address=old.address).update(seen_at=ClockTimestamp() - Value(2 * FORGOTTEN))
    sweep()
    assert [*ServerShare.objects.values_list("server", flat=True)] == [new.address]


@pytest.mark.django_db(transaction=True)
def test_two_workers_that_renew_at_the_same_moment_share_the_limit(elsewhere: Elsewhere) -> None:
    first, second = asking([8, 8])
    other = elsewhere(lambda: [second.renew() for _ in range(20)])
    for _ in range(20):
        first.renew()
        assert first.most + second.most <= 8
    other.result()
    assert (first.renew(), second.renew()) == (4, 4)
