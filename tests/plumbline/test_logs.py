"""Logs as the collector of an operator reads them: a real process, its stderr, one JSON object a line."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from plumbline import logs
from plumbline.spec.errors import InputError
from tests.processes import forked

SERVICE = "import logging, structlog; from plumbline import logs; logs.configure(); log = structlog.get_logger('me')\n"


def said(code: str, **environment: str) -> str:
    """What a process that runs `code` writes to stderr."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("LOG_")}
    place = {"PYTHONPATH": str(Path(settings.BASE_DIR) / "platform")}
    ended = forked.run("-c", code, env=inherited | place | environment)
    assert ended.stdout == ""
    return ended.stderr


def lines(code: str, **environment: str) -> list[dict[str, Any]]:
    """The same, each line read as JSON."""
    return [json.loads(line) for line in said(code, **environment).split("\n")[:-1]]


def test_a_line_is_one_json_object_with_time_level_logger_and_event() -> None:
    [line] = lines(SERVICE + "log.info('shard done', items=3)")
    assert list(line)[:4] == ["timestamp", "level", "logger", "event"]
    assert (line["level"], line["logger"], line["event"], line["items"]) == ("info", "me", "shard done", 3)
    when = datetime.fromisoformat(line["timestamp"])
    assert when.utcoffset() == UTC.utcoffset(None)
    assert abs((datetime.now(UTC) - when).total_seconds()) < 120


def test_what_the_standard_library_logs_looks_the_same() -> None:
    [line] = lines(SERVICE + "logging.getLogger('celery').warning('lost %s', 'x\\ny')")
    assert (line["level"], line["logger"], line["event"]) == ("warning", "celery", "lost x\ny")


def test_run_shard_and_worker_are_in_every_line_while_they_are_bound() -> None:
    first, second, third = lines(
        SERVICE
        + "with structlog.contextvars.bound_contextvars(run=7, shard=12, worker='host:1'):\n"
        + "    log.info('ours')\n    logging.getLogger('theirs').info('theirs')\n"
        + "log.info('after')"
    )
    for line in (first, second):
        assert (line["run"], line["shard"], line["worker"]) == (7, 12, "host:1")
    assert not {"run", "shard", "worker"} & third.keys()


@pytest.mark.parametrize("speak", ["log.exception('failed')", "logging.getLogger('x').exception('failed')"])
def test_an_exception_stays_in_its_line(speak: str) -> None:
    [line] = lines(SERVICE + f"try:\n    1 / 0\nexcept ZeroDivisionError:\n    {speak}")
    assert line["event"] == "failed"
    assert line["exception"].startswith("Traceback (most recent call last):\n")
    assert line["exception"].endswith("ZeroDivisionError: division by zero")


def test_a_warning_of_a_library_is_a_line_too() -> None:
    [line] = lines(SERVICE + "import warnings; warnings.warn('old', stacklevel=1)")
    assert (line["level"], line["logger"]) == ("warning", "py.warnings")


def test_the_pool_of_celery_says_in_a_line_that_a_child_died() -> None:
    [line] = lines(SERVICE + "from billiard import util; util.get_logger(); util.error('Process %s exited', 7)")
    assert (line["level"], line["event"]) == ("error", "Process 7 exited")


def test_the_end_of_a_process_by_an_exception_is_a_line() -> None:
    [line] = lines(SERVICE + "raise ValueError('no way on')")
    assert (line["level"], line["event"]) == ("critical", "uncaught exception")
    assert line["exception"].endswith("ValueError: no way on")


def test_the_end_of_a_thread_by_an_exception_is_a_line() -> None:
    [line] = lines(SERVICE + "import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join()")
    assert line["exception"].endswith("ZeroDivisionError: division by zero")


@pytest.mark.parametrize("name", ["Zoë", "Şükrü", "李娜"])
def test_a_name_in_any_script_can_be_read(name: str) -> None:
    text = said(SERVICE + f"log.info('asked', name={name!r})", PYTHONUTF8="1")
    assert f'"name": "{name}"' in text


def test_text_that_is_no_unicode_ends_no_line() -> None:
    [line] = lines(SERVICE + "log.info('read', file='\\udc80')", PYTHONUTF8="1")
    assert line["file"] == "\udc80"


