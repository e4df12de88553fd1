"""How a run was asked in place of the thesis' way: its measures' variants begin with that, the page's do not."""

from plumbline.audits.models import Run
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError


def chosen_of(run: Run) -> str:
    """What the run's params chose, such as "causal"; empty for the thesis' way, or where the spec cannot be read."""
    try:
        return parse(run.spec).variant
    except InputError:
        return ""


def stored(run: Run, variant: str) -> str:
    """A variant of the page ("", or without a sensitive set) as the run's measures have it."""
    return ", ".join(part for part in (chosen_of(run), variant) if part)


def shown(run: Run, variant: str) -> str:
    """The other way about."""
    return variant.removeprefix(chosen_of(run)).removeprefix(", ")


def estimator(run: Run) -> str:
    """Runs that differ in it are never shown as the same measure of two models."""
    return str((run.spec.get("params") or {}).get("variant") or "paper")
