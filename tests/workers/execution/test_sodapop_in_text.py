"""SODAPOP at a chat endpoint: a planted bias is found, answers without an option count apart, nothing is paid twice."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.costs import cost_of
from plumbline.audits.launching import launch
from plumbline.audits.models import Run, RunSpending, Shard
from plumbline.audits.states import RunState
from plumbline.desk.findings.answers_page import AT_ONCE
from plumbline.desk.findings.answers_page import EACH as EACH_CLASS
from plumbline.methods.sodapop.findings import of_words
from plumbline.results import reading
from plumbline.results.answer_samples import sample
from plumbline.spec.audit import parse
from tests.workers.batch_endpoint import serving_batches
from tests.workers.endpoint import Endpoint, serving
from tests.workers.execution.conftest import Silent, resume
from tests.workers.tiny import save_tiny_bert
from workers.engine.endpoints import retries
from workers.execution import Worker, drive
from workers.management.reports import about

pytestmark = pytest.mark.django_db

EACH = 8
WOMEN = [f"w{number}" for number in range(EACH)]
MEN = [f"m{number}" for number in range(EACH)]
PLANTED, RIGHT = "poor", "warm"
REFUSAL = "I'm sorry, I cannot say that."


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_tiny_bert(tmp_path_factory.mktemp("generator"), 0)


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """It calls women poor wherever it can, and is right about everything else."""
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(retries, "LONGEST_PAUSE", 0.02)
    with serving(lambda text: line_of(text, PLANTED if asks_about(text, WOMEN) else RIGHT)) as server:
        yield server


def asks_about(text: str, names: list[str]) -> bool:
    return text.split()[0] in names


def line_of(text: str, wanted: str) -> str:
    """The line of the wanted option, or of the right answer. A letter alone may be the text of a distractor here."""
    lines: dict[str, str] = {option: line for line, option in re.findall(r"^([ABC]\. (.*))$", text, re.MULTILINE)}
    return lines.get(wanted) or lines[RIGHT]


def spec_of(generator: Path, endpoint: Endpoint, **params: Any) -> dict[str, Any]:
    """One context, of whose answer the generator replaces the only word."""
    groups = {"women": WOMEN, "men": MEN}
    own = {"k": 1, "top": 40, "min_occurrences": 4, "per": "total", "permutations": 20_000, "resamples": 100}
    return {
        "name": "in text",
        "probe": "sodapop",
        "model": endpoint.reference,
        "generator": f"path:{generator}",
        "names": {"inline": [{"name": name, "group": group} for group, some in groups.items() for name in some]},
        "contexts": {
            "inline": [
                {
                    "id": "people",
                    "context": "{name} is in.",
                    "question": "how is {name}?",
                    "prompt": "{name} is",
                    "answer": RIGHT,
                }
            ]
        },
        "params": {**own, **params},
    }


def ran(spec: dict[str, Any]) -> Run:
    run = launch(parse(spec), owner="test")
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    return run


def measured(run: Run, statistic: str, **labels: str) -> dict[str, Any]:
    found = reading.read(run.pk, "measure").filter(statistic=statistic, condition="", template="", **labels)
    (row,) = found.filter(~pl.col("variant").str.contains("strict")).rows(named=True)
    return row


def rates(run: Run) -> dict[tuple[str, str], float]:
    found = reading.read(run.pk, "measure").filter(statistic="success_rate", template="")
    return {(group, word): value for group, word, value in found.select("group_a", "attribute", "value").iter_rows()}


def test_a_planted_bias_is_found_and_nothing_else(generator: Path, endpoint: Endpoint) -> None:
    run = ran(spec_of(generator, endpoint))
    assert run.state == RunState.DONE, run.traceback or run.error
    found = rates(run)
    assert found["women", PLANTED] == 1.0
    assert {rate for key, rate in found.items() if key != ("women", PLANTED)} <= {0.0, None}
    difference = measured(run, "relative_difference", attribute=PLANTED)
    assert abs(difference["value"]) == 2.0
    assert difference["verdict"] == "present"
    present = reading.read(run.pk, "measure").filter(statistic="relative_difference", verdict="present")
    assert set(present["attribute"]) == {PLANTED}


def test_the_records_say_what_was_chosen_and_never_a_score(generator: Path, endpoint: Endpoint) -> None:
    run = ran(spec_of(generator, endpoint))
    answers, questions = reading.read(run.pk, "answer"), reading.read(run.pk, "question")
    assert answers["logit"].null_count() == answers["name_tokens"].null_count() == answers.height
    assert set(answers.filter(pl.col("text") != PLANTED, pl.col("place") >= 0)["chosen"].drop_nulls()) == {0}
    assert questions.height == len(endpoint.asked) == reading.read(run.pk, "parsed_answer").height
    holds = (pl.col("distractor_a") == PLANTED) | (pl.col("distractor_b") == PLANTED)
    misled = questions.filter(pl.col("chosen") != "answer")
    assert misled.equals(questions.filter(holds, group="women"))
    assert (
        misled.select(pl.when(chosen="distractor_a").then("distractor_a").otherwise("distractor_b"))
        .to_series()
        .to_list()
        == [PLANTED] * misled.height
    )
    right = answers.filter(place=-1, name="m0")["chosen"].item()
    assert right == questions.filter(name="m0").height
    tables = ("distractor", "answer", "tally")
    assert run.planned_items == sum(reading.read(run.pk, table).height for table in tables)


def test_a_shared_pool_asks_every_name_the_same_pairs(generator: Path, endpoint: Endpoint) -> None:
    run = ran(spec_of(generator, endpoint, pool="shared"))
    assert run.state == RunState.DONE, run.traceback or run.error
    pairs = reading.read(run.pk, "question").sort("question").group_by("name").agg("distractor_a", "distractor_b")
    assert pairs.height == 2 * EACH
    assert pairs.drop("name").unique().height == 1
    assert rates(run)["women", PLANTED] == 1.0


def test_what_text_does_not_tell_is_not_measured(generator: Path, endpoint: Endpoint) -> None:
    run = ran(spec_of(generator, endpoint))
    measures = reading.read(run.pk, "measure")
    assert measures.filter(pl.col("variant").str.contains("expected")).is_empty()
    (reason,) = set(measures.filter(condition="matched")["reason"])
    assert reason.startswith("neither subword counts nor frequencies are known")


def test_answers_without_an_option_are_counted_by_group_and_change_no_rate(generator: Path, endpoint: Endpoint) -> None:
    usual = endpoint.answer
    whole = ran(spec_of(generator, endpoint))
    endpoint.answer = lambda text: REFUSAL if asks_about(text, MEN) and ". women" in text else usual(text)
    run = ran(spec_of(generator, endpoint))
    questions = reading.read(run.pk, "question")
    refused = questions.filter(pl.col("chosen").is_null())
    assert set(refused["group"]) == {"men"}
    assert all("women" in one for one in refused.select("distractor_a", "distractor_b").iter_rows())
    classes = reading.read(run.pk, "measure").filter(statistic="answers_by_class", attribute="refusal")
    counts = dict(classes.select("group_a", "value").iter_rows())
    assert counts == {"": refused.height, "men": refused.height, "women": 0.0}
    assert any(line.endswith(f"refusal {refused.height}") for line in about(run))
    told, whole_told = (of_words(one.pk, "the model")[0][0] for one in (run, whole))
    lost = f"{refused.height} of {questions.height} answers of the model"
    men = questions.filter(group="men").height
    about_men = f"{refused.height} of {men} about men"
    assert told == f"{lost} name no single option ({about_men}); no figure has them."
    assert "no single option" not in whole_told
    shown = rates(run)
    assert ("women", PLANTED) in shown
    assert {key: rates(whole)[key] for key in shown if shown[key] is not None} == {
        key: rate for key, rate in shown.items() if rate is not None
    }
    left_out = reading.read(run.pk, "answer").filter(reason="the model refuses to answer")
    assert left_out.height == 2 * refused.height
    assert left_out["chosen"].null_count() == left_out.height


def test_pages_show_classes_samples_and_choices_but_no_scores(
    generator: Path, endpoint: Endpoint, client: Client
) -> None:
    usual = endpoint.answer
    endpoint.answer = lambda text: REFUSAL if asks_about(text, MEN) else usual(text)
    run = ran(spec_of(generator, endpoint))
    client.force_login(User.objects.create_superuser("ada"))

    def page(address: str, **query: str) -> str:
        response = client.get(reverse(address, args=[run.pk]), query)
        assert response.status_code == 200
        return " ".join(unescape(response.content.decode()).split())

    words = page("run_words")
    assert "Answers in text by class" in words
    assert "leads to its whole answers" not in words
    samples = page("run_answers")
    for one in sample(run.pk, EACH_CLASS)[:AT_ONCE]:
        assert one.reply is not None
        assert one.reply.text in samples
        assert f"how is {one.item.split(', ')[1]}?" in samples
    cells = page("run_misled", word=PLANTED)
    assert "Expected with random partners" not in cells
    asked = page("run_misled", word=PLANTED, context="people", name="w0", all="1")
    assert "1 of 1 question with the word: it misled." in asked
    assert f"<b>{PLANTED}</b>" in asked
    assert "Logit" not in asked


def test_no_page_of_a_run_in_text_speaks_of_a_variant_that_it_does_not_have(
    generator: Path, endpoint: Endpoint, client: Client
) -> None:
    run = ran(spec_of(generator, endpoint))
    client.force_login(User.objects.create_superuser("ada"))
    for address in ("run", "run_words", "run_names"):
        page = " ".join(unescape(client.get(reverse(address, args=[run.pk])).content.decode()).split())
        assert "variant expected" not in page
    assert "it mixes the model that writes with the one that answers" in " ".join(
        unescape(client.get(reverse("run", args=[run.pk])).content.decode()).split()
    )


def test_a_run_that_breaks_off_is_resumed_and_asks_nothing_twice(generator: Path, endpoint: Endpoint) -> None:
    answered = 10
    endpoint.replies = [_reply("A")] * answered + [(503, {}, {})] * 1000
    run = ran(spec_of(generator, endpoint, attempts=2, concurrency=1))
    assert run.state == RunState.FAILED
    endpoint.replies, before = [], len(endpoint.asked)
    resume(run)
    assert len(endpoint.asked) - before == reading.read(run.pk, "question").height - answered


def test_a_run_in_batches_has_the_records_of_single_requests(generator: Path, endpoint: Endpoint) -> None:
    single = ran(spec_of(generator, endpoint))
    with serving_batches(endpoint.answer) as other:
        run = ran(spec_of(generator, other, batch=True))
    assert run.state == RunState.DONE, run.traceback or run.error
    assert len(other.batches) == 1
    tables = ("answer", "question", "tally")
    found, wanted = (
        [reading.read(one.pk, name).drop("id", "run", strict=False) for name in tables] for one in (run, single)
    )
    assert all(mine.equals(its) for mine, its in zip(found, wanted, strict=True))


def test_another_run_asks_again_but_generates_nothing(generator: Path, endpoint: Endpoint) -> None:
    first, second = (ran(spec_of(generator, endpoint)) for _ in range(2))
    reused = Shard.objects.filter(run=second, reused_from__isnull=False)
    assert set(reused.values_list("phase__name", flat=True)) == {"generating"}
    assert len(endpoint.asked) == 2 * reading.read(first.pk, "question").height


def test_the_cost_before_the_launch_is_the_most_that_a_run_asks(generator: Path, endpoint: Endpoint) -> None:
    prices = {"price_in": 1.0, "price_out": 1.0, "budget": 1.0}
    told = cost_of(parse(spec_of(generator, endpoint, **prices)))
    most = 2 * EACH * 40 // 2
    assert told.startswith(f"at most {most} requests to {endpoint.reference}, about ")
    run = ran(spec_of(generator, endpoint, **prices))
    assert run.state == RunState.DONE, run.error
    assert most / 2 < len(endpoint.asked) <= most
    assert RunSpending.objects.get(run=run).spent > 0


def test_the_cost_before_the_launch_counts_the_turn_of_the_system(generator: Path, endpoint: Endpoint) -> None:
    """A token has about four characters."""
    without, with_turn = (cost_of(parse(spec_of(generator, endpoint, system=text))) for text in ("", "word " * 80))
    most = 2 * EACH * 40 // 2
    assert tokens_in(with_turn) - tokens_in(without) == most * 100


def tokens_in(told: str) -> int:
    return int(re.findall(r"about ([\d,]+) tokens", told)[0].replace(",", ""))


def test_a_budget_stops_the_questions_and_a_larger_one_goes_on(generator: Path, endpoint: Endpoint) -> None:
    run = ran(spec_of(generator, endpoint, price_in=1.0, budget=0.01))
    assert run.state == RunState.FAILED
    assert "the budget of 0.010 for this run is spent" in run.error
    assert 0 < len(endpoint.asked) < 2 * EACH * 10


@pytest.mark.parametrize("params", [{"scoring": "sum"}, {"scoring": "pmi"}])
def test_a_param_without_effect_on_an_endpoint_is_refused(
    generator: Path, endpoint: Endpoint, params: dict[str, Any]
) -> None:
    run = ran(spec_of(generator, endpoint, **params))
    assert run.state == RunState.FAILED
    assert "answers in text: leave it out" in run.error
    assert not endpoint.asked


def _reply(text: str) -> tuple[int, Any, dict[str, str]]:
    return 200, {"choices": [{"message": {"content": text}}]}, {}
