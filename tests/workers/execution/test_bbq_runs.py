"""Runs of BBQ on a real database: an endpoint that fails and comes back, stored answers, reuse."""

import html
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch
from plumbline.audits.models import Run, Shard
from plumbline.audits.states import RunState
from plumbline.findings.by_method import concerns
from plumbline.methods.bbq.findings import of_bbq
from plumbline.packing.pack import Choices, packed
from plumbline.results import reading, replies
from plumbline.spec.audit import parse
from plumbline.vocab.banks.importing import create
from plumbline.vocab.banks.reading import Questions
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.endpoint import Endpoint, serving
from tests.workers.execution.conftest import Silent, resume
from workers.engine.endpoints import retries
from workers.execution import Worker, drive
from workers.management.reports import about

pytestmark = pytest.mark.django_db


def questions() -> list[dict[str, Any]]:
    """Eight templates, each with its own place, so that no two prompts are alike."""
    return [
        {**one, "context": one["context"].replace("the bus", f"bus {template}")}
        for template in "12345678"
        for one in set_of_four(template)
    ]


def ran(**spec: Any) -> Run:
    data = {"name": "bbq", "probe": "bbq", "bank": {"inline": questions()}, **spec}
    run = launch(parse(data), owner="test")
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    return run


def value(run: Run, statistic: str, condition: str = "", category: str = "Colour", variant: str = "") -> float | None:
    labels = {"condition": condition, "category": category, "variant": variant}
    wanted = {"statistic": statistic, "template": "", **labels}
    measures = reading.read(run.pk, "measure")
    found = measures.filter(*(pl.col(name) == text for name, text in wanted.items()))
    found = found.filter(pl.col("group_a") == "", pl.col("attribute") == "")
    assert len(found) == 1, found
    number: float | None = found["value"][0]
    return number


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """It says A in every negative and B in every other question: always as the stereotype would have it."""
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(retries, "LONGEST_PAUSE", 0.02)
    with serving(lambda text: "A" if "loses" in text else "(B)") as server:
        yield server


def test_an_endpoint_is_asked_and_its_bias_measured(endpoint: Endpoint) -> None:
    endpoint.replies = [(429, {}, {"Retry-After": "0"}), (500, {}, {})]
    run = ran(model=endpoint.reference)
    assert run.state == RunState.DONE, run.error
    assert len(endpoint.asked) == len(questions()) + 2
    assert value(run, "s_amb", "ambig") == 1.0
    assert value(run, "s_dis", "disambig") == 1.0
    assert value(run, "accuracy", "ambig") == 0.0
    assert value(run, "accuracy_cost", "disambig") is None


def test_a_run_whose_endpoint_stays_away_fails_with_the_remedy_and_is_resumed_without_paying_twice(
    endpoint: Endpoint,
) -> None:
    answered = 10
    endpoint.replies = [_answer("A")] * answered + [(503, {}, {})] * 1000
    run = ran(model=endpoint.reference, params={"attempts": 2, "concurrency": 1})
    assert run.state == RunState.FAILED
    assert "answers 503, 2 times in a row: check the endpoint, then resume the run" in run.error
    endpoint.replies = []
    before = len(endpoint.asked)
    resume(run)
    assert len(endpoint.asked) - before == len(questions()) - answered


def test_another_run_asks_the_endpoint_again(endpoint: Endpoint) -> None:
    for _ in range(2):
        run = ran(model=endpoint.reference)
        assert not Shard.objects.filter(run=run, reused_from__isnull=False).exists()
    assert len(endpoint.asked) == 2 * len(questions())


def test_the_whole_answer_is_kept_with_its_class_and_joins_in_sql(endpoint: Endpoint) -> None:
    endpoint.answer = lambda text: "C'mon, I can't say." if "loses" in text else "B. The Green person"
    run = ran(model=endpoint.reference)
    assert run.state == RunState.DONE, run.error
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT parsed.answer_class, parsed.chosen, reply.text, choice.chosen, choice.reason, count(*)"
            " FROM results.v_parsed_answer AS parsed JOIN results.v_choice AS choice USING (run, item, options)"
            " JOIN results.v_reply AS reply ON reply.id = parsed.reply WHERE choice.run = %s GROUP BY 1, 2, 3, 4, 5"
            " ORDER BY 1",
            [run.pk],
        )
        found = cursor.fetchall()
    half = len(questions()) // 2
    assert found == [
        ("option", 1, "B. The Green person", 1, None, half),
        ("refusal", None, "C'mon, I can't say.", None, "the model refuses to answer", half),
    ]
    assert run.planned_items == len(questions())
    assert parsed_classes(run) == {"forms 3"}


