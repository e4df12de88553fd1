"""How an audit names a model: where it comes from, and which one."""

import re
from dataclasses import dataclass
from enum import StrEnum

from plumbline.spec.errors import SpecError


class Scheme(StrEnum):
    """Where a model comes from."""

    HUB = "hub"
    PATH = "path"
    BUNDLED = "bundled"
    OPENAI = "openai"
    ANSWERS = "answers"
    """Not asked: what it answered elsewhere was imported."""


FORMS = "hub:org/name@revision, path:DIR, bundled:NAME or openai:BASE_URL#MODEL"

_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_TARGETS = {
    Scheme.HUB: re.compile(rf"(?P<target>{_PART}(?:/{_PART})?)(?:@(?P<revision>[^\s@]+))?"),
    Scheme.PATH: re.compile(r"(?P<target>\S|\S.*\S)"),
    Scheme.BUNDLED: re.compile(rf"(?P<target>{_PART})"),
    Scheme.OPENAI: re.compile(r"(?P<target>https?://[^\s#]+#\S+)"),
    Scheme.ANSWERS: re.compile(r"(?P<target>\S|\S.*\S)"),
}


@dataclass(frozen=True)
class ModelReference:
    """A model by name; whether it exists is asked elsewhere."""

    scheme: Scheme
    target: str
    """Repository, folder, name of a bundled model, or `BASE_URL#MODEL`."""
    revision: str
    """Branch, tag or commit of a hub repository (`main` if none is given); empty for the other schemes."""
    text: str
    """The reference as it was written."""

    @classmethod
    def parse(cls, text: str) -> "ModelReference":
        """Read a reference; raises SpecError, which names the allowed forms."""
        name, _, rest = text.partition(":")
        scheme = next((scheme for scheme in Scheme if scheme == name), None)
        match = _TARGETS[scheme].fullmatch(rest) if scheme else None
        if scheme is None or match is None:
            raise SpecError(f"{text!r} does not name a model: write {FORMS}")
        revision = (match.groupdict().get("revision") or "main") if scheme is Scheme.HUB else ""
        return cls(scheme, match["target"], revision, text)

    def at(self, commit: str) -> str:
        """The same hub model pinned to a commit; other references as they are."""
        return f"{self.scheme}:{self.target}@{commit}" if self.scheme is Scheme.HUB and commit else self.text

    def __str__(self) -> str:
        return self.text
