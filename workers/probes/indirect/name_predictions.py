"""First names that a masked model itself predicts in name sentences (thesis, section 3.3.1, first variant).

For each target, the probability of a word is its mean over the sentences. The thesis merges the names of all targets,
so a word counts with its highest probability over the targets.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workers.engine.masked import MaskedModel
from workers.engine.sentences import Sentence, encode, replace

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class PredictedWord:
    """A whole word that the model may write in the name's place."""

    text: str
    highest: float
    """Its highest probability over the targets."""
    target: str
    """The target with the highest probability."""
    mean: float
    """Its mean probability over the targets."""


@dataclass(frozen=True)
class Predictions:
    """The words by their text, likeliest first, and how the model spells words."""

    words: Mapping[str, PredictedWord]
    tokenizer: Any

    @property
    def keeps_case(self) -> bool:
        """Whether capitals are kept, so that a name can be told from a word."""
        return bool(self.tokenizer.tokenize("Mary") != self.tokenizer.tokenize("mary"))

    def of_name(self, name: str) -> PredictedWord | None:
        """Return the prediction of a name, or None if the model splits it and can predict it in no mask."""
        for text in (f" {name}", name):
            ids = self.tokenizer(text, add_special_tokens=False)["input_ids"]
            if len(ids) == 1:
                return self.words.get(_text(self.tokenizer, ids[0]))
        return None


def predict(model: MaskedModel, sentences: Mapping[str, Sequence[Sentence]]) -> Predictions:
    """Return the model's words for the name in these sentences, by target. Each sentence has the name's span only.

    Sentences that cannot be read (too long for the model) are left out. A word that several tokens write has the sum
    of their probabilities. Raises ValueError if no sentence can be read.
    """
    columns = _columns(model)
    every = {target: _probabilities(model, some, columns) for target, some in sentences.items()}
    by_target = {target: found for target, found in every.items() if len(found)}
    if not by_target:
        raise ValueError("the model can read none of these sentences")
    table = np.array([*by_target.values()])
    best, targets = table.argmax(axis=0), [*by_target]
    highest, mean = table.max(axis=0), table.mean(axis=0)
    words = [
        PredictedWord(text, float(highest[at]), targets[best[at]], float(mean[at])) for at, text in enumerate(columns)
    ]
    return Predictions({one.text: one for one in sorted(words, key=lambda one: -one.highest)}, model.tokenizer)


def _columns(model: MaskedModel) -> dict[str, list[int]]:
    """Return the tokens of each whole word."""
    special, found = set(model.tokenizer.all_special_ids), defaultdict[str, list[int]](list)
    for token in range(model.named):
        if token not in special and (text := _text(model.tokenizer, token)):
            found[text].append(token)
    return found


def _text(tokenizer: Any, token: int) -> str:
    """Return the word that a token writes; "" for a part of a word, for punctuation and for a single letter."""
    if str(tokenizer.convert_ids_to_tokens(token)).startswith("##"):
        return ""
    text = str(tokenizer.decode([token])).strip()
    return text if len(text) > 1 and text.isalpha() else ""


def _probabilities(model: MaskedModel, sentences: Sequence[Sentence], columns: Mapping[str, list[int]]) -> Floats:
    """Return the mean probability of each whole word over the sentences, [words]; empty if none can be read."""
    encoded = [one for one in encode(model.tokenizer, sentences) if not one.fault]
    masked = [replace(one, 0, (model.mask_token_id,)) for one in encoded]
    places = [(one.ids, one.slots[0].start) for one in masked]
    if not places:
        return np.zeros(0)
    total = np.zeros(model.named)

    def read(asked: list[list[int]], logits: Any) -> Floats:
        counts = logits.new_tensor([len(numbers) for numbers in asked]).double()
        share = logits.double().softmax(dim=1)[:, : model.named]
        return np.asarray((counts @ share).cpu().numpy())

    def keep(found: Floats) -> None:
        np.add(total, found, out=total)

    model.read_logits(places, read, keep)
    return np.array([total[tokens].sum() for tokens in columns.values()]) / len(places)
