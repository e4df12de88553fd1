import os
import subprocess
from pathlib import Path

from tests.processes import forked


def db(action: str, var_dir: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    return forked.run("manage.py", "db", action, env={**inherited, "PLUMBLINE_VAR": str(var_dir), **environment})


def test_the_server_is_started_shown_and_stopped_by_hand(tmp_path: Path) -> None:
    assert "not running" in db("status", tmp_path).stdout
    try:
        started = db("start", tmp_path)
        assert (started.returncode, "running, process" in started.stdout) == (0, True)
        assert db("status", tmp_path).stdout == started.stdout
    finally:
        assert db("stop", tmp_path).stdout.strip() == "stopped"
    assert db("stop", tmp_path).stdout.strip() == "was not running"


def test_starting_a_second_server_is_refused_in_one_line(tmp_path: Path) -> None:
    refused = db("start", tmp_path, DATABASE_URL="postgres://nobody@nowhere/x")
    assert refused.returncode == 2
    assert len(refused.stderr.strip().splitlines()) == 1
    assert "DATABASE_URL" in refused.stderr
