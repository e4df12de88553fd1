"""Questions that an endpoint is asked several times: each answer is kept, and no sample is an item of its own."""

import html
import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import polars.testing
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits import life
from plumbline.audits.costs import cost_of
from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import warnings
from plumbline.findings.models import Finding
from plumbline.methods.bbq.finding_examples import examples
from plumbline.results import reading, replies
from plumbline.spec.audit import parse
from plumbline.spec.digests import digest
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.endpoint import Endpoint, serving
from tests.workers.execution.conftest import Silent
from workers.engine.endpoints import retries
from workers.execution import Worker, drive

pytestmark = pytest.mark.django_db

SAMPLES, OF_TARGET = 5, 3
"""Of five answers to a question, three name the target, the others the other person."""
PARAMS: dict[str, Any] = {"samples": SAMPLES, "temperature": 0.7}
QUESTIONS = [
    {**one, "context": one["context"].replace("the bus", f"bus {template}")}
    for template in "12345678"
    for one in set_of_four(template)
]
WHOLE = {"category": "Colour", "variant": "samples 5, temperature 0.7", "template": "", "group_a": "", "attribute": ""}


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(retries, "LONGEST_PAUSE", 0.02)
    asked: Counter[str] = Counter()

    def answer(text: str) -> str:
        asked[text] += 1
        return "A" if asked[text] % SAMPLES < OF_TARGET else "B"

    with serving(answer) as server:
        yield server


def spec_of(endpoint: Endpoint, **params: Any) -> Any:
    data = {"name": "bbq", "probe": "bbq", "model": endpoint.reference, "bank": {"inline": QUESTIONS}}
    return parse({**data, "params": params})


def ran(endpoint: Endpoint, **params: Any) -> Run:
    run = launch(spec_of(endpoint, **params), owner="test")
    return driven(run)


def driven(run: Run) -> Run:
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    return run


def measured(run: Run, statistic: str, **labels: str) -> dict[str, Any]:
    (row,) = reading.read(run.pk, "measure").filter(statistic=statistic, group_b="", **WHOLE, **labels).rows(named=True)
    return row


def test_each_sample_is_a_request_with_a_seed_of_its_own(endpoint: Endpoint) -> None:
    run = ran(endpoint, **PARAMS)
    assert run.state == RunState.DONE, run.traceback or run.error
    seeds = defaultdict(set)
    for body in endpoint.asked:
        seeds[body["messages"][-1]["content"]].add(body["seed"])
    assert len(endpoint.asked) == len(QUESTIONS) * SAMPLES
    assert {frozenset(some) for some in seeds.values()} == {frozenset(range(SAMPLES))}
    assert {body["temperature"] for body in endpoint.asked} == {0.7}


def test_each_reply_is_kept_also_where_the_model_refuses_a_seed(endpoint: Endpoint) -> None:
    endpoint.refuses = {"seed": "Unsupported parameter: 'seed'"}
    run = ran(endpoint, **PARAMS)
    assert run.state == RunState.DONE, run.error
    assert replies.count(run.pk) == len(QUESTIONS) * SAMPLES
    records = reading.read(run.pk, "parsed_answer")
    assert records["reply"].n_unique() == len(QUESTIONS) * SAMPLES
    assert set(records.group_by("item").agg(pl.col("sample").sort())["sample"].map_elements(tuple, pl.Object)) == {
        tuple(range(SAMPLES))
    }


@pytest.mark.parametrize(
    ("refused", "params", "told"),
    [
        (
            "seed",
            PARAMS,
            "takes no seed. If it answers equal requests alike, the 5 samples of a question are one answer",
        ),
        (
            "temperature",
            PARAMS,
            "at a setting of its own, not at 0.7, and shares of samples are those at that setting.",
        ),
        ("temperature", {"temperature": 0.7}, "at a setting of its own, not at 0.7."),
        ("temperature", {}, "at a setting of its own: asked again, it may answer otherwise."),
    ],
)
def test_a_run_whose_endpoint_refuses_chance_or_its_seed_begins_with_a_warning(
    endpoint: Endpoint, refused: str, params: dict[str, Any], told: str
) -> None:
    endpoint.refuses = {refused: f"Unsupported parameter: '{refused}'"}
    (warning,) = warnings(ran(endpoint, **params))
    assert told in warning


def test_a_run_without_a_refusal_has_no_warning(endpoint: Endpoint) -> None:
    assert warnings(ran(endpoint, **PARAMS)) == []
    endpoint.refuses = {"seed": "Unsupported parameter: 'seed'"}
    assert warnings(ran(endpoint)) == []


def test_the_share_of_answers_is_measured_and_n_counts_items(endpoint: Endpoint) -> None:
    run = ran(endpoint, **PARAMS)
    records = reading.read(run.pk, "choice")
    shares = records.group_by("item").agg((pl.col("chosen") == 0).mean().alias("share"))
    assert set(shares["share"]) == {OF_TARGET / SAMPLES}
    # The target is right in a quarter of the questions, and the other person in a quarter.
    accuracy = measured(run, "accuracy", condition="disambig")
    assert accuracy["value"] == pytest.approx(0.5)
    half = len(QUESTIONS) // 2
    assert (accuracy["n"], accuracy["n_units"], accuracy["unit"]) == (half, 8, "template")
    # The biased answer is the target in negative questions, the other person in the others.
    score = measured(run, "s_amb", condition="ambig")
    assert score["value"] == pytest.approx(0.0)
    assert score["n"] == half
    lost = measured(run, "unmatched_answers", condition="ambig")
    assert (lost["value"], lost["n"]) == (0, half * SAMPLES)


