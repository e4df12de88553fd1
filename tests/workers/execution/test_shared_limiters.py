"""The limiter of a process: its share of a server's limit, also while the database is away."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import OperationalError, connection
from structlog.testing import capture_logs

from plumbline.audits import server_shares
from plumbline.audits.clock import now
from plumbline.audits.models import AskedServer, ServerShare
from plumbline.audits.ownership import this_process
from plumbline.spec.reference import server_address
from tests.workers.endpoint import Endpoint, serving
from tests.workers.execution.conftest import Silent
from workers.engine.endpoints.remote import Manner, RemoteModel
from workers.engine.endpoints.retries import PassingError
from workers.engine.loading import load_any, locate
from workers.engine.servers.facts import ServerFacts
from workers.engine.servers.model import ServerModel
from workers.execution import Worker, shared_limiters
from workers.execution.shared_limiters import SharedLimiter, limited, limiter_at

pytestmark = pytest.mark.django_db(transaction=True)

NEVER = threading.Event()


@pytest.fixture
def endpoint(db: None) -> Iterator[Endpoint]:
    with serving(lambda text: f"said {text}") as server:
        yield server
    # The thread has its own connection, and must not use it after the test.
    for limiter in shared_limiters._limiters.values():
        while limiter.in_use():
            threading.Event().wait(0.01)


def one_request(limiter: SharedLimiter, busy: bool = False) -> None:
    with limiter.request(NEVER):
        if busy:
            raise PassingError("answers 429", busy=True)


def test_a_run_s_requests_go_by_the_share_of_the_process_which_stands_in_the_database(endpoint: Endpoint) -> None:
    model = limited(load_any(locate(endpoint.reference)), limiter_at)
    assert isinstance(model, RemoteModel)
    ServerShare.objects.create(
        server=AskedServer.objects.create(address=server_address(model.url), seen_at=now()),
        worker="far:1:1", wish=4, held=3, seen_at=now(),
    )  # fmt: skip
    model.replies([str(number) for number in range(40)], Manner(concurrency=4))
    assert endpoint.most_at_once == 1
    own = ServerShare.objects.get(worker=this_process())
    assert (own.wish, own.held) == (4, 1)


def test_references_to_one_server_share_its_limiter() -> None:
    first = limiter_at("http://Example.org:80/v1/", 4)
    assert limiter_at("http://example.org", 9) is first
    assert first.met.wish == 9
    assert limiter_at("https://example.org", 4) is not first


def test_while_the_database_is_away_requests_go_on_with_the_last_share(endpoint: Endpoint) -> None:
    limiter = limiter_at(endpoint.reference.removeprefix("openai:"), 6)

    def away(*_: Any) -> int:
        raise OperationalError("no route")

    with capture_logs() as logged, pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_shares, "renew", away)
        limiter.renew()
        assert limiter.most == 1  # none is known yet
        limiter.renew()
    assert [one["log_level"] for one in logged] == ["warning"]
    limiter.renew()
    assert limiter.most == 6
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server_shares, "renew", away)
        limiter.renew()
    assert limiter.most == 6
    limiter.renew()


def test_a_busy_server_is_reported_at_the_next_renewal(endpoint: Endpoint) -> None:
    limiter = limiter_at(endpoint.reference.removeprefix("openai:"), 8)
    one_request(limiter)
    with pytest.raises(PassingError):
        one_request(limiter, busy=True)
    limiter.renew()
    assert AskedServer.objects.get(address=limiter.address).learnt == 4
    connection.close()


def test_a_share_that_may_have_lapsed_is_not_used_before_it_is_renewed(endpoint: Endpoint) -> None:
    limiter = limiter_at(endpoint.reference.removeprefix("openai:"), 8)
    one_request(limiter)
    assert limiter.most == 8
    ServerShare.objects.update(worker="far:1:1", held=7)
    limiter.used -= server_shares.LAPSE.total_seconds() + 1
    limiter.tried = float("-inf")
    with limiter.request(NEVER):
        assert limiter.most == 1


def test_a_server_of_log_probabilities_is_asked_by_the_share_too_with_as_many_threads_as_the_setting_allows(
    endpoint: Endpoint, settings: Any
) -> None:
    settings.SERVER_REQUESTS = 40
    url = f"http://127.0.0.1:{endpoint.server_address[1]}/v1"
    checkpoint = replace(locate("bundled:smollm2-135m"), server=ServerFacts("vllm", url, "m", "bundled:smollm2-135m"))
    model = Worker("test", Silent(), limiter_at=limiter_at).model(checkpoint, "float32")
    assert isinstance(model, ServerModel)
    assert model.link.limiter is limiter_at(url, 40)
    assert model.link.manner.most == 40
    assert model.link.post("/chat/completions", {"messages": [{"content": "a"}]}) is not None
    assert ServerShare.objects.get().held == 40
