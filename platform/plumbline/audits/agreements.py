"""Requests to hold the methods of a model against each other, and the runs on which the answers rest."""

from django.contrib.auth.models import User

from plumbline.audits.clock import now
from plumbline.audits.models import MethodAgreement, Run
from plumbline.audits.questions import ask, run_digests
from plumbline.audits.states import RunState, WorkState
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.spec.registry import card_of


def compared_runs(model: str) -> list[Run]:
    """Return the latest finished run of each method and audit of a model whose scores other methods can share."""
    done = Run.objects.top_level().filter(model=model, state=RunState.DONE).order_by("probe", "name", "-pk")
    latest = done.distinct("probe", "name").defer("traceback", "provenance")
    return sorted((run for run in latest if (card := card_of(run.probe)) and card.basis), key=lambda run: run.pk)


def ask_agreement(model: str, by: User | None = None) -> bool:
    """Request the agreement of a model's methods. Returns False if the same request is open already.

    Raises InputError if fewer than two methods have a finished run.
    """
    new = prepared(model)
    return ask(MethodAgreement, by, {"model": model, "runs": new.runs}, key=new.key)


def prepared(model: str) -> MethodAgreement:
    """Return a request with the latest runs of a model, not stored. Raises InputError as `ask_agreement`."""
    runs = compared_runs(model)
    if len({run.probe for run in runs}) < 2:
        raise InputError(f"{model} has no finished runs of two methods that score groups with words: launch another.")
    stored = run_digests(runs)
    return MethodAgreement(model=model, runs=stored, key=digest(stored))


def store(computed: MethodAgreement) -> None:
    """Store an answer that this process computed."""
    computed.state, computed.done_at = WorkState.DONE, now()
    computed.save()


def known_agreement(model: str) -> MethodAgreement | None:
    """Return the latest answer about a model, or None. It may rest on older runs: see `is_outdated`."""
    return MethodAgreement.objects.filter(model=model, done_at__isnull=False, error="").order_by("-pk").first()


def latest_request(model: str) -> MethodAgreement | None:
    """Return the latest request about a model in any state, or None."""
    return MethodAgreement.objects.filter(model=model).order_by("-pk").first()


def is_outdated(known: MethodAgreement) -> bool:
    """Return whether a newer run finished, or one of the runs was resumed or deleted."""
    return known.key != digest(run_digests(compared_runs(known.model)))
