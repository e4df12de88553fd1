"""The spelling of a side's words in its templates, and why some cannot be scored."""

from collections.abc import Sequence

from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.sentences import Encoded, Sentence, encode
from workers.probes.indirect.template_side import Side


class Spelling:
    """The words of a side as a tokenizer spells them; without `chain`, each predicted word must be one token."""

    def __init__(self, side: Side, checkpoint: Checkpoint, *, chain: bool) -> None:
        self.side, self.tokenizer, self.chain = side, checkpoint.tokenizer, chain
        self._readings = [self._read_in(template) for template in side.templates]
        self.alike = [self._partition(template) for template in range(len(side.templates))]
        """Predicted words with the same text around them, by their places in the list, [templates]."""

    @property
    def faults(self) -> list[list[str]]:
        """Why a predicted word cannot be read, [templates][predicted]; empty if it can."""
        return [[fault for _, fault in readings] for readings in self._readings]

    def given_faults(self, words: Sequence[int]) -> list[list[str]]:
        """Return why a given word cannot be filled in, [templates][words]; empty if it can."""
        exemplar = self.side.predicted[0]
        found = []
        for template in self.side.templates:
            sentences = [self.side.sentence(template, self.side.given[place], exemplar) for place in words]
            found.append([one.fault for one in encode(self.tokenizer, [_of_given(one) for one in sentences])])
        return found

    def reasons(self, words: Sequence[int]) -> list[list[list[str]]]:
        """Return why a pair has no score, [templates][words][predicted]; empty if it has one."""
        pairs = zip(self.given_faults(words), self.faults, strict=True)
        return [[[fault or own for own in predicted] for fault in given] for given, predicted in pairs]

    def tokens(self, template: int, predicted: int) -> tuple[int, ...]:
        """Return the tokens of a predicted word without a fault."""
        return self._readings[template][predicted][0]

    def encoded(self, template: int, given: Sequence[int], predicted: int) -> list[Encoded]:
        """Return sentences with their two slots, the given word's first."""
        text, word = self.side.templates[template], self.side.predicted[predicted]
        sentences = [self.side.sentence(text, self.side.given[place], word) for place in given]
        return encode(self.tokenizer, sentences)

    def _partition(self, template: int) -> list[list[int]]:
        """Return the predicted words by their surrounding text, which some words change (a or an)."""
        text, found = self.side.templates[template], dict[str, list[int]]()
        for place, (_, fault) in enumerate(self._readings[template]):
            if not fault:
                found.setdefault(self.side.around(text, self.side.predicted[place]), []).append(place)
        return list(found.values())

    def _read_in(self, template: str) -> list[tuple[tuple[int, ...], str]]:
        """Return each predicted word's tokens in this template, or why it cannot be read."""
        sentences = [self.side.sentence(template, self.side.given[0], word) for word in self.side.predicted]
        found = encode(self.tokenizer, [_of_predicted(sentence) for sentence in sentences])
        return [self._tokens_of(one) for one in found]

    def _tokens_of(self, encoded: Encoded) -> tuple[tuple[int, ...], str]:
        (slot,) = encoded.slots
        if encoded.fault or (len(slot) > 1 and not self.chain):
            return (), encoded.fault or f"split into {len(slot)} subwords, of which a mask can be only one"
        return encoded.ids[slot.start : slot.stop], ""


def _of_given(sentence: Sentence) -> Sentence:
    return Sentence(sentence.text, sentence.spans[:1])


def _of_predicted(sentence: Sentence) -> Sentence:
    return Sentence(sentence.text, sentence.spans[1:])
