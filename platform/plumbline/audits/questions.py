"""The life cycle of questions to workers: created, leased like other work, answered once. It needs no message."""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from django.contrib.auth.models import User

from plumbline.audits import leases, request_kinds, worker_messages
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import (
    MOST_ATTEMPTS,
    ComparisonRequest,
    MapMethod,
    MapRequest,
    ModelCheck,
    ModelUnderAudit,
    PaddingComparison,
    Question,
    Run,
    SpellingRequest,
    WordTest,
)
from plumbline.audits.states import WorkState
from plumbline.audits.word_materials import WordMaterial, word_material
from plumbline.audits.words import parts_of
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError

WORN_OUT = (
    f"a worker began it {MOST_ATTEMPTS} times and never ended: it was killed, most likely for its memory;"
    " see the workers' logs, then ask again"
)

MOST_MAPS = 100
"""The number of maps that a run keeps. The oldest are deleted and can be requested again."""
MOST_OPEN_MAPS = 5
"""The number of open maps per person and run, so that a held key cannot occupy the workers."""

log = structlog.get_logger(__name__)


def ask_check(model: ModelUnderAudit, by: User | None = None) -> bool:
    """Request a check of the model. Returns False if one is open already."""
    return ask(ModelCheck, by, model=model)


def ask_spelling(model: ModelUnderAudit, kind: str, slug: str, by: User | None = None) -> bool:
    """Request the subwords of the words of a list. Returns False if such a request is open already.

    Raises InputError for a missing or empty list, or a kind of list without words.
    """
    parts_of(kind, slug)
    return ask(SpellingRequest, by, model=model, kind=kind, slug=slug)


def ask_comparison(first: Run, second: Run, by: User | None = None) -> bool:
    """Request the comparison second run minus first. Returns False if one is open already."""
    return ask(ComparisonRequest, by, first=first, second=second)


def ask_padding(runs: Sequence[Run], by: User | None = None) -> bool:
    """Request a test of whether the padding texts of these runs change scores. Returns False if one is open already."""
    stored = run_digests(runs)
    return ask(PaddingComparison, by, {"run": runs[0], "runs": stored}, key=digest(stored))


def known_padding(runs: Sequence[Run]) -> PaddingComparison | None:
    """Return the answer to ask_padding, or the open or failed request, or None."""
    asked = PaddingComparison.objects.filter(key=digest(run_digests(runs)))
    return asked.order_by("error", "-pk").first()


def ask_word_tests(kind: str, slug: str, by: User | None = None) -> bool:
    """Request tests of whether the current words of a list differ by group. Returns False if one is open already."""
    return ask(WordTest, by, {"kind": kind, "slug": slug}, key=word_material(kind, slug).key)


def known_word_tests(material: WordMaterial) -> WordTest | None:
    """Return the answer to ask_word_tests, or the open or failed request, or None."""
    return WordTest.objects.filter(key=material.key).order_by("error", "-pk").first()


def run_digests(runs: Sequence[Run]) -> list[list[int | str]]:
    """Return each run with a digest of its spec and its end. A resumed run has another end and other scores."""
    return [[run.pk, digest([run.spec, str(run.finished_at)])] for run in runs]


def known_map(run: Run, **asked: Any) -> MapRequest | None:
    """Return the answer to ask_map, or the open or failed request, or None."""
    return MapRequest.objects.filter(**_of_map(run, **asked)).order_by("error", "-pk").first()


def ask_map(run: Run, *, by: User | None = None, **asked: Any) -> MapRequest:
    """Return the stored map, or a new or open request for it.

    `asked` has all of MapRequest.ASKED but the run. A run keeps its latest MOST_MAPS maps. Raises InputError if this
    person has MOST_OPEN_MAPS open requests for the run.
    """
    known = known_map(run, **asked)
    if known is None or known.error:
        waiting = MapRequest.objects.filter(run=run, asked_by=by).exclude(state=WorkState.DONE)
        if waiting.count() >= MOST_OPEN_MAPS:
            raise InputError(f"{MOST_OPEN_MAPS} of your maps are still open: wait until one is done.")
        ask(MapRequest, by, **_of_map(run, **asked))
        old = MapRequest.objects.filter(run=run, state=WorkState.DONE).order_by("-pk").values("pk")[MOST_MAPS:]
        MapRequest.objects.filter(pk__in=old).delete()
    found = known_map(run, **asked)
    assert found is not None  # noqa: S101 -- it was written just now
    return found


def _of_map(run: Run, **asked: Any) -> dict[str, Any]:
    """Return the fields of a map request. Principal components have neither parameter nor seed."""
    free = {"parameter": 0, "seed": 0} if asked["method"] == MapMethod.PCA else {}
    return {"run": run, **asked, **free}


def ask(question: type[Question], by: User | None, also: Mapping[str, Any] | None = None, **about: Any) -> bool:
    """Create a question unless the same one is open. Returns whether it is new. `also` holds its other fields.

    The database allows one open question with the same fields, also for simultaneous requests.
    """
    ready = {**about, "state": WorkState.READY}
    is_new: bool = question._default_manager.get_or_create(**ready, defaults={"asked_by": by, **(also or {})})[1]
    worker_messages.wake_later()
    return is_new


def take_next(worker: str) -> leases.Lease | None:
    """Lease the oldest open question, checks first, or return None."""
    return next(filter(None, (leases.take_first(rows, worker) for rows in request_kinds.of_open_kinds())), None)


def answer(lease: leases.Lease, seconds: float, **found: Any) -> bool:
    """Store the answer, in a transaction. Returns False if this lease has already done so.

    Raises LeaseLostError if another worker has the question.
    """
    return leases.finish(lease, seconds) and bool(lease.same().update(**found))


def look_after() -> None:
    """Release the questions of dead processes and end those without attempts left. Anyone may repeat it at any time."""
    for rows in request_kinds.of_open_kinds():
        leases.release_dead(rows)
        ended = rows.filter(leases.spent()).update(state=WorkState.DONE, done_at=ClockTimestamp(), error=WORN_OUT)
        if ended:
            log.error("questions that kill their workers were ended", questions=ended)
