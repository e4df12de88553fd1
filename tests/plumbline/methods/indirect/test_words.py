"""Words added to an indirect run: what the page is told, what joins the table, and who may add."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import AddedWord, Run
from plumbline.audits.states import Priority, RunState
from plumbline.methods.indirect.card import SCORE
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.methods.conftest import MARKED, MakeRun, See, measured
from tests.plumbline.methods.indirect.test_spec import SPEC

OLD = "sensitive"
OWN: dict[str, Any] = SPEC | {
    "sensitive": [
        {"attributes": {"inline": [{"text": "old", "group": "aged"}]}, "bridge_feature": ["{name} is {feature}."]}
    ],
    "templates": {
        "target_bridge": ["{name} likes {the target}."],
        "bridge_feature": ["{name} is {feature}."],
        "target_feature": ["{Target.plural} are {feature}."],
    },
}


def cell(target: str, feature: str, category: str = "", value: float = 0.4) -> dict[str, Any]:
    return measured(SCORE, value, group_a=target, attribute=feature, category=category, unit="name", q_value=0.01)


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    return make_run(OWN, [cell("nurse", "kind"), cell("nurse", "old", OLD)])


@pytest.fixture
def auditor(db: None) -> Client:
    user = User.objects.create_user("auditor")
    user.groups.add(Group.objects.get(name="auditor"))
    client = Client()
    client.force_login(user)
    return client


def add(client: Client, run: Run, status: int = 200, **given: str) -> dict[str, Any]:
    found = client.post(reverse("indirect_word_add", args=[run.pk]), {"kind": "target", "plural": "x", **given})
    assert found.status_code == status, found.content
    return found.json() if status != 403 else {}


def known(client: Client, run: Run) -> dict[str, Any]:
    found = client.get(reverse("indirect_words", args=[run.pk]))
    assert found.status_code == 200
    return found.json()  # type: ignore[no-any-return]


def done(run: Run, added: dict[str, Any], *cells: dict[str, Any]) -> None:
    Run.objects.filter(pk=added["small"]).update(state=RunState.DONE)
    replace_measures(added["small"], cells)


def table(client: Client, run: Run, **query: str) -> dict[str, Any]:
    found = client.get(reverse("indirect_data", args=[run.pk]), {"statistic": SCORE, **query})
    return found.json()  # type: ignore[no-any-return]


def test_a_word_is_asked_about_before_anything_else(auditor: Client, run: Run) -> None:
    added = add(auditor, run, word=f" {MARKED} ", article="the")
    assert (added["word"], added["state"], added["by"]) == (MARKED, "waiting", "auditor")
    small = Run.objects.get(pk=added["small"])
    assert small.priority == Priority.INTERACTIVE
    assert small.spec["targets"][0]["inline"][0]["article"] == "the"
    assert small.spec["features"][0]["inline"][0]["text"] == "kind"
    assert small.spec["adds_to"] == {"run": run.pk, "kind": "target"}
    assert "no worker is alive" in known(auditor, run)["nobody"]


def test_the_forms_that_the_sentences_ask_for_are_reported(viewer: Client, run: Run) -> None:
    assert known(viewer, run)["forms"] == {
        "target": {"needs": ["plural", "article"], "groups": []},
        "features": {"": {"needs": [], "groups": []}, OLD: {"needs": [], "groups": ["aged"]}},
    }


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"word": "NURSE"}, "'nurse' is one of the run's targets already"),
        ({"word": "baker", "plural": ""}, "needs the plural of target 'baker'"),
        ({"word": "  "}, "word: This field is required."),
        ({"word": "baker", "kind": "verb"}, "kind: Select a valid choice"),
        ({"word": "lazy", "kind": "feature", "list": "drinks"}, "has no features of the list 'drinks'"),
    ],
)
def test_what_is_wrong_is_reported_before_anything_is_asked(
    auditor: Client, run: Run, given: dict[str, str], fault: str
) -> None:
    assert fault in add(auditor, run, 400, **given)["error"]
    assert not AddedWord.objects.exists()
    assert Run.objects.count() == 1


def test_who_may_not_launch_adds_and_takes_nothing(viewer: Client, auditor: Client, run: Run) -> None:
    add(viewer, run, 403, word="baker")
    own = add(auditor, run, word="baker")
    for name in ("indirect_word_take", "indirect_word_give"):
        assert viewer.post(reverse(name, args=[run.pk, own["id"]])).status_code == 403
        assert auditor.get(reverse(name, args=[run.pk, own["id"]])).status_code == 405
        assert auditor.post(reverse(name, args=[own["small"], own["id"]])).status_code == 404
    assert "Ask the model" not in viewer.get(reverse("indirect", args=[run.pk])).content.decode()
    assert "Ask the model" in auditor.get(reverse("indirect", args=[run.pk])).content.decode()


def test_a_target_joins_each_list_and_a_feature_its_own(auditor: Client, run: Run) -> None:
    done(run, add(auditor, run, word="baker"), cell("baker", "kind"), cell("baker", "old", OLD))
    done(run, add(auditor, run, kind="feature", word="lazy", list=""), cell("nurse", "lazy"), cell("nurse", "old", OLD))
    young = add(auditor, run, kind="feature", word="young", list=OLD)
    done(run, young, cell("nurse", "young"))
    neutral, sensitive = table(auditor, run, list=""), table(auditor, run, list=OLD)
    assert ([row for row, _ in neutral["rows"]], [one for one, _ in neutral["columns"]]) == (
        ["nurse", "baker"],
        ["kind", "lazy"],
    )
    assert neutral["added"] == {"targets": ["baker"], "features": ["lazy"]}
    assert neutral["value"][3] is None, "baker and lazy were never asked about together"
    assert sensitive["columns"] == [["old", OLD], ["young", OLD]]
    drawer = auditor.get(
        reverse("indirect_cell", args=[run.pk]),
        {"statistic": SCORE, "list": OLD, "target": "nurse", "feature": "young"},
    )
    assert drawer.status_code == 200
    assert "+0.40" in drawer.content.decode()


def test_a_word_that_was_taken_away_leaves_the_table_and_comes_back(auditor: Client, run: Run) -> None:
    own = add(auditor, run, word="baker")
    done(run, own, cell("baker", "kind"))
    auditor.post(reverse("indirect_word_take", args=[run.pk, own["id"]]))
    assert table(auditor, run, list="")["added"]["targets"] == known(auditor, run)["words"] == []
    auditor.post(reverse("indirect_word_give", args=[run.pk, own["id"]]))
    assert table(auditor, run, list="")["added"]["targets"] == ["baker"]
    assert known(auditor, run)["words"][0]["state"] == "done"


def test_small_runs_are_in_no_list_of_runs(auditor: Client, see: See, run: Run) -> None:
    small = add(auditor, run, word="baker")["small"]
    for name in ("runs", "overview", "compare"):
        assert reverse("run", args=[small]) not in auditor.get(reverse(name)).content.decode()
    assert auditor.get(reverse("run", args=[small])).status_code == 200