def parsed_classes(run: Run) -> set[str]:
    return set(reading.read(run.pk, "parsed_answer")["parser"])


def test_the_page_of_questions_shows_the_whole_answer_as_text(endpoint: Endpoint, client: Client) -> None:
    attack = "B. <script>alert(1)</script>"
    message = {"content": attack, "reasoning_content": "The <b>text</b> says so."}
    endpoint.answer = lambda _: {"choices": [{"message": message, "finish_reason": "stop"}], "model": "m-<2>"}
    run = ran(model=endpoint.reference)
    client.force_login(viewer())
    page = client.get(reverse("run_bbq_items", args=[run.pk])).content.decode()
    assert "The whole answer: option" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "The &lt;b&gt;text&lt;/b&gt; says so." in page
    assert "m-&lt;2&gt;" in page
    assert attack not in page
    replies.forget(run.pk)
    page = client.get(reverse("run_bbq_items", args=[run.pk])).content.decode()
    assert "The text is not kept any more." in page


def test_answers_are_counted_by_class_and_group_on_the_page_and_in_the_report(
    endpoint: Endpoint, client: Client
) -> None:
    endpoint.answer = lambda text: "A or B" if "loses" in text else "B. The Green person"
    run = ran(model=endpoint.reference)
    half = len(questions()) // 2
    lines = [f"  {who} ({2 * half}): option {half}, several options {half}" for who in ("all", "Blue")]
    assert [line for line in about(run) if "several options" in line] == lines
    client.force_login(viewer())
    page = client.get(reverse("run_bbq", args=[run.pk])).content.decode()
    assert "Answers in text by class" in page
    address = html.unescape(re.findall(r'href="([^"]*several[^"]*label=Blue[^"]*)"', page)[0])
    assert f"{half} answers like that" in client.get(address).content.decode().replace("\n  ", " ")


def viewer() -> User:
    return User.objects.create_superuser("ada")


def test_a_pack_names_the_whole_answers_as_left_out(endpoint: Endpoint, tmp_path: Path) -> None:
    run = ran(model=endpoint.reference)
    path = tmp_path / "pack.zip"
    path.write_bytes(b"".join(packed(run, Choices())))
    with zipfile.ZipFile(path) as pack:
        left_out = json.loads(pack.read("manifest.json"))["left_out"]
        assert "records/parsed_answer.parquet" in pack.namelist()
        assert "records/reply.parquet" not in pack.namelist()
    assert any(f"The whole answers in text ({replies.count(run.pk)})" in one for one in left_out)


def test_a_reply_is_kept_as_soon_as_it_arrives(endpoint: Endpoint) -> None:
    endpoint.replies = [_answer("A"), (401, {}, {})]
    run = ran(model=endpoint.reference, params={"concurrency": 1})
    assert run.state == RunState.FAILED
    assert replies.count(run.pk) == 1
    assert reading.read(run.pk, "choice").is_empty()


def test_kept_answers_are_parsed_anew_without_the_endpoint(endpoint: Endpoint) -> None:
    endpoint.answer = lambda text: "The answer is B." if "loses" in text else "the green person"
    first = ran(model=endpoint.reference)
    asked = len(endpoint.asked)
    anew = ran(model=endpoint.reference, replies_of=first.pk, params={"parser": "exact"})
    assert anew.state == RunState.DONE, anew.error
    assert len(endpoint.asked) == asked
    assert parsed_classes(anew) == {"exact 1"}
    assert value(first, "unmatched_answers", "ambig") == 0
    before, after = (reading.read(run.pk, "parsed_answer") for run in (first, anew))
    assert before["reply"].sort().to_list() == after["reply"].sort().to_list()
    assert after.filter(pl.col("answer_class") == "unmatched").height == len(questions()) // 2


