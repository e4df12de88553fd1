"""What a run of SODAPOP asked with a word: its cells, and the texts of its contexts."""

from typing import Any

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.sodapop import error_drilldown as store
from plumbline.methods.sodapop.error_drilldown import Cell
from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.banks.contexts import Context
from plumbline.spec.content import Name
from plumbline.spec.errors import InputError


def cells_of(run: Run, word: str, group: str = "") -> list[Cell]:
    """Return the cells of a word, of one group or of all, the most frequent error first."""
    spec, snapshots = _spec(run)
    if spec is None:
        return []
    names = [one.name for one in spec.names_of(snapshots) if group in ("", one.group)]
    return store.cells(run.pk, word, [one.id for one in spec.contexts_of(snapshots)], names)


def context_of(run: Run, wanted: str) -> Context | None:
    spec, snapshots = _spec(run)
    return next((one for one in spec.contexts_of(snapshots) if one.id == wanted), None) if spec else None


def materials_of(run: Run) -> tuple[list[Context], list[Name]]:
    """Return the contexts and the names of a run."""
    spec, snapshots = _spec(run)
    return (spec.contexts_of(snapshots), spec.names_of(snapshots)) if spec else ([], [])


def _spec(run: Run) -> tuple[SodapopSpec | None, Any]:
    """Return the spec and its snapshots, or None for another method or an invalid spec."""
    try:
        spec, snapshots = frozen_spec(run)
    except InputError:
        return None, {}
    return (spec if isinstance(spec, SodapopSpec) else None), snapshots
