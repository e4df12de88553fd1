"""Distributions of ratings, worked out by hand, and the published judgements against their published means."""

import json
from pathlib import Path

import numpy as np
import pytest

from plumbline.spec.judgements import Judgements, judgements_of, means
from plumbline.vocab import seeding
from plumbline.vocab.distributions import distributions, judgements_in, polarisation, reliability
from plumbline.vocab.importing import entries_of
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Rating, RatingList
from tests.plumbline.spec.test_judgements import rating

PUBLISHED = Path(__file__).resolve().parents[3] / "../shared/data/abc/Aggregated_scores.json"
RELEASED = Path(__file__).resolve().parents[3] / "../shared/data/abc/data_full.json"


def judged(*scores: float, group: str = "men") -> Judgements:
    return judgements_of([rating(str(number), group, score) for number, score in enumerate(scores)])


def test_half_0_and_half_100_is_not_50() -> None:
    (apart,), (together,) = distributions(judged(0, 0, 0, 100, 100, 100)), distributions(judged(*[50] * 6))
    assert apart.mean == together.mean == 50
    assert (apart.polarisation, together.polarisation) == (1.0, 0.0)
    assert (apart.histogram[0], apart.histogram[-1], together.histogram[5]) == (3, 3, 6)
    assert apart.sd == pytest.approx(np.std([0] * 3 + [100] * 3, ddof=1))


def test_polarisation_of_an_even_spread_is_between() -> None:
    """F = .1, .2, ..., .9: the sum of min(F, 1 - F) is 2.5, and D = 2 * 2.5 / 9."""
    assert polarisation(np.ones(10, dtype=np.int64)) == pytest.approx(5 / 9)


def test_a_cell_of_four_raters_shows_their_number_only() -> None:
    (cell,) = distributions(judged(1, 2, 3, 4))
    assert (cell.n, cell.hidden, cell.histogram, cell.polarisation) == (4, True, (), None)


def test_a_breakdown_counts_its_own_raters() -> None:
    rows = [rating(str(number), "men", 10, gender="woman" if number < 6 else "man") for number in range(10)]
    judgements = judgements_of(rows)
    found = {name: distributions(judgements, members)[0] for name, members in judgements.parts()}
    assert (found["gender: woman"].n, found["gender: woman"].mean) == (6, 10)
    assert (found["gender: man"].n, found["gender: man"].hidden) == (4, True)


def noisy(noise: float) -> np.ndarray[tuple[int, int, int], np.dtype[np.float64]]:
    """Twenty raters of four groups on ten pairs, who agree but for noise."""
    generator = np.random.default_rng(3)
    shape = (20, 4, 10)
    return np.broadcast_to(generator.uniform(0, 100, shape[1:]), shape) + generator.normal(0, 1, shape) * noise


def test_raters_who_agree_are_reliable_and_others_are_not() -> None:
    assert reliability(noisy(0.001)).overall == pytest.approx(1, abs=1e-3)
    agreeing, loose = reliability(noisy(20)), reliability(noisy(500))
    assert agreeing.overall > 0.9 > 0.7 > loose.overall
    assert agreeing.by_group.shape == (4,)
    assert agreeing.by_pair.shape == (10,)


def test_reliability_comes_near_to_its_value_by_theory() -> None:
    """True variance v and error variance e/20 of a mean of twenty raters: v / (v + e/20)."""
    generator = np.random.default_rng(4)
    truth = generator.normal(0, 10, (1, 40, 25))
    values = truth + generator.normal(0, 30, (20, 40, 25))
    assert reliability(values).overall == pytest.approx(100 / (100 + 900 / 20), abs=0.03)


def test_halves_that_disagree_are_not_reliable_and_no_less() -> None:
    """Ten raters in two camps: whichever way they are halved, one half leans the other way."""
    values = np.array([[[0.0, 50.0, 100.0, 20.0]], [[100.0, 50.0, 0.0, 80.0]]] * 5)
    found = reliability(values)
    assert (found.overall, found.by_group.tolist()) == (0.0, [0.0])


