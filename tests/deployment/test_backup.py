"""Backup and restore as docs/operators.md describes them: the starter's words and plans, a run, and a reader."""

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
import yaml
from psycopg import sql

from plumbline import embedded, postgres_programs
from tests import migrated
from tests.deployment.conftest import ROOT, folder, installation
from tests.processes import forked
from tests.workers.management.conftest import SPEC
from tests.workers.tiny import save_tiny_bert

pytestmark = pytest.mark.slow

DUMP = ("pg_dump", "--format=custom", "--no-owner", "--no-privileges")
RESTORE = ("pg_restore", "--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")
OURS = "nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast')"
TABLES = f"""
SELECT nspname, relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind IN ('r', 'v') AND {OURS} ORDER BY 1, 2
"""  # noqa: S608 - constants
ROWS = """
SELECT count(*), md5(string_agg(md5(one::text), '' ORDER BY md5(one::text))) FROM {table} AS one
"""
SEQUENCES = "SELECT schemaname, sequencename, last_value FROM pg_sequences ORDER BY 1, 2"
TRIGGERS = "SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1"
# A condition that went through a dump has its casts in other places.
INDEXES = """
SELECT regexp_replace(indexdef, '::(text|character varying)(\\[\\])?|[()]', '', 'g') FROM pg_indexes
WHERE schemaname NOT IN ('pg_catalog', 'pg_toast') ORDER BY 1
"""
PARTITIONS = f"""
SELECT relname, pg_get_expr(relpartbound, pg_class.oid) FROM pg_class
JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE relispartition AND {OURS} ORDER BY 1
"""  # noqa: S608 - constants


@dataclass(frozen=True)
class Installation:
    var: Path

    def manage(self, *arguments: object) -> str:
        made = forked.run("manage.py", *map(str, arguments), env=installation(self.var))
        assert made.returncode == 0, made.stderr
        return made.stdout

    @property
    def address(self) -> str:
        return embedded.database_url(self.var)

    def rows(self) -> dict[str, Any]:
        """The count and the digest of all rows of each table and each view."""
        with psycopg.connect(self.address) as database:
            tables = [sql.Identifier(*found) for found in database.execute(TABLES).fetchall()]
            return {
                table.as_string(): database.execute(sql.SQL(ROWS).format(table=table)).fetchone() for table in tables
            }

    def structure(self) -> list[list[tuple[Any, ...]]]:
        with psycopg.connect(self.address) as database:
            return [database.execute(one).fetchall() for one in (SEQUENCES, TRIGGERS, INDEXES, PARTITIONS)]


@pytest.fixture
def audited() -> Iterator[Installation]:
    """An installation with the starter's words and plans, a run in a partition of its own, and a reader."""
    with folder() as made:
        here = Installation(made / "var")
        migrated.install(here.var, migrated.STARTED)
        try:
            here.manage("db", "start")
            here.manage("shell", "-c", "from plumbline.results.partitions import *; prepare(1, {'association': 10**6})")
            spec = made / "spec.yaml"
            spec.write_text(yaml.safe_dump(SPEC | {"model": f"path:{save_tiny_bert(made / 'tiny', seed=0)}"}))
            here.manage("audit", "run", spec, "--inline")
            here.manage("reader", "create")
            yield here
        finally:
            embedded.stop(here.var)


@pytest.fixture
def empty() -> Iterator[Installation]:
    """An installation whose database has no tables yet."""
    with folder() as made:
        there = Installation(made / "var")
        try:
            there.manage("db", "start")
            yield there
        finally:
            embedded.stop(there.var)


def run_program(program: str, *arguments: object) -> None:
    command = [str(postgres_programs._folder() / program), *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_a_backup_restored_into_an_empty_server_holds_all_of_it(
    audited: Installation, empty: Installation, tmp_path: Path
) -> None:
    rows, structure, shown = audited.rows(), audited.structure(), audited.manage("audit", "show", 1)
    assert rows['"results"."association_run_1"'][0] > 0
    run_program(*DUMP, f"--file={tmp_path / 'plumbline.dump'}", f"--dbname={audited.address}")
    assert empty.rows() == {}
    run_program(*RESTORE, f"--dbname={empty.address}", tmp_path / "plumbline.dump")
    assert empty.rows() == rows
    assert empty.structure() == structure
    assert empty.manage("audit", "show", 1) == shown
    empty.manage("migrate", "--verbosity", "0")
    reader = empty.manage("reader", "create").strip().partition("=")[2]
    with psycopg.connect(reader) as database:
        [found] = database.execute("SELECT count(*) FROM results.v_association WHERE run = 1").fetchone() or [None]
    assert found == rows['"results"."association_run_1"'][0]


def test_the_documentation_gives_these_commands() -> None:
    text = (ROOT / "docs" / "operators.md").read_text(encoding="utf-8")
    for command in (DUMP, RESTORE):
        assert " ".join(command) in text
