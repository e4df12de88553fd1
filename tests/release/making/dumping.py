"""The dump: pg_dump's plain SQL, so that PostgreSQL 15 and 18 load it without psql, and so that it names no machine."""

import lzma
import re
import shutil
import socket
import sys
import tempfile
from pathlib import Path

from django.conf import settings

from plumbline import embedded, postgres_programs

UNKNOWN_TO_15 = re.compile(r"^(\\(un)?restrict .*|SET transaction_timeout = 0;)\n", re.MULTILINE)
PLACE, HOST = "/srv/plumbline", "auditors-laptop"
"""What stands in the dump for the folder of the code and for the machine that made it."""


def dump(target: Path) -> None:
    """Write the whole database to a file that ends in .sql.xz. RuntimeError where it would tell about this machine."""
    text = _without_places(UNKNOWN_TO_15.sub("", _dumped(settings.VAR_DIR)))
    _refuse_places(text)
    target.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def _dumped(var: Path) -> str:
    folder = Path(tempfile.mkdtemp(prefix="plumbline-dump-"))
    try:
        postgres_programs.give_to_server(folder)
        out = folder / "dump.sql"
        options = ("--no-owner", "--no-privileges", "--no-comments", f"--file={out}")
        postgres_programs.run("pg_dump", *options, f"--dbname={embedded.database_url(var)}")
        return out.read_text(encoding="utf-8")
    finally:
        shutil.rmtree(folder)


def _without_places(text: str) -> str:
    """Tracebacks name files, and runs in this process name the host."""
    libraries = {Path(sys.prefix), Path(sys.prefix).resolve()}
    places = {str(folder): f"{PLACE}/.venv" for folder in libraries} | {str(settings.BASE_DIR): PLACE}
    places |= {sys.base_prefix: f"{PLACE}/python", socket.gethostname(): HOST}
    for place in sorted(places, key=len, reverse=True):
        text = text.replace(place, places[place])
    return text


def _refuse_places(text: str) -> None:
    for place in (str(settings.BASE_DIR), str(settings.VAR_DIR), tempfile.gettempdir() + "/", str(Path.home())):
        if place in text:
            where = text.index(place)
            raise RuntimeError(f"the dump names {place!r}: ...{text[max(0, where - 200) : where + 100]}...")
