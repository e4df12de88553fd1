"""A report as one HTML file, and as a PDF made from it."""

import subprocess
import sys
from pathlib import Path
from threading import BoundedSemaphore

from django.template.loader import render_to_string

from plumbline.reports.documents import Document
from plumbline.reports.typeset import MISSING
from plumbline.spec.errors import InputError

HTML, PDF = "html", "pdf"
CONTENT_TYPES = {HTML: "text/html; charset=utf-8", PDF: "application/pdf"}
SCRIPT = Path(__file__).with_name("typeset.py")
SECONDS = 50
"""The time limit of typesetting, below the web server's own of a minute."""
AT_ONCE, PATIENCE = 1, 5.0
"""How many PDFs one process has made at once, and for how many seconds a further one waits."""
NO_PANGO = (
    "a PDF needs the library pango, which is missing on the machine that makes it: install the packages"
    " libpango-1.0-0, libpangoft2-1.0-0, libharfbuzz-subset0 and a font such as fonts-dejavu-core (Debian, Ubuntu), or"
    " pango (macOS, Fedora). The report as HTML works without them."
)
_turn = BoundedSemaphore(AT_ONCE)


def rendered(report: Document, kind: str) -> bytes:
    """Return the file of a report. Raises InputError if a PDF cannot be made here or now."""
    page = html(report)
    return page.encode() if kind == HTML else pdf(page)


def html(report: Document) -> str:
    text = render_to_string("reports/report.html", {"report": report})
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip()) + "\n"


def pdf(page: str) -> bytes:
    """Return the page as a tagged PDF. Raises InputError without pango, after SECONDS, or while others are made."""
    if not _turn.acquire(timeout=PATIENCE):
        raise InputError("other PDFs are being made right now: try again in a minute, or take the HTML.")
    try:
        made = subprocess.run([sys.executable, "-I", SCRIPT], input=page.encode(), capture_output=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        told = f"the PDF took more than {SECONDS} seconds and was stopped: take the HTML, and print it in a browser."
        raise InputError(told) from None
    finally:
        _turn.release()
    if made.returncode == MISSING:
        raise InputError(NO_PANGO)
    if made.returncode:
        why = made.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["no reason given"]
        raise InputError(f"the PDF could not be made: {why[0][:200]}. Take the HTML.")
    return made.stdout
