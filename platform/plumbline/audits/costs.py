"""Estimates of what an audit costs at a remote endpoint, shown before the launch."""

from plumbline.audits.freezing import freeze
from plumbline.spec.audit import AuditSpec
from plumbline.spec.reference import answers_in_text


def cost_of(spec: AuditSpec) -> str:
    """Return the cost of an audit with today's words, or "" without an endpoint.

    Raises InputError for an invalid audit.
    """
    if not any(map(answers_in_text, spec.references())):
        return ""
    frozen, snapshots = freeze(spec)
    return frozen.cost(snapshots)
