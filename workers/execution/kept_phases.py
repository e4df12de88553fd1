"""The phases before the answers of a run that parses kept answers anew: their records are those of the earlier run."""

from collections.abc import Iterable
from typing import Any

from plumbline.audits.keys import content_key
from plumbline.audits.models import Run, Shard
from plumbline.audits.states import WorkState
from workers.execution.worker import Work
from workers.probes.protocol import ShardPlan

VERSIONS = ("engine", "probe_version", "torch", "transformers", "tokenizers", "device")
"""The facts that an update of the installation or of the machine may change."""


def kept_facts(
    work: Work, phase: str, shards: Iterable[ShardPlan], facts: dict[str, Any], stages: str
) -> dict[str, Any]:
    """Return the facts of a phase with the versions of the run whose kept answers are parsed, if it has all shards.

    The shards are then copied, whatever the versions: other records would lead to questions that were not asked.
    `stages` is the key of the phases in the provenance of that run.
    """
    number = work.spec.answers_of()
    earlier = None if number is None else Run.objects.filter(pk=number, probe=work.run.probe).first()
    theirs = earlier.provenance.get(stages, {}).get(phase) if earlier and work.run.reuse else None
    if theirs is None:
        return facts
    older = {**facts, **{name: theirs.get(name) for name in VERSIONS}}
    done = Shard.objects.filter(run=earlier, phase__name=phase, state=WorkState.DONE).values_list("key", flat=True)
    wanted = {content_key(work.run.probe, shard.inputs, older) for shard in shards}
    return older if wanted <= set(done) else facts
