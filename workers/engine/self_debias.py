"""Self-Debias: words that a description of a bias makes likelier are lowered (Schick, Udupa and Schuetze 2021).

    p'(w)  is proportional to  alpha(min over descriptions of (p(w) - p(w | description))) p(w)
    alpha(x) = 1 for x >= 0, else exp(decay x)

Source: "Self-Diagnosis and Self-Debiasing: A Proposal for Reducing Corpus-Based Bias in NLP", section 4.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from plumbline.spec.errors import SpecError
from plumbline.spec.self_debias import SelfDebiasing
from workers.engine.text_tokens import start_of, tokens_before


@dataclass(frozen=True, slots=True)
class SelfDebias:
    """The descriptions as tokens, which stand before a text, and how fast their words are lowered."""

    descriptions: tuple[tuple[int, ...], ...]
    decay: float
    before: int
    """How many special tokens the tokenizer puts before a text. They stay before the description."""
    start: tuple[int, ...]
    """The token that a query may put before a text. It stays before the description, too."""

    @property
    def inputs(self) -> int:
        """The number of inputs for one text: the plain one, and one with each description."""
        return 1 + len(self.descriptions)

    @property
    def longest(self) -> int:
        """The number of tokens of the longest description."""
        return max(map(len, self.descriptions))

    def place(self, ids: Sequence[int]) -> int:
        """Return where a description stands in a text: after the tokens that begin it."""
        return self.before or len(self.start) * (tuple(ids[: len(self.start)]) == self.start)

    def described(self, ids: tuple[int, ...], description: tuple[int, ...]) -> tuple[int, ...]:
        """Return the text with a description before it. The text keeps its tokens."""
        place = self.place(ids)
        return (*ids[:place], *description, *ids[place:])

    def moved(self, ids: tuple[int, ...], position: int, description: tuple[int, ...]) -> int:
        """Return where a token of the text stands in the described text."""
        return position + len(description) * (position >= self.place(ids))


def tokens_of(tokenizer: Any, asked: SelfDebiasing) -> SelfDebias:
    """Return the descriptions as tokens, each with a line break after it if the tokenizer can spell one.

    The text begins a new line, so that its tokens are those of the plain text. Raises SpecError for a description that
    the tokenizer cannot spell.
    """
    end = "" if tokenizer.unk_token_id in _ids(tokenizer, "\n") else "\n"
    ids = tuple(_ids(tokenizer, text + end) for text in asked.descriptions)
    for text, tokens in zip(asked.descriptions, ids, strict=True):
        if tokenizer.unk_token_id in tokens:
            raise SpecError(
                f"self_debias: the model's tokenizer cannot spell the description {text!r}; word it in another way."
            )
    return SelfDebias(ids, asked.decay, tokens_before(tokenizer), start_of(tokenizer))


def _ids(tokenizer: Any, text: str) -> tuple[int, ...]:
    return tuple(tokenizer(text, add_special_tokens=False, verbose=False)["input_ids"])


def reweighted(plain: Tensor, described: Tensor, decay: float) -> Tensor:
    """Return log p' up to a constant of its row, float64 [n, V], from logits [n, V] and [n, descriptions, V].

    The factor is at least exp(-decay) and is added as a logarithm, so that nothing underflows.
    """
    log_p = plain.double().log_softmax(-1)
    rise = described.double().softmax(-1).amax(1) - log_p.exp()
    return log_p - decay * rise.clamp(min=0)
