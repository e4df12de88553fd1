"""The life of questions to workers: asked, leased like all work, answered once. No message is needed for any of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from django.contrib.auth.models import User

from plumbline.audits import hints, leases, request_kinds
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
"""That a run keeps; the oldest go first, and can be asked for again."""
MOST_OPEN_MAPS = 5
"""Of one person and run, so that a held key cannot fill the workers' day."""

log = structlog.get_logger(__name__)


def ask_check(model: ModelUnderAudit, by: User | None = None) -> bool:
    """Ask what the model is and whether it loads; False when that is asked already and not yet answered."""
    return _ask(ModelCheck, by, model=model)


def ask_spelling(model: ModelUnderAudit, kind: str, slug: str, by: User | None = None) -> bool:
    """Ask how the model's tokenizer spells the words of a list; False when that is asked already.

    Raises InputError for a list that is not there or empty, or of a kind without words of its own.
    """
    parts_of(kind, slug)
    return _ask(SpellingRequest, by, model=model, kind=kind, slug=slug)


def ask_comparison(first: Run, second: Run, by: User | None = None) -> bool:
    """Ask for the second run minus the first; False when that is asked already and not yet answered."""
    return _ask(ComparisonRequest, by, first=first, second=second)


def ask_padding(runs: Sequence[Run], by: User | None = None) -> bool:
    """Ask whether the padding texts of these runs change the scores; False when that is asked already."""
    stored = run_digests(runs)
    return _ask(PaddingComparison, by, {"run": runs[0], "runs": stored}, key=digest(stored))


def known_padding(runs: Sequence[Run]) -> PaddingComparison | None:
    """The kept answer to ask_padding, or the question that is open or failed; None when nobody asked."""
    asked = PaddingComparison.objects.filter(key=digest(run_digests(runs)))
    return asked.order_by("error", "-pk").first()


def ask_word_tests(kind: str, slug: str, by: User | None = None) -> bool:
    """Ask whether the words of a list differ by group as they read now; False when that is asked already."""
    return _ask(WordTest, by, {"kind": kind, "slug": slug}, key=word_material(kind, slug).key)


def known_word_tests(material: WordMaterial) -> WordTest | None:
    """The kept answer to ask_word_tests, or the question that is open or failed; None when nobody asked."""
    return WordTest.objects.filter(key=material.key).order_by("error", "-pk").first()


def run_digests(runs: Sequence[Run]) -> list[list[int | str]]:
    """Each run with a digest of what it asked and of its end: a run that was resumed has other scores."""
    return [[run.pk, digest([run.spec, str(run.finished_at)])] for run in runs]


def known_map(run: Run, **asked: Any) -> MapRequest | None:
    """The kept answer to ask_map, or the question that is open or failed; None when nobody asked."""
    return MapRequest.objects.filter(**_of_map(run, **asked)).order_by("error", "-pk").first()


def ask_map(run: Run, *, by: User | None = None, **asked: Any) -> MapRequest:
    """The map that was asked for: the kept answer, or a question that is open now.

    `asked` has all of MapRequest.ASKED but the run. A run keeps its latest MOST_MAPS answers. InputError when this
    person's questions about maps of the run that wait are MOST_OPEN_MAPS already.
    """
    known = known_map(run, **asked)
    if known is None or known.error:
        waiting = MapRequest.objects.filter(run=run, asked_by=by).exclude(state=WorkState.DONE)
        if waiting.count() >= MOST_OPEN_MAPS:
            raise InputError(f"{MOST_OPEN_MAPS} maps that you asked for wait already: let these come first.")
        _ask(MapRequest, by, **_of_map(run, **asked))
        old = MapRequest.objects.filter(run=run, state=WorkState.DONE).order_by("-pk").values("pk")[MOST_MAPS:]
        MapRequest.objects.filter(pk__in=old).delete()
    found = known_map(run, **asked)
    assert found is not None  # noqa: S101 -- it was written just now
    return found


def _of_map(run: Run, **asked: Any) -> dict[str, Any]:
    """Principal components need neither parameter nor seed."""
    free = {"parameter": 0, "seed": 0} if asked["method"] == MapMethod.PCA else {}
    return {"run": run, **asked, **free}


def _ask(question: type[Question], by: User | None, also: Mapping[str, Any] | None = None, **about: Any) -> bool:
    """The database keeps one open question about the same; two who ask at once ask one. `also`: what else it holds."""
    ready = {**about, "state": WorkState.READY}
    is_new: bool = question._default_manager.get_or_create(**ready, defaults={"asked_by": by, **(also or {})})[1]
    hints.wake_later()
    return is_new


def take_next(worker: str) -> leases.Lease | None:
    """Lease the oldest open question, checks first; None when there is none."""
    return next(filter(None, (leases.take_first(rows, worker) for rows in request_kinds.of_each_kind())), None)


def answer(lease: leases.Lease, seconds: float, **found: Any) -> bool:
    """In a transaction: end the question with what was found. False when this very lease has done so already.

    LeaseLostError when it is somebody else's by now.
    """
    return leases.finish(lease, seconds) and bool(lease.same().update(**found))


def look_after() -> None:
    """Free what the dead held; end what was begun too often. Safe to repeat, by anyone at any time."""
    for rows in request_kinds.of_each_kind():
        leases.free_of_the_gone(rows)
        ended = rows.filter(leases.spent()).update(state=WorkState.DONE, done_at=ClockTimestamp(), error=WORN_OUT)
        if ended:
            log.error("questions that kill their workers were ended", questions=ended)
