"""Embeddings of words: in a template with the other slot masked, or from a file of word vectors."""

from collections.abc import Sequence
from typing import Any

from plumbline.methods.weat.spec import sentence
from plumbline.spec.content import Attribute
from plumbline.spec.grammar import Rendered
from plumbline.spec.word_sets import WordSets
from workers.engine.embeddings import Contextual, embeddings, last_subword
from workers.engine.sentences import Encoded, Sentence, encode
from workers.engine.word_vectors import StaticVectors
from workers.probes.weat.cosines import Embedded, Side


def from_file(model: StaticVectors, words: WordSets) -> Embedded:
    """Return the vectors of the words that the file has, and the reason for the others."""
    every = [word.text for word in (*words.targets, *words.attributes)]
    vectors = model.vectors(every)
    file = model.checkpoint.folder.name

    def side(own: Sequence[Attribute]) -> Side:
        return {word.text: vectors.get(word.text, f"{word.text!r} has no vector in {file}") for word in own}

    return Embedded(side(words.targets), side(words.attributes))


def in_template(model: Contextual, words: WordSets, template: str, filler: str, *, whole: bool) -> Embedded:
    """Return embeddings of each word in the template, with `filler` in the other slot (Kurita et al. 2019, 3.1).

    An embedding is the final layer's state at the word's last subword. With `whole`, words of several subwords are left
    out with the reason.
    """
    targets = [sentence(template, word, filler) for word in words.targets]
    attributes = [sentence(template, filler, word) for word in words.attributes]
    return Embedded(
        _side(model, words.targets, targets, "target", whole=whole),
        _side(model, words.attributes, attributes, "attribute", whole=whole),
    )


def _side(
    model: Contextual, words: Sequence[Attribute], rendered: Sequence[Rendered], slot: str, *, whole: bool
) -> Side:
    sentences = [Sentence(one.text, one.spans_of(slot)[:1]) for one in rendered]
    encoded = encode(model.tokenizer, sentences)
    found: dict[str, Any] = {
        word.text: _fault(word.text, one, whole=whole) for word, one in zip(words, encoded, strict=True)
    }
    sound = [(word.text, one) for word, one in zip(words, encoded, strict=True) if not found[word.text]]
    states = embeddings(model, [last_subword(one) for _, one in sound])
    found |= {text: state.astype("float64") for (text, _), state in zip(sound, states, strict=True)}
    return found


def _fault(word: str, encoded: Encoded, *, whole: bool) -> str:
    if encoded.fault:
        return encoded.fault
    pieces = len(encoded.slots[0])
    return f"{word!r} is no token of the model: {pieces} subwords" if whole and pieces > 1 else ""
