"""What all tests of the platform have in common."""

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
