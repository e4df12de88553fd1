"""The SODAPOP probe: a masked model generates distractors, another answers; misleading words are measured."""

from collections.abc import Mapping
from typing import Any

import torch

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.answers.classes import TABLE as PARSED
from plumbline.spec.measure import Measure
from workers.measures.answer_classes import class_counts
from workers.probes.protocol import Read, Snapshots, Stage, StagedProbe
from workers.probes.sodapop.apart import categories_apart
from workers.probes.sodapop.asking import Asking
from workers.probes.sodapop.generating_stage import Generating
from workers.probes.sodapop.summary import summarise

RIGHT_ANSWER = -1


class SodapopProbe:
    """A probe of two phases, each with its own model."""

    def __init__(self) -> None:
        self.stages: Mapping[str, Stage[SodapopSpec]] = {"generating": Generating(), "asking": Asking()}

    def summarise(self, spec: SodapopSpec, snapshots: Snapshots, read: Read) -> list[Measure]:
        if not spec.params.ask:
            return []
        found = summarise(
            spec,
            spec.names_of(snapshots),
            spec.contexts_of(snapshots),
            read,
            subwords=_subwords(read),
            apart=categories_apart(spec, snapshots),
            threads=torch.get_num_threads(),
        )
        return [*found, *class_counts(read(PARSED), spec.variant)] if spec.in_text() else found


PROBES: dict[str, StagedProbe[Any]] = {"sodapop": SodapopProbe()}


def _subwords(read: Read) -> dict[str, int] | None:
    """Return the number of tokens of each name in the model under audit, from the answers; None if not known."""
    answers = read("answer", place=RIGHT_ANSWER).unique("name")
    if answers["name_tokens"].has_nulls():
        return None
    return dict(zip(answers["name"].to_list(), answers["name_tokens"].to_list(), strict=True))
