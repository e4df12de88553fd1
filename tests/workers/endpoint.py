"""A small server that speaks chat completions, refuses parameters as some models do, and fails as real ones do."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.serving import served

Reply = tuple[int, Any, dict[str, str]]


class Handler(BaseHTTPRequestHandler):
    server: "Endpoint"

    def log_message(self, *_: object) -> None:
        pass

    def do_POST(self) -> None:
        server = self.server
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with server.lock:
            server.at_once += 1
            server.most_at_once = max(server.most_at_once, server.at_once)
            server.asked.append(body)
            server.keys.add(self.headers.get("Authorization", ""))
            reply = server.replies.pop(0) if server.replies else None
        try:
            reply = reply or self._answered(body)
        finally:
            # Before the answer is out: a client sends its next request at once, also while this thread waits for its
            # turn, and would count twice.
            with server.lock:
                server.at_once -= 1
        self.send(*reply)

    def _answered(self, body: dict[str, Any]) -> Reply:
        if self.path != "/v1/chat/completions":
            return 404, {"error": "no such path"}, {}
        return self.server.completion(body)

    def send(self, status: int, content: Any, headers: dict[str, str]) -> None:
        sent = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(sent)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(sent)


class Endpoint(ThreadingHTTPServer):
    """Answers with `replies`, one for each request in turn, and then by `answer`.

    It returns the output for a text, or a choice with further fields of the completion. `refuses` holds parameters that
    the model does not take.
    """

    daemon_threads = True
    handler: type[Handler] = Handler

    def __init__(self, answer: Callable[[str], Any]) -> None:
        super().__init__(("127.0.0.1", 0), self.handler)
        self.answer = answer
        self.replies: list[Reply] = []
        self.refuses: dict[str, str] = {}
        self.asked: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.at_once = self.most_at_once = 0
        self.lock = threading.Lock()

    def completion(self, body: dict[str, Any]) -> Reply:
        for name, told in self.refuses.items():
            if name in body:
                return 400, {"error": {"message": told}}, {}
        said = self.answer(body["messages"][-1]["content"])
        if isinstance(said, dict):
            return 200, said, {}
        return 200, {"choices": [{"message": {"role": "assistant", "content": said}}]}, {}

    @property
    def reference(self) -> str:
        return f"openai:http://127.0.0.1:{self.server_address[1]}/v1#tiny-model"


@contextmanager
def serving(answer: Callable[[str], Any]) -> Iterator[Endpoint]:
    """The server, until the end of the block."""
    with served(Endpoint(answer)) as server:
        yield server
