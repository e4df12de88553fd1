"""The model under audit as Every Eval Ever describes one."""

import re
from typing import Any

from plumbline.audits.models import Run

EXTERNAL = ("openai",)
SERVED = ("vllm", "sglang")


def model_info(run: Run) -> dict[str, Any]:
    """Return name, id, developer and engine. What no run records is `unknown`."""
    kind = run.model.partition(":")[0]
    recorded = run.provenance.get("stages", {}).get("", run.provenance)
    details = {
        "reference": run.model,
        "deployment_type": _deployment(kind),
        "model_availability": "open_weights" if kind in ("hub", "bundled") else "unknown",
        **{name: str(recorded[name]) for name in ("revision", "digest", "dtype", "device") if recorded.get(name)},
    }
    found: dict[str, Any] = {"name": run.model, "id": model_id(run.model), "additional_details": details}
    if kind == "hub":
        found["developer"] = found["id"].partition("/")[0]
    if recorded.get("transformers"):
        found["inference_engine"] = {"name": "transformers", "version": str(recorded["transformers"])}
    return found


def model_id(reference: str) -> str:
    """Return the id in the Hub's form. A model that is not of the Hub gets `local/`, since it has no id there."""
    kind, _, rest = reference.partition(":")
    if kind == "hub" and re.fullmatch(r"[\w.-]+/[\w.-]+", name := rest.partition("@")[0], re.ASCII):
        return name
    return f"local/{portable(reference)}"


def portable(text: str) -> str:
    """Return a name that every file system takes: letters, digits, dots, dashes and underscores."""
    return re.sub(r"[^A-Za-z0-9_.-]+", "-", text).strip("-. ")[:96] or "unnamed"


def _deployment(kind: str) -> str:
    if kind in EXTERNAL:
        return "externally_managed"
    return "unknown" if kind in SERVED else "self_deployed"
