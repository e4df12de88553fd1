"""A server of the tests' own that answers in a thread until the end of a block."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import BaseServer
from typing import TypeVar

Served = TypeVar("Served", bound=BaseServer)


@contextmanager
def served(server: Served) -> Iterator[Served]:
    with server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
