"""The bridge explorer's page, its table and its file: one statistic and one list of features at a time."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.methods.indirect.card import CENTRED, SCORE, WITHOUT
from plumbline.methods.indirect.choices import choices_of, comparable_runs, lists_of, targets_of
from tests.plumbline.methods.conftest import MARKED, MakeRun, See, measured
from tests.plumbline.methods.indirect.test_spec import SPEC

OF_SEX = [{"text": "female", "group": "female"}, {"text": "male", "group": "male"}, "androgynous"]
BOTH: dict[str, Any] = SPEC | {
    "targets": {"inline": ["nurse", "boss"]},
    "features": {"inline": ["warm", "cold"]},
    "sensitive": [{"attributes": {"inline": OF_SEX}, "bridge_feature": ["{name} is {feature}."]}],
}


def cells(statistic: str, values: dict[tuple[str, str], float], **more: str) -> list[dict[str, Any]]:
    return [
        measured(statistic, value, group_a=target, attribute=word, unit="name", q_value=0.5, **more)
        for (target, word), value in values.items()
    ]


NEUTRAL = {("nurse", "warm"): 0.5, ("nurse", "cold"): -0.25, ("boss", "warm"): -0.75, ("boss", "cold"): 0.75}
SEX = {("nurse", "female"): 0.5, ("boss", "female"): -0.5, ("nurse", "male"): -0.5, ("boss", "male"): 0.5}
MEASURES = [
    *cells(SCORE, NEUTRAL),
    *cells(SCORE, SEX, category="sensitive"),
    *cells(WITHOUT, {key: value / 2 for key, value in NEUTRAL.items()}, variant="without:sensitive"),
]


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(BOTH, MEASURES)


def asked(client: Client, name: str, run: Run, **query: str) -> HttpResponse:
    return client.get(reverse(name, args=[run.pk]), query)  # type: ignore[return-value]


def test_a_list_is_a_table_of_its_own(viewer: Client, run: Run) -> None:
    neutral = asked(viewer, "indirect_data", run).json()  # type: ignore[attr-defined]
    assert [one for one, _ in neutral["rows"]] == ["nurse", "boss"]
    assert [one for one, _ in neutral["columns"]] == ["warm", "cold"]
    assert neutral["value"] == [0.5, -0.25, -0.75, 0.75]
    assert (neutral["list"], neutral["sensitive"]) == ("", False)
    of_sex = asked(viewer, "indirect_data", run, list="sensitive").json()  # type: ignore[attr-defined]
    assert [one for one, _ in of_sex["columns"]] == ["female", "male"]
    assert of_sex["sensitive"]


def test_words_that_name_groups_keep_the_order_of_their_list(viewer: Client, run: Run) -> None:
    neutral = asked(viewer, "indirect_data", run).json()  # type: ignore[attr-defined]
    assert (neutral["groups"], neutral["listed"]) == (["", ""], False)
    of_sex = asked(viewer, "indirect_data", run, list="sensitive").json()  # type: ignore[attr-defined]
    assert (of_sex["groups"], of_sex["listed"]) == (["female", "male"], True)


def test_only_statistics_that_the_run_has_are_offered(make_run: MakeRun, run: Run) -> None:
    assert [(one.statistic.name, one.variant) for one in choices_of(run)] == [
        (SCORE, ""),
        (WITHOUT, "without:sensitive"),
    ]
    older = make_run(SPEC, cells(SCORE, {("nurse", "kind"): 0.5}) + cells(CENTRED, {("nurse", "kind"): 0.25}))
    assert [one.statistic.name for one in choices_of(older)] == [SCORE, CENTRED]


def test_a_statistic_or_list_that_is_not_there_is_not_found(viewer: Client, run: Run) -> None:
    assert asked(viewer, "indirect_data", run, statistic="kendall_tau").status_code == 404
    assert asked(viewer, "indirect_data", run, statistic=WITHOUT, variant="without:races").status_code == 404
    assert asked(viewer, "indirect_data", run, list="races").status_code == 404


def test_a_run_without_scores_says_so(see: See, make_run: MakeRun) -> None:
    assert "This run has no scores of targets and features." in see("indirect", make_run(SPEC, []))


def test_the_page_offers_its_lists_and_shows_words_literally(see: See, make_run: MakeRun) -> None:
    spec = BOTH | {"targets": {"inline": [MARKED, "boss"]}}
    page = see("indirect", make_run(spec, cells(SCORE, {(MARKED, "warm"): 0.5})))
    assert '<optgroup label="Sensitive"><option value="sensitive">sensitive</option>' in page
    assert MARKED not in page


def test_the_file_holds_the_cells_of_the_list_and_says_what_they_are(viewer: Client, run: Run) -> None:
    text = asked(viewer, "indirect_csv", run, list="sensitive").content.decode()
    assert f"# statistic,{SCORE}\r\n" in text
    assert "# list,sensitive\r\n" in text
    assert 'nurse,"",female,sensitive,0.5,' in text
    assert "warm" not in text.partition("group_a")[2]


def test_runs_next_to_it_are_other_models_of_its_targets_and_other_targets(make_run: MakeRun, run: Run) -> None:
    older = make_run(BOTH | {"model": "path:./two"}, [])
    two = make_run(BOTH | {"model": "path:./two"}, [])
    countries = make_run(BOTH | {"targets": {"list": "countries", "only": ["France", "Japan"]}}, [])
    same, others = comparable_runs(run)
    assert [one.run.pk for one in same] == [run.pk, two.pk]
    assert older.pk not in [one.run.pk for one in [*same, *others]]
    assert [(one.run.pk, one.targets) for one in others] == [(countries.pk, "countries (2 chosen)")]
    assert targets_of(run) == "nurse, boss"


def test_lists_hold_their_words_in_the_order_of_the_spec(run: Run) -> None:
    found = lists_of(run)
    assert found.neutral == {"": ["warm", "cold"]}
    assert found.sensitive == {"sensitive": ["female", "male", "androgynous"]}
