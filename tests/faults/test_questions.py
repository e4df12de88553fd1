"""Questions to real workers, over a real broker: answered, found again when the message is lost, and ended."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from plumbline.audits import questions
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Spelling, SpellingRequest, WorkerProcess
from plumbline.audits.states import WorkState
from plumbline.vocab.models import Name, NameList
from tests.faults.site import Site

pytestmark = pytest.mark.slow


@pytest.fixture
def audited(site: Site, slow_model: Path) -> Iterator[ModelUnderAudit]:
    model, _made = ModelUnderAudit.objects.get_or_create(reference=f"path:{slow_model}")
    yield model
    for gone in (ModelUnderAudit, Spelling, NameList):
        gone._default_manager.all().delete()


def is_checked() -> bool:
    return ModelCheck.objects.filter(state=WorkState.DONE).exists()


def test_an_idle_worker_is_reported_and_answers(site: Site, audited: ModelUnderAudit) -> None:
    """Nobody keeps time: the message alone does it. The words are spelled in the same way."""
    site.worker()
    assert questions.ask_check(audited)
    site.wait(is_checked)
    check = ModelCheck.objects.get()
    assert (check.verdict, check.kind, check.attempts) == ("loads", "masked", 1), check.error
    assert check.leased_by == WorkerProcess.objects.get().name
    names = NameList.objects.create(slug="firsts", title="Firsts")
    Name.objects.create(word_list=names, name="Anna")
    questions.ask_spelling(audited, "names", "firsts")
    site.wait(lambda: SpellingRequest.objects.filter(state=WorkState.DONE).exists())
    assert Spelling.objects.get().tokenizer_digest == check.tokenizer_digest


def test_a_question_whose_message_was_lost_is_found_by_the_sweep(site: Site, audited: ModelUnderAudit) -> None:
    site.scheduler()
    site.worker()
    ModelCheck.objects.create(model=audited, state=WorkState.READY)
    site.wait(is_checked)
    assert ModelCheck.objects.get().verdict == "loads"


def test_a_question_asked_during_a_run_disturbs_it_not(site: Site, audited: ModelUnderAudit, undisturbed: str) -> None:
    site.scheduler()
    site.worker()
    run = site.launch()
    site.wait_for_a_shard_in_work(run)
    questions.ask_check(audited)
    assert site.wait_for_end(run).state == "done", run.error
    site.wait(is_checked)
    assert (site.digest(run), ModelCheck.objects.get().verdict) == (undisturbed, "loads")


def test_a_check_that_kills_each_worker_ends_and_says_so(site: Site, audited: ModelUnderAudit) -> None:
    site.scheduler()
    worker = site.worker()
    questions.ask_check(audited)
    while not is_checked():
        site.wait(lambda: is_checked() or ModelCheck.objects.filter(token__isnull=False).exists())
        for child in psutil.Process(worker.popen.pid).children():
            with suppress(psutil.NoSuchProcess):  # one that has ended by itself
                child.kill()
    check = ModelCheck.objects.get()
    assert (check.verdict, check.attempts) == ("does not load", 3)
    assert "began it 3 times and never ended" in check.error
