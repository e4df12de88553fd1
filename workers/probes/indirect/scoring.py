"""Log probabilities of each predicted word with each given one and in its prior, by template, from logits."""

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
from torch import Tensor

from workers.engine.masked import MaskedModel
from workers.probes.broken_weights import broken_weights
from workers.probes.indirect.sentences import Read, Speller
from workers.probes.progress import in_items
from workers.probes.protocol import Progress

Floats = npt.NDArray[np.float64]
Places = tuple[int, int, int]
"""Where an answer goes: 0 with the word or 1 in its prior, template, given word."""
READS_AT_ONCE = 20_000
"""Words of many tokens need many inputs, which are built for some templates at a time."""


def log_probabilities(
    model: MaskedModel, speller: Speller, given: Sequence[int], progress: Progress
) -> tuple[Floats, Floats]:
    """Return log probabilities with the given word and in its prior, natural, float64 [templates, given, predicted].

    NaN if a word cannot be read or the given one cannot be filled in. `progress` is called with the number of given
    words whose sentences were read since its last call.
    """
    shape = len(speller.side.templates), len(given), len(speller.side.predicted)
    found, faults = np.full((2, *shape), np.nan), speller.given_faults(given)
    total = sum(2 * speller.steps(template) * own.count("") for template, own in enumerate(faults))
    told = in_items(progress, len(given), total)
    for reads in _reads(speller, given, faults):
        _read(model, reads, found, told)
    return found[0], found[1]


def _read(model: MaskedModel, reads: Sequence[tuple[Read, Places]], found: Floats, progress: Progress) -> None:
    """Add the log probabilities of the steps of each word. Raises ModelError for NaN."""
    for one, at in reads:
        found[at][list(one.words)] = 0.0

    def read(asked: list[list[int]], logits: Tensor) -> list[tuple[int, Floats]]:
        log_p = (logits - logits.logsumexp(1, keepdim=True)).cpu()
        rows = [(row, number) for row, numbers in zip(log_p, asked, strict=True) for number in numbers]
        return [(number, row[list(reads[number][0].tokens)].double().numpy()) for row, number in rows]

    def add(steps: list[tuple[int, Floats]]) -> None:
        for number, log_p in steps:
            one, at = reads[number]
            found[at][list(one.words)] += log_p

    model.read_logits([(one.ids, one.position) for one, _ in reads], read, add, progress)
    if any(np.isnan(found[at][list(one.words)]).any() for one, at in reads):
        raise broken_weights(model, "log probabilities")


def _reads(
    speller: Speller, given: Sequence[int], faults: Sequence[Sequence[str]]
) -> Iterator[list[tuple[Read, Places]]]:
    """Yield the reads of some templates at a time, because many given words share a template's prior."""
    waiting: list[tuple[Read, Places]] = []
    for template, own in enumerate(faults):
        for row, place in enumerate(given):
            for kind, some in enumerate(speller.reads(template, place) if not own[row] else ()):
                waiting += [(one, (kind, template, row)) for one in some]
        if len(waiting) >= READS_AT_ONCE:
            yield waiting
            waiting = []
    if waiting:
        yield waiting
