"""The profile of a group: the model and people, each in its own unit."""

import csv
import io
import re
from dataclasses import asdict, replace
from xml.etree import ElementTree

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st
from pytest_django.fixtures import DjangoAssertNumQueries

from plumbline.analyses.alignment.profile_plot import profile
from plumbline.analyses.alignment.profiles import Row, _ranks, asked_of, rows_of
from plumbline.audits.models import Run
from plumbline.results.measure_writing import replace_measures
from plumbline.results.summary import measures, of_run, under_every_prior
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict
from tests.plumbline.analyses.alignment.judged import ALONE, GROUPS, MARKED, PAIRS, RATED, SCORES


def page(client: Client, run: Run, **query: str) -> str:
    answer = client.get(reverse("profile", args=[run.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def table(client: Client, run: Run, group: str) -> list[dict[str, str]]:
    answer = client.get(reverse("profile_csv", args=[run.pk]), {"group": group})
    lines = [line for line in answer.content.decode().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(io.StringIO("\n".join(lines))))


def test_a_profile_has_the_models_score_and_peoples_mean_of_each_pair(run: Run, viewer: Client) -> None:
    rows = {row["pair"]: row for row in table(viewer, run, MARKED)}
    for (left, right), score, mean in zip(PAIRS, SCORES[MARKED], RATED[MARKED], strict=True):
        row = rows[f"{left} - {right}"]
        assert float(row["value"]) == pytest.approx(score + 0.05)
        assert float(row["people_mean"]) == pytest.approx(mean)
        assert row["raters"] == "12"
        assert row["dimension"] == PAIRS[left, right]
    assert min(rows.values(), key=lambda row: int(row["model_rank"]))["right"] == "strong"


def test_a_cell_of_few_raters_is_hidden_and_says_so(run: Run, viewer: Client) -> None:
    (row,) = [row for row in table(viewer, run, "elders") if row["pair"] == "dull - keen"]
    assert (row["people_mean"], row["people_sd"], row["raters"]) == ("", "", "3")
    assert "fewer than 5 raters" in page(viewer, run, group="elders")


def test_a_group_that_nobody_rated_is_alone(run: Run, viewer: Client) -> None:
    text = page(viewer, run, group=ALONE)
    assert "Nobody rated this group" in text
    assert "People: mean rating" not in text


def test_the_sentence_names_the_level_of_the_runs_own_spec(run: Run, viewer: Client) -> None:
    assert "(q &lt; 0.05)" in page(viewer, run, group="women")
    Run.objects.filter(pk=run.pk).update(spec=run.spec | {"alpha": 0.01})
    text = page(viewer, run, group="women")
    assert "(q &lt; 0.01)" in text
    assert "0.05" not in text.split("</h2>")[1].split("<svg")[0]


def test_an_order_against_that_of_people_is_not_called_alike(run: Run, viewer: Client) -> None:
    changed(run, Measure("kendall_tau", "pair", 6, 6, -0.4, group_a="women", condition="model"))
    text = page(viewer, run, group="women")
    assert "like people" not in text
    assert "(+1: the same order, -1: the opposite one)" in text


def changed(run: Run, *more: Measure) -> None:
    """The run's measures with more of them."""
    replace_measures(run.pk, [asdict(one) for one in (*measures(under_every_prior(run.pk, "pair_score")), *more)])


def test_pair_scores_are_given_under_every_prior_and_the_page_says_where_the_verdict_depends_on_it(
    run: Run, viewer: Client
) -> None:
    own = [one for one in measures(of_run(run.pk, "pair_score")) if one.group_a == "women"]
    others = [replace(one, variant="prior: none", value=-7.0, ci_low=-8.0, ci_high=-6.0) for one in own]
    others[0] = replace(others[0], verdict=Verdict.PRESENT)
    changed(run, *others)
    text = page(viewer, run, group="women")
    assert "The prior decides 1 of 6 pairs" in text
    assert text.count('data-label="Without a prior">-7.00 [-8.00, -6.00]') == 6
    assert len(table(viewer, run, "women")) == 6
    assert "Without a prior" not in page(viewer, run, group=MARKED)


def test_what_holds_with_one_prior_alone_is_not_said_like_what_holds_with_each(run: Run, viewer: Client) -> None:
    own = [one for one in measures(of_run(run.pk, "pair_score")) if one.group_a == "women"]
    shown = [replace(one, verdict=Verdict.PRESENT, q_value=0.001, value=1.0) for one in own]
    rest = [one for one in measures(under_every_prior(run.pk, "pair_score")) if one not in own]
    others = [replace(one, variant="prior: none") for one in shown]
    others[0] = replace(others[0], verdict=Verdict.UNDECIDED)
    replace_measures(run.pk, [asdict(one) for one in (*rest, *shown, *others)])
    text = page(viewer, run, group="women")
    first, *more = (one.attribute.split(" - ")[1] for one in shown)
    lead, alone = text.split("With the specified prior, but not with each other one, ")
    assert f"<i><bdi>{first}</bdi></i>" in alone.split("</p>")[0]
    assert f"<i><bdi>{first}</bdi></i>" not in lead.split("</h2>")[1]
    assert all(f"<i><bdi>{one}</bdi></i>" in lead for one in more)
    assert "with each prior" in lead
    assert re.search(r"links <bdi>women</bdi> more strongly to\s+<i>", alone)


def test_ranks_of_an_unreliable_order_are_shared_in_bands(run: Run, viewer: Client) -> None:
    reliability = Measure("split_half_reliability", "kind of sentence", 6, 2, 0.3, group_a="women")
    changed(run, replace(reliability, condition="pair_score"))
    ranks = [row["model_rank"] for row in table(viewer, run, "women")]
    assert len(set(ranks)) < len(set(SCORES["women"]))
    assert "The order of the pairs is not reliable: split-half reliability 0.30, below 0.7." in page(
        viewer, run, group="women"
    )


def test_without_ratings_the_page_says_how_to_add_them(alone: Run, viewer: Client) -> None:
    assert "human: {list: abc-ratings}" in page(viewer, alone)


def test_a_sentence_distinguishes_the_units(run: Run, viewer: Client) -> None:
    text = page(viewer, run)
    assert "The two panels have different units" in text
    assert "Model: Pair score (natural log)" in text


def test_one_walks_from_group_to_group(run: Run, viewer: Client) -> None:
    text = page(viewer, run, group=GROUPS[2])
    assert f'rel="next" href="?group={ALONE}"' in text
    assert 'rel="prev" href="?group=%3Cb%3Emen%3C%2Fb%3E"' in text
    assert 'rel="prev"' not in page(viewer, run)


def test_an_unknown_group_is_not_found(run: Run, viewer: Client) -> None:
    for name in ("profile", "profile_csv", "profile_svg"):
        assert viewer.get(reverse(name, args=[run.pk]), {"group": "nobody"}).status_code == 404


def test_the_picture_is_svg_and_carries_what_it_is_about(run: Run, viewer: Client) -> None:
    answer = viewer.get(reverse("profile_svg", args=[run.pk]), {"group": MARKED})
    told = " ".join(ElementTree.fromstring(answer.content).itertext())  # noqa: S314 -- our own
    for part in (f"Profile of {MARKED}", run.model, "natural log", "not what people are", "Communion", "warm"):
        assert part in told


def test_each_dimension_has_a_shape_of_its_own_and_all_groups_one_axis(run: Run) -> None:
    drawn = profile(rows_of(run.pk, "pair_score", "women", asked_of(run)), 4.0)
    assert [band.name for band in drawn.bands] == ["Agency", "Communion", "Beliefs"]
    assert len({band.shape for band in drawn.bands}) == 3
    assert {line.shape for line in drawn.lines if line.row.dimension == "Agency"} == {drawn.bands[0].shape}
    assert (drawn.model.least, drawn.model.most) == (-4.0, 4.0)


def test_a_pair_without_a_score_has_no_dot() -> None:
    row = Row("a", "b", Measure("pair_score", "template", 0, 0, None, attribute="a - b", reason="no item"), None)
    (line,) = profile([row], 1.0).lines
    assert (line.model, line.people) == (None, None)


@given(st.dictionaries(st.text(max_size=3), st.none() | st.floats(-5, 5)))
def test_ranks_count_those_before(values: dict[str, float | None]) -> None:
    ranks = _ranks(values)
    assert ranks.keys() == {name for name, value in values.items() if value is not None}
    for one, rank in ranks.items():
        assert rank == 1 + sum((values[other] or 0.0) > (values[one] or 0.0) for other in ranks)


def test_the_number_of_queries_is_bounded(
    run: Run, viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(14):
        page(viewer, run)
