"""Several workers that ask one server: together never more requests in flight than its limit, and none is lost."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from plumbline.audits.launching import launch
from plumbline.audits.models import Run, ServerShare, Shard
from plumbline.spec.audit import parse
from tests.faults.site import Site
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.endpoint import Endpoint, serving

pytestmark = pytest.mark.slow

LIMIT = 4
QUESTIONS = [
    {**one, "context": one["context"].replace("the bus", f"bus {template}")}
    for template in range(60)
    for one in set_of_four(str(template))
]


class Slow:
    """An endpoint that takes `seconds` for an answer, and counts what it has in flight."""

    def __init__(self) -> None:
        self.seconds = 0.1

    def __call__(self, text: str) -> str:
        time.sleep(self.seconds)
        return "AB"[text.count("bus 3")]


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def endpoint(slow: Slow) -> Iterator[Endpoint]:
    with serving(slow) as server:
        yield server


@pytest.fixture
def launched(site: Site, endpoint: Endpoint) -> Callable[[], Run]:
    spec: dict[str, Any] = {"name": "asked", "probe": "bbq", "bank": {"inline": QUESTIONS}, "model": endpoint.reference}
    return lambda: launch(parse(spec | {"params": {"concurrency": LIMIT}}), reuse=False)


def ended(site: Site, run: Run) -> str:
    assert site.wait_for_end(run).state == "done", run.error
    return site.digest(run)


def shares() -> list[int]:
    return [*ServerShare.objects.order_by("held").values_list("held", flat=True)]


def test_two_workers_share_the_limit_and_a_killed_one_leaves_it_to_the_other(
    site: Site, endpoint: Endpoint, slow: Slow, launched: Callable[[], Run]
) -> None:
    slow.seconds = 0.0
    first = site.worker()
    undisturbed = ended(site, launched())
    second = site.worker()
    slow.seconds, endpoint.most_at_once, endpoint.asked = 0.15, 0, []
    run = launched()
    site.wait(lambda: shares() == [2, 2])
    before = len(endpoint.asked)
    site.wait(lambda: len(endpoint.asked) > before + 20)
    assert 2 < endpoint.most_at_once <= LIMIT, site.logs()
    second.kill()
    site.wait(lambda: shares() == [LIMIT])
    time.sleep(2 * slow.seconds)  # what the killed worker had in flight is over
    endpoint.most_at_once = 0
    site.wait(lambda: endpoint.most_at_once == LIMIT)
    slow.seconds = 0.0
    assert ended(site, run) == undisturbed
    assert endpoint.most_at_once == LIMIT
    assert Shard.objects.filter(run=run).values("leased_by").distinct().count() == 2
    assert first.stop() == 0
