"""Fit the map that removes groups from the states of sentences about them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.spec.errors import InputError
from workers.debiasing.corpus import NEUTRAL, drawn
from workers.debiasing.guardedness import Readable, readable
from workers.debiasing.inlp import inlp
from workers.debiasing.leace import Moments, leace
from workers.debiasing.maps import AffineMap, Labels
from workers.debiasing.recipe import Recipe
from workers.debiasing.sentence_debias import sentence_debias
from workers.debiasing.states import Progress, States, sentence_states
from workers.debiasing.words import GroupWords

HELD_OUT = 5
"""One of this many sentences is held out for the measurement."""
Stage = Callable[[str, int], Callable[[int], None]]
"""Called with the name and size of each stage. Returns the callback for the progress of that stage."""


@dataclass(frozen=True)
class Material:
    """The data of a fit."""

    words: GroupWords
    sentences: Mapping[str, Sequence[str]]
    """The sentences by group and of NEUTRAL."""
    templates: Sequence[str] = ()
    """Sentences with {attribute} in place of the word, for SentenceDebias."""


@dataclass(frozen=True)
class Fitted:
    map: AffineMap
    before: Readable
    after: Readable
    sentences: int


def fit(model: Any, material: Material, recipe: Recipe, stage: Stage) -> Fitted:
    """Fit the recipe's map to the states of four of five sentences, and measure on the rest.

    Raises InputError if a method has no data for its fit.
    """
    chosen = drawn(material.sentences, material.words.groups, recipe.most, recipe.seed)
    states, labels = _states(model, chosen, recipe, stage, "states of sentences")
    fitted = ~_held_out(labels)
    found = _map(model, material, recipe, (states[fitted], labels[fitted]), stage)
    return Fitted(found, held_out_readable(states, labels), held_out_readable(found(states), labels), len(labels))


def held_out_readable(states: npt.NDArray[np.floating], labels: Labels) -> Readable:
    """Return how well a new classifier, fitted to four of five states, reads the groups of the others."""
    held_out = _held_out(labels)
    return readable(states[~held_out], labels[~held_out], states[held_out], labels[held_out])


def _held_out(labels: Labels) -> npt.NDArray[np.bool_]:
    return np.asarray(np.arange(len(labels)) % HELD_OUT == 0)


def _map(model: Any, material: Material, recipe: Recipe, known: tuple[States, Labels], stage: Stage) -> AffineMap:
    match recipe.method:
        case "leace":
            moments = Moments.empty(known[0].shape[1], len(material.words.groups))
            moments.add(*known)
            return leace(moments)
        case "inlp":
            states, labels = _with_neutral(model, material, recipe, known, stage)
            progress = stage("classifiers", recipe.classifiers)
            return inlp(states, labels, recipe.classifiers, progress, logistic=recipe.logistic)
        case "sentence_debias":
            return sentence_debias(_tuples(model, material, recipe, stage), recipe.directions)


def _states(
    model: Any, sentences: Mapping[str, Sequence[str]], recipe: Recipe, stage: Stage, name: str
) -> tuple[States, Labels]:
    return states_by_group(model, sentences, recipe.layer, stage(name, sum(map(len, sentences.values()))))


def states_by_group(
    model: Any, sentences: Mapping[str, Sequence[str]], layer: int | None = None, progress: Progress = lambda done: None
) -> tuple[States, Labels]:
    """Return the states and the number of each one's group. The groups alternate, so every part has all groups."""
    turns = [one for row in zip(*sentences.values(), strict=True) for one in row]
    found = sentence_states(model, turns, layer, progress)
    return found, np.tile(np.arange(len(sentences)), len(turns) // len(sentences)).astype(np.int64)


def _with_neutral(
    model: Any, material: Material, recipe: Recipe, known: tuple[States, Labels], stage: Stage
) -> tuple[States, Labels]:
    """Return the classes of Bias Bench: two groups and neutral sentences, or with more groups any against neutral."""
    states, labels = known
    groups = len(material.words.groups)
    count = min(len(material.sentences.get(NEUTRAL, ())), len(labels) // groups if groups == 2 else len(labels))
    if not count:
        raise InputError("the text has no sentence that names none of the groups, which INLP needs: add some")
    neutral = drawn(material.sentences, [NEUTRAL], count, recipe.seed)
    others, _ = _states(model, neutral, recipe, stage, "states of neutral sentences")
    own = labels if groups == 2 else np.zeros_like(labels)
    return np.concatenate([states, others]), np.concatenate([own, np.full(count, own.max() + 1)])


def _tuples(model: Any, material: Material, recipe: Recipe, stage: Stage) -> list[States]:
    """Return the states of each sentence's versions, one for each possible group."""
    words = material.words
    drawn_ones = drawn(material.sentences, words.groups, recipe.most, recipe.seed).values()
    versions = [_versions(words, one) for some in drawn_ones for one in some]
    versions += [_filled(words, template, form) for template in material.templates for form in words.group_of]
    whole = [list(one) for one in dict.fromkeys(tuple(one) for one in versions) if len(one) > 1]
    if not whole:
        raise InputError(f"no sentence has a counterpart: fill the column category of the list {words.slug!r}")
    every = [version for one in whole for version in one]
    states = sentence_states(model, every, recipe.layer, stage("states of sentences and counterparts", len(every)))
    return np.split(states, np.cumsum([len(one) for one in whole])[:-1])


def _versions(words: GroupWords, sentence: str) -> list[str]:
    found = (words.about(sentence, group) for group in words.groups)
    return [one for one in found if one is not None]


def _filled(words: GroupWords, template: str, form: str) -> list[str]:
    own = template.replace("{attribute}", words.written[form])
    return _versions(words, own[0].upper() + own[1:])