@pytest.mark.parametrize(
    "text",
    [
        "cannot reach postgres://plumbline:hunter2@db:5432/plumbline",
        "amqp://guest:hunter2@broker//, redis://:hunter2@cache/0",
        "postgres:///plumbline?host=db&password=hunter2&port=5432",
        "connection failed: host=db password=hunter2 user=plumbline",
    ],
)
@pytest.mark.parametrize("form", ["json", "console"])
def test_a_password_in_an_address_is_never_logged(text: str, form: str) -> None:
    code = SERVICE + f"log.info({text!r}, url={text!r})\ntry:\n    raise OSError({text!r})\nexcept OSError:\n"
    told = said(code + "    log.exception('failed')", LOG_FORMAT=form)
    assert "hunter2" not in told
    assert told.count("***") >= 3


def test_an_address_without_a_password_is_left_as_it_is() -> None:
    [line] = lines(SERVICE + "log.info('Listening at: http://127.0.0.1:8000 (12), postgres://db:5432/x')")
    assert line["event"] == "Listening at: http://127.0.0.1:8000 (12), postgres://db:5432/x"


@pytest.mark.parametrize(("form", "is_json"), [("json", True), ("", True), ("console", False)])
def test_the_form_is_json_unless_people_read_it(form: str, is_json: bool) -> None:
    assert said(SERVICE + "log.info('hello')", LOG_FORMAT=form).startswith("{") is is_json


def test_a_service_shows_its_doings_and_a_command_only_what_is_wrong() -> None:
    speak = "log.info('doing'); log.warning('wrong')"
    command = SERVICE.replace("logs.configure()", "logging.config.dictConfig(logs.for_commands())")
    assert [line["event"] for line in lines(SERVICE + speak)] == ["doing", "wrong"]
    assert [line["event"] for line in lines("import logging.config\n" + command + speak)] == ["wrong"]


@pytest.mark.parametrize(("level", "count"), [("debug", 2), ("INFO", 1), ("error", 0)])
def test_the_level_can_be_chosen(level: str, count: int) -> None:
    assert len(lines(SERVICE + "log.debug('d'); log.info('i')", LOG_LEVEL=level)) == count


@pytest.mark.parametrize(("variable", "value"), [("LOG_FORMAT", "xml"), ("LOG_LEVEL", "LOUD")])
def test_a_wrong_choice_is_reported_with_the_right_ones(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(InputError, match=rf"{variable} must be one of .*, not"):
        logs.for_commands()


def test_django_has_no_handler_of_its_own() -> None:
    code = SERVICE + "logging.getLogger('django.request').warning('Not Found')"
    django = "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'plumbline.settings'; django.setup()\n"
    [line] = lines(django + code, DEBUG="1")
    assert (line["logger"], line["event"]) == ("django.request", "Not Found")


REFUSED = """
import django
from django.conf import settings
from django.test import Client
django.setup()
logs.configure()
settings.LOGGING_CONFIG = None
from django.core.exceptions import PermissionDenied
from django.core.handlers.exception import response_for_exception
from django.test import RequestFactory
from django.utils.log import log_response
from django.http import HttpResponse
try:
    raise PermissionDenied('no')
except PermissionDenied as error:
    log_response('Forbidden (Permission denied): %s', '/x/' * 900, response=HttpResponse(status=403), exception=error)
try:
    RequestFactory().get('/', headers={'host': 'evil.example'}).get_host()
except Exception as error:
    logging.getLogger('django.security.DisallowedHost').error(str(error), exc_info=error)
try:
    1 / 0
except ZeroDivisionError as error:
    log_response('Internal Server Error: %s', '/y/', response=HttpResponse(status=500), exception=error)
"""


def test_a_refused_request_is_logged_without_a_traceback_and_a_fault_with_one() -> None:
    forbidden, host, fault = lines(SERVICE + REFUSED, DJANGO_SETTINGS_MODULE="plumbline.settings")
    assert "exception" not in forbidden
    assert len(forbidden["event"]) <= 500
    assert "exception" not in host
    assert "evil.example" in host["event"]
    assert "ZeroDivisionError" in fault["exception"]
