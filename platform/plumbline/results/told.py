"""What runs found, in sentences, of probes whose findings are no differences of groups on single words."""

from collections.abc import Callable

from plumbline.audits.models import Run
from plumbline.results import bbq_told, effects_told, indirect_told, pronouns_told, words_told
from plumbline.results.words_told import Sentence


def _of_ceat(run: Run) -> list[Sentence]:
    return [*effects_told.of_effects(run.pk, run.probe, run.model), *effects_told.of_groups(run.pk, run.model)]


TOLD_APART: dict[str, Callable[[Run], list[Sentence]]] = {
    "bbq": lambda run: bbq_told.of_bbq(run.pk, run.model),
    "ceat": _of_ceat,
    "gap": lambda run: pronouns_told.of_pronouns(run.pk, run.model),
    "indirect": lambda run: indirect_told.of_links(run.pk, run.model),
    "sodapop": lambda run: [*words_told.of_words(run.pk, run.model), *words_told.of_clusters(run.pk)],
    "weat": lambda run: effects_told.of_effects(run.pk, run.probe, run.model),
}
"""By probe, each sentence with its figures."""
