"""What all tests of the platform have in common."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django import Settings


@pytest.fixture(autouse=True)
def quick_hashes(settings: Settings) -> None:
    """A password takes as long as it should to check; a thousand of them would be slow."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def flat_pages(settings: Settings) -> None:
    """A template's lines may end anywhere that a browser shows no difference."""
    settings.MIDDLEWARE = ["tests.plumbline.flat_html.flat_pages", *settings.MIDDLEWARE]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 8 MB."""
    place = tmp_path / "small-disk"
    place.mkdir()
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", place], capture_output=True, text=True)
    if made.returncode:
        pytest.skip(f"a small file system cannot be mounted here: {made.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", place], check=True)
