"""Against a small server that speaks the few hub endpoints a download needs, in a process of its own."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.serving import served

OLD, NEW = "1" * 40, "2" * 40
CODE = """
import json, sys
from plumbline.spec.errors import ModelError
from workers.engine.loading import locate
try:
    found = locate(sys.argv[1])
except ModelError as error:
    print(json.dumps({"error": str(error)}))
else:
    print(json.dumps({"revision": found.revision, "kind": found.kind, "digest": found.digest,
                      "files": sorted(file.name for file in found.folder.iterdir())}))
"""


class Hub(ThreadingHTTPServer):
    """Repositories by name: commit -> folder. A gated one has no commits."""

    def __init__(self, repositories: dict[str, dict[str, Path]]) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.repositories = repositories
        self.tokens: set[str] = set()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: Hub

    def log_message(self, *_: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.server.tokens.add(self.headers.get("Authorization", ""))
        path = self.path.split("?")[0]
        if match := re.fullmatch(r"/api/models/([\w-]+/[\w-]+)(?:/revision/([^/]+))?", path):
            return self.describe(match[1], match[2] or "main")
        if match := re.fullmatch(r"/api/models/([\w-]+/[\w-]+)/tree/([^/]+)", path):
            return self.list_files(match[1], match[2])
        if match := re.fullmatch(r"/([\w-]+/[\w-]+)/resolve/([^/]+)/(.+)", path):
            return self.send_file(match[1], match[2], match[3])
        return self.answer(404, b"", {"X-Error-Code": "RepoNotFound"})

    def describe(self, repository: str, revision: str) -> None:
        commits = self.server.repositories.get(repository)
        if commits is None:
            return self.answer(401, b"", {"X-Error-Code": "RepoNotFound"})
        if not commits:
            return self.answer(403, b"", {"X-Error-Code": "GatedRepo"})
        commit = {"main": list(commits)[-1], "v1": next(iter(commits))}.get(revision, revision)
        if commit not in commits:
            return self.answer(404, b"", {"X-Error-Code": "RevisionNotFound"})
        siblings = [{"rfilename": file.name} for file in commits[commit].iterdir()]
        return self.answer(200, json.dumps({"id": repository, "sha": commit, "siblings": siblings}).encode())

    def list_files(self, repository: str, commit: str) -> None:
        files = self.server.repositories[repository][commit].iterdir()
        rows = [{"type": "file", "path": file.name, "size": file.stat().st_size, "oid": "0" * 40} for file in files]
        return self.answer(200, json.dumps(rows).encode())

    def send_file(self, repository: str, commit: str, name: str) -> None:
        file = self.server.repositories[repository][commit] / name
        if not file.is_file():
            return self.answer(404, b"", {"X-Error-Code": "EntryNotFound"})
        content = file.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()}"'
        return self.answer(200, content, {"ETag": tag, "X-Repo-Commit": commit})

    def answer(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(content)


@pytest.fixture(scope="module")
def hub(folder_of: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    root = tmp_path_factory.mktemp("hub")
    pickled = Path(shutil.copytree(folder_of("bert"), root / "pickled"))
    (pickled / "model.safetensors").rename(pickled / "pytorch_model.bin")
    new = Path(shutil.copytree(folder_of("gpt2"), root / "new"))
    (new / "pytorch_model.bin").write_bytes(b"pickle")
    (new / "modeling_evil.py").write_text("raise SystemExit")
    folders = {"org/two": {OLD: folder_of("bert"), NEW: new}, "org/gated": {}, "org/pickled": {OLD: pickled}}
    with served(Hub(folders)) as server:
        yield server


def located(endpoint: str, home: Path, reference: str, **environment: str) -> dict[str, object]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
    settings = {"HF_ENDPOINT": endpoint, "HF_HOME": str(home), "NO_PROXY": "127.0.0.1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", CODE, reference],
        env=inherited | settings, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    assert "\n" not in str(found.get("error", ""))
    return found


def test_a_branch_is_pinned_to_its_commit_and_only_what_is_needed_is_fetched(hub: Hub, tmp_path: Path) -> None:
    found = located(hub.endpoint, tmp_path, "hub:org/two")
    assert (found["revision"], found["kind"]) == (NEW, "causal")
    assert found["files"] == ["config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"]


def test_a_tag_and_a_commit_give_that_revision(hub: Hub, tmp_path: Path) -> None:
    by_tag, by_commit = (located(hub.endpoint, tmp_path, f"hub:org/two@{name}") for name in ("v1", OLD))
    assert by_tag == by_commit
    assert (by_tag["revision"], by_tag["kind"]) == (OLD, "masked")


def test_the_token_of_the_environment_is_sent(hub: Hub, tmp_path: Path) -> None:
    located(hub.endpoint, tmp_path, "hub:org/two", HF_TOKEN="hf_mine")
    assert "Bearer hf_mine" in hub.tokens


def test_a_gated_repository_says_what_to_do(hub: Hub, tmp_path: Path) -> None:
    error = located(hub.endpoint, tmp_path, "hub:org/gated")["error"]
    assert error == "hub:org/gated is gated: accept its terms on the hub and set HF_TOKEN to a token of that account"


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("hub:org/nothing", "is not on the hub, or private"),
        ("hub:org/two@v9", "the hub knows no revision 'v9'"),
        ("hub:org/pickled", "holds its weights only as pickles"),
    ],
)
def test_a_repository_that_cannot_be_used_says_why(hub: Hub, tmp_path: Path, reference: str, text: str) -> None:
    assert text in str(located(hub.endpoint, tmp_path, reference)["error"])


def test_without_the_hub_only_an_exact_commit_or_the_users_word_uses_the_cache(hub: Hub, tmp_path: Path) -> None:
    fetched = located(hub.endpoint, tmp_path, f"hub:org/two@{OLD}")
    nowhere = "http://127.0.0.1:9"
    assert located(nowhere, tmp_path, f"hub:org/two@{OLD}") == fetched
    assert "the hub cannot be reached" in str(located(nowhere, tmp_path, "hub:org/two")["error"])
    assert "the hub cannot be reached" in str(located(nowhere, tmp_path, f"hub:org/two@{NEW}")["error"])
    tag = located(hub.endpoint, tmp_path, "hub:org/two@v1")
    assert "the hub cannot be reached" in str(located(nowhere, tmp_path, "hub:org/two@v1")["error"])
    assert located(nowhere, tmp_path, "hub:org/two@v1", HF_HUB_OFFLINE="1") == tag == fetched
