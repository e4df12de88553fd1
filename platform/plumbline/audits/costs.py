"""What an audit costs whoever pays for a remote endpoint, told before it starts."""

from plumbline.audits.freezing import freeze
from plumbline.spec.audit import AuditSpec
from plumbline.spec.reference import ModelReference, Scheme


def cost_of(spec: AuditSpec) -> str:
    """Of an audit with today's words; empty where no endpoint is asked. Raises InputError for what is wrong with it."""
    if all(ModelReference.parse(one).scheme is not Scheme.OPENAI for one in spec.references()):
        return ""
    frozen, snapshots = freeze(spec)
    return frozen.cost(snapshots)
