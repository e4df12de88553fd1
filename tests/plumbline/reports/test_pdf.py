"""The PDF: tags, language, title and alternative texts, and what happens where it cannot be made."""

import re
import zlib
from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.reports import rendering
from plumbline.spec.errors import InputError
from tests.plumbline.reports.conftest import needs_pango, report_on

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]


@pytest.fixture
def pdf(run: Run) -> bytes:
    """The objects of the PDF of a report, with what is compressed in it."""
    return _with_streams(rendering.pdf(report_on(run)))


def _with_streams(made: bytes) -> bytes:
    assert made.startswith(b"%PDF-1.7")
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", made, flags=re.DOTALL)
    return made + b"".join(filter(None, map(_unpacked, streams)))


def _unpacked(stream: bytes) -> bytes:
    """Return the content of a compressed stream, whose last byte may be a line break that was taken for the end's."""
    try:
        return zlib.decompressobj().decompress(stream)
    except zlib.error:
        return b""


@needs_pango
def test_it_is_tagged_has_a_language_a_title_and_texts_for_its_charts_and_nothing_active(pdf: bytes) -> None:
    for entry in (b"/StructTreeRoot", b"/Lang (en)", b"/DisplayDocTitle true", b"/Marked true", b"pdfuaid"):
        assert entry in pdf
    assert re.search(rb"/Title \((.*?)\)", pdf)
    for tag in (b"/S /H1", b"/S /H2", b"/S /H3", b"/S /Table", b"/S /TH", b"/S /TD", b"/S /L", b"/S /Caption"):
        assert tag in pdf
    assert b"/Headers [(" in pdf
    assert b"/S /Figure" in pdf
    assert pdf.count(b"/S /Figure") == len(re.findall(rb"/Alt \(", pdf))
    for entry in (b"/JavaScript", b"/EmbeddedFile", b"/Launch", b"/SubmitForm"):
        assert entry not in pdf


@needs_pango
def test_its_charts_have_the_colours_and_the_small_texts_of_the_html(pdf: bytes) -> None:
    """Without rules of its own a chart is black, so that a dot that is not present looks present."""
    blue = rb"0\.231\d* 0\.372\d* 0\.752\d* "
    assert re.search(blue + b"RG", pdf)
    assert re.search(rb"/\S+ 11 Tf", pdf)


def test_without_pango_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """A Python that finds no library of that name, as on a machine without pango."""
    script = tmp_path / "typeset.py"
    script.write_text(
        "import ctypes.util, sys\n"
        "import cffi.api\n"
        "def missing(self, *a): raise OSError(\"cannot load library 'libpango-1.0-0'\")\n"
        "cffi.api.FFI.dlopen = missing\n"
        f"sys.path.insert(0, {str(rendering.SCRIPT.parent)!r})\n"
        "import typeset\n"
        "sys.exit(typeset.main())\n"
    )
    monkeypatch.setattr(rendering, "SCRIPT", script)
    with pytest.raises(InputError, match=r"install the packages libpango-1\.0-0"):
        rendering.pdf("<p>a</p>")


def test_a_pdf_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    script = tmp_path / "endless.py"
    script.write_text("import time\ntime.sleep(600)\n")
    monkeypatch.setattr(rendering, "SCRIPT", script)
    monkeypatch.setattr(rendering, "SECONDS", 0.2)
    with pytest.raises(InputError, match="was stopped: take the HTML"):
        rendering.pdf("<p>a</p>")


def test_one_process_makes_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "PATIENCE", 0.01)
    with rendering._turn, pytest.raises(InputError, match="other PDFs are being made"):
        rendering.pdf("<p>a</p>")


@needs_pango
def test_typesetting_fetches_nothing(tmp_path: Any) -> None:
    """A style of another file would make the page as large as it says."""
    (tmp_path / "wide.css").write_text("@page { size: 1000px 77px }")
    page = f'<html lang="en"><title>a</title><link rel="stylesheet" href="file://{tmp_path}/wide.css"><p>text'
    assert b"/MediaBox [0 0 595" in _with_streams(rendering.pdf(page))
