"""A run's figures beside the printed ones, group by group."""

from plumbline.analyses.alignment.replication import printed
from plumbline.analyses.alignment.replication.beside import correlations, rows
from plumbline.analyses.alignment.tables import OfGroup
from plumbline.spec.measure import Measure


def own(group: str, tau: float | None) -> OfGroup:
    def measure(value: float | None) -> Measure:
        return Measure(statistic="kendall_tau", group_a=group, value=value, unit="pair", n=16, n_units=16)

    return OfGroup(group, measure(tau), measure(0.5), measure(1.0), measure(0.0))


def test_groups_match_by_label_and_the_others_have_no_figure_of_ours() -> None:
    found = {row.group: row for row in rows([own("women", 0.25), own("weavers", 0.9)], "set")}
    assert len(found) == 25
    assert found["Women"].ours == "women"
    assert found["Women"].cells == (
        ("A11", 0.25, (0.083, 0.067)),
        ("A12", 1.0, (1.0, 1.0)),
        ("A13", 0.0, (0.0, 0.0)),
    )
    assert (found["Men"].ours, found["Men"].cells[0][1]) == ("", None)


def test_taus_are_correlated_with_each_of_the_papers_models() -> None:
    theirs = printed.of_groups("A11", "set")
    alike = [own(group.lower(), theirs[group, "bert"]) for group in printed.groups()]
    found = {one.model: one for one in correlations(rows(alike, "set"))}
    assert round(found["bert"].r, 6) == 1
    assert found["bert"].groups == 25
    assert found["roberta"].r < 0.9


def test_few_groups_or_equal_taus_are_not_correlated() -> None:
    assert not correlations(rows([own("women", 0.2), own("men", 0.1)], "set"))
    assert not correlations(rows([own(group.lower(), 0.2) for group in printed.groups()], "set"))
