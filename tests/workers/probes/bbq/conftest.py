"""The published examples and predictions of BBQ, which stand beside the project."""

from pathlib import Path

import pytest

PUBLISHED = Path(__file__).resolve().parents[4] / "../shared/data/bbq"


@pytest.fixture(scope="session")
def published() -> Path:
    if not PUBLISHED.is_dir():
        pytest.skip("the published BBQ files are not beside the project (../shared/data/bbq)")
    return PUBLISHED.resolve()
