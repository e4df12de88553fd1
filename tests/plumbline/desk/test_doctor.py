"""manage.py doctor: one line for each subject, and exit status 1 exactly where one is wrong."""

import os
from collections.abc import Iterable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from plumbline import embedded
from plumbline.accounts.mail import DUMMY
from plumbline.accounts.models import Invitation
from plumbline.audits.models import Role
from plumbline.audits.presence import Presence
from plumbline.desk.doctor import database, machine
from plumbline.desk.doctor.line import Level, Line, note
from plumbline.results import fence
from plumbline.results.reader_role import create_reader
from tests.ports import free_port

pytestmark = pytest.mark.django_db


def doctor() -> tuple[int, str]:
    out = StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", stdout=out)
    return int(ended.value.code or 0), out.getvalue()


def line(lines: Iterable[Line], subject: str) -> Line:
    return next(line for line in lines if line.subject == subject)


def test_it_is_well_where_workers_and_scheduler_are_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    for role in Role:
        Presence(f"host:1:{role}", role).tell()
    status, told = doctor()
    assert "WRONG" not in told
    assert status == 0
    for subject in ("versions", "secrets", "disk var", "database", "clock", "migrations", "workers", "schedulers"):
        assert f"ok     {subject}" in told


def test_a_login_of_a_server_of_ones_own_that_is_a_superuser_is_worth_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://anywhere/plumbline")
    found = line(database.lines(), "database")
    assert (found.level, "is a superuser" in found.what) == (Level.NOTE, True)
    assert "'The login of the database'" in found.remedy


def test_it_names_the_remedy_of_what_is_wrong() -> None:
    status, told = doctor()
    assert status == 1
    assert "WRONG  workers     no worker is alive: 'make up' starts some" in told
    assert "WRONG  schedulers  no scheduler is alive: " in told


def test_a_migration_that_is_not_applied_is_wrong() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE (app, name) = ('sessions', '0001_initial')")
    found = line(database.lines(), "migrations")
    assert found.level == Level.WRONG
    assert "manage.py migrate" in found.remedy


def test_a_short_secret_and_one_that_others_may_read_are_wrong(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR, settings.SECRET_KEY = tmp_path, "x" * 60
    (tmp_path / "secret_key").write_text("x" * 60)
    (tmp_path / "secret_key").chmod(0o644)
    assert line(machine.lines(), "secrets").remedy == f"chmod 600 {tmp_path / 'secret_key'}"
    (tmp_path / "secret_key").chmod(0o600)
    assert line(machine.lines(), "secrets").level == Level.OK
    settings.SECRET_KEY = "short"
    assert line(machine.lines(), "secrets").level == Level.WRONG


def test_folders_mail_and_endpoints_that_do_not_answer_are_wrong(settings: Any, tmp_path: Path) -> None:
    closed = free_port()
    settings.MODEL_ROOTS = [str(tmp_path), str(tmp_path / "missing")]
    settings.OPENAI_HOSTS = [f"127.0.0.1:{closed}"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", closed
    found = list(machine.lines())
    assert [one.level for one in found if one.subject == "models"] == [Level.OK, Level.WRONG]
    assert line(found, "mail").remedy == "start the mail server or correct EMAIL_URL"
    assert line(found, "endpoints").what == f"127.0.0.1:{closed} does not answer"


def test_the_usual_folder_for_models_is_no_fault_before_the_first_start(settings: Any, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    own = embedded.own_models(tmp_path)
    settings.MODEL_ROOTS = [str(own)]
    assert line(machine.lines(), "models") == note(
        "models", f"'make up' creates {own}, the folder for models of your own"
    )
    own.mkdir()
    assert line(machine.lines(), "models").level == Level.OK


def test_invitations_that_wait_while_no_mail_is_sent_are_named(settings: Any) -> None:
    Invitation.objects.create(email="grace@example.org")
    settings.EMAIL_BACKEND = DUMMY
    found = line(database.lines(), "invitations")
    assert (found.level, found.what) == (Level.NOTE, "1 open, and no mail is sent")
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert not [one for one in database.lines() if one.subject == "invitations"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small file system")
def test_a_disk_that_is_nearly_full_is_wrong(settings: Any, small_disk: Path) -> None:
    settings.MODEL_STORE = small_disk / "not-made-yet"
    assert line(machine.lines(), "disk store").remedy == "free some space"


def test_a_reader_that_cannot_log_in_is_wrong(settings: Any) -> None:
    settings.READER_DATABASE_URL = f"postgres://nobody:nothing@127.0.0.1:{free_port()}/none"
    assert line(database.lines(), "reader").what == "cannot log in"


@pytest.mark.django_db(transaction=True)
def test_a_reader_that_was_created_is_judged_by_its_rights(settings: Any) -> None:
    name = "doctor_reader"
    settings.READER_DATABASE_URL = create_reader(connection, name)
    try:
        left = fence.statements_left(connection)
        assert line(database.lines(), "reader").level == (Level.WRONG if left else Level.OK)
        with connection.cursor() as cursor:
            cursor.execute(f"ALTER ROLE {name} SUPERUSER")
        assert line(database.lines(), "reader").what == "is a superuser, which may do everything"
    finally:
        with connection.cursor() as cursor:
            cursor.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")
