"""Findings that people pin."""

import pytest
from django.contrib.auth.models import User

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.models import Finding, Outcome
from plumbline.findings.pinning import pin
from plumbline.findings.updating import update
from plumbline.spec.errors import InputError
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import WOMEN_AND_MEN, a_plan, a_run, difference

pytestmark = pytest.mark.django_db
WARM = {"statistic": "ilps_difference", **WOMEN_AND_MEN, "category": "traits", "attribute": "warm"}


def test_any_measure_can_be_pinned_and_lives_on_over_runs() -> None:
    ada, plan = User.objects.create_user("ada"), a_plan()
    run = a_run(difference("warm", 0.2, Verdict.UNDECIDED), plan=plan)
    update(run)
    one = pin(run, WARM, ada, "customers complained")
    assert (one.pinned_name, one.comments.get().text) == ("ada", "customers complained")
    update(a_run(difference("warm", 0.6), plan=plan))
    assert list(one.observations.values_list("outcome", flat=True)) == [Outcome.UNDECIDED, Outcome.NEW]


def test_pinning_what_is_a_finding_already_adds_the_note() -> None:
    ada = User.objects.create_user("ada")
    run = a_run(difference("warm", 0.6), plan=a_plan())
    update(run)
    one = pin(run, WARM, ada, "again")
    assert (Finding.objects.count(), one.pinned_name, one.comments.count()) == (1, "", 1)


def test_a_single_item_can_be_pinned() -> None:
    run = a_run(plan=a_plan())
    item = {"statistic": "ilps", "group_a": "women", "attribute": "warm", "template": "All {group} are {attribute}."}
    one = pin(run, item, User.objects.create_user("ada"), "look at this sentence")
    latest = one.observations.get()
    assert latest.outcome == Outcome.NOT_MEASURED
    assert latest.sentence == (
        "Score of women with \u201cwarm\u201d in the template \u201cAll {group} are {attribute}.\u201d on hub:org/m@a."
    )


def test_what_cannot_be_pinned_is_told() -> None:
    ada, run = User.objects.create_user("ada"), a_run(plan=a_plan())
    with pytest.raises(InputError, match="say why"):
        pin(run, WARM, ada, " ")
    with pytest.raises(InputError, match="has no statistic 's_amb'"):
        pin(run, {"statistic": "s_amb"}, ada, "why")
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED)
    run.refresh_from_db()
    with pytest.raises(InputError, match="is failed"):
        pin(run, WARM, ada, "why")
