"""The thresholds of Parrish et al. 2022, appendices A and B, on the tables, beside the published lists."""

from dataclasses import replace
from pathlib import Path

import pytest

from plumbline.methods.bbq.proposals.comparison import Comparison, compare, published
from plumbline.methods.bbq.proposals.proposing import proposed, read
from plumbline.methods.bbq.proposals.rules import Needed
from plumbline.vocab.bundles import Sent

REAL = Path(__file__).resolve().parents[5] / "../shared/data/bbq"
FILES = {
    "births": "Popular_Baby_Names.csv.gz",
    "tzioumis": "firstnames.xlsx",
    "surnames": "Names_2010Census_Top1000.xlsx",
    "women": "dist.female.first.txt",
    "men": "dist.male.first.txt",
    "bartz": "english_first_names_chinese_americans_2009.csv",
    "prestige": "job_prestige_score.xlsx",
}
Counts = tuple[int, int, int]


def sent(path: Path) -> Sent:
    return Sent(path.name, path.read_bytes())


def compared(repeats: bool) -> list[Comparison]:
    if not REAL.exists():
        pytest.skip("the reference data is not beside the project")
    needed = replace(Needed(), repeats=repeats)
    tables = read({part: sent(REAL / "names_jobs" / name) for part, name in FILES.items()}, repeats)
    folder = REAL / "templates"
    words = published(sent(folder / "vocabulary_proper_names.csv"), sent(folder / "vocabulary.csv"))
    return compare(proposed(tables, needed), tables, needed, words)


def counts(repeats: bool = False) -> dict[str, Counts]:
    """Published words among the candidates, candidates, published words."""
    return {one.title: (one.found, one.here, one.published) for one in compared(repeats)}


def test_the_published_lists_follow_from_the_thresholds_only_in_part() -> None:
    assert counts() == {
        "Asian: given names": (14, 32, 20),
        "Black: given names": (10, 17, 20),
        "Latino: given names": (16, 55, 20),
        "White: given names": (18, 25, 20),
        "Asian: surnames": (19, 22, 20),
        "Black: surnames": (17, 17, 20),
        "Latino: surnames": (20, 26, 20),
        "White: surnames": (20, 20, 20),
        "Women: given names that stand alone": (20, 20, 20),
        "Men: given names that stand alone": (19, 20, 20),
        "lowSES: jobs": (8, 255, 12),
        "highSES: jobs": (11, 58, 12),
        "Arab: given names": (0, 0, 20),
        "Arab: surnames": (0, 0, 20),
    }


def test_counting_repeated_rows_each_time_explains_names_of_the_table_of_births() -> None:
    found = counts(repeats=True)
    assert found["Asian: given names"] == (20, 59, 20)
    assert found["Black: given names"] == (12, 28, 20)
    assert found["Latino: given names"] == (17, 72, 20)
