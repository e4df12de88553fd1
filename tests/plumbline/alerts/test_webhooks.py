"""Requests to webhooks: signed, in order, repeated until they arrive, and never to internal hosts."""

import hashlib
import hmac
import itertools
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import Settings

from plumbline.alerts.models import Alert, Delivery, RuleSet, Webhook
from plumbline.alerts.outbox import put_out_test
from plumbline.alerts.webhooks import delivering, sending, signing
from plumbline.alerts.webhooks.hosts import destination
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.mail import outgoing
from plumbline.spec.errors import InputError
from tests.plumbline.alerts.conftest import SECRET, Receiver

pytestmark = pytest.mark.django_db


def at_once(attempt: int) -> timedelta:
    return timedelta(0)


def alerts(webhook: Webhook, count: int, rules: int = 5) -> None:
    for number in range(count):
        rule = f"rule {number % rules}"
        alert = Alert.objects.create(run_number=number, rules_name="release", rule=rule, model="path:/m", told="worse")
        Delivery.objects.create(webhook=webhook, alert=alert, line=rule, retry_at=ClockTimestamp())


def test_a_receiver_can_check_who_sent_it_and_when(webhook: Webhook, receiver: Receiver) -> None:
    alerts(webhook, 1)
    assert delivering.deliver_due() == 1
    headers, content = receiver.taken[0]
    timestamp, signed = (part.partition("=")[2] for part in headers[signing.HEADER].split(","))
    expected = hmac.new(SECRET.encode(), f"{timestamp}.".encode() + receiver.raw, hashlib.sha256)  # type: ignore[attr-defined]
    assert signed == expected.hexdigest()
    assert (content["event"], content["rule"], content["told"]) == ("alert", "rule 0", "worse")
    assert headers["Host"] == receiver.host
    assert content["id"] == headers["Idempotency-Key"]


def some_fail(count: int) -> Any:
    chance = random.Random(0)  # noqa: S311
    return itertools.chain((chance.choice([200, 500]) for _ in range(count)), itertools.repeat(200))


@pytest.mark.parametrize("count", [60, pytest.param(1000, marks=pytest.mark.trial)])
def test_a_receiver_that_fails_half_the_time_gets_each_once_and_in_order_by_rule(
    webhook: Webhook, receiver: Receiver, count: int
) -> None:
    receiver.statuses = some_fail(count * 2)
    alerts(webhook, count)
    while Delivery.objects.filter(retry_at__isnull=False).exists():
        delivering.deliver_due(at_once)
    assert len(set(receiver.keys)) == len(receiver.keys) == count
    assert receiver.refused > count // 3
    for rule in range(5):
        own = [content["run"] for _, content in receiver.taken if content["rule"] == f"rule {rule}"]
        assert own == sorted(own)


def test_a_later_alert_of_a_rule_waits_for_the_earlier_one(webhook: Webhook, receiver: Receiver) -> None:
    receiver.statuses = iter([500])
    alerts(webhook, 3, rules=1)
    assert delivering.deliver_due() == 0
    assert receiver.taken == []
    first = Delivery.objects.order_by("pk")[0]
    assert (first.attempts, first.error) == (1, "the receiver answered 500")
    Delivery.objects.filter(pk=first.pk).update(retry_at=ClockTimestamp())
    assert delivering.deliver_due() == 3


def test_after_the_last_attempt_it_is_given_up_and_the_next_one_goes(webhook: Webhook, receiver: Receiver) -> None:
    receiver.statuses = iter([503] * delivering.MOST_ATTEMPTS)
    alerts(webhook, 2, rules=1)
    while Delivery.objects.filter(retry_at__isnull=False).exists():
        delivering.deliver_due(at_once)
    first, second = Delivery.objects.order_by("pk")
    assert (first.sent_at, second.error) == (None, "")
    assert first.error == f"given up after {delivering.MOST_ATTEMPTS} attempts: the receiver answered 503"
    assert delivering.by_state() == {"waiting": 0, "failed": 1}
    assert delivering.deliver_again(Delivery.objects.all()) == 1
    assert delivering.deliver_due() == 1


def test_a_claimed_delivery_is_sent_by_nobody_else(webhook: Webhook, receiver: Receiver) -> None:
    alerts(webhook, 1)
    one, manner = Delivery.objects.get(), outgoing.Manner(delivering.MOST_ATTEMPTS, delivering.CLAIM, at_once)
    assert [outgoing.claim(one, manner), outgoing.claim(one, manner)] == [True, False]
    assert delivering.deliver_due() == 0


def test_a_delivery_that_kills_each_sender_is_given_up(webhook: Webhook, receiver: Receiver) -> None:
    alerts(webhook, 1)
    Delivery.objects.update(attempts=delivering.MOST_ATTEMPTS)
    assert delivering.deliver_due() == 0
    one = Delivery.objects.get()
    assert (one.retry_at, one.error) == (None, "its sender was killed each time")
    assert receiver.taken == []


def test_a_receiver_that_is_away_is_a_fault_and_no_crash(webhook: Webhook, settings: Settings) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        host = f"127.0.0.1:{free.getsockname()[1]}"
    settings.WEBHOOK_HOSTS = [host]
    Webhook.objects.update(url=f"http://{host}/")
    alerts(webhook, 1)
    assert delivering.deliver_due() == 0
    assert Delivery.objects.get().error.startswith("ConnectError")


