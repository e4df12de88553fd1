"""Components of simulated scores come back as they were put in."""

from dataclasses import astuple

import numpy as np
import pytest

from workers.statistics.units import Floats
from workers.statistics.variance_components import complete_part, difference_components, score_components

KINDS, FRAMES, WORDS, GROUPS = 40, 3, 40, 15
KIND_OF = np.repeat(np.arange(KINDS), FRAMES)
FRAME_OF = np.arange(KINDS * FRAMES)
DIFFERENCE = {"word": 0.18, "kind": 0.09, "frame": 0.05, "word_by_kind": 0.12, "residual": 0.3}


def drawn(generator: np.random.Generator, variance: float, *shape: int) -> Floats:
    return np.asarray(generator.normal(0, np.sqrt(variance), shape))


def differences(seed: int, kind_of: np.ndarray = KIND_OF) -> Floats:
    """[words, templates], each template a frame."""
    generator, templates, kinds = np.random.default_rng(seed), len(kind_of), kind_of.max() + 1
    of = {name: DIFFERENCE[name] for name in DIFFERENCE}
    return (
        drawn(generator, of["word"], WORDS, 1)
        + drawn(generator, of["kind"], 1, kinds)[:, kind_of]
        + drawn(generator, of["frame"], 1, templates)
        + drawn(generator, of["word_by_kind"], WORDS, kinds)[:, kind_of]
        + drawn(generator, of["residual"], WORDS, templates)
    )


def mean_of(found: list[tuple[float, ...]]) -> list[float]:
    return [float(one) for one in np.mean(found, axis=0)]


@pytest.mark.parametrize("kind_of", [KIND_OF, np.repeat(np.arange(30), np.tile([1, 2, 3], 10))], ids=["even", "uneven"])
def test_components_of_differences_are_those_of_the_simulation(kind_of: np.ndarray) -> None:
    frames = np.arange(len(kind_of))
    found = [astuple(difference_components(differences(seed, kind_of), kind_of, frames)) for seed in range(20)]
    assert mean_of(found) == pytest.approx(list(DIFFERENCE.values()), rel=0.15)


def test_wordings_of_one_frame_are_averaged_first() -> None:
    values = differences(0)
    twice = np.repeat(values, 2, axis=1) + np.tile([0.7, -0.7], values.shape[1])
    found = difference_components(twice, np.repeat(KIND_OF, 2), np.repeat(FRAME_OF, 2))
    assert astuple(found) == pytest.approx(astuple(difference_components(values, KIND_OF, FRAME_OF)))


def test_if_each_kind_has_one_frame_the_two_components_are_one() -> None:
    one = np.arange(KINDS)
    found = [astuple(difference_components(differences(seed)[:, ::FRAMES], one, one)) for seed in range(20)]
    word, kind, frame, word_by_kind, residual = mean_of(found)
    assert np.isnan([frame, residual]).all()
    assert (word, kind, word_by_kind) == pytest.approx((0.18, 0.14, 0.42), rel=0.15)


def test_a_component_is_never_negative_and_nothing_can_be_said_of_one_word_or_kind() -> None:
    noise = np.random.default_rng(0).normal(size=(5, 12))
    kinds = np.repeat(np.arange(6), 2)
    assert min(astuple(difference_components(noise, kinds, np.arange(12)))) == 0
    assert np.isnan(astuple(difference_components(noise[:1], kinds, np.arange(12)))).all()
    assert np.isnan(astuple(difference_components(noise, np.zeros(12, int), np.arange(12)))).all()


def test_components_of_scores_are_those_of_the_simulation() -> None:
    given = {"group": 0.3, "word": 0.5, "kind": 0.2, "frame": 0.1, "gw": 0.15, "gk": 0.08, "wk": 0.12, "residual": 0.25}

    def one(seed: int) -> tuple[float, ...]:
        generator = np.random.default_rng(seed)
        by_kind = (
            drawn(generator, given["group"], GROUPS, 1, 1)
            + drawn(generator, given["word"], 1, WORDS, 1)
            + drawn(generator, given["kind"], 1, 1, KINDS)
            + drawn(generator, given["gw"], GROUPS, WORDS, 1)
            + drawn(generator, given["gk"], GROUPS, 1, KINDS)
            + drawn(generator, given["wk"], 1, WORDS, KINDS)
            + drawn(generator, given["residual"], GROUPS, WORDS, KINDS)
        )
        values = by_kind[:, :, KIND_OF] + drawn(generator, given["frame"], 1, 1, KINDS * FRAMES)
        return astuple(score_components(values, KIND_OF, FRAME_OF))

    found = mean_of([one(seed) for seed in range(8)])
    assert found == pytest.approx(list(given.values()), rel=0.25)


def test_words_that_are_not_known_everywhere_are_dropped_until_all_cells_are() -> None:
    known = np.ones((4, 5, 6), dtype=bool)
    known[2] = False
    known[:, 3, 1] = False
    groups, words, templates = complete_part(known)
    assert groups.tolist() == [0, 1, 3]
    assert words.tolist() == [0, 1, 2, 4]
    assert templates.tolist() == list(range(6))
    assert known[np.ix_(groups, words, templates)].all()


def test_of_a_table_without_a_complete_word_nothing_is_left() -> None:
    words, _ = complete_part(~np.eye(4, dtype=bool))
    assert not words.size
