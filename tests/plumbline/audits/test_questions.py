"""Questions to workers: asked once, answered once, never lost."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Value

from plumbline.audits import leases, questions, worker_messages
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import MOST_ATTEMPTS, ModelCheck, ModelUnderAudit, SpellingRequest
from plumbline.audits.ownership import this_process
from plumbline.audits.states import WorkState
from plumbline.audits.sweep import sweep
from plumbline.spec.errors import InputError
from plumbline.vocab.models import Name, NameList
from tests.plumbline.audits.test_worker_messages import messages, worker

GONE = f"{this_process().split(':')[0]}:999999999:1"


@pytest.fixture
def model(db: None) -> ModelUnderAudit:
    return ModelUnderAudit.objects.create(reference="bundled:masked-demo")


@pytest.fixture
def names(db: None) -> NameList:
    names = NameList.objects.create(slug="firsts", title="Firsts")
    for name in ("Zoë", "Anna"):
        Name.objects.create(word_list=names, name=name, group="women")
    return names


def take(name: str = "anna") -> leases.Lease:
    lease = questions.take_next(name)
    assert lease is not None
    return lease


def test_what_is_asked_already_is_not_asked_again(model: ModelUnderAudit, names: NameList) -> None:
    assert questions.ask_check(model)
    assert not questions.ask_check(model)
    assert questions.ask_spelling(model, "names", "firsts")
    assert not questions.ask_spelling(model, "names", "firsts")
    assert (ModelCheck.objects.count(), SpellingRequest.objects.count()) == (1, 1)


def test_the_database_itself_keeps_one_open_check_of_a_model(model: ModelUnderAudit) -> None:
    questions.ask_check(model)
    with pytest.raises(IntegrityError), transaction.atomic():
        ModelCheck.objects.create(model=model, state=WorkState.READY)


def test_an_answered_question_may_be_asked_again(model: ModelUnderAudit) -> None:
    questions.ask_check(model)
    assert questions.answer(take(), 1.0, kind="masked")
    assert questions.ask_check(model)
    assert [check.verdict for check in ModelCheck.objects.order_by("pk")] == ["loads", "waits for a worker"]


def test_a_list_that_cannot_be_spelled_is_refused_at_once(model: ModelUnderAudit, names: NameList) -> None:
    with pytest.raises(InputError, match=r"no names list 'first'; did you mean firsts\?"):
        questions.ask_spelling(model, "names", "first")
    with pytest.raises(InputError, match="'templates' cannot be spelled word by word"):
        questions.ask_spelling(model, "templates", "firsts")


def test_each_question_is_leased_to_one_worker_the_oldest_first(model: ModelUnderAudit, names: NameList) -> None:
    questions.ask_spelling(model, "names", "firsts")
    questions.ask_check(model)
    assert [take(worker).what for worker in ("anna", "ben")] == [
        "check of bundled:masked-demo",
        "spelling of firsts for bundled:masked-demo",
    ]
    assert questions.take_next("cleo") is None


def test_who_lost_the_lease_answers_nothing(model: ModelUnderAudit) -> None:
    questions.ask_check(model)
    lost = take()
    lost.same().update(lease_until=ClockTimestamp() - Value(timedelta(seconds=1)))
    take("ben")
    with pytest.raises(leases.LeaseLostError, match="check of bundled:masked-demo was taken over"):
        questions.answer(lost, 1.0, kind="causal")
    assert ModelCheck.objects.get().kind == ""


def test_an_idle_worker_is_woken_by_a_question_alone(model: ModelUnderAudit) -> None:
    messages("gpu"), messages("cpu")
    worker(1, ("gpu",))
    worker(2, ("cpu",))
    assert worker_messages.wake() == 0
    questions.ask_check(model)
    assert (worker_messages.wake(), messages("gpu"), messages("cpu")) == (1, 1, 0)


def test_the_sweep_wakes_a_worker_for_a_question_whose_message_was_lost(model: ModelUnderAudit) -> None:
    questions.ask_check(model)
    worker(1, ("gpu",))
    messages("gpu")
    sweep()
    assert messages("gpu") == 1


def test_the_sweep_frees_what_a_dead_process_of_this_host_held(model: ModelUnderAudit) -> None:
    questions.ask_check(model)
    take(GONE)
    assert questions.take_next("ben") is None
    sweep()
    assert take("ben").what == "check of bundled:masked-demo"


def test_a_question_that_kills_its_workers_ends_and_says_what_to_do(model: ModelUnderAudit) -> None:
    questions.ask_check(model)
    for _ in range(MOST_ATTEMPTS):
        take(GONE)
        sweep()
    check = ModelCheck.objects.get()
    assert check.verdict == "does not load"
    assert "began it 3 times and never ended" in check.error
    assert "ask again" in check.error
    assert questions.ask_check(model)
