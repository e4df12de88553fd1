"""Who changed a plan or a schedule is recorded, one change is undone, and no page writes over another."""

from datetime import timedelta
from typing import Any

import pghistory
import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits import clock
from plumbline.audits.admin.recorded import PLANS, SCHEDULES, Decided
from plumbline.audits.mail import notices
from plumbline.audits.models import AuditedModel, ModelUnderAudit, Plan, Run, Schedule
from plumbline.audits.scheduling import schedules
from plumbline.spec.errors import InputError
from plumbline.vocab import history
from plumbline.vocab.models.recorded import EVENTS
from plumbline.vocab.undoing import Done, find, undo
from tests.plumbline.audits.conftest import SPEC
from tests.plumbline.vocab.test_optimistic_locking import fields_of, send, told

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan() -> Plan:
    return Plan.objects.create(name="traits", spec={**SPEC, "model": "bundled:masked-demo"})


@pytest.fixture
def schedule(plan: Plan) -> Schedule:
    """Each day at six, on one model of its own."""
    daily = Schedule.objects.create(plan=plan, cron="0 6 * * *")
    daily.audited_models.add(ModelUnderAudit.objects.create(reference="bundled:masked-demo"))
    return daily


@pytest.fixture
def auditor(client: Client) -> Client:
    person = User.objects.create_user("ada", password="x")
    person.groups.add(Group.objects.get(name="auditor"))
    client.force_login(person)
    return client


def changes(kind: Decided, row: Any = None, word: str = "") -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    found = history.changes(kind, list(history.references(kind, row and row.pk, None, word)))
    return [
        (each.what, each.row, [(edit.field, edit.old, edit.new) for edit in each.edits if each.what == "changed"])
        for each in found
    ]


def undo_latest(kind: Decided, back: int = 0) -> Done:
    place = history.Reference(*history.references(kind, None, None, "")[back])
    return undo(kind, find(kind, place.number, of_list=bool(place.of_list)), of_list=bool(place.of_list))


def place_of_removal(kind: Decided, row: str) -> int:
    """How many changes ago it was removed."""
    return [each[:2] for each in changes(kind)].index(("removed", row))


def undo_removal(row: str) -> Done:
    return undo_latest(SCHEDULES, back=place_of_removal(SCHEDULES, row))


def undo_on_page(client: Client, kind: Decided, row: str = "traits") -> Any:
    place = history.Reference(*history.references(kind, None, None, "")[place_of_removal(kind, row)])
    posted = {"of_list": int(place.of_list), "number": place.number}
    return client.post(reverse(f"admin:audits_{kind.list_model._meta.model_name}_undo"), posted, follow=True)


def remove(schedule: Schedule) -> None:
    """As a page does: in one context."""
    with pghistory.context(test="it goes"):
        schedule.delete()


def run_of(plan: Plan) -> Run:
    return Run.objects.create(name=plan.name, probe="ilps", model="bundled:masked-demo", plan=plan, spec=plan.spec)


def page(row: Any, action: str = "change") -> str:
    of_row = action in ("change", "delete")
    return reverse(f"admin:audits_{row._meta.model_name}_{action}", args=[row.pk] if of_row else [])


def test_a_changed_spec_shows_the_keys_that_differ(plan: Plan) -> None:
    Plan.objects.update(spec={**plan.spec, "seed": 7, "name": "others"})
    what, row, edits = changes(PLANS, plan)[0]
    assert (what, row) == ("changed", "traits")
    assert sorted(edits) == [("spec, name", "traits", "others"), ("spec, seed", "", "7")]


def test_the_page_shows_who_changed_a_plan_and_undoes_it(auditor: Client, plan: Plan) -> None:
    fields = fields_of(auditor.get(page(plan))) | {"description": "For the board"}
    assert send(auditor, page(plan), fields).status_code == 302
    shown = auditor.get(reverse("admin:audits_plan_history", args=[plan.pk]), follow=True)
    change = shown.context["changes"][0]
    assert (change.who, change.edits) == ("ada", [history.Edit("description", "", "For the board")])
    number = {"of_list": 1, "number": change.reference.number}
    assert "Undone" in auditor.post(page(plan, "undo"), number, follow=True).content.decode()
    plan.refresh_from_db()
    assert plan.description == ""


def test_keeping_time_fills_no_history(curated: None, schedule: Schedule) -> None:
    before = changes(SCHEDULES)
    Schedule.objects.update(next_due_at=clock.now() - timedelta(minutes=1))
    assert schedules.tick() == 1
    assert changes(SCHEDULES) == before
    assert Run.objects.exists()


