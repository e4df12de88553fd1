"""The body of BERT's family on sentences laid end to end, without padding or unused results.

Linear layers, nearly all of the work, treat each token separately. Only attention must know where a sentence begins and
ends; sentences of equal length are processed together. In the last layer every token gives keys and values, and only
tokens that are read go on. This saves a seventh of the model's own work, and each number is the same up to rounding.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from workers.engine.attention import FEWEST_ROWS, attended, has_float64_attention, repeated
from workers.engine.linear import linear

FAMILIES = ("bert", "roberta", "xlm-roberta", "camembert", "electra")
"""Families of BERT's layout with absolute positions."""
FEWEST_READ = 256
"""With fewer rows, BLAS may split the sum of one product over threads, which changes its rounding."""


@dataclass(frozen=True, slots=True)
class _Block:
    """Sentences of one length: their numbers in the batch, the start of their tokens, and the places within them."""

    sentences: list[int]
    length: int
    start: int
    places: list[int]
    at: list[int]
    """The sentence of each place, counted within the block."""

    @property
    def tokens(self) -> slice:
        return slice(self.start, self.start + len(self.sentences) * self.length)


class PackedBody:
    """The body of a model of a family that `packed` supports."""

    def __init__(self, model: Any) -> None:
        body = model.base_model
        self.device = model.device
        self.embeddings = body.embeddings
        self.project = getattr(body, "embeddings_project", None)  # if embeddings are smaller than states
        self.layers = [_Layer(layer) for layer in body.encoder.layer]

    def states(self, inputs: Sequence[tuple[int, ...]], places: Sequence[tuple[int, int]]) -> Tensor:
        """Return the last layer's states at some places, (input, position): [places, H]."""
        blocks, read = _laid_out(inputs, places)
        end_to_end = [inputs[number] for block in blocks for number in block.sentences]
        hidden = repeated(self._embedded(end_to_end), FEWEST_ROWS)
        for layer in self.layers[:-1]:
            hidden = layer.all(hidden, blocks)
        return self.layers[-1].some(hidden, blocks, torch.tensor(read, device=self.device))

    def _embedded(self, sentences: Sequence[tuple[int, ...]]) -> Tensor:
        """Return embeddings [tokens, H], padded until then, because the model counts positions itself."""
        lengths = torch.tensor([len(ids) for ids in sentences], device=self.device)
        longest = max(map(len, sentences))
        ids = torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids in sentences], device=self.device)
        found: Tensor = self.embeddings(input_ids=ids)[torch.arange(longest, device=self.device) < lengths[:, None]]
        return found if self.project is None else self.project(found)


def packed(model: Any) -> PackedBody | None:
    """Return the packed body, or None if the model must run unchanged: another family or dtype, or a decoder."""
    config = model.config
    if config.model_type not in FAMILIES or config.is_decoder or not has_float64_attention(model):
        return None
    if getattr(config, "position_embedding_type", None) not in (None, "absolute"):
        return None
    return PackedBody(model)


class _Layer:
    """One layer. Queries, keys and values come from one product, whose matrix is shared with the model's three."""

    def __init__(self, layer: Any) -> None:
        self.layer = layer
        own = layer.attention.self
        self.heads, self.size, self.scaling = own.num_attention_heads, own.attention_head_size, own.scaling
        self.weight = _as_one([own.query.weight, own.key.weight, own.value.weight])
        self.bias = _as_one([own.query.bias, own.key.bias, own.value.bias])

    def all(self, hidden: Tensor, blocks: Sequence[_Block]) -> Tensor:
        """Compute the layer for all tokens: [tokens, H] -> [tokens, H]."""
        projected = linear(hidden, self.weight, self.bias)
        context = hidden.new_zeros(len(hidden), self.heads * self.size)
        for block in blocks:
            query, key, value = self._split(projected[block.tokens], block)
            context[block.tokens] = attended(query, key, value, self.scaling).flatten(0, 1)
        return self._rest(context, hidden)

    def some(self, hidden: Tensor, blocks: Sequence[_Block], read: Tensor) -> Tensor:
        """Compute the layer for the tokens that are read: [tokens, H] -> [read, H]."""
        size = self.heads * self.size
        rows = repeated(read, min(FEWEST_READ, len(hidden)))
        queries = linear(hidden[rows], self.weight[:size], self.bias[:size])
        projected = linear(hidden, self.weight[size:], self.bias[size:])
        context = torch.zeros_like(queries)
        for block in blocks:
            key, value = self._split(projected[block.tokens], block)
            query = queries[block.places].view(-1, self.heads, 1, self.size).double()
            context[block.places] = attended(query, key[block.at], value[block.at], self.scaling).flatten(0, 1)
        return self._rest(context, hidden[rows])[: len(read)]

    def _split(self, projected: Tensor, block: _Block) -> Tensor:
        """Split projections by part and head: [tokens, parts * H] -> [parts, sentences, heads, length, size]."""
        shape = (len(block.sentences), block.length, -1, self.heads, self.size)
        parts = projected.view(shape).permute(2, 0, 3, 1, 4)
        return parts.to(torch.float64, memory_format=torch.contiguous_format)

    def _rest(self, context: Tensor, hidden: Tensor) -> Tensor:
        attended = self.layer.attention.output(context, hidden)
        found: Tensor = self.layer.output(self.layer.intermediate(attended), attended)
        return found


def _as_one(parameters: list[Any]) -> Tensor:
    """Return the parameters stacked; each then becomes a view of the stack, so that nothing is stored twice."""
    whole = torch.cat([parameter.data for parameter in parameters])
    start = 0
    for parameter in parameters:
        parameter.data = whole[start : start + len(parameter)]
        start += len(parameter)
    return whole


def _laid_out(inputs: Sequence[tuple[int, ...]], places: Sequence[tuple[int, int]]) -> tuple[list[_Block], list[int]]:
    """Return the blocks, and the token number of each place when the blocks are joined."""
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, ids in enumerate(inputs):
        by_length[len(ids)].append(number)
    blocks, of_input, start = [], {}, 0
    for length, sentences in by_length.items():
        block = _Block(sentences, length, start, [], [])
        of_input.update({number: (block, at) for at, number in enumerate(sentences)})
        blocks.append(block)
        start += len(sentences) * length
    read = []
    for place, (number, position) in enumerate(places):
        block, at = of_input[number]
        block.places.append(place)
        block.at.append(at)
        read.append(block.start + at * block.length + position)
    return blocks, read
