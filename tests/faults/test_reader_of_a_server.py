"""A reader on a server of its own: it enters no other database, and a query takes no more memory than a process may."""

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from plumbline import embedded
from tests import migrated
from tests.processes import forked

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def var_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("reader") / "var"
    migrated.install(folder)
    yield folder
    embedded.stop(folder)


@pytest.fixture(scope="module")
def address(var_dir: Path) -> str:
    kept = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    env = kept | {"PLUMBLINE_VAR": str(var_dir), "DATABASE_PROCESS_MB": "300"}
    started = forked.run("manage.py", "db", "start", env=env)
    assert started.returncode == 0, started.stderr
    with _as_owner(var_dir) as owner:
        # As before its first reader: on the embedded server `migrate` made one, and closed it to later roles.
        owner.execute("GRANT CONNECT ON DATABASE postgres, template1 TO PUBLIC")
        owner.execute("CREATE ROLE other_application LOGIN")
    made = forked.run("manage.py", "reader", "create", env=env)
    assert made.returncode == 0, made.stderr
    assert "administrator" not in made.stderr
    return made.stdout.strip().partition("=")[2]


def _as_owner(var_dir: Path, database: str = "plumbline") -> psycopg.Connection[tuple[object, ...]]:
    host = str(embedded._socket_dir(var_dir))
    return psycopg.connect(host=host, port=5432, user="postgres", dbname=database, autocommit=True)


@pytest.mark.parametrize("database", ["postgres", "template1"])
def test_a_reader_enters_no_other_database(address: str, database: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(address.replace("/plumbline?", f"/{quote(database)}?"))
    psycopg.connect(address).close()


def test_another_application_of_the_server_keeps_its_way_in(address: str, var_dir: Path) -> None:
    host = str(embedded._socket_dir(var_dir))
    psycopg.connect(host=host, port=5432, user="other_application", dbname="postgres").close()


@pytest.mark.parametrize(
    "query",
    [
        "SELECT length(string_agg(repeat('x', 1000000), '')) FROM generate_series(1, 900)",
        "SELECT array_length(array_agg(repeat(n::text, 100000)), 1) FROM generate_series(1, 100000) AS n",
        "SELECT count(*) FROM (SELECT DISTINCT repeat(n::text, 1000) FROM generate_series(1, 1000000) AS n) AS s",
    ],
)
def test_a_query_that_takes_much_memory_ends_alone(address: str, var_dir: Path, query: str) -> None:
    with _as_owner(var_dir) as owner, psycopg.connect(address, autocommit=True) as reader:
        # As a client may: the SQL page has no way to.
        reader.execute("SET work_mem = '2GB'")
        reader.execute("SET hash_mem_multiplier = 1000")
        with pytest.raises(psycopg.errors.OutOfMemory):
            reader.execute(query)
        assert reader.execute("SELECT 1").fetchone() == (1,)
        assert owner.execute("SELECT 1").fetchone() == (1,)
