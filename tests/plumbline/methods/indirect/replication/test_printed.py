"""The figures of the thesis: whole, as they are printed, and in agreement with each other where its tables overlap."""

import csv
from pathlib import Path

import pytest

from plumbline.methods.indirect.replication import printed
from plumbline.methods.indirect.replication.printed import FOLDER, GENDERS, METHODS, MODELS
from plumbline.vocab import seeding

PRINT = Path(__file__).resolve().parents[5] / "../shared/papers/indirect-bias-thesis.txt"
WITHOUT_RECEPTIONIST = {("bert-base", "female", "direct"), ("xl-base", "female", "direct")}
"""Columns of Table 3.3 that lack the receptionist, whom the ranks of Table A.5 would put into them."""


def occupations() -> dict[str, str]:
    """The starter list, each with the gender that it names."""
    seed = next(one for one in seeding.seeds() if one.slug == "occupations")
    return {row.cells["text"]: row.cells["group"] for row in seed.rows()}


def test_every_table_is_there() -> None:
    for model in MODELS:
        assert all(len(printed.top_ten(model, gender, method)) == 10 for gender in GENDERS for method in METHODS)
        assert len(printed.ranks(model)) == 21
        assert len(printed.agreement(model)) == 40
    assert list(printed.beer()) == ["male", "female", "boy", "girl", "man", "woman"]
    assert len(printed.padding("xl-base")) == len(printed.padding("xl-large")) == 140
    assert printed.padding("bert-base") == {}


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.csv")), ids=lambda path: path.stem)
def test_every_figure_is_in_the_print(path: Path) -> None:
    """Digit by digit; where on the page it stands is for the other tests."""
    if not PRINT.exists():
        pytest.skip("the thesis is not beside the project")
    found = set(PRINT.read_text(encoding="utf-8").replace("\u2212", "-").split())
    with path.open(encoding="utf-8", newline="") as file:
        figures = {value for row in csv.DictReader(file) for key, value in row.items() if key not in NO_FIGURES}
    missing = {value for value in figures if value and value not in found}
    assert not missing


NO_FIGURES = {
    "table",
    "gender",
    "model",
    "method",
    "level",
    "features",
    "targets",
    "word",
    "occupation",
    "rank",
    "pair",
}


def test_occupations_are_those_of_the_starter_list() -> None:
    known = occupations()
    named = {word for model in MODELS for gender in GENDERS for method in METHODS
             for word in printed.top_ten(model, gender, method)}  # fmt: skip
    assert named <= set(known)
    assert set(printed.ranked_occupations()) <= {word for word, gender in known.items() if not gender}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("gender", GENDERS)
@pytest.mark.parametrize("method", METHODS)
def test_the_first_ten_have_the_ranks_that_the_appendix_prints_once_gendered_ones_are_passed_over(
    model: str, gender: str, method: str
) -> None:
    """So the curated flag is the thesis': fireman, fisherman and postman count, policeman and waitress do not."""
    named = occupations()
    neutral = [one for one in printed.top_ten(model, gender, method) if not named[one]]
    if (model, gender, method) in WITHOUT_RECEPTIONIST:
        rank = printed.ranks(model)["receptionist"][method][GENDERS.index(gender)]
        neutral.insert(rank - 1, "receptionist")
    ranks = {one: pair[method][GENDERS.index(gender)] for one, pair in printed.ranks(model).items()}
    assert {one: place for place, one in enumerate(neutral, 1) if one in ranks} == {
        one: rank for one, rank in ranks.items() if one in neutral
    }
    assert not [one for one, rank in ranks.items() if rank <= len(neutral) and one not in neutral]


def test_ranks_are_among_92_and_no_two_occupations_share_one() -> None:
    for model in MODELS:
        for method in METHODS:
            for place in range(2):
                ranks = [pair[method][place] for pair in printed.ranks(model).values()]
                assert len(set(ranks)) == len(ranks)
                assert 1 <= min(ranks) <= max(ranks) <= 92


def test_agreement_on_gender_is_the_same_in_both_tables() -> None:
    for model in MODELS:
        over_words = printed.gender_agreement(model)["words"]
        assert over_words == pytest.approx(printed.agreement(model)["occupations", "gender-words"], abs=5e-5)


def test_what_the_print_leaves_open_is_empty() -> None:
    open_cells = [key for key, value in printed.agreement("xl-base").items() if value is None]
    assert open_cells == [("occupations", "beverages"), ("occupations", "countries")]
    for model in ("xl-base", "xl-large"):
        assert [key for key, value in printed.padding(model).items() if value is None] == [
            ("races", "0.05", "2-3"),
            ("races", "0.05", "2-4"),
        ]


def test_shares_of_padding_are_parts_of_101_targets() -> None:
    """The appendix lists 99 occupations; the printed percentages fit 101, rounded or cut off."""
    shares = [value for value in printed.padding("xl-base").values() if value]
    assert all(abs(value - 100 * round(value * 1.01) / 101) < 0.12 for value in shares)
    assert any(abs(value - 100 * round(value * 0.99) / 99) > 0.12 for value in shares)