def test_models_of_a_schedule_come_and_go_in_its_history(schedule: Schedule) -> None:
    other = ModelUnderAudit.objects.create(reference="bundled:smollm2-135m")
    schedule.audited_models.set([other])
    assert {each[:2] for each in changes(SCHEDULES, schedule)[:2]} == {
        ("added", "bundled:smollm2-135m"),
        ("removed", "bundled:masked-demo"),
    }
    for _ in range(2):
        undo_latest(SCHEDULES, back=1)
    assert [model.reference for model in schedule.audited_models.all()] == ["bundled:masked-demo"]


def test_a_removed_schedule_comes_back_with_its_models_and_owes_nothing(plan: Plan, schedule: Schedule) -> None:
    Schedule.objects.update(next_due_at=clock.now() - timedelta(days=3))
    remove(schedule)
    rows = list(EVENTS[AuditedModel].objects.filter(pgh_label="delete"))
    assert len(rows) == 1
    undo_removal("traits - 0 6 * * * - UTC")
    back = Schedule.objects.get()
    assert (back.pk, back.plan, back.cron) == (rows[0].schedule_id, plan, "0 6 * * *")
    assert [model.reference for model in back.audited_models.all()] == ["bundled:masked-demo"]
    assert back.next_due_at is not None
    assert back.next_due_at > clock.now()


def test_a_schedule_whose_maker_is_gone_comes_back_without(plan: Plan) -> None:
    maker = User.objects.create(username="maker")
    Schedule.objects.create(plan=plan, cron="0 6 * * *", created_by=maker).delete()
    maker.delete()
    undo_latest(SCHEDULES)
    assert Schedule.objects.get().created_by is None


def test_that_a_maker_goes_is_no_change_of_the_schedule(plan: Plan) -> None:
    maker = User.objects.create(username="maker")
    Schedule.objects.create(plan=plan, cron="0 6 * * *", created_by=maker)
    maker.delete()
    assert [what for what, *_ in changes(SCHEDULES)] == ["added"]


def test_rows_that_others_need_are_not_removed(schedule: Schedule) -> None:
    with pytest.raises(InputError, match="'traits' has schedules by now"):
        undo_latest(PLANS)
    assert Plan.objects.exists()


def test_a_plan_that_has_runs_is_not_taken_out(plan: Plan) -> None:
    run = run_of(plan)
    with pytest.raises(InputError, match="'traits' has runs by now"):
        undo_latest(PLANS)
    run.refresh_from_db()
    assert run.plan == plan


def test_a_schedule_with_sent_notices_is_not_removed(plan: Plan) -> None:
    schedule = Schedule.objects.create(plan=plan, cron="0 6 * * *", notify="board@example.org")
    notices.write(schedule, "key", "paused", ["Its timing cannot be read."])
    with pytest.raises(InputError, match="has notices by now"):
        undo_latest(SCHEDULES)


def test_deleting_a_plan_shows_first_what_it_cuts_off(admin_client: Client, schedule: Schedule) -> None:
    for _ in range(2):
        run_of(schedule.plan)
    shown = told(admin_client.get(page(schedule.plan, "delete")))
    assert "Schedules, with their launches: 1" in shown
    assert "Runs that stay, but belong to no plan any more: 2" in shown


def test_deleting_a_plan_without_runs_mentions_no_runs(admin_client: Client, plan: Plan) -> None:
    shown = told(admin_client.get(page(plan, "delete")))
    assert "Plans: 1" in shown
    assert "Runs that stay" not in shown


def test_restoring_a_plan_warns_that_its_runs_stay_without_it(auditor: Client, plan: Plan) -> None:
    run = run_of(plan)
    plan.delete()
    assert "Runs from before its removal belong to no plan" in told(undo_on_page(auditor, PLANS))
    run.refresh_from_db()
    assert run.plan is None


def test_restoring_a_schedule_warns_that_its_launches_are_gone(auditor: Client, schedule: Schedule) -> None:
    schedule.delete()
    shown = told(undo_on_page(auditor, SCHEDULES, row="traits - 0 6 * * * - UTC"))
    assert "Its launches from before its removal do not come back" in shown


def test_a_schedule_comes_back_without_a_model_that_is_gone_and_says_so(schedule: Schedule) -> None:
    other = ModelUnderAudit.objects.create(reference="bundled:smollm2-135m")
    schedule.audited_models.add(other)
    remove(schedule)
    number = other.pk
    other.delete()
    done = undo_removal("traits - 0 6 * * * - UTC")
    assert [model.reference for model in Schedule.objects.get().audited_models.all()] == ["bundled:masked-demo"]
    assert f"Left out: model under audit {number}, removed meanwhile." in done.remarks
    assert not any("model of its plan" in remark for remark in done.remarks)


