"""SODAPOP in text: worked examples before each question, and kept answers that are parsed anew."""

import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run, Shard
from plumbline.audits.states import RunState
from plumbline.results import reading, replies
from plumbline.vocab.banks.importing import create
from plumbline.vocab.banks.reading import Questions
from tests.workers.endpoint import Endpoint, serving
from tests.workers.execution.conftest import resume
from tests.workers.execution.test_sodapop_in_text import (
    PLANTED,
    RIGHT,
    WOMEN,
    asks_about,
    generator,
    line_of,
    ran,
    spec_of,
)
from workers.engine.endpoints import retries
from workers.engine.loading import ENGINE_VERSION
from workers.execution import planning

pytestmark = pytest.mark.django_db
__all__ = ["generator"]
TABLES = ("answer", "question", "tally", "parsed_answer", "measure")


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """It names the text of an option alone for women, and its whole line for men."""
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(retries, "LONGEST_PAUSE", 0.02)
    with serving(text_or_line) as server:
        yield server


def text_or_line(text: str) -> str:
    return line_of(text, PLANTED)[3:] if asks_about(text, WOMEN) else line_of(text, RIGHT)


def questions() -> Questions:
    """Four questions of a bank like Social IQa, of which one has the context that is asked."""
    items = [
        {
            "id": str(number),
            "context": f"{{name}} sat in room {number}." if number else "{name} is in.",
            "question": "Why did {name} sit?",
            "answer": f"tired {number}",
            "others": [f"bored {number}", f"hungry {number}"],
            "seed_name": "Robin",
            "flags": [],
        }
        for number in range(4)
    ]
    return Questions(items, "test", {"source": "test"})


def test_all_questions_share_worked_examples_which_a_later_edit_of_the_bank_does_not_change(
    generator: Path, endpoint: Endpoint, client: Client
) -> None:
    bank, _ = create("socialiqa", "test", "rooms", questions(), "Rooms")
    endpoint.replies = [(200, {"choices": [{"message": {"content": "A"}}]}, {})] * 10 + [(503, {}, {})] * 1000
    spec = spec_of(generator, endpoint, few_shot=3, attempts=2, concurrency=1, top=10)
    run = ran({**spec, "few_shot_bank": {"bank": bank.slug}})
    assert run.state == RunState.FAILED
    bank.delete()
    endpoint.replies = []
    resume(run)
    (before,) = {json.dumps(body["messages"][:-1]) for body in endpoint.asked}
    turns = json.loads(before)
    assert [one["role"] for one in turns] == ["user", "assistant"] * 3
    assert sorted(one["content"] for one in turns[1::2]) == ["A", "B", "C"]
    assert {one["content"].splitlines()[0] for one in turns[::2]} == {
        f"Robin sat in room {room}." for room in (1, 2, 3)
    }
    asked = endpoint.asked[0]["messages"][-1]["content"]
    assert {one["content"].splitlines()[-1] for one in turns[::2]} == {asked.splitlines()[-1]}
    client.force_login(User.objects.create_superuser("ada"))
    page = unescape(client.get(reverse("run_answers", args=[run.pk])).content.decode())
    assert "the model read 3 worked" in page
    assert all(f'<p dir="auto">{line}</p>' in page for one in turns[::2] for line in one["content"].splitlines())


def records(run: Run, table: str) -> pl.DataFrame:
    found = reading.read(run.pk, table).drop("id", "run", "reply", strict=False)
    return found.sort(found.columns)


def classes(run: Run) -> dict[tuple[str, str], int]:
    counted = reading.read(run.pk, "parsed_answer").group_by("group", "answer_class").len().rows()
    return {(group, kind): number for group, kind, number in counted}


def anew(generator: Path, endpoint: Endpoint, of: Run, **params: Any) -> Run:
    run = ran({**spec_of(generator, endpoint, **params), "replies_of": of.pk})
    assert run.state == RunState.DONE, run.traceback or run.error
    return run


