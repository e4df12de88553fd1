"""Brokers that a test may stop, kill and flush: servers of its own, in folders and on ports of its own."""

import os
import shutil
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Timer
from typing import Any

import environ
import psutil  # type: ignore[import-untyped]
import psycopg
import pytest
from kombu.connection import Connection

from plumbline import broker, embedded
from plumbline.audits.states import Queue
from tests.patience import PATIENCE
from tests.ports import answers, free_port


def absent(what: str, port: int) -> None:
    """Skip, saying what is missing. Under CI_SERVICES=required it must not be, where the machine serves this port."""
    if os.environ.get("CI_SERVICES") == "required" and answers(port):
        pytest.fail(f"{what}, and CI_SERVICES=required")
    pytest.skip(what)


class Broker(ABC):
    """`setting` is what CELERY_BROKER_URL is to be, `url` where that leads."""

    url: str
    setting: str

    @abstractmethod
    def start(self) -> None:
        """It answers when this returns, also when it had been running."""

    @abstractmethod
    def stop(self) -> None: ...

    @abstractmethod
    def flush(self) -> None:
        """All messages are gone, and where the broker keeps them beside, the queues; the clients stay connected."""

    @abstractmethod
    def waiting(self) -> int:
        """How many messages lie there, undelivered."""


class Embedded(Broker):
    """The database is the broker too: both go and come together."""

    setting = ""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.url = broker.url(environ.Env.db_url_config(embedded.database_url(var)))

    def start(self) -> None:
        embedded.start(self.var)

    def stop(self) -> None:
        embedded.stop(self.var)

    def flush(self) -> None:
        with psycopg.connect(embedded.database_url(self.var)) as connection:
            connection.execute("DELETE FROM kombu_message")
            connection.execute("TRUNCATE kombu_queue CASCADE")

    def waiting(self) -> int:
        with psycopg.connect(embedded.database_url(self.var)) as connection:
            return int(connection.execute("SELECT count(*) FROM kombu_message").fetchone()[0])  # type: ignore[index]


class Server(Broker):
    """A process that listens on a port; what it says goes to a file in its folder."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.process: subprocess.Popen[bytes] | None = None
        self.environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(folder)}
        self.command: list[str] = []

    def start(self) -> None:
        if self.process is None:
            with (self.folder / "said").open("ab") as out:
                self.process = subprocess.Popen(
                    self.command, cwd=self.folder, env=self.environment, stdout=out, stderr=out, start_new_session=True
                )
            with self.connection() as asking:
                asking.ensure_connection(self._check, interval_start=0.05, interval_step=0, timeout=PATIENCE)

    def connection(self) -> Any:
        return Connection(self.url, connect_timeout=2)  # type: ignore[no-untyped-call]

    def _check(self, _error: Exception, _interval: float) -> None:
        assert self.process is not None
        assert self.process.poll() is None, (self.folder / "said").read_text(errors="replace")

    def waiting(self) -> int:
        with self.connection() as connection:
            declare = connection.default_channel.queue_declare
            return sum(declare(queue, durable=True, auto_delete=False).message_count for queue in Queue.values)

    def stop(self) -> None:
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """It still has its connections, and takes new ones, but says nothing; not for ever, that a test may fail."""
        assert self.process is not None
        group = self.process.pid
        end = Timer(PATIENCE, os.killpg, (group, signal.SIGCONT))
        os.killpg(group, signal.SIGSTOP)
        end.start()
        try:
            yield
        finally:
            end.cancel()
            os.killpg(group, signal.SIGCONT)

    def close(self) -> None:
        """Stop it for good: nothing of it is left."""
        self.stop()
        assert not psutil.wait_procs(self._processes(), timeout=PATIENCE)[1]

    def _processes(self) -> list[psutil.Process]:
        """All that was started in its environment."""
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                if process.environ().get("HOME") == str(self.folder):
                    found.append(process)
        return found

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None:
            os.killpg(self.process.pid, how)
            self.process.wait(PATIENCE)
            self.process = None


class Redis(Server):
    """In memory alone: a stopped one has forgotten everything."""

    program = shutil.which("redis-server")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.command = [str(self.program), "--bind", "127.0.0.1", "--port", str(self.port), "--save", ""]
        self.url = self.setting = f"redis://127.0.0.1:{self.port}/0"

    def flush(self) -> None:
        with self.connection() as connection:
            connection.default_channel.client.flushall()


class RabbitMQ(Server):
    """A node with its own name server: no other node is met. The program is called past Debian's change of user."""

    program = shutil.which("/usr/lib/rabbitmq/bin/rabbitmq-server")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.command = [str(self.program)]
        self.url = self.setting = f"amqp://guest:guest@127.0.0.1:{self.port}//"
        self.environment |= {"ERL_EPMD_PORT": str(free_port()), "ERL_EPMD_ADDRESS": "127.0.0.1"} | {
            f"RABBITMQ_{name}": str(value)
            for name, value in {
                "NODENAME": f"tests-{self.port}@localhost",
                "NODE_IP_ADDRESS": "127.0.0.1",
                "NODE_PORT": self.port,
                "DIST_PORT": free_port(),
                "MNESIA_BASE": folder / "mnesia",
                "LOG_BASE": folder / "log",
                "PID_FILE": folder / "pid",
                "ENABLED_PLUGINS_FILE": folder / "plugins",
                "CONFIG_FILE": folder / "rabbitmq",
                "CONF_ENV_FILE": folder / "rabbitmq-env.conf",
            }.items()
        }

    def flush(self) -> None:
        with self.connection() as connection:
            for queue in Queue.values:
                connection.default_channel.queue_delete(queue)

    def close(self) -> None:
        """The node, then the name server that it started."""
        self.stop()
        subprocess.run(["epmd", "-kill"], env=self.environment, capture_output=True, check=True, timeout=PATIENCE)
        super().close()
