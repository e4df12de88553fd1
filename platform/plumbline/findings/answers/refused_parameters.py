"""Warnings about params of an audit that its endpoint refused, so that its answers came without them."""

from plumbline.audits.models import Run
from plumbline.results import replies


def refused_parameter_warnings(run: Run) -> list[str]:
    """Return what the answers of a run do not tell because of refused params. Replies that are gone tell nothing."""
    refused = replies.refused(run.pk)
    params = run.spec.get("params") or {}
    samples = params.get("samples", 1)
    found = []
    if "temperature" in refused:
        found.append(_of_temperature(run.model, params.get("temperature") or 0, samples))
    if "seed" in refused and samples > 1:
        found.append(
            f"{run.model} takes no seed. If it answers equal requests alike, the {samples} samples of a question are"
            " one answer, and their shares are no probabilities."
        )
    return found


def _of_temperature(model: str, temperature: float, samples: int) -> str:
    if not temperature:
        return (
            f"{model} takes no temperature, so its answers came at a setting of its own: asked again, it may answer"
            " otherwise."
        )
    shares = ", and shares of samples are those at that setting" if samples > 1 else ""
    return f"{model} takes no temperature, so its answers came at a setting of its own, not at {temperature:g}{shares}."
