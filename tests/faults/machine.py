"""The machine's own Redis and RabbitMQ, in a part of them that is the tests' alone: never restarted, never flushed."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from redis import Redis

from tests.faults.brokers import absent
from tests.patience import PATIENCE
from tests.ports import answers

REDIS, RABBITMQ = 6379, 5672
DATABASES = range(9, 16)


@contextmanager
def redis_database() -> Iterator[str]:
    """The address of a database that nobody uses; it is left as empty as it was found."""
    if not answers(REDIS):
        absent("no Redis at 127.0.0.1:6379", REDIS)
    number = next((number for number in DATABASES if _claimed(Redis(db=number))), None)
    if number is None:
        pytest.fail("no database of this machine's Redis is empty from 9 to 15: look at them with redis-cli -n")
    client = Redis(db=number)
    try:
        yield f"redis://127.0.0.1:{REDIS}/{number}"
    finally:
        for key in client.scan_iter():
            client.delete(key)
        assert client.dbsize() == 0
        client.close()


def _claimed(database: Redis) -> bool:
    """Whether it was empty and is ours now: other processes of the tests look for one at the same time."""
    return not database.dbsize() and bool(database.set("plumbline-tests", os.getpid(), nx=True))


@contextmanager
def rabbitmq_vhost() -> Iterator[str]:
    """The address of a virtual host of our own, made and deleted here."""
    if not answers(RABBITMQ):
        absent("no RabbitMQ at 127.0.0.1:5672", RABBITMQ)
    if os.geteuid() != 0 or shutil.which("rabbitmqctl") is None:
        absent("rabbitmqctl of this machine's RabbitMQ cannot be used", RABBITMQ)
    name = f"plumbline-tests-{os.getpid()}"
    _control("add_vhost", name)
    try:
        _control("set_permissions", "-p", name, "guest", ".*", ".*", ".*")
        yield f"amqp://guest:guest@127.0.0.1:{RABBITMQ}/{name}"
    finally:
        _control("delete_vhost", name)


def _control(*command: str) -> None:
    subprocess.run(["rabbitmqctl", "--quiet", *command], capture_output=True, check=True, timeout=PATIENCE)
