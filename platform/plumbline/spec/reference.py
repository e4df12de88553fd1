"""Model references: the source of a model and its name there."""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import urlsplit

from plumbline.spec.bundled_models import BUNDLED_MODELS
from plumbline.spec.errors import SpecError, shown


class Scheme(StrEnum):
    """The source of a model."""

    HUB = "hub"
    PATH = "path"
    BUNDLED = "bundled"
    VARIANT = "variant"
    """Made of another model by this installation: debiased."""
    OPENAI = "openai"
    """An endpoint that answers in text."""
    VLLM = "vllm"
    """A vLLM server, which gives log probabilities."""
    SGLANG = "sglang"
    """An SGLang server, which gives log probabilities."""
    ANSWERS = "answers"
    """A model that this platform does not ask: its answers were imported."""


BUNDLED = tuple(BUNDLED_MODELS)
"""The names of the models that come with the installation."""
SERVERS = (Scheme.VLLM, Scheme.SGLANG)
"""Servers of causal models that give log probabilities."""
ENDPOINTS = (Scheme.OPENAI, *SERVERS)
"""Sources at an address, to which an audit sends its texts."""
FORMS = (
    "hub:org/name@revision, path:DIR, bundled:NAME, variant:SLUG, openai:BASE_URL#MODEL,"
    " vllm:BASE_URL#MODEL&tokenizer=REFERENCE or sglang:BASE_URL#MODEL&tokenizer=REFERENCE"
)


@dataclass(frozen=True, slots=True)
class NamesModel:
    """Marks a field of a spec that names one more model. `kind` is what it must be, `example` one that is bundled."""

    kind: str
    example: str


_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_ON_HUB = r"(?!\S*(?:--|\.\.))[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?"
"""A part of a repository's name, by the rules of the hub: no dot or dash at its ends, and none doubled."""
_REVISION = r"(?!\S*\.\.)[A-Za-z0-9_](?:[A-Za-z0-9._+/-]{0,198}[A-Za-z0-9_])?"
LONGEST_ON_HUB = 96
"""The longest name of a repository on the hub, in characters."""
_CREDENTIAL = re.compile(r"(?<=://)[^#\s]*@")
_WITH_TOKENIZER = (Scheme.HUB, Scheme.PATH, Scheme.BUNDLED, Scheme.VARIANT)
_SECRET_KEY = re.compile(r"[?&][^=&#\s]*(?:key|token|secret|passw|pwd|auth|sig|cred)[^=&#\s]*=", re.IGNORECASE)
_ON_SERVER = re.compile(r"(?P<target>https?://[^\s#/?]+[^\s#]*#[^\s#&]+)(?:&tokenizer=(?P<tokenizer>\S+))?")
_TARGETS = {
    Scheme.HUB: re.compile(rf"(?P<target>(?:{_ON_HUB}/)?{_ON_HUB})(?:@(?P<revision>{_REVISION}))?"),
    Scheme.PATH: re.compile(r"(?P<target>\S|\S.*\S)"),
    Scheme.BUNDLED: re.compile(rf"(?P<target>{_PART})"),
    Scheme.VARIANT: re.compile(rf"(?P<target>{_PART})"),
    Scheme.OPENAI: re.compile(r"(?P<target>https?://[^\s#/?]+[^\s#]*#[^\s#]+)"),
    Scheme.VLLM: _ON_SERVER,
    Scheme.SGLANG: _ON_SERVER,
    Scheme.ANSWERS: re.compile(r"(?P<target>\S|\S.*\S)"),
}


@dataclass(frozen=True)
class ModelReference:
    """A model by name. The reference does not say whether the model exists."""

    scheme: Scheme
    target: str
    """The repository, folder, name of a bundled model, or `BASE_URL#MODEL`."""
    revision: str
    """The branch, tag or commit of a hub repository (by default `main`). Empty for the other schemes."""
    text: str
    """The reference as written."""
    tokenizer: str = ""
    """The reference of the model that has the tokenizer of a server's model. Empty: the server names it."""

    @classmethod
    def parse(cls, text: str) -> "ModelReference":
        """Parse a reference. Raises SpecError, which says how to write it."""
        name, _, rest = text.partition(":")
        scheme = next((scheme for scheme in Scheme if scheme == name), None)
        match = _TARGETS[scheme].fullmatch(rest) if scheme else None
        if scheme in ENDPOINTS:
            _check_address(scheme, rest)
        if scheme is None or match is None or (scheme is Scheme.HUB and not _fits_hub(match["target"])):
            right = f"{Scheme.BUNDLED}:{text}" if text in BUNDLED else FORMS
            raise SpecError(f"{shown(without_credentials(text))} does not name a model: write {right}")
        parts = match.groupdict(default="")
        revision = (parts.get("revision") or "main") if scheme is Scheme.HUB else ""
        tokenizer = parts.get("tokenizer", "")
        if tokenizer and cls.parse(tokenizer).scheme not in _WITH_TOKENIZER:
            raise SpecError(
                f"{shown(without_credentials(text))}: the tokenizer comes from files; write &tokenizer= with a"
                " reference that begins with hub:, path:, bundled: or variant:."
            )
        return cls(scheme, match["target"], revision, text, tokenizer)

    @property
    def without_revision(self) -> str:
        """The model whatever its revision. Only the hub has revisions in references."""
        return f"{self.scheme}:{self.target}" if self.scheme is Scheme.HUB else self.text

    def at(self, commit: str) -> str:
        """Return the text of the hub model pinned to a commit. Other references stay as they are."""
        return f"{self.scheme}:{self.target}@{commit}" if self.scheme is Scheme.HUB and commit else self.text

    def __str__(self) -> str:
        return self.text


def answers_in_text(reference: str) -> bool:
    """Return whether a model is a chat endpoint, which answers in text. Raises SpecError for no reference."""
    return ModelReference.parse(reference).scheme is Scheme.OPENAI


def without_credentials(text: str) -> str:
    """Return the text without the user and password of an address, for messages and lists."""
    return _CREDENTIAL.sub("", text)


def server_address(url: str) -> str:
    """Return the address of a server as all references to it share it: without credentials, query and /v1."""
    parts = urlsplit(url.partition("#")[0])
    port = parts.port or {"http": 80, "https": 443}[parts.scheme]
    path = parts.path.rstrip("/").removesuffix("/v1").rstrip("/")
    return f"{parts.scheme}://{(parts.hostname or '').rstrip('.')}:{port}{path}"


def _check_address(scheme: Scheme, target: str) -> None:
    """Raise SpecError for credentials in the address of an endpoint, which lists and records would show."""
    address = target.partition("#")[0]
    try:
        parts = urlsplit(address)
        bad_port = parts.port == 0
    except ValueError:
        bad_port = True  # "user:password#..." looks like a host with a port
    if "@" in address or "\\" in address or bad_port or _SECRET_KEY.search(address):
        raise SpecError(
            "the address of the endpoint holds a user, a password, a key or a wrong port; write"
            f" {scheme}:BASE_URL#MODEL without them, and put the key into the environment variable"
            f" {scheme.upper()}_API_KEY of the workers."
        )


def _fits_hub(target: str) -> bool:
    return len(target) <= LONGEST_ON_HUB and not target.endswith(".git")
