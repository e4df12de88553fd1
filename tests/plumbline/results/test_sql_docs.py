"""The worked queries of docs/sql.md, run as they stand there."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from django.db import connection

from plumbline.audits.models import Plan, Run
from plumbline.findings.models import Finding
from plumbline.findings.updating import update
from plumbline.results.columns import VIEWS
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.findings.audited import a_plan, a_run, difference
from tests.plumbline.results.conftest import CELLS, Load, _load

DOCUMENT = (Path(__file__).resolve().parents[3] / "docs" / "sql.md").read_text()
QUERIES = dict(re.findall(r"^## ([^\n]+)\n(?:(?!^## ).)*?```sql\n(.*?)```", DOCUMENT, re.MULTILINE | re.DOTALL))


@pytest.fixture
def two_runs(load: Load) -> None:
    ended = datetime.now(UTC)
    for run, share, women in ((1, 2, 0.7), (2, 1, 1.1)):
        Run.objects.create(
            pk=run,
            name=f"r{run}",
            probe="ilps",
            model="path:x",
            spec={},
            state="done",
            planned_items=5,
            started_at=ended - timedelta(seconds=2),
            finished_at=ended,
        )
        load(run, [(*cell[:3], cell[3] if cell[3] is None else cell[3] / share, cell[4]) for cell in CELLS])
        men = mean(score for _, group, _, score, _ in CELLS if group == "men" and score is not None)
        base = {"statistic": "ilps", "attribute": "powerless", "n": 2, "unit": "kind of sentence", "n_units": 2}
        pair = {**base, "statistic": "ilps_difference", "group_a": "women", "group_b": "men"}
        replace_measures(
            run,
            [
                {**base, "group_a": "women", "value": women},
                {**base, "group_a": "men", "value": men},
                {**pair, "value": women - men, "q_value": 0.01 * share},
                {**pair, "attribute": "yare", "value": 9.0, "q_value": 0.2},
            ],
        )


def answer(title: str) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute(QUERIES[title])
        names = [column.name for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


def test_a_run_names_its_plan_as_it_is_called_now(two_runs: None) -> None:
    plan = Plan.objects.create(name="weekly", spec={})
    Run.objects.filter(pk=1).update(plan=plan)
    Plan.objects.filter(pk=plan.pk).update(name="monthly")
    with connection.cursor() as cursor:
        cursor.execute("SELECT run, plan FROM results.v_run ORDER BY run")
        assert cursor.fetchall() == [(1, "monthly"), (2, None)]


def test_every_column_of_the_views_is_explained() -> None:
    for name, columns in VIEWS.items():
        section = DOCUMENT.split(f"**`v_{name}`**")[1].split("\n\n")[1]
        explained = {column for line in section.splitlines() for column in line.split("|")[1].strip().split(", ")}
        assert set(columns) == explained - {"column", "---"}


def test_each_query_has_a_sentence_and_there_are_twelve() -> None:
    assert len(QUERIES) == DOCUMENT.count("```sql") == 12


@pytest.mark.django_db
def test_findings_are_counted_by_run_verdict_and_state() -> None:
    first = a_run(difference("warm", 0.6), difference("kind", 0.8), plan=a_plan())
    update(first)
    second = a_run(difference("warm", 0.6), difference("kind", 0.1, "undecided"), plan=a_plan())
    update(second)
    Finding.objects.filter(attribute="kind").update(state="confirmed")
    rows = [tuple(row.values()) for row in answer("Findings of each run by verdict")]
    assert rows == [
        (second.pk, "present", "new", 1),
        (second.pk, "undecided", "confirmed", 1),
        (first.pk, "present", "confirmed", 1),
        (first.pk, "present", "new", 1),
    ]


@pytest.mark.usefixtures("two_runs")
@pytest.mark.django_db
class TestQueries:
    def test_the_strongest_associations_come_first(self) -> None:
        rows = answer("Strongest associations of a run")
        assert [(row["group"], float(row["score"]), row["n"]) for row in rows] == [
            ("women", 1.1, 2),
            ("men", -0.075, 2),
        ]

    def test_coverage_has_shares_and_reasons(self) -> None:
        men, women = answer("Coverage")
        assert men["group"] == "men"
        assert str(men["scorable_share"]) == "0.6667"
        assert (men["not_scorable"], men["reasons"]) == (1, "the tokenizer cannot spell it")
        assert (women["group"], float(women["scorable_share"]), women["reasons"]) == ("women", 1, None)

    def test_a_measure_is_the_mean_of_its_items(self) -> None:
        rows = answer("A measure from its items")
        assert {row["group"] for row in rows} == {"women", "men"}
        assert all(row["recomputed"] == pytest.approx(row["value"], abs=1e-12) for row in rows)
        assert all(row["n"] == row["n_units"] == 2 for row in rows)

    def test_a_measure_with_several_items_in_a_kind_of_sentence_is_marked_by_its_counts(self) -> None:
        """Three templates, two of them of one kind: (1.4 + (0.8 + 0.2) / 2) / 2 is no plain mean."""
        row = {"statistic": "ilps", "group_a": "women", "attribute": "kind", "unit": "kind of sentence"}
        replace_measures(2, [row | {"n": 3, "n_units": 2, "value": 0.95}])
        scores = {
            "All {group} are {attribute}.": 1.4,
            "{group} seem {attribute}.": 0.8,
            "{group} look {attribute}.": 0.2,
        }
        _load(2, [(template, "women", "kind", score, None) for template, score in scores.items()], shard=1)
        (found,) = answer("A measure from its items")
        assert (found["n"], found["n_units"]) == (3, 2)
        assert found["difference"] == pytest.approx(0.8 - 0.95)

    def test_a_cell_shows_its_templates(self) -> None:
        rows = answer("Template spread of one cell")
        assert [row["score"] for row in rows] == [1.4, 0.8]
        assert sum(row["from_mean"] for row in rows) == pytest.approx(0)

    def test_a_measure_is_followed_through_the_runs(self) -> None:
        rows = answer("One measure over time")
        assert [(row["run"], str(row["value"])) for row in rows] == [(1, "0.775"), (2, "1.175")]

    def test_only_confirmed_differences_are_found(self) -> None:
        (row,) = answer("Differences that the test confirms")
        assert (row["group_a"], row["attribute"], str(row["q_value"])) == ("women", "powerless", "0.0100")

    def test_the_largest_differences_of_two_groups_come_first_with_what_the_test_found(self) -> None:
        other = {"statistic": "ilps_difference", "attribute": "wise", "n": 2, "unit": "kind of sentence", "n_units": 2}
        replace_measures(
            2,
            [
                other | {"group_a": "women", "group_b": "men", "value": -1.5, "verdict": "undecided"},
                other | {"group_a": "women", "group_b": "men", "value": 2.5, "verdict": "present", "attribute": "kind"},
                other | {"group_a": "women", "group_b": "teens", "value": 9.0, "verdict": "present"},
                other | {"group_a": "men", "group_b": "(other groups)", "value": 0.5, "attribute": "powerless"},
            ],
        )
        rows = answer("Largest differences between two groups")
        assert [(row["attribute"], row["tokens"], str(row["value"]), row["verdict"]) for row in rows] == [
            ("kind", None, "2.50", "present"),
            ("wise", None, "-1.50", "undecided"),
            ("powerless", 1, "0.50", ""),
        ]

    def test_two_runs_are_paired_by_their_items(self) -> None:
        rows = answer("Two runs item by item")
        assert len(rows) == 4
        assert (rows[0]["score_before"], rows[0]["score_after"], rows[0]["change"]) == (0.7, 1.4, pytest.approx(0.7))

    def test_a_model_is_represented_by_its_latest_run(self) -> None:
        assert [(row["model"], row["run"]) for row in answer("Models compared")] == [("path:x", 2)]

    def test_templates_are_held_against_one_another(self) -> None:
        rows = answer("Outlying templates")
        assert {row["template"]: row["mean"] for row in rows} == {
            "All {group} are {attribute}.": pytest.approx(0.75),
            "Most {group} are {attribute}.": pytest.approx(0.275),
        }
        assert sum(row["from_others"] for row in rows) == pytest.approx(0)

    def test_the_pace_of_runs_can_be_queried(self) -> None:
        assert [
            (row["run"], float(row["seconds"]), float(row["items_per_second"])) for row in answer("How long runs take")
        ] == [
            (1, 2.0, 2.5),
            (2, 2.0, 2.5),
        ]
