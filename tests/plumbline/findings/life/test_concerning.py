"""Which findings a run is about: those that it or an earlier run shows, and pinned ones."""

from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User

from plumbline.audits.models import Run
from plumbline.findings.concerning import concerning, observed_in, shown_in
from plumbline.findings.pinning import pin
from plumbline.findings.updating import update
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import WOMEN_AND_MEN, a_plan, a_run, difference

pytestmark = pytest.mark.django_db


def found_in(run: Run) -> Sequence[list[str]]:
    """The words of the findings that a run observed, shows, and is about."""
    observed, shown = (rows(run.pk).values_list("finding__attribute", flat=True) for rows in (observed_in, shown_in))
    return [sorted(one) for one in (observed, shown, concerning(run).values_list("attribute", flat=True))]


@pytest.fixture
def runs() -> list[Run]:
    """Of these words the second run alone shows "cold", which the first asked, and "tall", which it did not ask."""
    first = a_run(difference("warm", 0.6), difference("cold", 0.1, Verdict.UNDECIDED), plan=a_plan())
    second = a_run(difference("cold", 0.7), difference("tall", 0.8), plan=a_plan())
    for run in (first, second):
        update(run)
    return [first, second]


def test_a_run_knows_nothing_of_what_only_a_later_run_shows(runs: list[Run]) -> None:
    first, second = runs
    assert found_in(first) == [["warm"]] * 3
    assert found_in(second) == [["cold", "tall", "warm"], ["cold", "tall"], ["cold", "tall"]]


def test_what_a_later_run_found_and_an_earlier_one_shows_too_belongs_to_both(runs: list[Run]) -> None:
    earlier = a_run(difference("tall", 0.9), plan=a_plan("other"))
    later = a_run(difference("tall", 0.9), plan=a_plan("other"))
    for run in (later, earlier):
        update(run)
    assert found_in(earlier) == found_in(later) == [["tall"]] * 3


def test_a_pinned_figure_belongs_to_a_run_that_does_not_show_it(runs: list[Run]) -> None:
    first = a_run(difference("cold", 0.1, Verdict.UNDECIDED), plan=a_plan("other"))
    update(first)
    labels = {"statistic": "ilps_difference", **WOMEN_AND_MEN, "category": "traits", "attribute": "cold"}
    pin(first, labels, User.objects.create_user("ada"), "to discuss")
    update(a_run(difference("cold", 0.7), plan=a_plan("other")))
    assert found_in(first) == [["cold"]] * 3
