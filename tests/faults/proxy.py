"""A database connection that breaks at the worst moment: the COMMIT arrives, its answer does not."""

import socket
import threading
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

COMMIT = b"COMMIT"


class LosesAnAnswer:
    """Passes everything between clients and a server's socket on, but for the answer to one COMMIT after a COPY."""

    def __init__(self, folder: Path, server: Path) -> None:
        self.server, self.lost = server, threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(folder / ".s.PGSQL.5432"))
        self.listener.listen()
        self.url = f"postgres://postgres@/plumbline?host={quote(str(folder))}&port=5432"
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(self.server))
            swallow = threading.Event()
            back = threading.Thread(target=self._answers, args=(server, client, swallow), daemon=True)
            back.start()
            copied = False
            while data := _received(client):
                copied = copied or b"COPY" in data
                if copied and COMMIT in data and not self.lost.is_set():
                    self.lost.set()
                    swallow.set()
                server.sendall(data)
            _shut(server)
            back.join()

    def _answers(self, server: socket.socket, client: socket.socket, swallow: threading.Event) -> None:
        while data := _received(server):
            if swallow.is_set():
                break
            client.sendall(data)
        _shut(client)


def _received(source: socket.socket) -> bytes:
    try:
        return source.recv(65536)
    except OSError:
        return b""


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
