"""A server with the protocols of vLLM and SGLang and the real bundled model in it, which fails as real ones do."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import cycle
from typing import Any

from tests.serving import served
from workers.engine.causal import CausalModel, CausalQuery

FAULTS = ("500", "429", "dropped", "cut", "slow")
SLOW_SECONDS = 6.0


class Server(ThreadingHTTPServer):
    """Answers by `model`; every `fault_every`-th question fails, each time in another way."""

    daemon_threads = True

    def __init__(self, model: CausalModel) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.model, self.lock = model, threading.Lock()
        self.shift = 0.0
        """What is added to each log probability: another model under the same name."""
        self.without: frozenset[str] = frozenset()
        """Keys of a question that the server does not know."""
        self.fault_every = self.questions = 0
        self.fails_after = 0
        """The number of questions after which all others are refused; 0: none is."""
        self.kinds = cycle(FAULTS)
        self.known: dict[str, list[Any]] = {}

    def reference(self, protocol: str = "vllm") -> str:
        folder = self.model.checkpoint.folder
        return f"{protocol}:http://127.0.0.1:{self.server_address[1]}#smol&tokenizer=path:{folder}"

    def values(self, texts: list[list[int]], targets: list[int]) -> list[list[float]]:
        key = json.dumps([texts, targets])
        with self.lock:
            if key not in self.known:
                self.known[key] = [self._values(tuple(text), targets) for text in texts]
            return [[value + self.shift for value in row] for row in self.known[key]]

    def _values(self, text: tuple[int, ...], targets: list[int]) -> list[float]:
        queries = [CausalQuery(text, (target,)) for target in targets] or [
            CausalQuery(text[:end], (text[end],)) for end in range(1, len(text))
        ]
        found: list[float] = self.model.log_probabilities(queries).tolist()
        return found


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        told = {
            "/v1/models": {"data": [{"id": "smol", "root": "/models/smol", "max_model_len": 512}]},
            "/version": {"version": "0.0.test"},
            "/get_model_info": {"model_path": "smol"},
        }
        self._send(200 if self.path in told else 404, json.dumps(told.get(self.path, {})).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.path == "/tokenize":
            return self._send(
                200, json.dumps({"tokens": self.server.model.tokenizer(body["prompt"])["input_ids"]}).encode()
            )
        body = {name: value for name, value in body.items() if name not in self.server.without}
        answer = json.dumps(_vllm(self.server, body) if self.path == "/v1/completions" else _sglang(self.server, body))
        with self.server.lock:
            self.server.questions += 1
            every = self.server.fault_every
            if 0 < self.server.fails_after < self.server.questions:
                return self._send(400, b"{}")
            fault = next(self.server.kinds) if every and self.server.questions % every == 0 else ""
        return self._answer(answer.encode(), fault)

    def _answer(self, answer: bytes, fault: str) -> None:
        match fault:
            case "500" | "429":
                self._send(int(fault), b"{}")
            case "dropped":
                self.close_connection = True
            case "cut":
                self._send(200, answer[: len(answer) // 2])
            case "slow":
                self._slowly(answer)
            case _:
                self._send(200, answer)

    def _slowly(self, answer: bytes) -> None:
        self._head(200, len(answer))
        until = time.monotonic() + SLOW_SECONDS
        for byte in answer:
            if time.monotonic() > until:
                break
            try:
                self.wfile.write(bytes([byte]))
            except OSError:
                break
            time.sleep(0.2)
        self.close_connection = True

    def _head(self, status: int, length: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(length))
        self.end_headers()

    def _send(self, status: int, content: bytes) -> None:
        self._head(status, len(content))
        with suppress(OSError):  # the client may have given up
            self.wfile.write(content)


def _vllm(server: Server, body: dict[str, Any]) -> dict[str, Any]:
    targets, texts = body.get("logprob_token_ids", []), body["prompt"]
    rows = server.values(texts, targets) if targets or "prompt_logprobs" in body else [[] for _ in texts]
    return {
        "choices": [_choice(at, text, row, targets) for at, (text, row) in enumerate(zip(texts, rows, strict=True))]
    }


def _choice(at: int, text: list[int], row: list[float], targets: list[int]) -> dict[str, Any]:
    if targets:
        top = {f"token_id:{target}": value for target, value in zip(targets, row, strict=True)}
        return {"index": at, "logprobs": {"top_logprobs": [top]}}
    if not row:
        return {"index": at, "prompt_logprobs": None}
    inside = [{str(token): {"logprob": value}} for token, value in zip(text[1:], row, strict=True)]
    return {"index": at, "prompt_logprobs": [None, *inside]}


def _sglang(server: Server, body: dict[str, Any]) -> list[dict[str, Any]]:
    texts, targets = body["input_ids"], body.get("token_ids_logprob", [[]])[0]
    rows = server.values(texts, targets)
    if targets:
        return [
            {"meta_info": {"output_token_ids_logprobs": [[[v, t, None] for v, t in zip(row, targets, strict=True)]]}}
            for row in rows
        ]
    return [
        {"meta_info": {"input_token_logprobs": [[v, t, None] for v, t in zip([None, *row], text, strict=True)]}}
        for text, row in zip(texts, rows, strict=True)
    ]


@contextmanager
def serving(model: CausalModel) -> Iterator[Server]:
    """The server, until the end of the block."""
    with served(Server(model)) as server:
        yield server
