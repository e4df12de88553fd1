"""The checkpoint of a model behind a server: what the server tells, and the tokenizer, which is loaded here."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from plumbline.spec.errors import ModelError
from plumbline.spec.reference import ModelReference, Scheme
from workers.engine.checkpoints.checkpoint import TOKENIZER_FILES, Checkpoint, Kind, tokenizer_digest
from workers.engine.checkpoints.hub import download_tokenizer
from workers.engine.servers.facts import ServerFacts
from workers.engine.servers.link import Link, Manner
from workers.engine.servers.protocols import PROTOCOLS

Locate = Callable[[str], Checkpoint]
_ON_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")
QUICK = Manner(most=1, attempts=4, seconds=20.0)
"""How a server is asked about itself."""


def find_server(reference: str, parsed: ModelReference, locate: Locate) -> Checkpoint:
    """Return the checkpoint of a server's model.

    Raises ModelError if the server is away or does not serve the model, or if there is no tokenizer.
    """
    facts = _facts(reference, parsed)
    folder = _tokenizer_folder(reference, facts.tokenizer, locate)
    if not any((folder / name).is_file() for name in TOKENIZER_FILES):
        raise ModelError(f"{reference}: {folder} has no tokenizer files: save the tokenizer there (save_pretrained)")
    note = f"behind a server: which weights answer is its operator's choice; not told: {_not_told(facts)}"
    return Checkpoint(reference, folder, Kind.CAUSAL, "", facts.digest, tokenizer_digest(folder), note, server=facts)


def weights_at_hand(checkpoint: Checkpoint, locate: Locate) -> Checkpoint | None:
    """Return the checkpoint of the same model in files, if the tokenizer's reference has its weights."""
    assert checkpoint.server is not None  # noqa: S101 -- the caller has a server's checkpoint
    if ModelReference.parse(checkpoint.server.tokenizer).scheme is Scheme.HUB:
        return None
    try:
        found = locate(checkpoint.server.tokenizer)
    except ModelError:
        return None
    return found if found.kind == Kind.CAUSAL else None


def server_url(target: str) -> str:
    """Return the address before the paths of the protocol. People copy it with and without /v1."""
    return target.partition("#")[0].rstrip("/").removesuffix("/v1").rstrip("/")


def _facts(reference: str, parsed: ModelReference) -> ServerFacts:
    name = parsed.target.partition("#")[2]
    facts = ServerFacts(parsed.scheme, server_url(parsed.target), name, parsed.tokenizer)
    told = PROTOCOLS[parsed.scheme].about(Link(facts.url, reference, parsed.scheme, QUICK), name)
    if told is None:
        raise ModelError(
            f"{reference}: the server does not list the model {name!r}: write the name under which it serves it"
        )
    facts = replace(facts, **told)
    return facts if facts.tokenizer else replace(facts, tokenizer=_named_by_server(reference, facts))


def _named_by_server(reference: str, facts: ServerFacts) -> str:
    found = next((one for one in (facts.root, facts.name) if _ON_HUB.fullmatch(one)), None)
    if found is None:
        raise ModelError(
            f"{reference}: the server names no repository of the hub, so its tokenizer is unknown: add &tokenizer= with"
            " hub:, path:, bundled: or variant: to the reference"
        )
    return f"hub:{found}"


def _tokenizer_folder(reference: str, tokenizer: str, locate: Locate) -> Path:
    parsed = ModelReference.parse(tokenizer)
    match parsed.scheme:
        case Scheme.HUB:
            return download_tokenizer(reference, parsed.target, parsed.revision)
        case Scheme.PATH:
            return Path(parsed.target).expanduser()
        case _:
            return locate(tokenizer).folder


def _not_told(facts: ServerFacts) -> str:
    return ", ".join(facts.provenance()["not_told"])
