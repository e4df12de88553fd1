"""The web server's log does not say who answered a survey."""

import logging
import runpy
from pathlib import Path

import pytest

CONFIGURATION = runpy.run_path(str(Path(__file__).parents[4] / "gunicorn.conf.py"))


def logged(path: str) -> str:
    """The line of a request, after the filters that the server installs."""
    logger = logging.getLogger("gunicorn.access")
    before = list(logger.filters)
    CONFIGURATION["on_starting"](None)
    atoms = {"h": "203.0.113.7", "U": path, "m": "POST", "s": "302", "M": 4}
    record = logger.makeRecord("a", logging.INFO, "", 0, CONFIGURATION["access_log_format"], (atoms,), None)
    try:
        logger.filter(record)
        return record.getMessage()
    finally:
        logger.filters = before


@pytest.mark.parametrize("way", ["", "begin/", "save/", "withdraw/"])
def test_a_request_of_a_survey_is_logged_without_address_and_link(way: str) -> None:
    assert logged(f"/survey/a-secret-token/{way}") == "POST /survey/ 302 4 ms from -"


def test_other_requests_are_logged_with_their_address() -> None:
    assert logged("/annotation/surveys/") == "POST /annotation/surveys/ 302 4 ms from 203.0.113.7"
