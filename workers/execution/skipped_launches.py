"""A scheduled launch without changes since the last run: it leaves an entry and no run."""

from collections.abc import Sequence

from plumbline.audits import life
from plumbline.audits.models import Launch, Outcome, Run, Shard
from plumbline.audits.previous_run import latest_before
from plumbline.audits.states import Priority


def ends_unchanged(run: Run, shards: Sequence[Shard]) -> bool:
    """Mark the launch "unchanged" and delete its run if the last run has the same content; return whether it did.

    Runs in the transaction that plans the run's last phase; `shards` are those of that phase, which are not stored yet.
    The launch is unchanged when the latest finished run of the plan and model has an equal frozen spec (so equal lists
    by digest, params of the summary, families) and the same content keys (so equal models, versions of engine and
    probe, inputs). Older runs do not count, because answers may have changed and changed back. A run that a person
    waits for is never removed.
    """
    entry = Launch.objects.filter(run=run).first()
    if entry is None or run.owner or run.priority != Priority.SCHEDULED or not run.reuse:
        return False
    previous = latest_before(run)
    if previous is None or not life.lock(previous.pk) or not _same(run, shards, previous):
        return False
    Launch.objects.filter(pk=entry.pk).update(outcome=Outcome.UNCHANGED, run=None, unchanged_since=previous)
    run.delete()
    return True


def _same(run: Run, shards: Sequence[Shard], previous: Run) -> bool:
    keys = [*_keys(run), *(shard.key for shard in shards)]
    return previous.spec == run.spec and sorted(_keys(previous)) == sorted(keys)


def _keys(run: Run) -> list[str]:
    return list(Shard.objects.filter(run=run).values_list("key", flat=True))
