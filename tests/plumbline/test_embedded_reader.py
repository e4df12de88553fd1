"""The login of the SQL page that an installation on the embedded server has after `migrate`, for real."""

import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from plumbline import embedded, embedded_reader
from tests import migrated
from tests.deployment.conftest import folder, installation
from tests.processes import forked

ADDRESS = "from django.conf import settings; print(settings.READER_DATABASE_URL)"


@pytest.fixture(scope="module")
def var_dir() -> Iterator[Path]:
    with folder() as made:
        migrated.install(made / "var")
        embedded.start(made / "var")
        yield made / "var"
        embedded.stop(made / "var")


def manage(var_dir: Path, *arguments: str, **environment: str) -> str:
    ended = forked.run("manage.py", *arguments, env=installation(var_dir) | environment)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.slow
def test_the_settings_of_every_process_name_a_login_that_only_reads_the_views(var_dir: Path) -> None:
    address = manage(var_dir, "shell", "--no-imports", "-c", ADDRESS)
    with psycopg.connect(address, autocommit=True) as reader:
        assert reader.execute("SELECT current_user, count(*) FROM results.v_run").fetchone() == (
            "plumbline_sql_page",
            0,
        )
        assert reader.execute("SHOW default_transaction_read_only").fetchone() == ("on",)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            reader.execute("SELECT * FROM auth_user")
    with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
        psycopg.connect(address.replace("/plumbline?", "/postgres?"))


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("psql") is None, reason="dbshell starts psql, which is not installed here")
def test_dbshell_finds_the_embedded_server(var_dir: Path) -> None:
    assert "0 rows" in manage(var_dir, "dbshell", "--", "--command", "SELECT run, plan FROM results.v_run")


@pytest.mark.slow
def test_the_password_is_the_owners_alone_and_a_lost_one_is_made_again(var_dir: Path) -> None:
    secret = var_dir / embedded_reader.SECRET
    before = secret.read_text()
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    secret.unlink()
    assert embedded_reader.address(var_dir) == ""
    manage(var_dir, "migrate", "--verbosity", "0")
    assert secret.read_text() not in {before, ""}
    assert "the SQL page is off" not in forked.run("manage.py", "doctor", env=installation(var_dir)).stdout


def test_another_server_gets_no_login_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedded_reader.password(tmp_path)
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert embedded_reader.address(tmp_path).startswith("postgres://plumbline_sql_page:")
    monkeypatch.setenv("DATABASE_URL", "postgres://plumbline@db.example.org/plumbline")
    assert embedded_reader.address(tmp_path) == ""