def test_cells_of_few_raters_have_no_part_in_reliability() -> None:
    values = noisy(20)
    hidden = values.copy()
    hidden[4:, 1:] = np.nan
    found = reliability(hidden)
    alone = reliability(np.where(np.arange(4)[:, None] == 0, values, np.nan))
    assert found.overall == pytest.approx(alone.overall)
    assert np.isnan(found.by_group[1:]).all()


def test_what_nobody_can_show_is_undefined() -> None:
    assert np.isnan(reliability(judged(1, 2, 3, 4, 5).values).overall)


@pytest.fixture(scope="module")
def starter() -> Judgements:
    """The starter list abc-ratings, as curated entries give it to a run."""
    from plumbline.spec.content import Rating as Row

    (seed,) = [seed for seed in seeding.seeds() if seed.slug == "abc-ratings"]
    entries = entries_of(KINDS["ratings"], seed.rows())
    return judgements_of(Row.model_validate(content) for entry in entries for content in entry.contents())


def test_the_published_judgements_are_all_there(starter: Judgements) -> None:
    assert starter.values.shape == (133, 26, 16)
    groups_rated = (~np.isnan(starter.values).all(axis=2)).sum(axis=1)
    assert sorted(groups_rated.tolist()) == [3] * 10 + [4] * 123
    raters = dict(zip(starter.groups, (~np.isnan(starter.values).all(axis=2)).sum(axis=0).tolist(), strict=True))
    assert {group: count for group, count in raters.items() if count != 20} == {"immigrants": 21, "Jewish people": 21}
    # One annotator of Jewish people rated a single pair of 16.
    assert (~np.isnan(starter.values)).sum() == 522 * 16 - 15


def test_the_means_are_the_published_ones_but_for_two(starter: Judgements) -> None:
    if not PUBLISHED.exists():
        pytest.skip("the reference data is not beside the project")
    published, mean = json.loads(PUBLISHED.read_text()), means(starter.values)
    pairs = {f"{left} - {right}": column for column, (left, right) in enumerate(starter.pairs)}
    differing = {
        (group, pair): (float(score), round(float(mean[starter.groups.index(group), pairs[pair]]), 2))
        for group, scores in published.items()
        for pair, score in scores.items()
        if abs(float(score) - mean[starter.groups.index(group), pairs[pair]]) > 0.01
    }
    assert sum(len(scores) for scores in published.values()) == 26 * 16
    assert differing == {
        ("women", "poor - wealthy"): (56.4, 57.1),
        ("women", "untrustworthy - trustworthy"): (57.95, 57.1),
    }


def test_the_starter_list_is_the_released_file(starter: Judgements) -> None:
    if not RELEASED.exists():
        pytest.skip("the reference data is not beside the project")
    released = json.loads(RELEASED.read_text())
    assert starter.annotators == tuple(released)
    people = list(starter.annotators)
    for annotator, group, pair, score in (
        (annotator, group, tuple(pair.split(" - ")), float(score))
        for annotator, groups in released.items()
        for group, pairs in groups.items()
        for pair, score in pairs.items()
    ):
        place = people.index(annotator), starter.groups.index(group), starter.pairs.index(pair)
        assert starter.values[place] == score


def test_a_page_reads_a_list_from_the_database(db: None) -> None:
    ratings = RatingList.objects.create(slug="judged", title="Judged")
    for number in range(5):
        Rating.objects.create(
            word_list=ratings, annotator=str(number), group="men", left="cold", right="warm", rating=number
        )
    (cell,) = distributions(judgements_in("judged"))
    assert (cell.group, cell.n, cell.mean) == ("men", 5, 2.0)
    assert judgements_in("nothing").values.shape == (0, 0, 0)
