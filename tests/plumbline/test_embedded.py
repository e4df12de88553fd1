"""The embedded server, for real: a data folder of the tests' own, started, stopped, killed and raced for."""

import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from plumbline import embedded
from plumbline.spec.errors import InputError
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
START = "import sys; from pathlib import Path; from plumbline import embedded; embedded.start(Path(sys.argv[1]))"


@pytest.fixture(scope="module")
def var_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("a folder with spaces")
    yield folder
    embedded.stop(folder)


def query(var_dir: Path, statement: str) -> object:
    with psycopg.connect(embedded.database_url(var_dir)) as connection:
        row = connection.execute(statement).fetchone()
        assert row is not None
        return row[0]


def test_the_address_starts_nothing_and_makes_nothing(tmp_path: Path) -> None:
    address = embedded.database_url(tmp_path / "var")
    assert address == embedded.database_url(tmp_path / "var")
    assert not (tmp_path / "var").exists()
    assert not embedded.status(tmp_path / "var").running


def test_the_socket_of_a_deep_folder_has_a_short_path(tmp_path: Path) -> None:
    deep = tmp_path / ("deep/" * 60)
    host = embedded.database_url(deep).split("host=")[1].split("&")[0]
    assert len(f"{host}/.s.PGSQL.5432.lock") <= embedded.LONGEST_SOCKET_PATH


def test_the_secret_is_made_once_and_for_us_alone(tmp_path: Path) -> None:
    secret = embedded.local_secret(tmp_path / "var")
    assert len(secret) >= 50
    assert embedded.local_secret(tmp_path / "var") == secret
    assert stat.S_IMODE((tmp_path / "var" / "secret_key").stat().st_mode) == 0o600
    assert embedded.local_secret(tmp_path / "other") != secret


def test_a_folder_that_cannot_be_made_is_one_line_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for call in (embedded.local_secret, embedded.start):
        with pytest.raises(InputError, match="PLUMBLINE_VAR") as caught:
            call(tmp_path / "file" / "var")
        assert "\n" not in str(caught.value)


def test_several_starters_at_once_start_one_server_with_its_database(var_dir: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "platform")}
    starters = [subprocess.Popen([sys.executable, "-c", START, str(var_dir)], env=environment) for _ in range(3)]
    assert [starter.wait(PATIENCE) for starter in starters] == [0, 0, 0]
    assert embedded.status(var_dir).running
    assert query(var_dir, "SELECT current_database()") == "plumbline"


def test_a_committed_record_survives_a_power_cut_by_the_settings(var_dir: Path) -> None:
    embedded.start(var_dir)
    assert [query(var_dir, f"SHOW {name}") for name in ("fsync", "synchronous_commit", "full_page_writes")] == [
        "on"
    ] * 3
    assert query(var_dir, "SHOW listen_addresses") == ""


def test_the_socket_is_closed_to_other_users(var_dir: Path) -> None:
    embedded.start(var_dir)
    folder = Path(str(query(var_dir, "SHOW unix_socket_directories")))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_killed_server_comes_back_with_what_was_committed(var_dir: Path) -> None:
    embedded.start(var_dir)
    with psycopg.connect(embedded.database_url(var_dir)) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept AS SELECT 42 AS number")
    pid = embedded.status(var_dir).pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    embedded.start(var_dir)
    assert query(var_dir, "SELECT number FROM kept") == 42
    assert embedded.status(var_dir).pid != pid


def test_a_pid_file_that_names_a_living_stranger_is_not_believed(var_dir: Path) -> None:
    embedded.start(var_dir)
    embedded.stop(var_dir)
    (var_dir / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n{var_dir}\n")
    assert not embedded.status(var_dir).running
    embedded.start(var_dir)
    assert query(var_dir, "SELECT 1") == 1


def test_stopping_ends_the_connections_and_says_whether_it_ran(var_dir: Path) -> None:
    embedded.start(var_dir)
    with psycopg.connect(embedded.database_url(var_dir)) as connection:
        assert embedded.stop(var_dir)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")
    assert not embedded.stop(var_dir)
    host = embedded.database_url(var_dir).split("host=")[1].split("&")[0]
    assert not Path(host).exists()


def test_an_initialisation_that_was_killed_half_way_is_begun_again(tmp_path: Path) -> None:
    draft = tmp_path / "postgres.new"
    draft.mkdir()
    (draft / "PG_VERSION").write_text("18\n")
    embedded.start(tmp_path)
    try:
        assert query(tmp_path, "SELECT 1") == 1
    finally:
        embedded.stop(tmp_path)


def test_a_server_that_cannot_start_says_why_in_one_line(var_dir: Path) -> None:
    embedded.start(var_dir)
    embedded.stop(var_dir)
    settings = var_dir / "postgres" / "postgresql.auto.conf"
    intact = settings.read_text()
    settings.write_text("no_such_setting = 1\n")
    try:
        with pytest.raises(InputError, match="no_such_setting") as caught:
            embedded.start(var_dir)
        assert "\n" not in str(caught.value)
    finally:
        settings.write_text(intact)


def test_a_server_that_is_down_has_its_remedy(var_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(var_dir))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    embedded.start(var_dir)
    assert not embedded.is_used_and_down()
    embedded.stop(var_dir)
    assert embedded.is_used_and_down()
    assert "was stopped: start it with `.venv/bin/python manage.py db start`" in embedded.remedy()
    (var_dir / "postgres" / "postmaster.pid").write_text("99999999\n")
    assert "crashed: the scheduler starts it again" in embedded.remedy()
    (var_dir / "postgres" / "postmaster.pid").unlink()
    monkeypatch.setenv("DATABASE_URL", "postgres://somewhere/else")
    assert not embedded.is_used_and_down()
    assert "DATABASE_URL names" in embedded.remedy()


def test_another_server_by_database_url_leaves_the_embedded_one_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://somewhere/else")
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    embedded.ensure_running_if_used()
    assert not (tmp_path / "postgres").exists()


def test_a_full_disk_is_named_at_once(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(small_disk))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    started = time.monotonic()
    with pytest.raises(InputError, match=r"is full .* free some space"):
        embedded.ensure_running_if_used()
    assert time.monotonic() - started < 60
    assert "free some space" in embedded.remedy()
    assert not (small_disk / "postgres").exists()


def test_the_start_says_whether_a_server_was_down(var_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(var_dir))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    embedded.start(var_dir)
    assert not embedded.ensure_running_if_used()
    embedded.stop(var_dir)
    assert embedded.ensure_running_if_used()
