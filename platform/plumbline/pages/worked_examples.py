"""The worked examples that a run's model read before each question, as the run's shards keep them."""

from plumbline.audits.models import Run, Shard
from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.worked_examples import ITEMS, worked_in


def worked_examples(run: Run) -> list[WorkedExample]:
    """Return the examples, which all questions of the run share."""
    if not (run.spec.get("params") or {}).get("few_shot"):
        return []
    kept = Shard.objects.filter(run=run, items__has_key=ITEMS).values_list("items", flat=True).first()
    return worked_in(kept or {})
