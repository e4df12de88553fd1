"""A scheduled launch that would find what is known already: it leaves an entry, and no run."""

from collections.abc import Sequence

from plumbline.audits.models import Launch, Outcome, Run, Shard
from plumbline.audits.previous_run import latest_before
from plumbline.audits.states import Priority


def ends_unchanged(run: Run, shards: Sequence[Shard]) -> bool:
    """In the transaction that would plan the run's last phase: whether its entry became "unchanged", and it is gone.

    `shards`: those of that phase, which the run does not have yet.

    It is when the latest finished run of the plan and model has an equal frozen spec (so equal lists by digest, params
    of the summary, families) and the same content keys (so equal models, versions of engine and probe, inputs). That
    run only: answers that are known from an older one have changed since, and changed back. A run that a person waits
    for is never taken away.
    """
    entry = Launch.objects.filter(run=run).first()
    if entry is None or run.owner or run.priority != Priority.SCHEDULED or not run.reuse:
        return False
    previous = latest_before(run)
    if previous is None or not _kept(previous) or not _same(run, shards, previous):
        return False
    Launch.objects.filter(pk=entry.pk).update(outcome=Outcome.UNCHANGED, run=None, unchanged_since=previous)
    run.delete()
    return True


def _kept(run: Run) -> bool:
    """Whether the run is still there, and stays until this transaction ends."""
    return Run.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run.pk).exists()


def _same(run: Run, shards: Sequence[Shard], previous: Run) -> bool:
    keys = [*_keys(run), *(shard.key for shard in shards)]
    return previous.spec == run.spec and sorted(_keys(previous)) == sorted(keys)


def _keys(run: Run) -> list[str]:
    return list(Shard.objects.filter(run=run).values_list("key", flat=True))
