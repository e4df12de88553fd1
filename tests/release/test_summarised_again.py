"""Runs of the release before are summarised by today's rules, from the answers that they left."""

import pytest
from sqlalchemy import func, select

from plumbline.audits import life
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results import models, statements, summary
from plumbline.results.tables import measure_revision
from plumbline.spec.registry import PROBES
from tests.release.conftest import Release
from tests.release.test_again import Unwatched, Watched
from workers.execution import drive

pytestmark = [pytest.mark.database, pytest.mark.xdist_group("release")]


def test_no_model_is_asked_verdicts_come_and_the_earlier_measures_are_kept(release: Release, number: str) -> None:
    run = Run.objects.get(pk=number)
    if run.state != RunState.DONE:
        pytest.skip(f"the run is {run.state}")
    own = models.Measure.objects.filter(run=run.pk).exclude(statistic="paired_difference")
    before = own.count()
    tested = {one.name for one in PROBES[run.probe].card.statistics if one.scale}
    had_tests = own.filter(statistic__in=tested, p_value__isnull=False).exists()
    assert summary.is_of_earlier_rules(run.pk) == own.filter(q_value__isnull=False).exists()
    worker = Watched("again", Unwatched(), owner="")
    life.summarise_again(run.pk)
    drive(run.pk, worker)
    run.refresh_from_db()
    assert run.state == RunState.DONE, f"{run.error}\n{run.traceback}"
    assert not worker.asked
    assert own.exclude(verdict="").exists() or not had_tests
    assert not summary.is_of_earlier_rules(run.pk) or not had_tests
    kept = select(func.count()).where(measure_revision.c.run == run.pk)
    assert statements.rows(kept) == [(before,)]
