"""Askers of association scores of masked language models."""

from collections.abc import Sequence
from itertools import islice

from plumbline.spec.materials import Materials
from plumbline.spec.prior import Prior
from workers.engine.chain import chain
from workers.engine.masked import MaskedQuery
from workers.engine.sentences import Encoded, replace
from workers.engine.vocabulary import released_class
from workers.probes.cell_scores.asks import Ask, Encode, as_sentence
from workers.probes.cell_scores.cells import Cell, neutral_sentence, same_prior, sentence

GROUP, ATTRIBUTE = 0, 1


class Ilps:
    """ILPS: the attribute is masked, with one mask for each of its subwords (Cao et al. 2022, section 3.1).

    Without `chain` the first subword decides, the others stay masked; with it the subwords are filled in from left to
    right (section 3.2), and `released` normalises the first subword within the word-initial tokens and later ones
    within the continuation tokens, as the released code does.
    """

    def __init__(
        self, materials: Materials, prior: Prior, encode: Encode, mask: int, *, chain: bool, released: bool
    ) -> None:
        self.materials, self.prior, self.encode, self.mask = materials, prior, encode, mask
        self.chain, self.released = chain, released

    def targets(self, cells: Sequence[Cell]) -> list[Ask]:
        encoded = self.encode([as_sentence(sentence(self.materials, cell)) for cell in cells])
        return [self._ask(sentence) for sentence in encoded]

    def priors(self, cells: Sequence[Cell]) -> list[tuple[Ask, ...]]:
        if self.prior.mean:
            return self._means(cells)
        of_cell = [same_prior(self.materials, cell) for cell in cells]
        distinct = list(dict.fromkeys(of_cell))
        sentences = [neutral_sentence(self.materials, cell, self.prior) for cell in distinct]
        encoded = self.encode([as_sentence(one) for one in sentences])
        if self.prior.mask:
            encoded = [one if one.fault else replace(one, GROUP, (self.mask,)) for one in encoded]
        asks = dict(zip(distinct, map(self._ask, encoded), strict=True))
        return [(asks[cell],) for cell in of_cell]

    def _means(self, cells: Sequence[Cell]) -> list[tuple[Ask, ...]]:
        groups = range(len(self.materials.groups))
        distinct = dict.fromkeys((template, attribute) for template, _, attribute in cells)
        asks = {key: tuple(self.targets([(key[0], group, key[1]) for group in groups])) for key in distinct}
        return [asks[template, attribute] for template, _, attribute in cells]

    def _ask(self, encoded: Encoded) -> Ask:
        slot = encoded.slots[ATTRIBUTE]
        word = encoded.ids[slot.start : slot.stop]
        if encoded.fault:
            return Ask((), len(word), encoded.fault)
        steps = islice(chain(encoded, ATTRIBUTE, word, self.mask), None if self.chain else 1)
        queries = [
            MaskedQuery(ids, position, token, released_class(step) if self.released else "")
            for step, (ids, position, token) in enumerate(steps)
        ]
        return Ask(tuple(queries), len(word))


class LogProbability:
    """Log probability bias score: the target is masked and the attribute is given (Kurita et al. 2019).

    One mask replaces the target, whose first subword represents it. In the prior sentence the attribute is masked
    too: by one mask, or by one for each of its subwords.
    """

    def __init__(self, materials: Materials, encode: Encode, mask: int, *, prior_masks: str) -> None:
        self.materials, self.encode, self.mask, self.prior_masks = materials, encode, mask, prior_masks

    def targets(self, cells: Sequence[Cell]) -> list[Ask]:
        return [self._ask(encoded, encoded) for encoded in self._encoded(cells)]

    def priors(self, cells: Sequence[Cell]) -> list[tuple[Ask, ...]]:
        return [(self._ask(encoded, self._without_attribute(encoded)),) for encoded in self._encoded(cells)]

    def _encoded(self, cells: Sequence[Cell]) -> list[Encoded]:
        return self.encode([as_sentence(sentence(self.materials, cell)) for cell in cells])

    def _without_attribute(self, encoded: Encoded) -> Encoded:
        if encoded.fault:
            return encoded
        masks = 1 if self.prior_masks == "one" else len(encoded.slots[ATTRIBUTE])
        return replace(encoded, ATTRIBUTE, (self.mask,) * masks)

    def _ask(self, encoded: Encoded, context: Encoded) -> Ask:
        n_tokens = len(encoded.slots[ATTRIBUTE])
        if encoded.fault:
            return Ask((), n_tokens, encoded.fault)
        target = encoded.ids[encoded.slots[GROUP].start]
        masked = replace(context, GROUP, (self.mask,))
        return Ask((MaskedQuery(masked.ids, masked.slots[GROUP].start, target),), n_tokens)