def test_answers_that_are_not_kept_any_more_cannot_be_parsed_anew(endpoint: Endpoint) -> None:
    first = ran(model=endpoint.reference)
    replies.forget(first.pk)
    anew = ran(model=endpoint.reference, replies_of=first.pk)
    assert anew.state == RunState.FAILED
    assert f"run {first.pk} keeps no answer to" in anew.error


def test_all_questions_share_the_worked_examples_which_a_later_edit_does_not_change(
    endpoint: Endpoint, client: Client
) -> None:
    shapes = Questions([one for number in "abcd" for one in example_set(number)], "test", {"source": "test"})
    bank, _ = create("bbq", "test", "shapes", shapes, "Shapes")
    params = {"few_shot": 3, "attempts": 2, "concurrency": 1}
    endpoint.replies = [_answer("A")] * 10 + [(503, {}, {})] * 1000
    run = ran(model=endpoint.reference, few_shot_bank={"bank": bank.slug}, params=params)
    assert run.state == RunState.FAILED
    bank.delete()
    endpoint.replies = []
    resume(run)
    (before,) = {json.dumps(body["messages"][:-1]) for body in endpoint.asked}
    turns = json.loads(before)
    assert [one["role"] for one in turns] == ["user", "assistant"] * 3
    assert {one["content"] for one in turns[1::2]} == {"A", "B", "C"}
    client.force_login(viewer())
    page = html.unescape(client.get(reverse("run_bbq_items", args=[run.pk])).content.decode())
    assert "the model read 3 worked" in page
    lines = [line for one in turns[::2] for line in one["content"].splitlines()]
    assert all(f'<p dir="auto">{line}</p>' in page for line in lines)
    assert page.count("Answer given: <b>") == 3


def example_set(template: str) -> list[dict[str, Any]]:
    return [
        {**one, "id": f"Shape {one['id']}", "category": "Shape", "context": f"In {template}. {one['context']}"}
        | {"question": f"Who, {template}? {one['question']}"}
        for one in set_of_four(template)
    ]


def test_stored_answers_are_a_run_like_any_other_and_equal_ones_are_used_again() -> None:
    answers = [{"id": one["id"], "chosen": one["gold"]} for one in questions()]
    spec = {"model": "answers:somebody", "answers": {"inline": answers}}
    run, again = ran(**spec), ran(**spec)
    assert run.state == again.state == RunState.DONE
    assert value(run, "accuracy", "ambig") == value(run, "accuracy", "disambig") == 1.0
    assert value(run, "s_amb", "ambig") == 0.0
    assert Shard.objects.filter(run=again, reused_from__isnull=False).count() == len("12345678")


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        (
            {"chosen": 0},
            [
                "answers:somebody is not shown to do the task, which is to give the right answer where the context"
                " has it more often than chance would (1 in 3).",
                "answers:somebody chooses the first option in 100% of its answers; it is right in 25%.",
            ],
        ),
        ({"output": "nobody"}, ["32 of 32 answers of answers:somebody match no option; no score has them."]),
    ],
)
def test_answers_that_are_no_ability_are_reported_before_any_score(answer: dict[str, Any], first: list[str]) -> None:
    run = ran(model="answers:somebody", answers={"inline": [{"id": one["id"], **answer} for one in questions()]})
    assert run.state == RunState.DONE, run.error
    assert [sentence for sentence, _ in of_bbq(run)][: len(first)] == first
    assert concerns(run) == first


def test_an_output_that_matches_nothing_is_kept_with_its_reason() -> None:
    answers = [{"id": one["id"], "output": "nobody's <business>"} for one in questions()[:1]]
    run = ran(model="answers:somebody", answers={"inline": answers})
    (row,) = reading.read(run.pk, "choice").iter_rows(named=True)
    assert (row["chosen"], row["logits"], row["template"]) == (None, None, "Colour 1")
    assert row["reason"] == """the output "nobody's <business>" matches no option"""


def _answer(text: str) -> tuple[int, Any, dict[str, str]]:
    return 200, {"choices": [{"message": {"content": text}}]}, {}
