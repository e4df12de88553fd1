"""Runs whose requests go to the endpoint in batches: submitted, polled, resumed, cancelled, and paid for once."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plumbline.audits import leases, life, spending
from plumbline.audits.batches import waits_for_batches
from plumbline.audits.launching import launch
from plumbline.audits.models import Phase, RequestBatch, Run, RunSpending, Shard
from plumbline.audits.states import RunState, WorkState
from plumbline.results import reading
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.batch_endpoint import BatchEndpoint, serving_batches
from tests.workers.execution.conftest import Silent
from workers.engine.endpoints import batch_lines, retries
from workers.engine.endpoints.batch_client import BatchClient
from workers.execution import Worker, batch_rounds, batches, drive, worker_loop
from workers.execution.batch_results import Results

pytestmark = pytest.mark.django_db

READ, WRITTEN = 100, 2
COST = Decimal(READ + 10 * WRITTEN) / 1_000_000
PRICES = {"price_in": 1.0, "price_out": 10.0}
QUESTIONS = [
    {**one, "context": one["context"].replace("the bus", f"bus {template}")}
    for template in "12345678"
    for one in set_of_four(template)
]
RECORDS = ("item", "condition", "polarity", "chosen", "reason")


def said(text: str) -> dict[str, Any]:
    """An answer with a separator of lines within, which is no end of a line of results."""
    letter = "A" if "bus 3" in text else "B"
    return {
        "choices": [{"message": {"role": "assistant", "content": f"{letter}\n\nIt is\u2028so."}}],
        "usage": {"prompt_tokens": READ, "completion_tokens": WRITTEN},
    }


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BatchEndpoint]:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(retries, "LONGEST_PAUSE", 0.02)
    monkeypatch.setattr(batch_rounds, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(batches, "TICK_SECONDS", 0.01)
    with serving_batches(said) as server:
        yield server


def launched(endpoint: BatchEndpoint, **params: Any) -> Run:
    data = {"name": "bbq", "probe": "bbq", "bank": {"inline": QUESTIONS}, "model": endpoint.reference}
    return launch(parse(data | {"params": {"batch": True, **params}}), owner="test")


def driven(run: Run) -> Run:
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    return run


def ran(endpoint: BatchEndpoint, **params: Any) -> Run:
    return driven(launched(endpoint, **params))


def driven_until_killed(run: Run, place: object, name: str, instead: Any) -> None:
    """Drive a run whose worker calls `instead`, which kills it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(place, name, instead)
        with pytest.raises(KilledError):
            driven(run)


def resumed(run: Run) -> Run:
    life.cancel(run.pk)  # if it was killed, nobody has ended it
    life.take_up(run.pk, owner="test")
    return driven(run)


def asked(endpoint: BatchEndpoint) -> Counter[str]:
    """How often each question was answered."""
    return Counter(body["messages"][-1]["content"] for body in endpoint.asked)


def asked_once(endpoint: BatchEndpoint) -> bool:
    return set(asked(endpoint).values()) == {1} and len(asked(endpoint)) == len(QUESTIONS)


def records(run: Run) -> list[Any]:
    return reading.read(run.pk, "choice").select(RECORDS).sort("item").rows()


def spent(run: Run) -> list[Decimal]:
    return list(RunSpending.objects.values_list("spent", "reserved").get(run=run))


class KilledError(BaseException):
    """The end of a worker that tidies nothing up."""


def killed(*_: Any, **__: Any) -> None:
    raise KilledError


def test_one_batch_answers_all_shards_as_single_requests_do(endpoint: BatchEndpoint) -> None:
    endpoint.statuses = ["validating", "in_progress", "finalizing"]
    run = ran(endpoint, **PRICES)
    assert run.state == RunState.DONE, run.traceback or run.error
    assert len(endpoint.batches) == 1
    assert asked_once(endpoint)
    single = ran(endpoint, batch=False)
    assert records(run) == records(single)
    assert {chosen for *_, chosen, _ in records(run)} != {None}
    keys = [list(Shard.objects.filter(run=one).values_list("planned_rows", flat=True)) for one in (run, single)]
    assert keys[0] == keys[1]
    assert len(keys[0]) > 1
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_samples_of_a_question_are_requests_of_their_own_in_the_batch(endpoint: BatchEndpoint) -> None:
    run = ran(endpoint, samples=3, temperature=0.7)
    assert (run.state, len(endpoint.batches)) == (RunState.DONE, 1)
    assert set(asked(endpoint).values()) == {3}
    assert len(reading.read(run.pk, "choice")) == 3 * len(QUESTIONS)


