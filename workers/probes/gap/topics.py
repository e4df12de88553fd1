"""Topics of the passages by non-negative matrix factorisation, and how far they lean to men."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfVectorizer

from plumbline.spec.errors import InputError

Floats = npt.NDArray[np.float64]
MOST_ROUNDS = 1000
IN_SHARE, IN_DOCUMENTS = 0.5, 2
"""A word counts if it occurs in at most this share of the passages, and in at least this number of them."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The words of each topic with their weights, the heaviest first, and the topics' `shares` [passages, topics]."""

    words: tuple[tuple[tuple[str, float], ...], ...]
    shares: Floats

    @property
    def vocabulary(self) -> list[str]:
        """All words of topics without repetition, in alphabetical order."""
        return sorted({word for topic in self.words for word, _ in topic})


def topics_of(texts: Sequence[str], count: int, words: int, seed: int) -> Topics:
    """Factorise the tf-idf of the texts, without English stop words, into shares x word weights.

    The result depends only on texts and seed. A topic's weights over all words are scaled to sum 1 and its shares
    inversely, because the factorisation leaves the scale open (ours). Raises InputError for texts with too few words.
    Source: Lee and Seung 2001, "Algorithms for Non-negative Matrix Factorization"; scikit-learn.
    """
    vectors = TfidfVectorizer(stop_words="english", max_df=IN_SHARE, min_df=IN_DOCUMENTS)
    try:
        table = vectors.fit_transform(texts)
    except ValueError:
        table = None
    if table is None or table.shape[1] < count:
        raise InputError(f"the passages share too few words for {count} topics: take fewer params.topics.")
    model = NMF(count, init="nndsvd", max_iter=MOST_ROUNDS, random_state=seed)
    with warnings.catch_warnings():
        # The fit ends after MOST_ROUNDS, converged or not; either way it is the same for the same texts.
        warnings.simplefilter("ignore", ConvergenceWarning)
        shares = np.asarray(model.fit_transform(table), dtype=np.float64)
    scale = model.components_.sum(axis=1)
    weights = model.components_ / np.where(scale > 0, scale, 1.0)[:, None]
    names = vectors.get_feature_names_out()
    return Topics(tuple(_heaviest(names, row, words) for row in weights), shares * scale)


def _heaviest(names: Sequence[str], weights: Floats, most: int) -> tuple[tuple[str, float], ...]:
    order = np.lexsort([np.arange(len(weights)), -weights])[:most]
    return tuple((str(names[place]), float(weights[place])) for place in order if weights[place] > 0)


def topic_bias(topic: Sequence[tuple[str, float]], bias: Mapping[str, float]) -> float:
    """Return the weighted sum of the words' bias scores; words without a score are left out, NaN if none has one."""
    known = [weight * bias[word] for word, weight in topic if word in bias]
    return float(sum(known)) if known else float("nan")


def passage_bias(topics: Topics, biases: Floats) -> Floats:
    """Return the sum over topics of share times bias, [passages]; topics of unknown bias count as 0."""
    return np.asarray(topics.shares @ np.nan_to_num(biases, nan=0.0))
