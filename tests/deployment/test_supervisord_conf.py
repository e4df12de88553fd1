"""supervisord.conf, read by the supervisor's own parser."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from supervisor.datatypes import RestartUnconditionally
from supervisor.options import ServerOptions

from tests.deployment.conftest import ROOT


@pytest.fixture
def groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What an installation with three workers runs, in a folder with a blank in its name."""
    var = tmp_path / "a var"
    (var / "logs").mkdir(parents=True)
    monkeypatch.setenv("PLUMBLINE_VAR", str(var))
    monkeypatch.setenv("WORKERS", "3")
    options = ServerOptions()
    options.realize(["-c", str(ROOT / "supervisord.conf")])
    return list(options.process_group_configs)


@pytest.fixture
def programs(groups: list[Any]) -> dict[str, Any]:
    return {program.name: program for group in groups for program in group.process_configs}


def test_it_names_the_programs_of_one_machine(programs: dict[str, Any]) -> None:
    assert programs.keys() == {"web", "scheduler", "worker-1", "worker-2", "worker-3"}


def test_all_are_stopped_at_once_as_one_group(groups: list[Any]) -> None:
    assert [group.name for group in groups] == ["plumbline"]


def test_they_are_the_programs_that_the_containers_run(programs: dict[str, Any]) -> None:
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    compose = {name: " ".join(services[name]["command"]) for name in ("web", "scheduler", "worker")}
    for name, command in (("web", "web"), ("scheduler", "scheduler"), ("worker-1", "worker")):
        assert programs[name].command.removeprefix(".venv/bin/") == compose[command].removesuffix(" --queues gpu,cpu")


def test_no_program_is_ever_given_up(programs: dict[str, Any]) -> None:
    for program in programs.values():
        assert (program.autorestart, program.autostart) == (RestartUnconditionally, True)
        a_year_of_pauses = sum(range(1, program.startretries))
        assert a_year_of_pauses > 365 * 24 * 3600


def test_a_stop_signals_only_the_parent_and_a_kill_ends_the_children(programs: dict[str, Any]) -> None:
    for program in programs.values():
        assert (program.stopasgroup, program.killasgroup) == (False, True)
    assert programs["worker-1"].stopwaitsecs >= 60


def test_logs_are_rotated_under_var(programs: dict[str, Any], tmp_path: Path) -> None:
    for name, program in programs.items():
        assert Path(program.stdout_logfile) == tmp_path / "a var" / "logs" / f"{name}.log"
        assert program.redirect_stderr
        assert 0 < program.stdout_logfile_maxbytes * program.stdout_logfile_backups <= 100 * 2**20
