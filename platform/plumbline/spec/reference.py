"""Model references: the source of a model and its name there."""

import re
from dataclasses import dataclass
from enum import StrEnum

from plumbline.spec.errors import SpecError


class Scheme(StrEnum):
    """The source of a model."""

    HUB = "hub"
    PATH = "path"
    BUNDLED = "bundled"
    VARIANT = "variant"
    """Made of another model by this installation: debiased."""
    OPENAI = "openai"
    ANSWERS = "answers"
    """A model that this platform does not ask: its answers were imported."""


FORMS = "hub:org/name@revision, path:DIR, bundled:NAME, variant:SLUG or openai:BASE_URL#MODEL"

_PART = r"[A-Za-z0-9][A-Za-z0-9._-]*"
_TARGETS = {
    Scheme.HUB: re.compile(rf"(?P<target>{_PART}(?:/{_PART})?)(?:@(?P<revision>[^\s@]+))?"),
    Scheme.PATH: re.compile(r"(?P<target>\S|\S.*\S)"),
    Scheme.BUNDLED: re.compile(rf"(?P<target>{_PART})"),
    Scheme.VARIANT: re.compile(rf"(?P<target>{_PART})"),
    Scheme.OPENAI: re.compile(r"(?P<target>https?://[^\s#]+#\S+)"),
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

    @classmethod
    def parse(cls, text: str) -> "ModelReference":
        """Parse a reference. Raises SpecError, which names the allowed forms."""
        name, _, rest = text.partition(":")
        scheme = next((scheme for scheme in Scheme if scheme == name), None)
        match = _TARGETS[scheme].fullmatch(rest) if scheme else None
        if scheme is None or match is None:
            raise SpecError(f"{text!r} does not name a model: write {FORMS}")
        revision = (match.groupdict().get("revision") or "main") if scheme is Scheme.HUB else ""
        return cls(scheme, match["target"], revision, text)

    def at(self, commit: str) -> str:
        """Return the text of the hub model pinned to a commit. Other references stay as they are."""
        return f"{self.scheme}:{self.target}@{commit}" if self.scheme is Scheme.HUB and commit else self.text

    def __str__(self) -> str:
        return self.text
