"""Ports of this machine, for servers that tests start."""

import socket
from contextlib import closing, suppress


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), timeout=2)):
        return True
    return False
