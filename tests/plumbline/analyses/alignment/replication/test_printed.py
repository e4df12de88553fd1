"""The figures of Cao et al. 2022 as they were transcribed: complete, and consistent where the paper is."""

from statistics import fmean

import pytest

from plumbline.analyses.alignment.replication import printed
from plumbline.vocab.seeding import FOLDER as STARTER

DO_NOT_FOLLOW = {("ilps_chain", "bert"), ("set", "roberta"), ("set", "bert")}
"""The precisions of Table 6 that the tables by group do not give."""


def test_each_measure_and_model_has_each_overall_figure() -> None:
    every = {(measure, model) for measure in printed.MEASURES for model in printed.MODELS}
    for table, statistic in (("6", printed.TAU), ("6", printed.PRECISION), ("A19", printed.TAU)):
        assert set(printed.overall(table, statistic)) == every
    assert printed.overall("6", printed.TAU)["set", "roberta"] == printed.Figure(0.199, True)
    assert printed.overall("A19", printed.TAU)["ilps_chain", "bert"] == printed.Figure(-0.007, False)


@pytest.mark.parametrize("measure", printed.MEASURES)
@pytest.mark.parametrize("table", printed.TABLES)
def test_each_of_25_groups_has_each_figure_but_four_of_ceat(table: str, measure: str) -> None:
    found = printed.of_groups(table, measure)
    assert len(printed.groups()) == 25
    missing = {group for (group, _), value in found.items() if value is None}
    ceats = {"Hispanic people", "Asian people", "Non-binary people", "Autistic people"}
    assert missing == (ceats if measure == "ceat" else set())
    assert len(found) == 50


def test_figures_by_group_are_at_their_places() -> None:
    assert printed.of_groups("A11", "set")["Elderly people", "roberta"] == 0.7
    assert printed.of_groups("A11", "ceat")["White people", "bert"] == -0.033
    assert printed.of_groups("A13", "ilps")["Hispanic people", "roberta"] == 1.0


@pytest.mark.parametrize("measure", printed.MEASURES)
@pytest.mark.parametrize("model", printed.MODELS)
def test_the_overall_precision_is_the_mean_over_groups_where_the_readme_says_so(measure: str, model: str) -> None:
    tables = [printed.of_groups(table, measure) for table in ("A12", "A13")]
    values = [one for found in tables for (_, own), one in found.items() if own == model and one is not None]
    told = printed.overall("6", printed.PRECISION)[measure, model].value
    assert (abs(fmean(values) - told) < 0.0021) == ((measure, model) not in DO_NOT_FOLLOW)


def test_every_measure_with_templates_has_those_of_the_pilot() -> None:
    assert printed.templates("set")["bert"] == ["All [group] are [trait].", "[Group] should be [trait]."]
    assert not printed.templates("ceat")


def test_the_papers_groups_are_labels_of_the_starter_list() -> None:
    labels = {line.split(",")[0].casefold() for line in (STARTER / "groups/abc-groups.csv").read_text().splitlines()}
    assert {group.casefold() for group in printed.groups()} <= labels
