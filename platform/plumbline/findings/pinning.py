"""Findings that a person pins: any measure of a run, or a single item, whatever its verdict."""

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings import judging
from plumbline.findings.identity import LABELS, digest_of, identity_of
from plumbline.findings.models import Finding
from plumbline.findings.updating import observe_everywhere, row_of
from plumbline.spec.errors import InputError
from plumbline.spec.registry import card_of


@transaction.atomic
def pin(run: Run, labels: Mapping[str, str], by: User, note: str) -> Finding:
    """Make a finding of the measure with these labels and say why. Raises InputError.

    A finding that exists already gets the note as a comment.
    """
    if run.state != RunState.DONE:
        raise InputError(f"run {run.pk} is {run.state}; pin something when it is done.")
    if not note.strip():
        raise InputError("say why you pin this: the note becomes the first comment.")
    wanted = _known_labels(run, labels)
    row = row_of(run, wanted, pinned_by=by, pinned_name=by.get_username())
    Finding.objects.bulk_create([row], ignore_conflicts=True)
    finding = Finding.objects.get(identity=digest_of(identity_of(run, wanted)))
    observe_everywhere(run, [finding])
    judging.comment(finding.pk, by, note)
    return finding


def _known_labels(run: Run, labels: Mapping[str, str]) -> dict[str, str]:
    wanted = {name: labels.get(name, "") for name in LABELS}
    card = card_of(run.probe)
    if card is None or card.statistic(wanted["statistic"]) is None:
        raise InputError(f"the method of run {run.pk} has no statistic {wanted['statistic']!r}.")
    return wanted
