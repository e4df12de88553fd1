"""Models behind servers in the life of a run: questioned before it, and its answers kept for it alone."""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from plumbline.audits.keys import ONCE
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.endpoints.limiter import LimiterAt
from workers.engine.loading import load, locate
from workers.execution.shared_limiters import limited

CANARY, SERVER = "canary", "server"
"""Keys of a run's provenance: what the canary saw, and what the server tells about its model."""


def served(checkpoint: Checkpoint) -> dict[str, str]:
    """Return the facts that the server decides and not this machine; nothing for a model in files."""
    if checkpoint.server is None:
        return {}
    return {"dtype": checkpoint.server.dtype or "not told", "device": "server", "device_name": ""}


def server_facts(checkpoint: Checkpoint, limiter_at: LimiterAt) -> dict[str, Any]:
    """Return what a run records about a server, after its canary; nothing for a model in files.

    Raises ModelError if the canary fails.
    """
    if checkpoint.server is None:
        return {}
    return {
        ONCE: secrets.token_hex(16),
        SERVER: checkpoint.server.provenance(),
        CANARY: question_server(checkpoint, limiter_at),
    }


def question_server(checkpoint: Checkpoint, limiter_at: LimiterAt) -> dict[str, Any]:
    """Return what the canary saw. Raises ModelError if it fails."""
    # Imported here: a worker without such a model needs none of it.
    from workers.engine.causal import CausalModel
    from workers.engine.servers.canary import canary
    from workers.engine.servers.model import ServerModel

    model = cast("ServerModel", limited(load(checkpoint), limiter_at))
    return canary(model, locate, lambda files: cast("CausalModel", load(files)))


def same_server(now: Mapping[str, Any], before: Mapping[str, Any]) -> bool:
    """Return whether two runs asked the same model, as far as its control sentence shows; True without servers."""
    from workers.engine.servers.model import TOLERANCE, largest_difference

    if CANARY not in now or CANARY not in before:
        return CANARY not in now and CANARY not in before
    return largest_difference(now[CANARY]["control"], before[CANARY]["control"]) <= TOLERANCE


def of_run(checkpoint: Checkpoint, planned: Mapping[str, Any]) -> Checkpoint:
    """Return the checkpoint with what its run has agreed with the server; the same for a model in files."""
    if checkpoint.server is None:
        return checkpoint
    agreed = replace(checkpoint.server, once=planned[ONCE], control=tuple(planned[CANARY]["control"]))
    return replace(checkpoint, server=agreed)
