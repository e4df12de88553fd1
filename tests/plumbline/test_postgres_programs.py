"""The way of the server's user through folders that are closed to others, where root starts the server."""

import errno
import os
import pwd
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plumbline import folder_access, postgres_programs
from plumbline.spec.errors import InputError

NOBODY = 65534


@pytest.fixture
def inner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in one that is closed to others, on a machine where root starts a server that NOBODY runs."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(postgres_programs, "server_uid", lambda: NOBODY)
    folder = tmp_path / "closed" / "inner"
    folder.mkdir(parents=True)
    folder.parent.chmod(0o700)
    return folder


@pytest.fixture
def no_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without access control lists."""

    def unsupported(*_: Any) -> Any:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(os, "getxattr", unsupported)
    monkeypatch.setattr(os, "setxattr", unsupported)


def open_to_others(folder: Path) -> bool:
    return bool(folder.stat().st_mode & stat.S_IXOTH)


def told_of(folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The one line about this folder; folders above it may have been closed, too."""
    (line,) = [line for line in capsys.readouterr().err.splitlines() if f" through {folder} (" in line]
    return line


def test_only_the_servers_user_may_pass_and_that_is_reported_once(
    inner: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    postgres_programs.open_way_to(inner)
    assert not open_to_others(inner.parent)
    assert folder_access.may_pass(inner.parent, NOBODY)
    assert not folder_access.may_pass(inner.parent, NOBODY - 1)
    line = told_of(inner.parent, capsys)
    assert "its user pgserver, and nobody else, may now pass" in line
    assert "setfacl -x u:pgserver" in line
    postgres_programs.open_way_to(inner)
    assert capsys.readouterr().err == ""


def test_what_others_of_the_list_may_do_stays_as_it_is(inner: Path) -> None:
    folder_access.admit(inner.parent, NOBODY - 1)
    inner.parent.chmod(0o700)  # the mask of the list: nobody of the list may pass any more
    postgres_programs.open_way_to(inner)
    assert folder_access.may_pass(inner.parent, NOBODY)
    assert not folder_access.may_pass(inner.parent, NOBODY - 1)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can act as another user")
def test_the_user_reaches_the_folder_and_lists_none_above_it(inner: Path) -> None:
    (inner / "file").write_text("there")
    as_nobody: Callable[..., Any] = lambda *command: subprocess.run(  # noqa: E731
        command, user=NOBODY, group=NOBODY, extra_groups=[], capture_output=True, text=True, check=False
    )
    assert as_nobody("cat", inner / "file").returncode != 0
    postgres_programs.open_way_to(inner)
    assert as_nobody("cat", inner / "file").stdout == "there"
    assert as_nobody("ls", inner.parent).returncode != 0


def test_without_such_lists_everybody_may_pass_and_that_is_reported(
    inner: Path, no_lists: None, capsys: pytest.CaptureFixture[str]
) -> None:
    postgres_programs.open_way_to(inner)
    assert stat.S_IMODE(inner.parent.stat().st_mode) == 0o701
    line = told_of(inner.parent, capsys)
    assert "every user may now pass through" in line
    assert "chmod o-x" in line


def test_without_such_lists_a_home_folder_stays_closed_and_the_remedy_is_named(
    inner: Path, no_lists: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = pwd.getpwuid(os.getuid())
    home = pwd.struct_passwd((*entry[:5], str(inner.parent), entry.pw_shell))
    monkeypatch.setattr(pwd, "getpwall", lambda: [home])
    with pytest.raises(InputError, match=r"PLUMBLINE_VAR.*DATABASE_URL") as caught:
        postgres_programs.open_way_to(inner)
    assert str(inner.parent) in str(caught.value)
    assert not open_to_others(inner.parent)


def test_who_is_not_root_runs_the_server_and_opens_nothing(inner: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    postgres_programs.open_way_to(inner)
    assert not open_to_others(inner.parent)
    assert not folder_access.may_pass(inner.parent, NOBODY)
