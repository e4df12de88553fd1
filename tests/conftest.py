"""What holds for every test: its database, which tests run, and in which order.

The database is on the server that DATABASE_URL names, or on the embedded one, started here when it is down.
`PLUMBLINE_VAR=/tmp/mine pytest ...` tests on an embedded server of one's own, beside other people's sessions.
`pytest --trial` runs what takes too long for each change. `--first-server` and `--second-server` share the tests with a
database between two servers, and run those of SQL written by hand on both;
`pytest --shuffle 7` runs the tests in a seeded order; `pytest --cpu FILE` notes what each test costs.
"""

import gc
import os
import random
import sys
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker

from plumbline import embedded
from plumbline.spec.errors import InputError
from tests import choosing
from tests.processes import forked

# Each process has about one core. With more threads than cores, those of OpenMP wait for one another by counting, which
# takes three to ten times the work; the product's commands and workers ask for their own number, so they wait asleep.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

# The broker of the tests is none: tests of brokers name one, for processes of their own.
os.environ.setdefault("CELERY_BROKER_URL", "memory://")

# A busy machine is no fault: property tests have no clock. Hypothesis itself says so only where CI is set.
NO_CLOCK: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("change", **NO_CLOCK, derandomize=True, max_examples=40)
settings.register_profile("trial", **NO_CLOCK, max_examples=400)

# The libraries and the collected tests are a million objects that stay. To look for garbage among them time and again
# took a tenth of the tests' time, and a quarter of their collection's.
gc.set_threshold(50_000, 20, 100)

FIXTURES = {"db", "transactional_db"}
STAND_IN = Path(__file__).parent / "processes/stand_in.py"
STARTED_HERE = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--trial", action="store_true", help="whole matrices, large loads, and tests marked trial, too")
    parser.addoption("--first-server", action="store_true", help="leave its share to the second of two servers")
    parser.addoption("--second-server", action="store_true", help="only the share of the second of two servers")
    parser.addoption("--shuffle", type=int, metavar="SEED", help="run the tests in an order of chance")
    parser.addoption("--cpu", metavar="FILE", help="append each test's seconds of a core, its children's, and its name")


def pytest_configure(config: pytest.Config) -> None:
    """A change meets the same examples as the change before; a trial looks for others, at random."""
    settings.load_profile("trial" if config.getoption("trial") else "change")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Only the controller starts and stops: the workers of pytest-xdist come and go under one server."""
    if session.config.getoption("numprocesses", None):
        if not session.config.getoption("trial"):
            # To compile UMAP takes half a minute; the few words of a test are laid out in two seconds without.
            os.environ.setdefault("NUMBA_DISABLE_JIT", "1")
        if file := session.config.getoption("cpu"):
            os.environ["FORKED_CPU"] = str(Path(file).resolve())
        forked.server()
    if not hasattr(session.config, "workerinput") and not os.environ.get("DATABASE_URL"):
        session.config.stash[STARTED_HERE] = not embedded.status(embedded.used_var_dir()).running
        try:
            embedded.ensure_running_if_used()
        except InputError as error:
            raise pytest.UsageError(str(error)) from None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(specs: list[Any]) -> None:
    """The processes of pytest-xdist are forked, too."""
    for spec in specs:
        spec.python = f"{sys.executable} -S {STAND_IN}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    if session.config.stash.get(STARTED_HERE, False) and embedded.clients(embedded.used_var_dir()) == 0:
        embedded.stop(embedded.used_var_dir())


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """`-m database` chooses the tests whose outcome may depend on the server.

    The tests are dealt last, or pytest-django's own order would put those without a database, the longest, at the end.
    """
    for item in items:
        if item.get_closest_marker("any_server"):
            continue
        if item.get_closest_marker("django_db") or not FIXTURES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("database")
    if not config.getoption("trial"):
        _leave_out(config, items, choosing.left_out(items))
    if (second := config.getoption("second_server")) or config.getoption("first_server"):
        _leave_out(config, items, choosing.left_to_the_other_server(items, second=second))
    if (seed := config.getoption("shuffle")) is not None:
        random.Random(seed).shuffle(items)  # noqa: S311
    yield
    if seed is None and hasattr(config, "workerinput"):
        items[:] = choosing.dealt(items, config.workerinput["workercount"])


def _leave_out(config: pytest.Config, items: list[pytest.Item], left_out: list[pytest.Item]) -> None:
    config.hook.pytest_deselected(items=left_out)
    gone = set(left_out)
    items[:] = [item for item in items if item not in gone]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Fixtures of a module or session count to the test that needed them first."""
    file = item.config.getoption("cpu")
    before = os.times()
    found = yield
    if file:
        spent = [after - start for after, start in zip(os.times()[:4], before[:4], strict=True)]
        with Path(file).open("a") as lines:
            lines.write(f"{sum(spent[:2]):.2f}\t{sum(spent[2:]):.2f}\t{item.nodeid}\n")
    return found


def pytest_collection_finish() -> None:
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None, django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """In place of pytest-django's, whose processes would each migrate a database of their own."""
    from tests import migrated

    with django_db_blocker.unblock(), migrated.test_database(), django_db_blocker.block():
        yield


@pytest.fixture(scope="session", autouse=True)
def lasting_leases() -> None:
    """Let no step of a test last until the renewal of its lease, after 150 seconds.

    The heartbeat has its own connection, which does not see the rows of a test's transaction, so it takes the lease for
    lost. On a busy machine a step that took ten seconds was given up, and its run stayed "running". Tests of renewals
    commit, and set shorter leases; processes that tests start have the product's.
    """
    from django.conf import settings

    settings.LEASE_SECONDS = 600.0


@pytest.fixture(scope="session", autouse=True)
def emptied_activity_log() -> Iterator[None]:
    """Let Django's flush after a transactional test empty the activity log, too: a trigger refuses TRUNCATE."""
    import pgtrigger
    from django.test import TransactionTestCase

    case: Any = TransactionTestCase
    inner = case._fixture_teardown

    def torn_down(self: Any) -> None:
        with pgtrigger.ignore("accounts.ActivityEntry:no_truncate"):
            inner(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(case, "_fixture_teardown", torn_down)
        yield


@pytest.fixture(scope="module")
def module_rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """What fixtures of a module write after this one stays for all of its tests, and is undone after the last.

    Each test begins inside this transaction, so what it changes itself is undone as always.
    """
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def empty_results(transactional_db: None) -> Iterator[None]:
    """For transactional tests: Django's flush does not know the results plane, so it is emptied here.

    Before the test as well: what another one left would be counted.
    """
    _empty_results()
    yield
    _empty_results()


def _empty_results() -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("TRUNCATE results.association, results.measure, results.term RESTART IDENTITY")