def test_more_requests_than_a_batch_may_have_are_in_flight_together(
    endpoint: BatchEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch_lines, "MOST_REQUESTS", 10)
    endpoint.statuses = ["in_progress"]
    assert ran(endpoint).state == RunState.DONE
    assert [len(names) for names in endpoint.requests()] == [10, 10, 10, 2]
    assert endpoint.looks[:4] == list(endpoint.batches)
    assert asked_once(endpoint)


def test_a_worker_killed_while_it_polls_is_followed_by_one_that_polls_the_same_batch(endpoint: BatchEndpoint) -> None:
    endpoint.statuses = ["in_progress"] * 3
    run = launched(endpoint, **PRICES)
    driven_until_killed(run, batch_rounds.Rounds, "_poll", killed)
    assert RequestBatch.objects.get().endpoint_id == "batch-0"
    assert resumed(run).state == RunState.DONE, run.error
    assert len(endpoint.batches) == 1
    assert asked_once(endpoint)
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_a_batch_whose_id_was_not_stored_is_found_by_its_key(endpoint: BatchEndpoint) -> None:
    run = launched(endpoint, **PRICES)
    driven_until_killed(run, batch_rounds, "_store", killed)
    assert RequestBatch.objects.get().endpoint_id == ""
    assert resumed(run).state == RunState.DONE, run.error
    assert len(endpoint.batches) == 1
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_what_never_reached_the_endpoint_is_submitted_and_set_aside_once(endpoint: BatchEndpoint) -> None:
    run = launched(endpoint, **PRICES)
    driven_until_killed(run, BatchClient, "submit", killed)
    assert resumed(run).state == RunState.DONE, run.error
    assert len(endpoint.batches) == 1
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_a_lost_answer_to_a_submission_makes_no_second_batch(endpoint: BatchEndpoint) -> None:
    endpoint.lost = 1
    assert ran(endpoint).state == RunState.DONE
    assert len(endpoint.batches) == 1


def test_a_worker_killed_amid_the_results_reads_them_again_and_pays_once(endpoint: BatchEndpoint) -> None:
    run, left = launched(endpoint, **PRICES), [10]
    kept = Results._keep

    def some(self: Any, *given: Any) -> None:
        if not left[0]:
            raise KilledError
        left[0] -= 1
        kept(self, *given)

    driven_until_killed(run, Results, "_keep", some)
    assert RunSpending.objects.get(run=run).spent == 10 * COST
    assert resumed(run).state == RunState.DONE, run.error
    assert len(endpoint.batches) == 1
    assert spent(run) == [COST * len(QUESTIONS), 0]


@pytest.mark.parametrize("status", [429, 500])
def test_requests_that_failed_are_asked_again_in_the_next_batch(endpoint: BatchEndpoint, status: int) -> None:
    endpoint.status_of = lambda body: (
        status if "bus 5" in str(body) and len(endpoint.batches) == 1 else 200  # in the first batch only
    )
    run = ran(endpoint, **PRICES)
    assert run.state == RunState.DONE, run.error
    assert [len(names) for names in endpoint.requests()] == [len(QUESTIONS), 4]
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_requests_that_keep_failing_end_the_run_after_so_many_batches(endpoint: BatchEndpoint) -> None:
    endpoint.status_of = lambda body: 500 if "bus 5" in str(body) else 200
    run = ran(endpoint, attempts=2)
    assert run.state == RunState.FAILED
    assert "4 requests got no answer in 2 batches (500: says 500): check the endpoint" in run.error
    assert len(endpoint.batches) == 2
    endpoint.status_of = lambda _: 200
    assert resumed(run).state == RunState.DONE
    assert len(endpoint.requests()[-1]) == 4


