"""Answers to questions that need a worker: properties of a model, whether it loads, and the spelling of words."""

import gc
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import structlog
from django.db import Error, transaction

from plumbline.audits import leases, questions
from plumbline.audits.models import (
    ComparisonRequest,
    Leased,
    MapRequest,
    MethodAgreement,
    ModelCheck,
    PaddingComparison,
    Spelling,
    SpellingRequest,
    WordTest,
)
from plumbline.audits.words import parts_of
from plumbline.spec.errors import InputError, ModelError, OutOfMemoryError
from workers.engine.checkpoints.checkpoint import WITHOUT_TOKENIZER
from workers.engine.checkpoints.weights import weights_of
from workers.engine.loading import Checkpoint, locate, resolved_device
from workers.engine.memory import fitting_dtype
from workers.engine.spelling import spell
from workers.execution.agreements import answer_agreement
from workers.execution.comparing_any import compare_any
from workers.execution.heartbeat import Hold
from workers.execution.mapping import lay_out
from workers.execution.padding import compare_texts
from workers.execution.servers import question_server
from workers.execution.word_tests import answer_word_tests
from workers.execution.worker import Worker
from workers.execution.worker_loop import WorkerSpentError, do, wait_out

ROWS_AT_ONCE = 1000

log = structlog.get_logger(__name__)


def answer_next(worker: Worker, takes: Callable[[str], None]) -> bool:
    """Answer the oldest question, and return whether there was one. `takes` is called with its name.

    Raises KeyboardInterrupt and WorkerSpentError; the question is then free again.
    """
    try:
        lease = questions.take_next(worker.name)
    except Error as error:
        wait_out(error, worker)
        return True
    if lease is None:
        return False
    takes(lease.what)
    with structlog.contextvars.bound_contextvars(work=lease.what):
        _answer(worker, lease)
    return True


def _answer(worker: Worker, lease: leases.Lease) -> None:
    answer = _ANSWERS[type(lease.row)]
    try:
        do(worker, lease, partial(answer, worker))
    except leases.LeaseLostError:
        pass
    except WorkerSpentError:
        raise
    except Exception as error:
        expected = isinstance(error, InputError)
        why = str(error) if expected else f"{type(error).__name__}: {error}"
        log.warning("a question cannot be answered", error=why, exc_info=not expected)
        _end(lease, 0.0, error=why)


def _end(lease: leases.Lease, seconds: float, **found: Any) -> None:
    with transaction.atomic():
        questions.answer(lease, seconds, **found)


def _check(worker: Worker, hold: Hold) -> None:
    """Answer a model check with everything that was found and, if the model cannot be used, the error."""
    began = time.monotonic()
    check = hold.lease.row
    found: dict[str, Any] = {}
    assert isinstance(check, ModelCheck)  # noqa: S101 -- for the type checker
    try:
        for part in _found_of(worker, check.model.reference):
            found |= part
            hold.check()
    except OutOfMemoryError:
        # Another worker may have more memory.
        raise
    except InputError as error:
        found["error"] = str(error)
    _end(hold.lease, time.monotonic() - began, **found)


def _found_of(worker: Worker, reference: str) -> Iterator[dict[str, Any]]:
    """Yield facts about a model, the cheapest first. Raises ModelError if it cannot be used."""
    checkpoint = locate(reference)
    yield {
        "kind": checkpoint.kind,
        "revision": checkpoint.revision,
        "digest": checkpoint.digest,
        "remark": checkpoint.note,
    }
    if checkpoint.kind in WITHOUT_TOKENIZER:
        return
    if checkpoint.server is not None:
        question_server(checkpoint, worker.limiter_at)
        yield {"tokenizer_digest": checkpoint.tokenizer_digest, "vocabulary": len(checkpoint.tokenizer)}
        return
    weights = weights_of(checkpoint)
    yield {"parameters": weights.parameters, "dtype": weights.dtype, "size_on_disk": weights.size}
    tokenizer = checkpoint.tokenizer
    yield {
        "tokenizer": type(tokenizer).__name__,
        "tokenizer_digest": checkpoint.tokenizer_digest,
        "vocabulary": len(tokenizer),
    }
    remark = _load(worker, checkpoint, weights.parameters)
    yield {"device": resolved_device("auto"), "remark": "; ".join(filter(None, (checkpoint.note, remark)))}


def _load(worker: Worker, checkpoint: Checkpoint, parameters: int) -> str:
    """Load the model as audits do, or in the dtype that fits. Return a note for the reader. Raises ModelError."""
    as_usual = (checkpoint.digest, checkpoint.tokenizer_digest, "float32")
    if worker.loaded and worker.loaded[0] == as_usual:
        return ""
    worker.loaded = None  # loading another model would free it anyway
    gc.collect()  # reference cycles are freed only by this, and would count as used memory
    dtype, remark = fitting_dtype(checkpoint.reference, parameters)
    worker.model(checkpoint, dtype)
    return remark


def _spell(worker: Worker, hold: Hold) -> None:
    began = time.monotonic()
    asked = hold.lease.row
    assert isinstance(asked, SpellingRequest)  # noqa: S101 -- for the type checker
    words = sorted(parts_of(asked.kind, asked.slug))
    checkpoint = locate(asked.model.reference)
    if checkpoint.kind in WITHOUT_TOKENIZER:
        raise ModelError(
            f"{checkpoint.reference} is of the kind {checkpoint.kind}, which has no tokenizer here: ask with a language"
            " model"
        )
    digest = checkpoint.tokenizer_digest
    rows = [
        Spelling(
            tokenizer_digest=digest,
            word=one.word,
            subwords=len(one.pieces),
            pieces=list(one.pieces),
            subwords_at_start=len(one.pieces_at_start),
            pieces_at_start=list(one.pieces_at_start),
            fault=one.fault,
        )
        for one in spell(checkpoint.tokenizer, words)
    ]
    with transaction.atomic():
        if questions.answer(hold.lease, time.monotonic() - began, tokenizer_digest=digest, words=len(words)):
            Spelling.objects.bulk_create(rows, ROWS_AT_ONCE, ignore_conflicts=True)
            questions.ask_word_tests(asked.kind, asked.slug, by=asked.asked_by)


_ANSWERS: dict[type[Leased], Callable[[Worker, Hold], None]] = {
    ModelCheck: _check,
    SpellingRequest: _spell,
    ComparisonRequest: compare_any,
    MapRequest: lay_out,
    PaddingComparison: compare_texts,
    WordTest: answer_word_tests,
    MethodAgreement: answer_agreement,
}
