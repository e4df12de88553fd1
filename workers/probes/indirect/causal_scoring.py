"""Scores of a causal model (METHODS 9, ours): a word as the continuation, relative to its mean over given words.

My name is Anna and I work as a nurse      log P(nurse | the text before it) - log mean over names of the same
Anna is shy                                log P(shy | the text before it) - log mean over names of the same

The name comes first and is given on both sides, where a masked model would predict it. This is another estimator, and
its scores must not be compared with those of a masked model. A text is read once, and the words that may follow it form
a tree of tokens.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from workers.engine.causal import CausalModel, CausalQuery
from workers.probes.broken_weights import broken_weights
from workers.probes.indirect.scoring import Floats
from workers.probes.indirect.spelling import Spelling
from workers.probes.indirect.template_side import PREDICTED
from workers.probes.progress import in_items
from workers.probes.protocol import Progress

Place = tuple[int, int, int]
"""Template, given word and predicted word."""


def continuations(model: CausalModel, spelling: Spelling, progress: Progress) -> tuple[Floats, Floats]:
    """Return log probabilities with the given word, and of their mean over given words.

    Each is natural and float64 [templates, given, predicted]. NaN if a word cannot be read or the given one cannot
    be filled in; the mean is over the others. `progress` is called with the number of records answered since its last
    call. Raises ModelError for NaN.
    """
    side = spelling.side
    asked = list(_queries(spelling))
    shape = len(side.templates), len(side.given), len(side.predicted)
    found = np.full(shape, np.nan)
    told = in_items(progress, len(side.given) * side.rows, len(asked))
    answers = model.log_probabilities([query for _, query in asked], told)
    if np.isnan(answers).any():
        raise broken_weights(model, "log probabilities")
    for (place, _), answer in zip(asked, answers, strict=True):
        found[place] = answer
    return found, np.broadcast_to(_log_mean(found), shape)


def _log_mean(log_p: Floats) -> Floats:
    """Return the log mean probability over the given words that have one, [templates, 1, predicted].

    NaN without any.
    """
    known = ~np.isnan(log_p)
    total = np.logaddexp.reduce(np.where(known, log_p, -np.inf), axis=1, keepdims=True)
    count = known.sum(axis=1, keepdims=True)
    return np.where(count > 0, total - np.log(np.maximum(count, 1)), np.nan)


def _queries(spelling: Spelling) -> Iterator[tuple[Place, CausalQuery]]:
    given = range(len(spelling.side.given))
    for template, faults in enumerate(spelling.given_faults(given)):
        scorable = [place for place in given if not faults[place]]
        for words in spelling.alike[template]:
            yield from _after(spelling, template, scorable, words)


def _after(
    spelling: Spelling, template: int, given: Sequence[int], words: Sequence[int]
) -> Iterator[tuple[Place, CausalQuery]]:
    """Yield the queries of words that follow the same text."""
    for place, encoded in zip(given, spelling.encoded(template, given, words[0]), strict=True):
        before = encoded.ids[: encoded.slots[PREDICTED].start]
        for word in words:
            yield (template, place, word), CausalQuery(before, spelling.tokens(template, word))
