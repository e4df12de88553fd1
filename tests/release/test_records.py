"""What the release before has measured is there after migrating, bit by bit, and can be asked for and taken out."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.desk.models import SavedQuery
from plumbline.results import exports
from plumbline.results.models import Measure
from plumbline.sql_page import parameters
from tests.release import fingerprints
from tests.release.conftest import PLANTED, As, Release

pytestmark = [pytest.mark.database, pytest.mark.xdist_group("release")]


def test_a_run_has_its_state_its_records_and_its_measures(release: Release, number: str) -> None:
    run = Run.objects.get(pk=number)
    assert fingerprints.of_run(run, release.expected["columns"]) == release.expected["runs"][number]


def test_confounds_that_were_part_of_reasons_are_in_their_column(release: Release) -> None:
    planted = Measure.objects.filter(run=0).order_by("pk")
    assert list(planted.values_list("statistic", "condition", "reason", "confounds")) == PLANTED
    others = Measure.objects.exclude(run=0)
    assert others.exists()
    assert not others.exclude(confounds="").exists()


def test_no_run_comes_and_none_goes(release: Release) -> None:
    assert set(Run.objects.values_list("pk", flat=True)) == set(map(int, release.expected["runs"]))


def test_each_table_of_what_people_decided_has_its_rows(release: Release) -> None:
    expected: dict[str, int] = release.expected["rows"]
    assert fingerprints.rows_of(expected) == expected


@pytest.mark.parametrize("form", exports.WRITERS)
def test_a_runs_tables_can_be_exported(release: Release, number: str, form: str, tmp_path: Path) -> None:
    tables = release.expected["runs"][number]["tables"]
    for table, (rows, _) in tables.items():
        assert exports.export(int(number), table, form, tmp_path / table) == rows, table
        assert (tmp_path / table).stat().st_size > rows, table
    assert exports.export(int(number), "run", form, tmp_path / "run") == 1


def test_each_saved_query_is_answered(release: Release, reader: str, as_: As) -> None:
    for saved in SavedQuery.objects.select_related("owner"):
        owner = as_(saved.owner.username if saved.owner else "vera")
        values = {f"parameter-{name}": min(release.expected["runs"], key=int) for name in parameters.names(saved.text)}
        asked = owner.post(reverse("sql_answer"), {"text": saved.text, "token": "0" * 32, **values})
        assert asked.status_code == 200
        assert "fault" not in asked.context, f"{saved}: {asked.context['fault']}"
        assert asked.context["answer"].rows, saved


def test_people_log_in_with_the_password_that_they_had(release: Release) -> None:
    person = User.objects.get(username="vera")
    sent = {"username": person.username, "password": "plumb-line-and-bob"}
    assert Client().post(reverse("login"), sent).headers["Location"] == reverse("overview")
    assert [group.name for group in person.groups.all()] == ["viewer"]
