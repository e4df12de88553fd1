"""The endpoint of the tests with files and batches in OpenAI's form, whose states and results a test may change."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes
from typing import Any

from tests.serving import served
from tests.workers.endpoint import Endpoint, Handler

Lines = list[dict[str, Any]]


class BatchEndpoint(Endpoint):
    """Each look at a batch takes the next of `statuses`; without one, the batch is completed.

    Its results are in reverse order. `change` may alter them, as bytes by line. `lost` is the number of answers to new
    batches that do not reach the client.
    """

    def __init__(self, answer: Callable[[str], Any]) -> None:
        self.handler = _Handler
        super().__init__(answer)
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, dict[str, Any]] = {}
        self.statuses: list[str] = []
        self.cancelled: list[str] = []
        self.change: Callable[[list[bytes]], list[bytes]] = lambda lines: lines
        self.status_of: Callable[[dict[str, Any]], int] = lambda _: 200
        self.why, self.absent, self.lost = "the file is too long", False, 0
        self.looks: list[str] = []
        self.on_look: Callable[[], object] = lambda: None
        self.gone = 0
        """The status with which files of results are refused; 0: they are not."""

    def add_file(self, content: bytes) -> str:
        name = f"file-{len(self.files)}"
        self.files[name] = content
        return name

    def requests(self) -> list[list[str]]:
        """The names of the requests of each batch."""
        return [[one["custom_id"] for one in self.lines_of(batch)] for batch in self.batches.values()]

    def lines_of(self, batch: dict[str, Any]) -> Lines:
        return [json.loads(line) for line in self.files[batch["input_file_id"]].splitlines()]

    def create(self, asked: dict[str, Any]) -> dict[str, Any]:
        name = f"batch-{len(self.batches)}"
        self.batches[name] = {**asked, "id": name, "status": "validating", "request_counts": {}}
        return self.batches[name]

    def look(self, name: str) -> dict[str, Any]:
        batch = self.batches[name]
        self.looks.append(name)
        self.on_look()
        if "output_file_id" in batch:
            return batch
        batch["status"] = self.statuses.pop(0) if self.statuses else "completed"
        lines = self.lines_of(batch)
        batch["request_counts"] = {"total": len(lines), "completed": len(lines) // 2, "failed": 0}
        if batch["status"] == "failed":
            batch["errors"] = {"data": [{"code": "invalid", "message": self.why, "line": None}]}
        elif batch["status"] in ("completed", "expired", "cancelled"):
            self._answer(batch, lines)
        return batch

    def _answer(self, batch: dict[str, Any], lines: Lines) -> None:
        """A batch that broke off has answered its first half."""
        whole = batch["status"] == "completed"
        done = lines if whole else lines[: len(lines) // 2]
        found = [self._result(one) for one in reversed(done)]
        good = [json.dumps(one, ensure_ascii=False).encode() for one in found if one["response"]["status_code"] == 200]
        bad = [json.dumps(one).encode() for one in found if one["response"]["status_code"] != 200]
        error = {"code": f"batch_{batch['status']}", "message": f"This request {batch['status']}."}
        bad += [
            json.dumps({"custom_id": one["custom_id"], "response": None, "error": error}).encode()
            for one in lines[len(done) :]
        ]
        batch["output_file_id"] = self.add_file(b"\n".join(self.change(good)))
        batch["error_file_id"] = self.add_file(b"\n".join(bad)) if bad else None

    def _result(self, line: dict[str, Any]) -> dict[str, Any]:
        body = line["body"]
        self.asked.append(body)
        if (status := self.status_of(body)) != 200:
            response: dict[str, Any] = {"status_code": status, "body": {"error": {"message": f"says {status}"}}}
        else:
            status, content, _ = self.completion(body)
            response = {"status_code": status, "body": content}
        return {"custom_id": line["custom_id"], "response": response, "error": None}


class _Handler(Handler):
    server: BatchEndpoint

    def do_GET(self) -> None:  # noqa: N802 -- the name that http.server calls
        server = self.server
        found = re.fullmatch(r"/v1/files/([^/]+)/content", self.path)
        if found and server.gone:
            self.send(server.gone, {"error": "no"}, {})
        elif found:
            self.send(200, server.files[found[1]], {})
        elif self.path.startswith("/v1/batches?"):
            self.send(200, {"data": list(server.batches.values())}, {})
        elif (name := self.path.removeprefix("/v1/batches/")) in server.batches:
            self.send(200, server.look(name), {})
        else:
            self.send(404, {"error": "no such path"}, {})

    def do_POST(self) -> None:  # noqa: N802 -- the name that http.server calls
        server = self.server
        if not re.match("/v1/(files|batches)", self.path):
            return super().do_POST()
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if server.absent:
            self.send(404, {"error": "no such path"}, {})
        elif self.path == "/v1/files":
            self.send(200, {"id": server.add_file(_uploaded(self.headers["Content-Type"], content))}, {})
        elif self.path == "/v1/batches":
            made = server.create(json.loads(content))
            server.lost, lost = max(0, server.lost - 1), server.lost
            self.send(*((503, {}, {}) if lost else (200, made, {})))
        else:
            name = self.path.split("/")[3]
            server.cancelled.append(name)
            server.statuses = ["cancelled"]
            self.send(200, server.batches[name], {})
        return None


def _uploaded(kind: str, content: bytes) -> bytes:
    """The file in a form of several parts, whose purpose must be that of batches."""
    parts: Any = message_from_bytes(f"Content-Type: {kind}\r\n\r\n".encode() + content).get_payload()
    named: dict[Any, bytes] = {
        one.get_param("name", header="content-disposition"): one.get_payload(decode=True) for one in parts
    }
    assert named["purpose"].strip() == b"batch"
    return named["file"]


@contextmanager
def serving_batches(answer: Callable[[str], Any]) -> Iterator[BatchEndpoint]:
    """The server, until the end of the block."""
    with served(BatchEndpoint(answer)) as server:
        yield server
