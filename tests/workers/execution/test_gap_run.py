"""A run that writes into two tables: each gets its own place, is used again and goes with the run."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.db import connection

from plumbline.audits.launching import launch
from plumbline.audits.models import Run, Shard
from plumbline.results import partitions, reading
from plumbline.spec.audit import parse
from tests.workers.execution.conftest import execute
from tests.workers.probes.gap.made_up import passage

pytestmark = pytest.mark.django_db

PASSAGES = 40
PARAMS = {"folds": 2, "topics": 2, "words": 3, "epochs": 1, "permutations": 99, "resamples": 100}


@pytest.fixture
def run_gap(model: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Run]:
    """A run of GAP that is large in answers, and small in associations: 2 groups with at most 6 words."""
    monkeypatch.setattr(partitions, "OWN_PARTITION_FROM", PASSAGES)
    spec = {
        "name": "gap",
        "probe": "gap",
        "model": f"path:{model}",
        "bank": {"inline": [passage(number) for number in range(PASSAGES)]},
        "params": PARAMS,
    }

    def run() -> Run:
        made = launch(parse(spec))
        execute(made)
        made.refresh_from_db()
        return made

    return run


def places(run: int, table: str) -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT tableoid::regclass::text FROM results.{table} WHERE run = %s", [run])  # noqa: S608 - constants
        return {name for (name,) in cursor.fetchall()}


def test_answers_lie_in_a_partition_of_their_own_and_come_back_with_their_labels(run_gap: Callable[[], Run]) -> None:
    run = run_gap()
    assert run.state == "done", run.error
    assert places(run.pk, "choice") == {f"results.choice_run_{run.pk}"}
    assert places(run.pk, "association") == {"results.association_default"}
    answers = reading.read(run.pk, "choice", group="feminine")
    assert answers.height == PASSAGES // 2
    assert set(answers["options"]) == {'["Ann", "Eve", "NEITHER"]'}


def test_a_second_run_copies_them_and_a_deleted_one_takes_them_along(run_gap: Callable[[], Run]) -> None:
    first, second = run_gap(), run_gap()
    assert Shard.objects.filter(run=second, reused_from__isnull=False).count() == 2
    assert reading.digest(first.pk, "choice") == reading.digest(second.pk, "choice")
    number = first.pk
    first.delete()
    assert (reading.read(number, "choice").height, reading.read(second.pk, "choice").height) == (0, PASSAGES)
