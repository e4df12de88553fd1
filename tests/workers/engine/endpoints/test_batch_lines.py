"""The lines of a batch: sizes of files, and results in the forms that endpoints write."""

import json
from typing import Any

import pytest

from workers.engine.endpoints import batch_lines
from workers.engine.endpoints.batch_lines import in_files, request_line, result_in


def test_no_file_has_more_lines_or_bytes_than_an_endpoint_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_lines, "MOST_REQUESTS", 3)
    monkeypatch.setattr(batch_lines, "MOST_BYTES", 10)
    assert list(in_files([b"x" * size for size in (1, 1, 1, 1, 9, 1, 50, 2)])) == [3, 2, 1, 1, 1]


def test_a_request_is_one_line_that_names_its_digest() -> None:
    line = request_line("abc", {"messages": [{"content": "a\u2028b\nc"}]})
    assert line.count(b"\n") == 1
    assert json.loads(line)["custom_id"] == "abc"


@pytest.mark.parametrize(
    ("line", "status", "why"),
    [
        ({"custom_id": "a", "response": {"status_code": 200, "body": {}}, "error": None}, 200, ""),
        ({"custom_id": "a", "response": {"status_code": 429, "body": {"error": {"message": "busy"}}}}, 429, "busy"),
        ({"custom_id": "a", "response": None, "error": {"code": "batch_expired", "message": "Late."}}, 0, "Late."),
        ({"custom_id": "a", "error": {"code": "batch_expired"}}, 0, "batch_expired"),
    ],
)
def test_a_result_has_its_status_and_what_the_endpoint_says(line: dict[str, Any], status: int, why: str) -> None:
    found = result_in(json.dumps(line).encode())
    assert found is not None
    assert (found.request, found.status, found.why) == ("a", status, why)


@pytest.mark.parametrize("line", [b"{", b"[]", b"null", b'{"custom_id"', b'{"response": {}}', b"\xff"])
def test_a_line_of_another_form_is_none(line: bytes) -> None:
    assert result_in(line) is None
