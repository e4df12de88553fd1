"""The finished runs of an earlier release get their findings, as the sweep writes them after the upgrade.

Measures of the first releases have no verdict: their runs have none, and the page says how to get some.
"""

import pytest
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings import pending
from plumbline.findings.models import Finding, Update
from plumbline.results.summary import is_of_earlier_rules
from tests.release.conftest import As, Release
from tests.release.walking import Walk

pytestmark = [pytest.mark.database, pytest.mark.xdist_group("release")]


def test_every_finished_run_gets_its_findings_and_their_pages_answer(release: Release, as_: As) -> None:
    finished = Run.objects.top_level().filter(state=RunState.DONE)
    assert pending.write_due(most=1000) == finished.count() > 10
    assert not list(pending.due())
    assert not Update.objects.exclude(error="").exists()
    assert Finding.objects.exclude(latest=None).count() == Finding.objects.count()
    walk = Walk(as_("ada"))
    walk.over(reverse("run_findings", args=[run.pk]) for run in finished)
    walk.over(reverse("finding", args=[one.pk]) for one in Finding.objects.all())
    assert not walk.troubles
    for run in filter(lambda run: is_of_earlier_rules(run.pk), finished):
        page = as_("ada").get(reverse("run_findings", args=[run.pk])).content.decode()
        assert "have no verdict, so none of them is a finding" in page
