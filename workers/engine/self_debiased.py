"""Masked and causal models asked with Self-Debias: the same queries, answered by the reweighted distribution."""

from collections.abc import Iterable, Sequence
from typing import Any, overload

import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from plumbline.spec.self_debias import SelfDebiasing
from workers.engine.causal import CausalModel, CausalQuery, Plan
from workers.engine.masked import FloatArray, MaskedModel, Places, Progress
from workers.engine.self_debias import SelfDebias, reweighted, tokens_of
from workers.engine.trees import Layout, Trie


@overload
def self_debiased(model: MaskedModel, asked: SelfDebiasing) -> MaskedModel: ...
@overload
def self_debiased(model: CausalModel, asked: SelfDebiasing) -> CausalModel: ...
def self_debiased(model: MaskedModel | CausalModel, asked: SelfDebiasing) -> MaskedModel | CausalModel:
    """Return the loaded model, asked with Self-Debias. Raises SpecError for a description it cannot spell."""
    way = tokens_of(model.tokenizer, asked)
    return SelfDebiasedMasked(model, way) if isinstance(model, MaskedModel) else SelfDebiasedCausal(model, way)


class SelfDebiasedMasked(MaskedModel):
    """A masked model of which every place is read in the plain input and in the input with each description."""

    def __init__(self, model: MaskedModel, way: SelfDebias) -> None:
        # The model is loaded and its body laid out once; both share it, with the cached states.
        vars(self).update(vars(model))
        self.way, self.described = way, way.longest

    def distances(self, *_args: Any, **_kwargs: Any) -> FloatArray:
        """Raise ModelError, because Self-Debias leaves the last layer as it is."""
        raise no_distance(self)

    def _tokens(self, ids: tuple[int, ...]) -> int:
        return len(ids) * self.way.inputs + sum(map(len, self.way.descriptions))

    def _at_once(self, logits: int) -> int:
        return super()._at_once(logits // self.way.inputs)

    def _known_states(self, inputs: list[tuple[int, ...]], places: Places) -> Tensor:
        """Return the states of the plain inputs and of those with each description, [places, 1 + descriptions, H]."""
        every, read = [*inputs], [*places]
        for description in self.way.descriptions:
            first = len(every)
            every += [self.way.described(ids, description) for ids in inputs]
            read += [
                (first + row, self.way.moved(inputs[row], position, description), number)
                for row, position, number in places
            ]
        states = super()._known_states(every, read)
        return states.view(self.way.inputs, len(places), -1).transpose(0, 1)

    def _logits(self, states: Tensor) -> Tensor:
        logits = super()._logits(states.flatten(0, 1)).view(len(states), self.way.inputs, -1)
        return reweighted(logits[:, 0], logits[:, 1:], self.way.decay)


class SelfDebiasedCausal(CausalModel):
    """A causal model of which every next token is read after the plain text and after each description of it."""

    def __init__(self, model: CausalModel, way: SelfDebias) -> None:
        vars(self).update(vars(model))
        self.way, self.described = way, way.longest

    def log_probabilities(self, queries: Sequence[CausalQuery], progress: Progress | None = None) -> FloatArray:
        with torch.inference_mode():
            return self._answers(_DescribedPlan(queries, self.way), self._log_probabilities, sum, progress)

    def distances(self, *_args: Any, **_kwargs: Any) -> FloatArray:
        """Raise ModelError, because Self-Debias leaves the last layer as it is."""
        raise no_distance(self)

    def _work(self, plan: Plan) -> tuple[list[int], Any]:
        order, cost = super()._work(plan)
        of_descriptions = sum(map(len, self.way.descriptions))
        return order, lambda first, leaf: cost(first, leaf) * self.way.inputs + of_descriptions

    def _next_logits(self, plan: Plan, layout: Layout, nodes: list[int]) -> Tensor:
        assert isinstance(plan, _DescribedPlan)  # noqa: S101 -- distances are refused
        described = [
            self._described(other, [twins[node] for node in nodes])
            for other, twins in zip(plan.described, plan.twins, strict=True)
        ]
        return reweighted(super()._next_logits(plan, layout, nodes), torch.stack(described, 1), self.way.decay)

    def _described(self, plan: Plan, nodes: list[int]) -> Tensor:
        """Return the logits at nodes of a description's plan, whose sequences are run for them."""
        return super()._next_logits(plan, self._laid_out(plan, _deepest(plan.trie, nodes)), nodes)


class _DescribedPlan(Plan):
    """The plan of the plain queries, with one plan for each description. `twins` maps the plain nodes to theirs."""

    def __init__(self, queries: Sequence[CausalQuery], way: SelfDebias) -> None:
        super().__init__(queries)
        self.described = [Plan([_with(query, one, way) for query in queries]) for one in way.descriptions]
        self.twins = [dict(_node_pairs(self, other)) for other in self.described]


def _with(query: CausalQuery, description: tuple[int, ...], way: SelfDebias) -> CausalQuery:
    return CausalQuery(way.described(query.context, description), query.continuation, query.ends)


def _node_pairs(plain: Plan, described: Plan) -> Iterable[tuple[int, int]]:
    for own, theirs in zip(plain.reads, described.reads, strict=True):
        yield from ((node, twin) for (node, _), (twin, _) in zip(own, theirs, strict=True))


def _deepest(trie: Trie, nodes: Sequence[int]) -> list[int]:
    """Return the nodes that no other of them continues."""
    passed = {above for node in nodes for above in trie.path(node)[:-1]}
    return [node for node in nodes if node not in passed]


def no_distance(model: MaskedModel | CausalModel) -> ModelError:
    """Return the error of a distance that is asked with Self-Debias."""
    return ModelError(
        f"Self-Debias changes no layer of {model.checkpoint.reference}, so the distance to its top word is not defined:"
        " ask it without self_debias"
    )
