"""Association scores of causal language models (METHODS 2; this project's own).

The later slot of the template is scored: log P(later | earlier) - log P(later | neutral). Pointwise mutual information
is symmetric, so either slot may be the later one. Distances (SeT) are not symmetric, so their attribute must be the
later slot.
"""

from collections.abc import Sequence

from plumbline.spec.association_kinds import group_comes_first
from plumbline.spec.grammar import Rendered, Word
from plumbline.spec.materials import Materials
from plumbline.spec.prior import Prior
from workers.engine.causal import CausalQuery
from workers.engine.sentences import Encoded, Sentence
from workers.probes.cell_scores.asks import Ask, Encode
from workers.probes.cell_scores.cells import Cell, neutral_sentence, same_prior, sentence


class Continuation:
    """An asker that scores the later slot as the continuation of the text before it.

    `first_only`: its first subword (ILPS); otherwise all subwords by the chain rule, optionally with the text after it
    (`suffix`) and the mass of word boundaries (`ends`). `prefix` precedes the sentence (chat format).
    """

    def __init__(
        self,
        materials: Materials,
        prior: Prior,
        encode: Encode,
        *,
        first_only: bool = False,
        suffix: bool = False,
        ends: bool = False,
        prefix: str = "",
    ) -> None:
        self.materials, self.prior, self.encode, self.prefix = materials, prior, encode, prefix
        self.first_only, self.suffix, self.ends = first_only, suffix, ends

    def targets(self, cells: Sequence[Cell]) -> list[Ask]:
        return self._asks([sentence(self.materials, cell) for cell in cells])

    def priors(self, cells: Sequence[Cell]) -> list[tuple[Ask, ...]]:
        distinct = dict.fromkeys(self._without_earlier(cell) for cell in cells)
        if self.prior.mean:
            asks = {key: tuple(self.targets(self._earlier_words(key))) for key in distinct}
        else:
            neutral = self._asks([self._neutral(key) for key in distinct])
            asks = {key: (ask,) for key, ask in zip(distinct, neutral, strict=True)}
        return [asks[self._without_earlier(cell)] for cell in cells]

    def _group_first(self, template: int) -> bool:
        return group_comes_first(self.materials.templates[template])

    def _without_earlier(self, cell: Cell) -> Cell:
        """Return the cell without its earlier word, on which the prior depends."""
        template, group, _ = cell
        return same_prior(self.materials, cell) if self._group_first(template) else (template, group, 0)

    def _earlier_words(self, cell: Cell) -> list[Cell]:
        template, group, attribute = cell
        if self._group_first(template):
            return [(template, index, attribute) for index in range(len(self.materials.groups))]
        return [(template, group, index) for index in range(len(self.materials.attributes))]

    def _neutral(self, cell: Cell) -> Rendered:
        if self._group_first(cell[0]):
            return neutral_sentence(self.materials, cell, self.prior)
        return sentence(self.materials, cell, attribute=Word(self.prior.attribute, self.prior.attribute))

    def _asks(self, rendered: Sequence[Rendered]) -> list[Ask]:
        return [self._ask(encoded) for encoded in self.encode([self._sentence(one) for one in rendered])]

    def _sentence(self, rendered: Rendered) -> Sentence:
        """Return the text up to the end of the later slot (or all), with two spans: the slot and the scored text."""
        _, start, end = max(rendered.spans, key=lambda span: span[1])
        stop = len(rendered.text) if self.suffix else end
        shift = len(self.prefix)
        text = self.prefix + rendered.text[:stop]
        return Sentence(text, ((start + shift, end + shift), (start + shift, stop + shift)))

    def _ask(self, encoded: Encoded) -> Ask:
        word, scored = encoded.slots
        if encoded.fault:
            return Ask((), len(word), encoded.fault)
        stop = word.start + 1 if self.first_only else scored.stop
        query = CausalQuery(encoded.ids[: word.start], encoded.ids[word.start : stop], self.ends)
        return Ask((query,), len(word))
