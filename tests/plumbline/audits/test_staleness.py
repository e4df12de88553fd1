"""Which lists of a run read differently today, and asking again with today's words."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.launching import launch
from plumbline.audits.models import Plan, Run
from plumbline.audits.staleness import StaleList, relaunch, stale_lists
from plumbline.audits.states import Priority
from plumbline.desk.dependents import dependent_runs
from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.audit import parse
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.vocab import content
from plumbline.vocab.models import (
    Attribute,
    AttributeSet,
    Bank,
    BankItem,
    Group,
    GroupList,
    SentenceTemplate,
    TemplateList,
)
from tests.plumbline.audits.conftest import SPEC
from tests.plumbline.methods.indirect.test_spec import SPEC as INDIRECT
from tests.plumbline.spec.some_questions import question


def stale(run: Run) -> list[StaleList]:
    return stale_lists([Run.objects.get(pk=run.pk)])[run.pk]


def test_a_run_on_todays_words_is_not_stale(run: Run) -> None:
    assert stale(run) == []


def test_an_edited_a_deleted_and_an_emptied_list_are_named(run: Run) -> None:
    Attribute.objects.filter(text="nurse").update(text="doctor")
    assert stale(run) == [StaleList("attributes", "jobs", "edited")]
    AttributeSet.objects.all().delete()
    Group.objects.all().delete()
    assert stale(run) == [StaleList("groups", "gender", "emptied"), StaleList("attributes", "jobs", "deleted")]
    assert str(stale(run)[0]) == "gender (emptied)"


@pytest.mark.django_db
def test_a_bank_of_contexts_is_found_like_every_other_list() -> None:
    context = {"id": "party", "context": "{name} danced.", "question": "Who?", "prompt": "{name} is", "answer": "happy"}
    bank = Bank.objects.create(slug="scenes", title="Scenes", kind="contexts", digest="0" * 64)
    BankItem.objects.create(bank=bank, position=1, content=context)
    names = {"inline": [{"name": "Ada", "group": "women"}, {"name": "Bob", "group": "men"}]}
    models = {"model": "path:./asked", "generator": "path:./generator"}
    spec = {"name": "scenes", "probe": "sodapop", **models, "names": names, "contexts": {"bank": "scenes"}}
    run = launch(parse(spec))
    assert stale(run) == []
    assert dependent_runs("banks", "scenes").count == 1
    bank.title = "Other scenes"
    bank.save()
    assert stale(run) == [StaleList("banks", "scenes", "edited")]
    bank.delete()
    assert stale(run) == [StaleList("banks", "scenes", "deleted")]


@pytest.mark.django_db
def test_a_bank_that_is_as_it_was_at_the_launch_is_not_read_again(django_assert_num_queries: Any) -> None:
    bank = Bank.objects.create(slug="scenes", title="Scenes", kind="bbq", digest="0" * 64)
    BankItem.objects.create(bank=bank, position=1, content=question())
    other = {"id": question()["id"], "chosen": 1}
    spec = {
        "name": "t",
        "probe": "bbq",
        "model": "answers:x",
        "bank": {"bank": "scenes"},
        "answers": {"inline": [other]},
    }
    run = Run.objects.get(pk=launch(parse(spec)).pk)
    with django_assert_num_queries(1):
        assert stale_lists([run]) == {run.pk: []}


def test_an_edit_that_is_taken_back_leaves_nothing_stale(run: Run) -> None:
    Attribute.objects.filter(text="nurse").update(text="doctor")
    Attribute.objects.filter(text="doctor").update(text="nurse")
    assert stale(run) == []


def test_a_note_for_curators_makes_nothing_stale(run: Run) -> None:
    Attribute.objects.update(note="look again")
    assert stale(run) == []


def test_a_run_of_inline_words_alone_is_never_stale(curated: None) -> None:
    groups = {"inline": [{"label": "women", "plural": "women"}]}
    run = launch(parse({**SPEC, "groups": groups, "attributes": {"inline": ["kind"]}}))
    GroupList.objects.all().delete()
    assert stale(run) == []


def test_each_list_is_read_once_for_a_page_of_runs(run: Run) -> None:
    def queries(runs: list[Run]) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert set(stale_lists(runs)) == {one.pk for one in runs}
        return len(captured)

    one = queries([run])
    assert queries([run, *(launch(parse({**SPEC, "seed": seed})) for seed in range(5))]) == one


def test_each_list_is_found_read_and_digested_once(
    run: Run, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Any
) -> None:
    digested: list[Any] = []

    def counted(frozen: Any) -> str:
        digested.append(frozen["slug"])
        return digest(frozen)

    monkeypatch.setattr(content, "digest", counted)
    again = Run.objects.get(pk=run.pk)
    with django_assert_num_queries(4):
        assert stale_lists([again]) == {run.pk: []}
    assert sorted(digested) == ["gender", "jobs"]


def test_that_a_list_is_deleted_is_reported_without_reading_the_others(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    AttributeSet.objects.all().delete()
    monkeypatch.setattr(content, "get_close_matches", lambda *_, **__: pytest.fail("nobody asks for near names"))
    assert stale(run) == [StaleList("attributes", "jobs", "deleted")]


def test_a_spec_that_is_no_longer_valid_is_marked_all_the_same(run: Run) -> None:
    Run.objects.update(spec={**Run.objects.get().spec, "probe": "one of old"})
    AttributeSet.objects.all().delete()
    assert stale(run) == [StaleList("attributes", "jobs", "deleted")]


def test_asking_again_takes_todays_words_and_the_same_plan(run: Run) -> None:
    plan, anna = Plan.objects.create(name="p", spec=SPEC), User.objects.create(username="anna")
    Run.objects.update(plan=plan)
    Attribute.objects.filter(text="nurse").update(text="doctor")
    again = relaunch(Run.objects.get(pk=run.pk), anna)
    assert (again.plan, again.created_by, again.reuse, again.priority) == (plan, anna, True, Priority.INTERACTIVE)
    assert stale(again) == []
    assert stale(run) != []
    words = {
        entry["text"] for snapshot in again.snapshots.all() for entry in snapshot.content["entries"] if "text" in entry
    }
    assert words == {"doctor", "usher"}


def test_what_can_no_longer_be_asked_is_reported(run: Run) -> None:
    GroupList.objects.all().delete()
    with pytest.raises(InputError, match="there is no groups list 'gender'"):
        relaunch(run)
    assert Run.objects.count() == 1


def test_lists_inside_a_sensitive_set_are_frozen_and_watched_too(curated: None) -> None:
    own = TemplateList.objects.create(slug="own", title="Own")
    SentenceTemplate.objects.create(word_list=own, template="{name} is {a feature}.")
    sensitive = {"attributes": {"list": "jobs"}, "bridge_feature": {"list": "own"}}
    run = launch(parse({**INDIRECT, "sensitive": [sensitive]}), owner="this test")
    assert stale(run) == []
    spec, snapshots = frozen_spec(run)
    assert len(snapshots) == run.snapshots.count() == 2
    assert isinstance(spec, IndirectSpec)
    assert spec.materials(snapshots).sensitive[0].bridge_feature == ("{name} is {a feature}.",)
    Attribute.objects.filter(text="nurse").update(text="doctor")
    own.delete()
    assert stale(run) == [StaleList("attributes", "jobs", "edited"), StaleList("templates", "own", "deleted")]
    assert [one.run for one in dependent_runs("attributes", "jobs").runs] == [run]
    assert dependent_runs("templates", "own").count == 1
