"""Lines about this machine: versions, secrets, disks, folders of models, mail and endpoints."""

import os
import platform
import shutil
import socket
from collections.abc import Iterator
from ctypes.util import find_library
from importlib import metadata
from pathlib import Path

from django.conf import settings

from plumbline import embedded, embedded_reader
from plumbline.accounts import mail
from plumbline.desk.doctor.line import Line, note, ok, wrong

SHORTEST_SECRET = 50
NEEDED_GB = 1.0
ANSWER_SECONDS = 3.0
HTTP_PORTS = {"https": 443, "http": 80}


def lines() -> Iterator[Line]:
    yield _versions()
    yield _secret()
    yield from (_disk(name, folder) for name, folder in (("var", settings.VAR_DIR), ("store", settings.MODEL_STORE)))
    yield from _model_roots()
    yield _mail()
    yield from _endpoints()
    yield _pango()


def _versions() -> Line:
    names = ("plumbline", "django", "torch", "transformers")
    found = [f"{name} {metadata.version(name)}" for name in names]
    return ok("versions", f"{', '.join(found)}, Python {platform.python_version()}")


def _secret() -> Line:
    """Check the secret key. Secrets that this installation made itself must be readable by their owner alone."""
    if len(settings.SECRET_KEY) < SHORTEST_SECRET:
        return wrong("secrets", f"SECRET_KEY has under {SHORTEST_SECRET} characters", "openssl rand -hex 32")
    for file in (settings.VAR_DIR / "secret_key", settings.VAR_DIR / embedded_reader.SECRET):
        if file.exists() and file.stat().st_mode & 0o077:
            return wrong("secrets", f"other users may read {file}", f"chmod 600 {file}")
    return ok("secrets", "SECRET_KEY is long enough and closed")


def _disk(name: str, folder: Path) -> Line:
    """Check the free space of the folder, or of the nearest one above it that exists."""
    there = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(there, os.W_OK):
        return wrong(f"disk {name}", f"{there} cannot be written", "make it writable")
    free = shutil.disk_usage(there).free / 2**30
    what = f"{free:.1f} GB are free for {folder}"
    return ok(f"disk {name}", what) if free >= NEEDED_GB else wrong(f"disk {name}", what, "free some space")


def _model_roots() -> Iterator[Line]:
    if not settings.MODEL_ROOTS:
        yield note("models", "MODEL_ROOTS is empty, so people may name no folder in the web")
    for root in settings.MODEL_ROOTS:
        if Path(root) == embedded.own_models(settings.VAR_DIR) and not Path(root).exists():
            yield note("models", f"'make up' creates {root}, the folder for models of your own")
        elif os.access(root, os.R_OK | os.X_OK) and Path(root).is_dir():
            yield ok("models", f"{root} can be read")
        else:
            yield wrong("models", f"{root} of MODEL_ROOTS cannot be read", "create it or correct MODEL_ROOTS")


def _mail() -> Line:
    if not mail.is_set():
        return note("mail", "EMAIL_URL is not set, so notices are stored and no link is mailed")
    host, port = getattr(settings, "EMAIL_HOST", ""), int(getattr(settings, "EMAIL_PORT", 0) or 0)
    if not host or _answers(host, port):
        return ok("mail", f"{host}:{port} answers" if host else settings.EMAIL_BACKEND)
    return wrong("mail", f"{host}:{port} does not answer", "start the mail server or correct EMAIL_URL")


def _endpoints() -> Iterator[Line]:
    if not settings.OPENAI_HOSTS:
        yield note("endpoints", "OPENAI_HOSTS is not set, so people may name no endpoint in the web")
    for given in settings.OPENAI_HOSTS:
        host, _, port = given.partition(":")
        if any(_answers(host, one) for one in ([int(port)] if port.isdecimal() else HTTP_PORTS.values())):
            yield ok("endpoints", f"{given} answers")
        else:
            yield wrong("endpoints", f"{given} does not answer", "start it or correct OPENAI_HOSTS")


def _pango() -> Line:
    """Check the library that lays out PDFs of reports. Reports as HTML do not need it."""
    if find_library("pango-1.0"):
        return ok("pdf", "pango is there, so reports can be made as PDF")
    return note("pdf", "pango is missing, so reports are HTML only", "install libpango-1.0-0, libpangoft2-1.0-0")


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), ANSWER_SECONDS).close()
    except OSError:
        return False
    return True
