"""Whole answers in text in the store."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import override_settings

from plumbline.audits.clock import now
from plumbline.audits.models import Run
from plumbline.audits.sweep import sweep
from plumbline.results import reading, replies
from plumbline.results.models import Reply as Stored
from plumbline.results.models import ReplyText
from plumbline.spec.answers.reply import Reply

pytestmark = pytest.mark.django_db

WHOLE = Reply(
    "B. The grandson",
    reasoning="He struggled.",
    refusal="",
    finish_reason="stop",
    served_model="m-1",
    fingerprint="fp",
    left_out="seed",
    prompt_tokens=9,
    completion_tokens=5,
    reasoning_tokens=3,
    seconds=0.5,
)


def test_a_reply_comes_back_whole_and_only_in_its_run() -> None:
    kept = replies.keep(1, "request", WHOLE)
    assert kept.reply == WHOLE
    assert replies.known(1, ["request", "other"]) == {"request": kept}
    assert replies.known(2, ["request"]) == {}
    assert kept.number is not None
    assert replies.numbered([kept.number]) == {kept.number: WHOLE}


def test_of_two_replies_to_one_request_the_first_stays() -> None:
    first = replies.keep(1, "request", WHOLE)
    assert replies.keep(1, "request", Reply("C")) == first
    assert replies.count(1) == 1


def test_each_text_is_stored_once_and_goes_with_its_last_reply() -> None:
    for run, request in ((1, "a"), (1, "b"), (2, "a")):
        replies.keep(run, request, Reply("B"))
    assert ReplyText.objects.count() == 1
    replies.forget(1)
    assert ReplyText.objects.get().text == "B"
    replies.forget(2)
    assert ReplyText.objects.count() == Stored.objects.count() == 0


def test_characters_that_a_database_cannot_hold_are_marked() -> None:
    assert replies.keep(1, "a", Reply("a\x00b\ud800")).reply.text == "a\ufffdb?"


def test_the_view_shows_the_texts_and_exports_read_it() -> None:
    replies.keep(1, "a", WHOLE)
    (row,) = reading.read(1, "reply").iter_rows(named=True)
    assert (row["text"], row["reasoning"], row["refusal"]) == ("B. The grandson", "He struggled.", None)


def test_old_replies_go_after_their_own_time_and_never_without_one() -> None:
    replies.keep(1, "old", Reply("A"))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results.reply SET received_at = %s", [now() - timedelta(days=31)])
    replies.keep(1, "new", Reply("B"))
    sweep()
    assert replies.count(1) == 2
    with override_settings(REPLIES_DAYS=30):
        sweep()
    assert list(replies.known(1, ["old", "new"])) == ["new"]
    assert [one.text for one in ReplyText.objects.all()] == ["B"]


def test_the_replies_of_a_deleted_run_go_with_it() -> None:
    run = Run.objects.create(name="r", probe="bbq", model="openai:http://host/v1#m", spec={})
    replies.keep(run.pk, "a", Reply("A"))
    run.delete()
    assert Stored.objects.count() == 0


def test_a_long_text_is_stored_compressed() -> None:
    text = "The grandson was not comfortable with the phone. " * 400
    replies.keep(1, "a", Reply(text))
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_column_size(text), octet_length(text) FROM results.reply_text")
        stored, whole = cursor.fetchone()
    assert stored < whole / 10