def test_answers_that_are_parsed_anew_make_the_records_of_a_run_that_asked(generator: Path, endpoint: Endpoint) -> None:
    """The exact match knows no line with a letter, so it does not count what is asked about men."""
    exact, forms = (ran(spec_of(generator, endpoint, parser=name)) for name in ("exact", "forms"))
    asked = len(endpoint.asked)
    assert set(classes(exact)) == {("women", "option"), ("men", "unmatched")}
    assert set(classes(forms)) == {("women", "option"), ("men", "option")}
    assert sum(classes(exact).values()) == sum(classes(forms).values()) == asked / 2
    assert set(records(exact, "tally").filter(pl.col("shown") > 0)["group"]) == {"women"}
    read_again, exact_again = (
        anew(generator, endpoint, one, parser=name) for one, name in ((exact, "forms"), (forms, "exact"))
    )
    assert len(endpoint.asked) == asked
    for table in TABLES:
        assert records(read_again, table).equals(records(forms, table)), table
        assert records(exact_again, table).equals(records(exact, table)), table


def test_the_new_parse_has_the_replies_of_the_old_one_and_generates_nothing(
    generator: Path, endpoint: Endpoint, client: Client
) -> None:
    first = ran(spec_of(generator, endpoint))
    run = anew(generator, endpoint, first, parser="exact")
    before, after = (reading.read(one.pk, "parsed_answer") for one in (first, run))
    assert before["reply"].sort().to_list() == after["reply"].sort().to_list()
    assert set(after["parser"]) == {"exact 1"}
    assert replies.count(run.pk) == 0
    reused = Shard.objects.filter(run=run, reused_from__isnull=False)
    assert set(reused.values_list("phase__name", flat=True)) == {"generating"}
    assert set(reading.read(run.pk, "measure")["variant"].str.contains("parser exact")) == {True}
    client.force_login(User.objects.create_superuser("ada"))
    page = client.get(reverse("run_answers", args=[run.pk])).content.decode()
    assert f'<pre dir="auto">{PLANTED}</pre>' in page or f"{RIGHT}</pre>" in page
    assert "Answers in text by class" in client.get(reverse("run_words", args=[run.pk])).content.decode()


def test_a_later_release_parses_answers_anew_about_the_distractors_that_were_asked(
    generator: Path, endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another version of the engine generates may differ: the kept answers would be to other questions."""
    with monkeypatch.context() as earlier:
        earlier.setattr(planning, "ENGINE_VERSION", "0")
        first = ran(spec_of(generator, endpoint))
    asked = len(endpoint.asked)
    run = anew(generator, endpoint, first)
    assert not Shard.objects.filter(run=run, phase__name="generating", reused_from__isnull=True).exists()
    assert run.provenance["stages"]["generating"]["engine"] == "0"
    assert run.provenance["stages"]["asking"]["engine"] == run.provenance["engine"] == ENGINE_VERSION
    assert len(endpoint.asked) == asked
    other = ran({**spec_of(generator, endpoint, top=6), "replies_of": first.pk})
    assert "keeps no answer to" in other.error
    assert other.provenance["stages"]["generating"]["engine"] == ENGINE_VERSION


@pytest.mark.parametrize("change", ["forgotten", "asked otherwise"])
def test_answers_that_are_not_kept_cannot_be_parsed_anew(generator: Path, endpoint: Endpoint, change: str) -> None:
    first = ran(spec_of(generator, endpoint))
    asked = len(endpoint.asked)
    if change == "forgotten":
        replies.forget(first.pk)
    other = {"instruction": "Say it."} if change == "asked otherwise" else {}
    run = ran({**spec_of(generator, endpoint, **other), "replies_of": first.pk})
    assert run.state == RunState.FAILED
    assert f"run {first.pk} keeps no answer to" in run.error
    assert len(endpoint.asked) == asked