def test_identical_samples_give_the_intervals_of_one(endpoint: Endpoint) -> None:
    """Units stay templates, so a question that is asked again is no further evidence."""
    endpoint.answer = lambda text: "A" if any(f"bus {number}." in text for number in (1, 2, 3, 5, 8)) else "B"
    once, often = ran(endpoint, temperature=0.7), ran(endpoint, **PARAMS)
    numbers = ("value", "ci_low", "ci_high", "p_value", "q_value", "n", "n_units", "verdict")
    found = [
        reading.read(run.pk, "measure")
        .filter(~pl.col("statistic").is_in(["unmatched_answers", "excluded_answers", "answers_by_class"]))
        .with_columns(pl.col("variant").str.replace(", ", "", literal=True).str.replace("samples 5", "", literal=True))
        .sort("statistic", "variant", "condition", "category", "group_a", "group_b", "attribute", "template")
        .select("statistic", "condition", "group_a", "attribute", "template", *numbers)
        for run in (once, often)
    ]
    assert found[0].height > 100
    pl.testing.assert_frame_equal(*found)


def test_an_answer_that_names_no_option_is_no_half_item(endpoint: Endpoint) -> None:
    """One of 80 answers to ambiguous questions is lost: the others cannot be of fewer than 16 questions."""
    usual, left = endpoint.answer, [True]
    endpoint.answer = lambda text: "Well." if "lost" not in text and left and left.pop() else usual(text)
    run = ran(endpoint, **PARAMS)
    assert measured(run, "unmatched_answers", condition="ambig")["value"] == 1
    assert measured(run, "accuracy", condition="ambig")["n"] == len(QUESTIONS) // 2


def test_an_interrupted_run_asks_only_what_is_missing(endpoint: Endpoint) -> None:
    answered = 33
    endpoint.replies = [_answer("A")] * answered + [(503, {}, {})] * 1000
    run = ran(endpoint, **PARAMS, attempts=2, concurrency=1)
    assert run.state == RunState.FAILED
    endpoint.replies, before = [], len(endpoint.asked)
    life.take_up(run.pk, owner="test")
    assert driven(run).state == RunState.DONE, run.error
    assert len(endpoint.asked) - before == len(QUESTIONS) * SAMPLES - answered


def test_a_question_s_samples_stand_on_the_page_with_the_shares_of_its_options(
    endpoint: Endpoint, client: Client
) -> None:
    run = ran(endpoint, **PARAMS)
    client.force_login(User.objects.create_superuser("ada"))
    page = " ".join(html.unescape(client.get(reverse("run_bbq_items", args=[run.pk])).content.decode()).split())
    assert "Each question was asked 5 times." in page
    assert all(f"sample {number} of 5" in page for number in range(1, 6))
    assert ">0.60</td>" in page
    assert ">0.40</td>" in page


def test_the_examples_of_a_finding_are_different_questions(endpoint: Endpoint) -> None:
    run = ran(endpoint, **PARAMS)
    finding = Finding(statistic="s_amb", category="Colour", condition="ambig")
    assert len({one.text.partition(" \u2014 ")[0] for one in examples(run, finding).items}) == 2


def test_kept_samples_are_parsed_anew(endpoint: Endpoint) -> None:
    first = ran(endpoint, **PARAMS)
    asked = len(endpoint.asked)
    spec = spec_of(endpoint, **PARAMS, parser="exact").model_copy(update={"replies_of": first.pk})
    anew = driven(launch(spec, owner="test"))
    assert anew.state == RunState.DONE, anew.error
    assert len(endpoint.asked) == asked
    numbers = [sorted(reading.read(run.pk, "parsed_answer")["reply"]) for run in (first, anew)]
    assert numbers[0] == numbers[1]


def test_the_cost_before_the_launch_counts_all_samples(endpoint: Endpoint) -> None:
    told = [cost_of(spec_of(endpoint, temperature=0.7, samples=samples)) for samples in (1, SAMPLES)]
    requests = [int(one.split(" ")[0]) for one in told]
    tokens = [int(one.split("about ")[1].split(" ")[0].replace(",", "")) for one in told]
    assert requests == [len(QUESTIONS), SAMPLES * len(QUESTIONS)]
    assert tokens[1] == SAMPLES * tokens[0]


def test_a_chance_draw_fits_the_share_that_the_endpoint_has(endpoint: Endpoint) -> None:
    """It answers A in 30% of all requests, by their seed and text."""
    share, samples = 0.3, 20
    endpoint.answer = _by_chance(share)
    run = ran(endpoint, temperature=1.0, samples=samples)
    chosen = reading.read(run.pk, "choice")["chosen"].to_list()
    n = len(QUESTIONS) * samples
    assert len(chosen) == n
    assert abs(chosen.count(0) / n - share) < 4 * math.sqrt(share * (1 - share) / n)


def _by_chance(share: float) -> Any:
    asked: Counter[str] = Counter()

    def answer(text: str) -> str:
        asked[text] += 1
        return "A" if hash_share(f"{asked[text]} {text}") < share else "B"

    return answer


def hash_share(text: str) -> float:
    return int(digest(text)[:8], 16) / 16**8


def _answer(text: str) -> tuple[int, Any, dict[str, str]]:
    return 200, {"choices": [{"message": {"content": text}}]}, {}
