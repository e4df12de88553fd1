"""The web server: processes without torch, which wait for the database and for browsers."""

import gc
import logging
import os
from typing import Any

from django.urls import get_resolver

from plumbline import logs, tracing
from plumbline import proxies as trusted

wsgi_app = "plumbline.wsgi"
bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or 8000}"
workers = int(os.environ.get("WEB_CONCURRENCY") or 2)
threads = 4
timeout = 60
graceful_timeout = 20
# Whose X-Forwarded-Proto is believed. Unset, gunicorn asks FORWARDED_ALLOW_IPS: by default this machine.
if proxies := os.environ.get("TRUSTED_PROXIES"):
    forwarded_allow_ips = trusted.as_peers(proxies.split(","))
control_socket_disable = True  # the supervisor controls us

logconfig_dict = logs.configuration("INFO")
# Without the query: what people search for is nobody else's business.
access_log_format = "%(m)s %(U)s %(s)s %(M)s ms from %(h)s"

SURVEY = "/survey/"
"""Where invited people without an account answer."""
LINKS = ("/invitation/", "/password/reset/")
"""Whoever knows the rest of such an address can use it."""


def on_starting(_server: Any) -> None:
    for rule in (_is_news, _without_respondents, _without_links):
        logging.getLogger("gunicorn.access").addFilter(rule)


def post_worker_init(_worker: Any) -> None:
    """Load all pages, and let the garbage collector pass over what stays: to look through it takes 0.2 s of a page."""
    get_resolver().url_patterns  # noqa: B018
    gc.collect()
    gc.freeze()


def worker_exit(_server: Any, _worker: Any) -> None:
    tracing.stop()


def _is_news(record: logging.LogRecord) -> bool:
    """Whoever watches our health asks every few seconds; that all is well is no news."""
    request: Any = record.args
    return not (request["U"] == "/health/" and request["s"] == "200")


def _without_respondents(record: logging.LogRecord) -> bool:
    """Nobody may learn who answered a survey: their lines have no address and no link."""
    request: Any = record.args
    if request["U"].startswith(SURVEY):
        request["h"], request["U"] = "-", SURVEY
    return True


def _without_links(record: logging.LogRecord) -> bool:
    """Leave out the secret part of links that make an account or set a password."""
    request: Any = record.args
    if link := next((one for one in LINKS if request["U"].startswith(one)), ""):
        request["U"] = link
    return True
