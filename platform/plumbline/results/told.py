"""What a run found, in sentences, by its method: the planned contrast first. Pages and commands read it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.results import (
    association_told,
    bbq_ability,
    bbq_told,
    effects_told,
    frames_told,
    indirect_told,
    names_told,
    people_told,
    pronouns_told,
    words_told,
)
from plumbline.results.findings import alpha_of
from plumbline.results.words_told import Sentence

Tell = Callable[[Run], list[Sentence]]


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence, its figures, and the page (an address's name) that shows what it rests on."""

    sentence: str
    figures: str
    page: str


def _effects(run: Run) -> list[Sentence]:
    return effects_told.of_effects(run.pk, run.probe, run.model)


def _families(run: Run) -> Sequence[str]:
    families: list[str] = run.spec.get("families", ["statistic"])
    return families


_ASSOCIATION: Mapping[str, Tell] = {
    "run_effects": _effects,
    "run_preference": lambda run: association_told.of_preference(run.pk, run.model),
    "alignment": lambda run: people_told.of_people(run.pk, run.model),
    "run_intersections": lambda run: association_told.of_intersections(run.pk, run.model),
}
PARTS: Mapping[str, Mapping[str, Tell]] = {
    "bbq": {"run_bbq": bbq_told.of_bbq},
    "ceat": {
        "run_effects": lambda run: [*_effects(run), *effects_told.of_groups(run.pk, run.model, alpha_of(run.spec))],
        "alignment": lambda run: people_told.of_people(run.pk, run.model),
    },
    "gap": {"run_pronouns": lambda run: pronouns_told.of_pronouns(run.pk, run.model)},
    "ilps": _ASSOCIATION,
    "ilps_chain": _ASSOCIATION,
    "indirect": {"indirect": lambda run: indirect_told.of_links(run.pk, run.model)},
    "log_probability": _ASSOCIATION,
    "name_embedding": {"run_measures": lambda run: names_told.of_names(run.pk, run.model)},
    "set": _ASSOCIATION,
    "sodapop": {
        "run_words": lambda run: words_told.of_words(run.pk, run.model, alpha_of(run.spec), _families(run)),
        "run_names": lambda run: words_told.of_clusters(run.pk, alpha_of(run.spec)),
    },
    "weat": {"run_effects": _effects},
}
"""By probe the pages that its sentences rest on, in the order in which they are told."""
DIFFERENCES = frozenset(name for name, parts in PARTS.items() if parts is _ASSOCIATION)
"""Probes whose differences of groups on single words are told beside, contrast by contrast."""


def told(run: Run) -> list[Told]:
    """All sentences of a run but those of its single contrasts, from short slices of its measures."""
    parts = PARTS.get(run.probe, {})
    return [Told(sentence, figures, page) for page, tell in parts.items() for sentence, figures in tell(run)]


def concerns(run: Run) -> list[str]:
    """Why a finished run cannot be read as what its probe measures; its state is never shown without them."""
    return [sentence for sentence, _ in bbq_ability.concerns(bbq_ability.ability(run))] if run.probe == "bbq" else []


def warnings(run: Run) -> list[str]:
    """What makes conclusions of a run less certain than they read."""
    return frames_told.alike_frame_warnings(run.pk) if run.probe in DIFFERENCES else []
