"""The variant of a run that does not follow the thesis. Its measures' variants begin with it, the page's do not."""

from plumbline.audits.models import Run
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from plumbline.spec.measure import join_variants


def chosen_of(run: Run) -> str:
    """Return the variant of the run's params, such as "causal", or "" for the thesis' definition or an invalid spec."""
    try:
        return parse(run.spec).variant
    except InputError:
        return ""


def stored(run: Run, variant: str) -> str:
    """Return the stored form of a variant of the page ("", or without a sensitive set)."""
    return join_variants(chosen_of(run), variant)


def shown(run: Run, variant: str) -> str:
    """Return the page's form of a stored variant."""
    return variant.removeprefix(chosen_of(run)).removeprefix(", ")


def estimator(run: Run) -> str:
    """Return the estimator of a run. Runs with different estimators are never shown as comparable."""
    return str((run.spec.get("params") or {}).get("variant") or "paper")
