"""Names stand for a group by their shares (An et al. 2023, equations 6 and 7), and are held against published ones."""

from pathlib import Path

import pytest

from plumbline.vocab import seeding
from plumbline.vocab.models import Name
from plumbline.vocab.proposals.comparison import compare
from plumbline.vocab.proposals.proportions import Thresholds, proposed, shares
from plumbline.vocab.proposals.proposal import Proposal
from plumbline.vocab.proposals.table import read_table, table_of
from tests.plumbline.vocab.proposals.some_tables import TABLE

REAL = Path(__file__).resolve().parents[4] / "../shared/data/bbq/names_jobs/Popular_Baby_Names.csv.gz"
SHARES = shares(table_of("t.csv", TABLE))


def test_shares_are_those_of_the_race_and_gender_of_most_who_bear_the_name() -> None:
    ana, noel = SHARES["ana"], SHARES["noel"]
    assert (ana.group, ana.race_share, ana.gender_share, ana.count) == ("Hispanic women", 40 / 50, 1.0, 50)
    assert (noel.group, noel.race_share, noel.gender_share) == ("Hispanic men", 1.0, 12 / 20)
    assert (ana.is_low, noel.is_low, SHARES["iker"].is_low) == (True, True, False)


@pytest.mark.parametrize(
    ("needed", "names"),
    [
        (Thresholds(), ["Minh", "Iker"]),
        (Thresholds(race=0.8), ["Minh", "Ana", "Iker"]),
        (Thresholds(gender=0.6, count=20), ["Minh", "Iker", "Noel"]),
        (Thresholds(count=30), ["Minh"]),
        (Thresholds(races=("AA",)), ["McKay"]),
    ],
)
def test_names_that_reach_all_thresholds_are_proposed_by_group(needed: Thresholds, names: list[str]) -> None:
    assert [share.name for share in proposed(SHARES.values(), needed)] == names


def test_a_published_name_that_is_not_proposed_has_its_reason() -> None:
    needed = Thresholds()
    published = [Name(name=name, group="Hispanic women") for name in ("Ana", "Noel", "Minh", "McKay", "Zoe")]
    chosen = proposed(SHARES.values(), needed)
    by_group = {one.group: one for one in compare(SHARES, chosen, needed, published)}
    assert {one.name: one.reason for one in by_group["Hispanic women"].only_published} == {
        "Ana": "race 0.80 < 1",
        "Noel": "gender 0.60 < 1",
        "Minh": "it is proposed for Asian women",
        "McKay": "most who bear it are African American",
        "Zoe": "not in the table",
    }
    assert [share.name for share in by_group["Asian women"].only_proposed] == ["Minh"]


def test_of_the_papers_120_names_all_but_tenzin_have_shares_of_one() -> None:
    if not REAL.exists():
        pytest.skip("the reference data is not beside the project")
    (seed,) = [seed for seed in seeding.seeds() if seed.slug == "sodapop-names"]
    names = [Name(name=row.cells["name"], group=row.cells["group"]) for row in seed.rows()]
    proposal = Proposal(REAL.name, read_table(REAL), Thresholds())
    found = {one.group: (len(one.both), len(one.only_proposed)) for one in proposal.compared_with(names)}
    assert found == {
        "Asian women": (26, 48),
        "Asian men": (33, 33),
        "Hispanic women": (30, 159),
        "Hispanic men": (30, 124),
    }
    (missing,) = [one for group in proposal.compared_with(names) for one in group.only_published]
    assert missing.share is not None
    assert (missing.name, missing.share.is_low) == ("Tenzin", True)
    assert missing.share.gender_share == pytest.approx(1 - 0.4738, abs=5e-5)
    assert (proposal.table.rows, proposal.table.repeated, len(proposal.found)) == (29_464, 15_310, 1832)