def test_a_schedule_that_comes_back_without_any_model_says_what_it_audits_now(schedule: Schedule) -> None:
    remove(schedule)
    ModelUnderAudit.objects.all().delete()
    done = undo_removal("traits - 0 6 * * * - UTC")
    assert Schedule.objects.get().audited_models.count() == 0
    assert done.remarks[-1] == "None of its models is left: it audits the model of its plan."


def test_a_model_that_is_gone_is_not_put_back_into_its_schedule(schedule: Schedule) -> None:
    ModelUnderAudit.objects.all().delete()
    with pytest.raises(InputError, match="its model under audit was removed; bring that back first"):
        undo_latest(SCHEDULES)


def test_a_schedule_is_found_by_its_plans_old_name_and_new_one(schedule: Schedule) -> None:
    Plan.objects.update(name="occupations")
    for word in ("TRAIT", "occupation"):
        assert [each[:2] for each in changes(SCHEDULES, word=word)] == [("added", "occupations - 0 6 * * * - UTC")]
    assert changes(SCHEDULES, word="no such plan") == []


@pytest.mark.parametrize("word", ["masked-demo", "Our demo"])
def test_a_model_of_a_schedule_is_found_by_its_reference_and_its_title(schedule: Schedule, word: str) -> None:
    """It is named as it was when it was added."""
    ModelUnderAudit.objects.update(title="Our demo")
    assert [each[:2] for each in changes(SCHEDULES, word=word)] == [("added", "bundled:masked-demo")]


def test_an_undoing_dates_the_plan(plan: Plan) -> None:
    Plan.objects.update(description="For the board")
    before = plan.modified_at
    undo_latest(PLANS)
    plan.refresh_from_db()
    assert plan.modified_at > before


def test_a_schedule_without_its_plan_stays_away(plan: Plan) -> None:
    Schedule.objects.create(plan=plan, cron="0 6 * * *").delete()
    plan.delete()
    with pytest.raises(InputError, match="its plan was removed"):
        undo_latest(SCHEDULES)
    undo_latest(PLANS)
    undo_latest(SCHEDULES)
    assert Schedule.objects.get().plan.name == "traits"


def test_a_cron_text_that_is_put_back_times_the_schedule_again(schedule: Schedule) -> None:
    before = schedule.next_due_at
    schedule.cron = "30 7 * * *"
    schedule.save()
    undo_latest(SCHEDULES)
    schedule.refresh_from_db()
    assert (schedule.cron, schedule.next_due_at) == ("0 6 * * *", before)


def test_a_stale_page_of_a_plan_writes_nothing_over(auditor: Client, plan: Plan) -> None:
    fields = fields_of(auditor.get(page(plan))) | {"description": "mine"}
    with pghistory.context(user=0, username="bo"):
        Plan.objects.update(spec={**plan.spec, "seed": 7}, description="theirs")
    refused = send(auditor, page(plan), fields)
    assert "changed description (was empty, now theirs), spec of 'traits' after you opened this page" in told(refused)
    assert send(auditor, page(plan), fields_of(refused)).status_code == 302
    plan.refresh_from_db()
    assert (plan.description, plan.spec["seed"]) == ("mine", 7)


def test_a_stale_page_of_a_schedule_writes_nothing_over(auditor: Client, schedule: Schedule) -> None:
    fields = fields_of(auditor.get(page(schedule))) | {"at": "07:30"}
    schedule.audited_models.set([ModelUnderAudit.objects.create(reference="bundled:smollm2-135m")])
    refused = send(auditor, page(schedule), fields)
    assert "audited models (was bundled:masked-demo, now bundled:smollm2-135m)" in told(refused)
    assert send(auditor, page(schedule), fields_of(refused)).status_code == 302
    schedule.refresh_from_db()
    assert schedule.cron == "30 7 * * *"
    assert [model.reference for model in schedule.audited_models.all()] == ["bundled:smollm2-135m"]


def test_a_tick_meanwhile_makes_no_page_stale(curated: None, auditor: Client, schedule: Schedule) -> None:
    fields = fields_of(auditor.get(page(schedule))) | {"at": "07:30"}
    Schedule.objects.update(next_due_at=clock.now() - timedelta(minutes=1))
    schedules.tick()
    assert send(auditor, page(schedule), fields).status_code == 302


def test_a_viewer_looks_and_does_not_undo(client: Client, schedule: Schedule) -> None:
    person = User.objects.create_user("viewer", password="x")
    person.groups.add(Group.objects.get(name="viewer"))
    client.force_login(person)
    for row in (schedule.plan, schedule):
        assert client.get(page(row, "changes")).status_code == 200
        assert client.post(page(row, "undo"), {"of_list": 1, "number": 1}).status_code == 403
