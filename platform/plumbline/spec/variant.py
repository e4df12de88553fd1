"""The card of a variant of a model: how it was made, and from what."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Method = Literal["leace", "inlp", "sentence_debias", "dropout", "cda"]
METHOD_TITLES: dict[str, str] = {
    "leace": "LEACE",
    "inlp": "INLP",
    "sentence_debias": "SentenceDebias",
    "dropout": "Dropout",
    "cda": "CDA",
}
OWN_WEIGHTS = ("dropout", "cda")
"""The methods that train a model. Such a variant has weights of its own and does without its parent's files."""


class Part(BaseModel):
    """A curated list, as it was then."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: str
    slug: str
    sha256: str


class Text(BaseModel):
    """The text that states were read from, or that the model was trained on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    sha256: str
    sentences: int
    """Those that were used; for a training, its passages."""


class VariantCard(BaseModel):
    """All that a variant depends on. It is stored with the variant's files and in the database."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    slug: str
    method: Method
    parent: str
    """The reference of the model that it was made of, pinned."""
    parent_digest: str
    digest: str
    """Of the variant, as runs record it."""
    layer: int | None = None
    """Whose states are projected; None: the last."""
    seed: int = 0
    lists: list[Part] = []
    text: Text
    params: dict[str, Any] = {}
    found: dict[str, Any] = {}
    """What was measured when it was made.

    How well the groups can be read `before` and `after`, or why a training could not measure it (`not_measured`). For a
    training also the `loss` on passages held out; for CDA what was `swapped`, as word -> counterpart -> count.
    """
    versions: dict[str, str] = {}

    @property
    def reference(self) -> str:
        return f"variant:{self.slug}"

    @property
    def title(self) -> str:
        """Such as `LEACE with gender-words, of bundled:masked-demo`."""
        words = " and ".join(part.slug for part in self.lists)
        with_words = f" with {words}" if words and self.method != "dropout" else ""
        return f"{METHOD_TITLES[self.method]}{with_words}, of {self.parent}"


def swapped_words(card: VariantCard, most: int | None = None) -> str:
    """Return what CDA swapped, the commonest first: `she -> he 1,204, he -> she 1,180; ambiguous: her 310`.

    Empty for other methods.
    """
    pairs = [
        (count, f"{word} -> {other}")
        for word, others in card.found.get("swapped", {}).items()
        for other, count in others.items()
    ]
    told = ", ".join(f"{pair} {count:,}" for count, pair in sorted(pairs, key=lambda one: -one[0])[:most])
    ambiguous = ", ".join(f"{word} {count:,}" for word, count in card.found.get("ambiguous", {}).items())
    return f"{told}; ambiguous: {ambiguous}" if ambiguous else told
