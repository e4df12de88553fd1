"""Sending by a real mail server of a few lines, and what happens when it says no, is away, or is asked by two."""

import socketserver
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest
from django.db import transaction
from pytest_django.fixtures import Settings

from plumbline.accounts import mail
from plumbline.audits import clock
from plumbline.audits.mail import notices, sending_notices
from plumbline.audits.models import Notice
from tests.plumbline.audits.conftest import Elsewhere, until_one_waits

pytestmark = pytest.mark.django_db


@dataclass
class Mailbox:
    """What the server took, and whom it refuses."""

    port: int
    taken: list[EmailMessage] = field(default_factory=list)
    refused: str = "nobody"


class Smtp(socketserver.StreamRequestHandler):
    """As much of RFC 5321 as a client asks for that neither logs in nor encrypts."""

    server: Any

    def handle(self) -> None:
        self.say("220 test")
        for line in self.rfile:
            verb = line.split()[0].upper().decode()
            if verb == "DATA":
                self.say("354 go on")
                self.take()
            elif verb == "RCPT" and self.server.mailbox.refused.encode() in line:
                self.say("550 no such mailbox")
                continue
            self.say("221 bye" if verb == "QUIT" else "250 ok")
            if verb == "QUIT":
                return

    def take(self) -> None:
        lines = iter(self.rfile.readline, b".\r\n")
        taken = message_from_bytes(b"".join(lines), policy=policy.default)
        assert isinstance(taken, EmailMessage)
        self.server.mailbox.taken.append(taken)

    def say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@pytest.fixture
def mailbox(settings: Settings) -> Iterator[Mailbox]:
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Smtp) as server:
        server.daemon_threads = True
        server.mailbox = Mailbox(server.server_address[1])  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.mailbox.port  # type: ignore[attr-defined]
        yield server.mailbox  # type: ignore[attr-defined]
        server.shutdown()


def notice(**changes: Any) -> Notice:
    content = {
        "key": "k",
        "recipients": ["a@example.org", "b@example.org"],
        "subject": "Moved: ä",
        "body": "one\ntwo\n",
    }
    return Notice.objects.create(**{**content, "retry_at": clock.now(), **changes})


def test_a_notice_arrives_as_plain_text_and_is_sent_once(mailbox: Mailbox, settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "plumbline@example.org"
    notice(body="Über: ein\nzwei\n")
    assert [notices.send_due(), notices.send_due()] == [1, 0]
    (mail,) = mailbox.taken
    assert (mail["From"], mail["To"], mail["Subject"]) == (
        "plumbline@example.org",
        "a@example.org, b@example.org",
        "Moved: ä",
    )
    assert mail.get_content_type() == "text/plain"
    assert mail.get_content().splitlines() == ["Über: ein", "zwei"]
    assert mail["Auto-Submitted"] == "auto-generated"
    sent = Notice.objects.get()
    assert (sent.attempts, sent.error, sent.retry_at) == (1, "", None)
    assert sent.sent_at is not None


def test_a_line_break_in_a_subject_is_refused_and_logged(mailbox: Mailbox) -> None:
    notice(subject="Moved\nBcc: everyone@example.org")
    assert sending_notices.send_due() == 0
    assert mailbox.taken == []
    assert "BadHeaderError" in Notice.objects.get().error


def test_a_refused_notice_is_tried_later_and_given_up_in_the_end(mailbox: Mailbox) -> None:
    mailbox.refused = "a@example.org"
    notice(recipients=["a@example.org"])
    for attempt in range(1, sending_notices.MOST_ATTEMPTS):
        before = clock.now()
        assert sending_notices.send_due() == 0
        waiting = Notice.objects.get()
        assert waiting.attempts == attempt
        assert "no such mailbox" in waiting.error
        assert waiting.retry_at is not None
        assert waiting.retry_at - before > sending_notices.pause_after(attempt) - timedelta(seconds=1)
        assert sending_notices.send_due() == 0
        assert Notice.objects.get().attempts == attempt
        Notice.objects.update(retry_at=clock.now())
    sending_notices.send_due()
    ended = Notice.objects.get()
    assert (ended.retry_at, ended.sent_at) == (None, None)
    assert ended.error.startswith(f"given up after {sending_notices.MOST_ATTEMPTS} attempts")


def test_a_server_that_is_away_is_asked_once_a_round(settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    for key in ("first", "second"):
        notice(key=key)
    assert sending_notices.send_due() == 0
    assert dict(Notice.objects.values_list("key", "attempts")) == {"first": 1, "second": 0}
    assert "ConnectionRefusedError" in Notice.objects.get(key="first").error


def test_what_waits_does_not_follow_what_is_refused(mailbox: Mailbox) -> None:
    mailbox.refused = "wrong@example.org"
    notice(key="first", recipients=["wrong@example.org"])
    notice(key="second", recipients=["right@example.org"])
    assert [sending_notices.send_due(), sending_notices.send_due()] == [0, 1]
    assert mailbox.taken[0]["To"] == "right@example.org"


def test_without_a_mail_server_nothing_is_sent_and_each_notice_says_so(settings: Settings) -> None:
    settings.EMAIL_BACKEND = mail.DUMMY
    notice()
    assert sending_notices.send_due() == 0
    unsent = Notice.objects.get()
    assert (unsent.retry_at, unsent.sent_at, unsent.attempts) == (None, None, 0)
    assert "EMAIL_URL" in unsent.error


def test_a_notice_is_not_due_before_its_time(mailbox: Mailbox) -> None:
    notice(retry_at=clock.now() + timedelta(minutes=1))
    assert sending_notices.send_due() == 0


def test_one_that_killed_its_sender_each_time_is_given_up(mailbox: Mailbox) -> None:
    notice(attempts=sending_notices.MOST_ATTEMPTS)
    assert sending_notices.send_due() == 0
    assert mailbox.taken == []
    ended = Notice.objects.get()
    assert (ended.retry_at, ended.error) == (None, "its sender was killed each time")


def test_who_saw_it_due_before_another_claimed_it_does_not_send_it(mailbox: Mailbox) -> None:
    notice()
    ours, theirs = (Notice.objects.get() for _ in range(2))
    assert [sending_notices._claim(ours), sending_notices._claim(theirs)] == [True, False]
    assert Notice.objects.get().attempts == 1


def test_of_two_schedulers_at_once_one_sends(elsewhere: Elsewhere, mailbox: Mailbox) -> None:
    notice()
    with transaction.atomic():
        ours = sending_notices.send_due()
        other = elsewhere(sending_notices.send_due)
        until_one_waits()
    assert (ours, other.result()) == (1, 0)
    assert len(mailbox.taken) == 1