@pytest.mark.parametrize("pause", [0.05, 0.3])
def test_a_receiver_that_answers_a_letter_at_a_time_holds_the_others_up_for_a_while_only(
    webhook: Webhook, settings: Settings, monkeypatch: pytest.MonkeyPatch, pause: float
) -> None:
    monkeypatch.setattr(sending, "MOST_SECONDS", 0.2)
    alerts(webhook, 1)
    with trickling(pause) as host:
        settings.WEBHOOK_HOSTS = [host]
        Webhook.objects.update(url=f"http://{host}/")
        began = time.monotonic()
        assert delivering.deliver_due() == 0
    assert time.monotonic() - began < 60
    assert Delivery.objects.get().error == "the receiver did not answer within 0 s"


@contextmanager
def trickling(pause: float) -> Iterator[str]:
    """A receiver whose headers never end."""

    def answer() -> None:
        taken, _ = listener.accept()
        with taken, suppress(OSError):
            taken.sendall(b"HTTP/1.1 200 OK\r\nX-Endless: ")
            while not ended.wait(pause):
                taken.sendall(b"x")

    ended = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer)
        thread.start()
        yield f"127.0.0.1:{listener.getsockname()[1]}"
        ended.set()
        thread.join()


def test_pauses_grow_to_an_hour_and_the_last_attempt_is_within_a_day() -> None:
    pauses = [delivering.pause_after(attempt) for attempt in range(1, delivering.MOST_ATTEMPTS)]
    assert pauses[:4] == [timedelta(seconds=seconds) for seconds in (15, 60, 240, 960)]
    assert pauses[-1] == timedelta(hours=1)
    assert timedelta(hours=12) < sum(pauses, timedelta(0)) < timedelta(hours=24)


def test_a_redirect_is_not_followed(webhook: Webhook, receiver: Receiver) -> None:
    receiver.statuses = iter([302])
    alerts(webhook, 1)
    delivering.deliver_due()
    assert Delivery.objects.get().error == "the receiver answered 302"
    assert receiver.taken == []


def test_a_test_says_that_it_is_one(webhook: Webhook, receiver: Receiver) -> None:
    put_out_test(webhook)
    assert delivering.deliver_due() == 1
    assert receiver.taken[0][1]["event"] == "test"


def test_a_webhook_that_is_switched_off_gets_nothing(webhook: Webhook, receiver: Receiver) -> None:
    alerts(webhook, 1)
    Webhook.objects.update(is_active=False)
    assert delivering.deliver_due() == 0


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/",
        "https://localhost/",
        "https://169.254.169.254/latest/meta-data/",
        "https://10.0.0.8/",
        "https://192.168.1.1/",
        "https://172.16.0.1/",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://[fd00::1]/",
        "https://[2002:7f00:1::]/",
        "https://[64:ff9b::a9fe:a9fe]/",
        "https://[64:ff9b:1::a00:1]/",
        "https://[::7f00:1]/",
        "https://[::ffff:0:7f00:1]/",
        "https://[fec0::1]/",
        "https://2130706433/",
        "https://0x7f.1/",
        "http://93.184.215.14/",
        "ftp://93.184.215.14/",
        "https://user:word@93.184.215.14/",
        "https://93.184.215.14:99999/",
        "https:///path",
        "https://nowhere.invalid/",
    ],
)
def test_internal_hosts_and_odd_addresses_are_refused(url: str, settings: Settings) -> None:
    settings.WEBHOOK_HOSTS = []
    with pytest.raises(InputError):
        destination(url)


def test_a_name_that_points_inside_after_it_was_saved_reaches_nothing(
    webhook: Webhook, receiver: Receiver, settings: Settings
) -> None:
    settings.WEBHOOK_HOSTS = []
    Webhook.objects.update(url=f"https://{receiver.host}/")
    alerts(webhook, 1)
    assert delivering.deliver_due() == 0
    assert "an internal address" in Delivery.objects.get().error
    assert receiver.taken == []


def test_a_request_goes_to_the_checked_number_and_not_to_the_name() -> None:
    found = destination("https://93.184.215.14/hook?a=1")
    assert (found.url, found.host_header) == ("https://93.184.215.14:443/hook?a=1", "93.184.215.14")


def test_a_changed_secret_key_is_told(webhook: Webhook, receiver: Receiver, settings: Settings) -> None:
    alerts(webhook, 1)
    settings.SECRET_KEY = "another"
    assert delivering.deliver_due() == 0
    assert "SECRET_KEY changed" in Delivery.objects.get().error


def test_the_secret_is_not_in_the_database(webhook: Webhook) -> None:
    assert SECRET not in webhook.sealed_secret
    assert signing.unseal(webhook.sealed_secret) == SECRET


def test_deliveries_count_in_the_metrics(webhook: Webhook) -> None:
    from plumbline.metrics.deliveries import CHANNELS

    alerts(webhook, 2)
    assert CHANNELS["webhook"]() == {"waiting": 2, "failed": 0}


@pytest.fixture(autouse=True)
def _rules(db: None) -> None:
    RuleSet.objects.all().delete()