def test_an_expired_batch_keeps_its_answers_and_the_rest_is_asked_again(endpoint: BatchEndpoint) -> None:
    endpoint.statuses = ["expired"]
    run = ran(endpoint, **PRICES)
    assert run.state == RunState.DONE, run.error
    assert [len(names) for names in endpoint.requests()] == [len(QUESTIONS), len(QUESTIONS) // 2]
    assert asked_once(endpoint)
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_a_refused_parameter_is_left_out_in_the_next_batch(endpoint: BatchEndpoint) -> None:
    endpoint.refuses = {"temperature": "Unsupported value: 'temperature'"}
    run = ran(endpoint, attempts=1)
    assert run.state == RunState.DONE, run.error
    assert len(endpoint.batches) == 2
    last = endpoint.lines_of(endpoint.batches["batch-1"])
    assert all("temperature" not in one["body"] and "seed" in one["body"] for one in last)


def test_a_refused_request_ends_the_run_in_one_line_and_the_answers_stay(endpoint: BatchEndpoint) -> None:
    endpoint.status_of = lambda body: 400 if "bus 5" in str(body) else 200
    run = ran(endpoint, **PRICES)
    assert run.state == RunState.FAILED
    assert "refuses a request of a batch: 400: says 400" in run.error
    assert spent(run) == [COST * (len(QUESTIONS) - 4), 0]


def test_a_batch_that_fails_as_a_whole_tells_the_endpoints_reason(endpoint: BatchEndpoint) -> None:
    endpoint.statuses = ["validating", "failed"]
    run = ran(endpoint, **PRICES)
    assert run.state == RunState.FAILED
    assert "batch batch-0 of 32 requests failed as a whole: the file is too long; mend that" in run.error
    assert spent(run) == [0, 0]
    assert resumed(run).state == RunState.DONE


def test_an_endpoint_without_batches_is_named_with_the_remedy(endpoint: BatchEndpoint) -> None:
    endpoint.absent = True
    run = ran(endpoint, **PRICES)
    assert run.state == RunState.FAILED
    assert "answers 404 to /v1/files, so it takes no batches: leave out params.batch" in run.error
    assert spent(run) == [0, 0]


def test_a_cancelled_run_cancels_its_batch_and_a_resumed_one_reads_what_it_answered(endpoint: BatchEndpoint) -> None:
    run = launched(endpoint, **PRICES)
    endpoint.statuses = ["in_progress"] * 1000
    usual = batch_rounds.Rounds._poll

    def cancelling(self: Any, *given: Any) -> bool:
        life.cancel(run.pk)
        return usual(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_rounds.Rounds, "_poll", cancelling)
        driven(run)
    assert run.state == RunState.CANCELLED
    assert endpoint.cancelled == ["batch-0"]
    assert resumed(run).state == RunState.DONE, run.error
    assert [len(names) for names in endpoint.requests()] == [len(QUESTIONS), len(QUESTIONS) // 2]
    assert asked_once(endpoint)
    assert spent(run) == [COST * len(QUESTIONS), 0]


def test_a_batch_that_somebody_cancels_at_the_endpoint_is_not_submitted_again(endpoint: BatchEndpoint) -> None:
    endpoint.statuses = ["cancelled"]
    run = ran(endpoint)
    assert run.state == RunState.FAILED
    assert "was cancelled at the endpoint: resume the run to ask what is missing" in run.error
    assert len(endpoint.batches) == 1
    assert resumed(run).state == RunState.DONE
    assert asked_once(endpoint)


def test_a_batch_that_the_endpoint_forgot_is_asked_again_only_when_the_run_is_resumed(endpoint: BatchEndpoint) -> None:
    endpoint.statuses = ["in_progress"] * 5
    endpoint.on_look = endpoint.batches.clear
    run = ran(endpoint)
    assert run.state == RunState.FAILED
    assert "is not at the endpoint any more: resume the run" in run.error


def test_results_that_are_gone_are_asked_for_again_only_when_the_run_is_resumed(endpoint: BatchEndpoint) -> None:
    endpoint.gone = 404
    run = ran(endpoint)
    assert run.state == RunState.FAILED
    assert "is not at the endpoint any more: resume the run" in run.error
    assert len(endpoint.batches) == 1
    endpoint.gone = 0
    assert resumed(run).state == RunState.DONE, run.error
    assert len(endpoint.batches) == 2


def test_results_that_may_not_be_read_now_stay_for_the_resumed_run(endpoint: BatchEndpoint) -> None:
    endpoint.gone = 401
    run = ran(endpoint)
    assert run.state == RunState.FAILED
    assert "refuses a batch with 401: check the key" in run.error
    endpoint.gone = 0
    assert resumed(run).state == RunState.DONE, run.error
    assert len(endpoint.batches) == 1


def test_counts_in_another_form_end_the_run_in_one_line(endpoint: BatchEndpoint) -> None:
    endpoint.statuses = ["in_progress"] * 3
    endpoint.on_look = lambda: [one.update(errors="none") for one in endpoint.batches.values()]
    run = ran(endpoint)
    assert run.state == RunState.FAILED
    assert "tells of a batch in another form than OpenAI's" in run.error


def test_what_exceeds_the_budget_is_not_submitted(endpoint: BatchEndpoint) -> None:
    run = ran(endpoint, **PRICES, budget=float(COST) * 20)
    assert run.state == RunState.FAILED
    assert run.error.startswith("the budget of 0.0024 for this run is spent:"), run.error
    assert 0 < len(endpoint.asked) < 20
    assert spent(run) == [COST * len(endpoint.asked), 0]
    spending.allow(run, Decimal(1))
    assert resumed(run).state == RunState.DONE
    assert asked_once(endpoint)


def test_hostile_results_lose_and_invent_nothing(endpoint: BatchEndpoint) -> None:
    """The first results have a line cut short, one missing, one about an unknown request, one of a list, one twice."""

    def hostile(lines: list[bytes]) -> list[bytes]:
        if len(endpoint.batches) > 1:
            return lines
        foreign = lines[0].replace(b'"custom_id": "', b'"custom_id": "x')
        return [lines[2], foreign, b"[1, 2]", b"", lines[0][:40], *lines[2:], b'{"custom_id": []}']

    endpoint.change = hostile
    run = ran(endpoint, **PRICES)
    assert run.state == RunState.DONE, run.error
    assert [len(names) for names in endpoint.requests()] == [len(QUESTIONS), 2]
    assert records(run) == records(ran(endpoint, batch=False))
    own = RunSpending.objects.get(run=run)
    assert own.spent == COST * len(QUESTIONS)
    assert own.reserved > 0, "two requests without a line may have been billed"


def test_an_answer_that_is_no_completion_is_asked_again(endpoint: BatchEndpoint) -> None:
    usual = endpoint.answer
    endpoint.answer = lambda text: {} if len(endpoint.batches) == 1 and "bus 5" in text else usual(text)
    assert ran(endpoint).state == RunState.DONE
    assert [len(names) for names in endpoint.requests()] == [len(QUESTIONS), 4]


def test_a_waiting_run_says_for_what(endpoint: BatchEndpoint) -> None:
    told: list[str] = []
    run = launched(endpoint)
    endpoint.statuses = ["in_progress"] * 2
    usual = batch_rounds.Rounds._poll

    def telling(self: Any, *given: Any) -> bool:
        told.append(waits_for_batches(run))
        return usual(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_rounds.Rounds, "_poll", telling)
        driven(run)
    host = endpoint.reference.removeprefix("openai:http://").partition("/")[0]
    assert told[1].startswith(f"for a batch of 32 requests at {host}, submitted 20")
    assert told[0].endswith(": 0 of 32 done")
    assert told[1].endswith(": 16 of 32 done")
    assert waits_for_batches(run) == ""


def test_only_the_first_shard_asks_and_the_others_are_kept_from_workers(endpoint: BatchEndpoint) -> None:
    run, free = launched(endpoint), list[int]()
    waiting = Shard.objects.filter(run=run, state=WorkState.READY)
    usual = batch_rounds.Rounds._poll

    def counting(self: Any, *given: Any) -> bool:
        free.append(waiting.filter(leases.free()).count())
        return usual(self, *given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_rounds.Rounds, "_poll", counting)
        assert driven(run).state == RunState.DONE
    assert free == [0]


def test_a_worker_with_another_shard_gives_it_back_and_submits_nothing(endpoint: BatchEndpoint) -> None:
    data = {"name": "bbq", "probe": "bbq", "bank": {"inline": QUESTIONS}, "model": endpoint.reference}
    run = launch(parse(data | {"params": {"batch": True}}))
    second = Worker("second", Silent(), owner="")
    assert worker_loop._pursue(run.pk, second)  # the planning
    life.advance(run.pk)
    phase = Phase.objects.get(run=run, name="asking")
    assert leases.take_next_shard(phase, "first")
    assert not worker_loop._pursue(run.pk, second)
    assert not endpoint.batches
    assert list(Shard.objects.filter(run=run).order_by("number").values_list("leased_by", "attempts"))[:2] == [
        ("first", 1),
        ("", 0),
    ]


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"model": "bundled:mcq-demo"}, "params.batch is for audits that ask a chat endpoint"),
        ({"replies_of": 1}, "params.batch is for audits that ask a chat endpoint"),
        ({"params": {"batch": True, "concurrency": 8}}, "concurrency is nothing to batches"),
    ],
)
def test_a_batch_that_would_be_ignored_is_refused(changes: dict[str, Any], fault: str) -> None:
    data = {"name": "bbq", "probe": "bbq", "bank": {"inline": QUESTIONS}, "model": "openai:http://host/v1#m"}
    with pytest.raises(InputError, match=fault):
        parse(data | {"params": {"batch": True}} | changes)
