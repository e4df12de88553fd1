import pytest
from django.contrib.auth.models import Group as Role
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from plumbline.audits.launching import launch
from plumbline.audits.models import AddedWord, Run
from plumbline.desk.dependents import LATEST, dependent_runs, dependent_runs_of_word
from plumbline.spec.audit import parse
from plumbline.vocab.models import Attribute, AttributeSet, Name, NameList, TraitList, TraitPair
from tests.plumbline.audits.conftest import SPEC
from tests.plumbline.audits.conftest import curated as curated

pytestmark = pytest.mark.django_db


@pytest.fixture
def jobs(curated: None) -> AttributeSet:
    AttributeSet.objects.update(title="Jobs <b>")
    return AttributeSet.objects.get()


def run_on(*lists: str) -> Run:
    return launch(parse(SPEC | {"attributes": [{"list": slug} for slug in lists]}), owner="this test")


def page(slug: str = "jobs", kind: str = "attributes") -> str:
    return reverse("dependents", args=[kind, slug])


def test_runs_on_a_list_newest_first_and_stale_after_an_edit(jobs: AttributeSet) -> None:
    first = run_on("jobs")
    Attribute.objects.filter(text="nurse").update(text="clerk")
    second = run_on("jobs")
    found = dependent_runs("attributes", "jobs")
    assert [(dependent.run, dependent.stale) for dependent in found.runs] == [(second, False), (first, True)]
    jobs.entries.all().delete()
    assert all(dependent.stale for dependent in dependent_runs("attributes", "jobs").runs)


def test_a_list_of_the_same_slug_and_another_kind_is_another_list(jobs: AttributeSet) -> None:
    run_on("jobs")
    assert dependent_runs("groups", "jobs").count == 0
    assert dependent_runs("groups", "gender").count == 1


def test_runs_whose_frozen_list_had_a_word_depend_on_it(jobs: AttributeSet) -> None:
    first = run_on("jobs")
    clerk = Attribute.objects.create(word_list=jobs, text="clerk")
    second = run_on("jobs")
    nurse = Attribute.objects.get(text="nurse")
    assert [dependent.run for dependent in dependent_runs_of_word("attributes", "jobs", clerk).runs] == [second]
    assert [dependent.run for dependent in dependent_runs_of_word("attributes", "jobs", nurse).runs] == [second, first]


def test_runs_depend_on_a_pair_of_traits_by_either_pole(jobs: AttributeSet) -> None:
    traits = TraitList.objects.create(slug="traits", title="Traits")
    pair = TraitPair.objects.create(word_list=traits, left="cold", right="warm")
    first = run_on("traits")
    TraitPair.objects.update(left="chilly")
    pair.refresh_from_db()
    assert [dependent.run for dependent in dependent_runs_of_word("attributes", "traits", pair).runs] == [first]


def test_the_latest_runs_are_shown_and_all_are_counted(client: Client, jobs: AttributeSet) -> None:
    for _ in range(LATEST + 2):
        run_on("jobs")
    found = dependent_runs("attributes", "jobs")
    assert (len(found.runs), found.count) == (LATEST, LATEST + 2)


def test_the_small_run_of_an_added_word_is_part_of_the_run_that_it_adds_to(jobs: AttributeSet) -> None:
    run, small = run_on("jobs"), run_on("jobs")
    AddedWord.objects.create(run=run, small=small, kind="feature", word="clerk")
    found = dependent_runs("attributes", "jobs")
    assert ([dependent.run for dependent in found.runs], found.count) == ([run], 1)
    word = dependent_runs_of_word("attributes", "jobs", Attribute.objects.get(text="nurse"))
    assert ([dependent.run for dependent in word.runs], word.searched, word.of) == ([run], 1, 1)


def test_the_page_takes_a_bounded_number_of_queries(admin_client: Client, jobs: AttributeSet) -> None:
    def queries(entry: bool) -> int:
        asked = {"entry": Attribute.objects.get(text="nurse").pk} if entry else {}
        with CaptureQueriesContext(connection) as captured:
            assert admin_client.get(page(), asked).status_code == 200
        return len(captured)

    run_on("jobs")
    few = queries(False), queries(True)
    for _ in range(9):
        run_on("jobs")
    assert (queries(False), queries(True)) == few
    assert max(few) <= 12


def test_the_page_shows_runs_and_where_the_list_changed_after_them(admin_client: Client, jobs: AttributeSet) -> None:
    run = run_on("jobs")
    Attribute.objects.create(word_list=jobs, text="clerk")
    shown = admin_client.get(page()).content.decode()
    assert reverse("run", args=[run.pk]) in shown
    assert "<td>changed after this run</td>" in shown
    assert "stale" not in shown
    assert "Jobs <b>" not in shown
    assert "Jobs &lt;b&gt;" in shown


def test_no_run_uses_the_list_yet(admin_client: Client, jobs: AttributeSet) -> None:
    assert "No run uses this list yet" in admin_client.get(page()).content.decode()
    nurse = Attribute.objects.get(text="nurse").pk
    assert "No run uses this word yet" in admin_client.get(page(), {"entry": nurse}).content.decode()


def test_lists_and_entries_lead_to_their_runs_and_confounds(admin_client: Client, jobs: AttributeSet) -> None:
    nurse = Attribute.objects.get(text="nurse")
    of_list = admin_client.get(reverse("admin:vocab_attributeset_change", args=[jobs.pk])).content.decode()
    of_entry = admin_client.get(reverse("admin:vocab_attribute_change", args=[nurse.pk])).content.decode()
    assert page() in of_list
    assert reverse("confounds", args=["attributes", "jobs"]) in of_list
    assert f"{page()}?entry={nurse.pk}" in of_entry


@pytest.mark.parametrize("asked", ["x", "-1", "9" * 30, "²"])
def test_a_strange_entry_is_not_found(admin_client: Client, jobs: AttributeSet, asked: str) -> None:
    assert admin_client.get(page(), {"entry": asked}).status_code == 404


def test_an_entry_of_another_list_and_an_unknown_list_are_not_found(admin_client: Client, jobs: AttributeSet) -> None:
    other = AttributeSet.objects.create(slug="other", title="Other")
    clerk = Attribute.objects.create(word_list=other, text="clerk")
    assert admin_client.get(page(), {"entry": clerk.pk}).status_code == 404
    assert admin_client.get(page("unknown")).status_code == 404
    assert admin_client.get(page(kind="unknown")).status_code == 404


def test_name_lists_have_the_page_too(admin_client: Client) -> None:
    names = NameList.objects.create(slug="names", title="Names")
    Name.objects.create(word_list=names, name="Anna")
    assert admin_client.get(page("names", "names")).status_code == 200


def test_who_may_see_it(client: Client, jobs: AttributeSet) -> None:
    assert "/login/" in client.get(page())["Location"]
    nobody = User.objects.create_user("nobody", password="x")
    client.force_login(nobody)
    assert client.get(page()).status_code == 403
    nobody.groups.add(Role.objects.get(name="viewer"))
    assert client.get(page()).status_code == 200
    assert client.post(page()).status_code == 405
