"""A run to test with, launched from curated words as every run is; and a second connection to the real server."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from typing import Any

import pytest
from django.db import connection

from plumbline.audits.launching import launch
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import WorkState
from plumbline.spec.audit import parse
from plumbline.vocab.models import Attribute, AttributeSet, Group, GroupList

SPEC: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps",
    "model": "path:./some/dir",
    "groups": {"list": "gender"},
    "prior": {"mask": "one"},
    "attributes": [{"list": "jobs"}, {"inline": ["kind"]}],
    "templates": {"inline": ["{Group.plural} are {attribute}."]},
}


@pytest.fixture
def curated(db: None) -> None:
    """The lists that SPEC names: two groups and two occupations."""
    gender = GroupList.objects.create(slug="gender", title="Gender")
    for label in ("women", "men"):
        Group.objects.create(word_list=gender, label=label, plural=label)
    jobs = AttributeSet.objects.create(slug="jobs", title="Jobs")
    for text in ("nurse", "usher"):
        Attribute.objects.create(word_list=jobs, text=text, plural=f"{text}s")


@pytest.fixture
def run(curated: None) -> Run:
    return launch(parse(SPEC))


@pytest.fixture
def scoring(run: Run) -> Phase:
    """The run's second phase, ready, with three shards: as when the planning has ended."""
    return lay_out(run, 3)


def lay_out(run: Run, shards: int) -> Phase:
    planning, phase, _ = run.phases.all()
    Phase.objects.filter(pk=planning.pk).update(state=WorkState.DONE)
    Phase.objects.filter(pk=phase.pk).update(state=WorkState.READY)
    Shard.objects.bulk_create(
        Shard(
            run=run, phase=phase, number=number, key=f"{number:064}", items=[], planned_rows={}, state=WorkState.READY
        )
        for number in range(shards)
    )
    return Phase.objects.get(pk=phase.pk)


Elsewhere = Callable[[Callable[[], Any]], Future[Any]]


@pytest.fixture
def elsewhere(transactional_db: None) -> Iterator[Elsewhere]:
    """Begin a function as another process would: on a connection of its own, for Django has one a thread."""

    def on_own_connection(function: Callable[[], Any]) -> Any:
        with closing(connection), connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '30s'")
            return function()

    with ThreadPoolExecutor(1) as pool:
        yield lambda function: pool.submit(on_own_connection, function)


def until_one_waits() -> None:
    """Until a statement on another connection stands before a lock that we hold."""
    waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with connection.cursor() as cursor:
        for _ in range(500):
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
            # Inside of a transaction the activity is read once, unless told otherwise.
            cursor.execute("SELECT pg_stat_clear_snapshot(), pg_sleep(0.01)")
    pytest.fail("no other connection came to wait for our lock")
