"""Structured logs: messages of structlog and the standard library become one line each on stderr.

A line has timestamp, level, logger and event, and the values that the process bound with `structlog.contextvars`: run,
shard and worker. `LOG_FORMAT` is json or console, `LOG_LEVEL` the lowest level shown. Nothing here imports Django,
since gunicorn's first process logs without it.
"""

import logging
import logging.config
import os
import re
import sys
import threading
from types import TracebackType
from typing import Any

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from plumbline.spec.errors import InputError

LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")
FORMATS = ("json", "console")
# `user:secret@` in an address, and `password=secret` in its query or in a libpq connection string.
SECRET = re.compile(r"""(://[^\s:/@"']*:)[^\s"']+(?=@)|(\bpassword=)[^\s&"']+""", re.IGNORECASE)
MOST_OF_A_REFUSAL = 500

logger = structlog.get_logger(__name__)


class ShortRefusals(logging.Filter):
    """Log a refused request in one line: no traceback for 403, 404 or a wrong host, and at most MOST_OF_A_REFUSAL
    characters of what was sent.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        refused = record.name == "django.request" and getattr(record, "status_code", 500) < 500
        if refused or record.name.startswith("django.security."):
            record.exc_info = record.exc_text = None
            record.msg, record.args = record.getMessage()[:MOST_OF_A_REFUSAL], ()
        return True


def for_commands() -> dict[str, Any]:
    """Return Django's LOGGING: a command prints its answer and logs only warnings and errors."""
    return configuration("WARNING")


def configure() -> None:
    """Configure the logs of web, worker and scheduler from INFO on. Nothing else may write to stderr."""
    logging.config.dictConfig(configuration("INFO"))
    logging.captureWarnings(True)
    sys.excepthook = _log_uncaught
    threading.excepthook = _log_uncaught_in_thread


def configuration(default_level: str) -> dict[str, Any]:
    """Return the configuration for `logging.config.dictConfig` and route structlog through it."""
    level = _choice("LOG_LEVEL", default_level, LEVELS, str.upper)
    console = _choice("LOG_FORMAT", "console" if sys.stderr.isatty() else "json", FORMATS, str.lower) == "console"
    _speak_through_standard_library()
    through_root: dict[str, Any] = {"handlers": [], "level": "NOTSET", "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": _formatter(console)},
        "filters": {"refusals": {"()": ShortRefusals}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}},
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # These have their own handlers.
            **dict.fromkeys(("django", "gunicorn.error", "gunicorn.access"), through_root),
            # Celery's pool turns propagation off at each start.
            "multiprocessing": {"handlers": ["stderr"], "level": "WARNING", "propagate": False},
            # It logs a line per message, which the worker's own lines make redundant.
            **{name: {"level": "WARNING"} for name in ("celery.app.trace", "celery.worker.strategy")},
        },
    }


def _choice(variable: str, default: str, choices: tuple[str, ...], fold: Any) -> str:
    value: str = fold(os.environ.get(variable) or default)
    if value not in choices:
        raise InputError(f"{variable} must be one of {', '.join(choices)}, not {value!r}.")
    return value


def _common() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
    ]


def _speak_through_standard_library() -> None:
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_common(),
            structlog.stdlib.PositionalArgumentsFormatter(),
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def _formatter(console: bool) -> dict[str, Any]:
    return {
        "()": structlog.stdlib.ProcessorFormatter,
        "foreign_pre_chain": _common(),
        "processors": [
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            *(_for_people() if console else _for_machines()),
            _without_secrets,
        ],
    }


def _for_people() -> list[Processor]:
    return [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]


def _for_machines() -> list[Processor]:
    return [
        structlog.processors.format_exc_info,
        _first("timestamp", "level", "logger", "event"),
        structlog.processors.JSONRenderer(ensure_ascii=False),
    ]


def _first(*keys: str) -> Processor:
    def ordered(_logger: WrappedLogger, _method: str, line: EventDict) -> EventDict:
        return {**{key: line[key] for key in keys}, **line}

    return ordered


def _without_secrets(_logger: WrappedLogger, _method: str, line: Any) -> str:
    """Remove passwords from addresses of servers, which many libraries put into their messages."""
    return SECRET.sub(r"\1\2***", str(line))


def _log_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
    else:
        logger.critical("uncaught exception", exc_info=(kind, error, trace))


def _log_uncaught_in_thread(what: threading.ExceptHookArgs) -> None:
    if what.exc_value is not None and not issubclass(what.exc_type, SystemExit):
        _log_uncaught(what.exc_type, what.exc_value, what.exc_traceback)
