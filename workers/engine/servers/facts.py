"""What a server says about its model, and what a run has agreed with it."""

from dataclasses import dataclass
from typing import Any

from plumbline.spec.digests import digest

_TOLD = ("root", "version", "dtype", "quantisation", "max_tokens")


@dataclass(frozen=True)
class ServerFacts:
    """A model behind a server. An empty text stands for what the server does not tell."""

    protocol: str
    url: str
    name: str
    tokenizer: str
    """The reference from which the tokenizer was loaded."""
    root: str = ""
    """The folder or repository that the server says it loaded."""
    version: str = ""
    dtype: str = ""
    quantisation: str = ""
    max_tokens: int = 0
    once: str = ""
    """A text of one run: answers are kept under it, so that no other run uses them."""
    control: tuple[float, ...] = ()
    """The log probabilities of the control sentence before the run: another model would give others."""

    @property
    def digest(self) -> str:
        """Identify the model as far as the server tells. The address does not count."""
        return digest({"protocol": self.protocol, "name": self.name, **{key: getattr(self, key) for key in _TOLD}})

    def provenance(self) -> dict[str, Any]:
        """Return what the server tells, and the names of what it does not tell."""
        told = {key: getattr(self, key) for key in _TOLD if getattr(self, key)}
        missing = [key for key in _TOLD if key not in told]
        own = {"protocol": self.protocol, "served_name": self.name, "tokenizer": self.tokenizer}
        return {**own, **told, "not_told": [*missing, "digest of the weights"]}
