"""A cache of paid answers on this machine, so that repeated work does not pay again."""

import sqlite3
import time
from pathlib import Path

KEPT_SECONDS = 30 * 24 * 3600
"""Answers older than this are deleted; their run has ended or was given up long before."""
PATIENCE_SECONDS = 30.0


class AnswerCache:
    """Texts by key in an SQLite file that several threads and processes may use at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._connected() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("CREATE TABLE IF NOT EXISTS answer (key TEXT PRIMARY KEY, text TEXT, at REAL)")
            connection.execute("DELETE FROM answer WHERE at < ?", (time.time() - KEPT_SECONDS,))

    def get(self, key: str) -> str | None:
        with self._connected() as connection:
            row = connection.execute("SELECT text FROM answer WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def put(self, key: str, text: str) -> None:
        with self._connected() as connection:
            connection.execute("INSERT OR REPLACE INTO answer VALUES (?, ?, ?)", (key, text, time.time()))

    def _connected(self) -> "_Connection":
        return _Connection(self.path)


class _Connection:
    """A connection for a single use.

    SQLite's connections belong to one thread, and opening the file takes microseconds.
    """

    def __init__(self, path: Path) -> None:
        self.connection = sqlite3.connect(path, timeout=PATIENCE_SECONDS)

    def __enter__(self) -> sqlite3.Connection:
        return self.connection

    def __exit__(self, *error: object) -> None:
        if error[0] is None:
            self.connection.commit()
        self.connection.close()
