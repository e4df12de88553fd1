"""Words to test with: a file on disk, and a short list in the database."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plumbline.vocab.models import Name, NameList
from tests.plumbline.audits.conftest import elsewhere as elsewhere


@pytest.fixture
def write_file(tmp_path: Path) -> Callable[..., Path]:
    """Write text, encoded as asked, to a file and give its path."""

    def write(text: str, name: str = "words.csv", encoding: str = "utf-8") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode(encoding))
        return path

    return write


@pytest.fixture
def three_names(db: None) -> NameList:
    """Anna, Ben and Cleo, in this order."""
    names = NameList.objects.create(slug="three", title="Three names", source="This test", origin="English, 2026")
    for position, name in enumerate(("Anna", "Ben", "Cleo"), start=1):
        Name.objects.create(word_list=names, name=name, group="readers", position=position)
    return names
