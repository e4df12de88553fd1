"""Messages, as this test process sends them."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager

from plumbline import broker
from plumbline.celery import app


@contextmanager
def sent_to(url: str) -> Iterator[None]:
    """This process, which launches, sends its messages there."""
    before = os.environ["CELERY_BROKER_URL"]
    _use(url)
    try:
        yield
    finally:
        _use(before)


def _use(url: str) -> None:
    os.environ["CELERY_BROKER_URL"] = url  # Celery believes it more than its own settings
    app.conf.broker_transport_options = broker.options(url)
    app._pool = app.amqp._producer_pool = None


@contextmanager
def silence() -> Iterator[int]:
    """The port of a server that accepts and never says a word."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(100)
        yield listener.getsockname()[1]
