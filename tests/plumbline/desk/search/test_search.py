"""The search over everything: what it finds, in which order, and for whom."""

import pytest
from django.contrib.auth.models import Group as Role
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import ModelUnderAudit, Plan, Schedule
from plumbline.desk.search.hits import MOST_OF_A_KIND, Hit, Source, is_number, search
from plumbline.desk.search.pages import pages
from plumbline.desk.search.sources import SOURCES
from plumbline.findings.models import Finding
from plumbline.findings.updating import update
from plumbline.pages.roles import write_roles
from plumbline.vocab.models import Name, NameList, TraitList, TraitPair
from tests.plumbline.findings.audited import a_run, difference

pytestmark = pytest.mark.django_db
MARKED = "<b>nurses</b>"


@pytest.fixture
def viewer() -> User:
    write_roles()
    made = User.objects.create_user("vera")
    made.groups.set(Role.objects.filter(name="viewer"))
    return made


@pytest.fixture
def client_of_viewer(viewer: User) -> Client:
    client = Client()
    client.force_login(viewer)
    return client


def titles(text: str, user: User) -> dict[str, list[str]]:
    return {kind.name: [hit.title for hit in kind.hits] for kind in search(text, SOURCES, user)}


def names(*texts: str, slug: str = "staff") -> NameList:
    made = NameList.objects.create(slug=slug, title=f"The {slug}", source=MARKED)
    Name.objects.bulk_create(Name(word_list=made, name=text) for text in texts)
    return made


def test_words_that_are_the_text_come_before_those_that_hold_it(viewer: User) -> None:
    names("Anna", "Ann", "Joanne", "Ben")
    assert titles("ann", viewer)["Words"] == ["Ann", "Anna", "Joanne"]


def test_words_that_begin_with_the_text_come_before_others_of_any_kind(viewer: User) -> None:
    names(*(f"Joanne {at}" for at in range(MOST_OF_A_KIND + 2)), "Annabel")
    made = TraitList.objects.create(slug="traits", title="Pairs")
    TraitPair.objects.create(word_list=made, left="cold", right="annoying")
    TraitPair.objects.create(word_list=made, left="calm", right="ann")
    assert titles("ann", viewer)["Words"][:3] == ["calm - ann", "Annabel", "cold - annoying"]


def test_a_list_whose_slug_is_the_text_comes_first_then_those_that_begin_with_it(viewer: User) -> None:
    for at in range(MOST_OF_A_KIND + 2):
        NameList.objects.create(slug=f"age-gender-{at}", title=f"Age and gender {at}")
    TraitList.objects.create(slug="gender-traits", title="Traits of women and men")
    NameList.objects.create(slug="gender", title="Women and men")
    assert titles("Gender", viewer)["Lists"][:3] == [
        "Women and men",
        "Traits of women and men",
        "Age and gender 0",
    ]


def test_a_plan_a_model_and_a_run_of_exactly_this_name_come_first(viewer: User) -> None:
    exact = a_run(model="bundled:none", name="bias")
    for at in range(MOST_OF_A_KIND + 2):
        Plan.objects.create(name=f"a bias {at}", spec={})
        ModelUnderAudit.objects.create(reference=f"bundled:bias-{at}")
        a_run(model="bundled:none", name=f"a bias {at}")
    Plan.objects.create(name="Bias", spec={})
    ModelUnderAudit.objects.create(reference="path:/models/ours", title="Bias")
    found = titles("bias", viewer)
    assert [found[kind][0] for kind in ("Plans", "Models", "Runs")] == ["Bias", "Bias", f"{exact.pk}: bias"]


def test_a_word_is_named_with_its_list_and_leads_to_it(viewer: User) -> None:
    first, second = names("Anna"), names("Anna", slug="guests")
    (found,) = search("anna", SOURCES, viewer)
    assert [(hit.note, hit.address) for hit in found.hits] == [
        ("names: The guests", reverse("admin:vocab_namelist_change", args=[second.pk])),
        ("names: The staff", reverse("admin:vocab_namelist_change", args=[first.pk])),
    ]


def test_a_pair_of_traits_is_found_by_either_side(viewer: User) -> None:
    made = TraitList.objects.create(slug="traits", title="Pairs")
    TraitPair.objects.create(word_list=made, left="warm", right="cold")
    assert titles("cold", viewer)["Words"] == titles("warm", viewer)["Words"] == ["warm - cold"]


def test_a_list_is_found_by_its_source(viewer: User) -> None:
    names("Ben")
    assert titles("nurses", viewer)["Lists"] == ["The staff"]


def test_a_run_is_found_by_its_number_first_and_by_its_model(viewer: User) -> None:
    first = a_run(model="bundled:none", spec={"name": "weekly"})
    second = a_run(model="bundled:none", spec={"name": "weekly"})
    assert titles(f"#{first.pk}", viewer)["Runs"][0].startswith(f"{first.pk}: ")
    assert [title.split(":")[0] for title in titles("bundled:n", viewer)["Runs"]] == [str(second.pk), str(first.pk)]


def test_a_finding_is_found_by_its_sentence_with_its_state(viewer: User) -> None:
    plan = Plan.objects.create(name="weekly audit", spec={})
    run = a_run(difference("warm", 0.6), plan=plan, model="bundled:none", spec={"name": "weekly"})
    update(run)
    found = {kind.name: kind for kind in search("warm", SOURCES, viewer)}
    assert found["Findings"].hits[0].note == f"New, run {run.pk}"
    assert found["Findings"].hits[0].address == reverse("finding", args=[Finding.objects.get().pk])
    assert titles("weekly aud", viewer)["Plans"] == ["weekly audit"]


@pytest.mark.parametrize("form", ["finding {}", "Finding #{}"])
def test_a_finding_is_found_by_its_number(viewer: User, form: str) -> None:
    update(a_run(difference("warm", 0.6), difference("kind", 0.6), plan=Plan.objects.create(name="weekly", spec={})))
    wanted = Finding.objects.get(attribute="kind")
    found = {kind.name: kind for kind in search(form.format(wanted.pk), SOURCES, viewer)}
    assert [hit.address for hit in found["Findings"].hits] == [reverse("finding", args=[wanted.pk])]
    assert "Findings" not in titles("finding 999999999", viewer)


@pytest.mark.parametrize("text", ["people and roles", "invite", "activity log", "who did what"])
def test_pages_on_accounts_are_found_by_those_who_keep_them(viewer: User, text: str) -> None:
    keeper = User.objects.create_user("adam")
    keeper.groups.set(Role.objects.filter(name="admin"))
    assert set(titles(text, keeper)["Accounts"]) <= {"People and roles", "Activity log"}
    assert "Accounts" not in titles(text, viewer)


def test_the_words_of_a_finding_or_a_plan_are_found_in_any_order(viewer: User) -> None:
    plan = Plan.objects.create(name="weekly audit", spec={})
    update(a_run(difference("warm", 0.6), plan=plan, model="bundled:none", spec={"name": "weekly"}))
    assert len(titles("men women warm", viewer)["Findings"]) == 1
    assert titles("audit weekly", viewer)["Plans"] == ["weekly audit"]
    assert "Findings" not in titles("men women cold", viewer)


def test_schedules_are_found_by_their_plan_and_their_list_by_its_name(viewer: User, client_of_viewer: Client) -> None:
    made = Schedule.objects.create(plan=Plan.objects.create(name="jobs", spec={}), cron="0 6 * * 1")
    found = {kind.name: kind for kind in search("jobs", SOURCES, viewer)}
    assert [hit.title for hit in found["Schedules"].hits] == [str(made)]
    for text in ("schedule", "Schedules"):
        (first,) = next(kind for kind in search(text, SOURCES, viewer) if kind.name == "Schedules").hits
        assert client_of_viewer.get(first.address).status_code == 200


def test_models_pages_and_terms_are_found(viewer: User) -> None:
    ModelUnderAudit.objects.create(reference="path:/models/ours", title="Our assistant")
    assert titles("assistant", viewer)["Models"] == ["Our assistant"]
    assert titles("queue", viewer)["Pages"][0] == "Queue"
    assert "Gate" in titles("gate", viewer)["Pages"]
    assert titles("run", viewer)["Pages"][0] == "Runs"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("compare two runs", "Compare"),
        ("help", "Guide"),
        ("sign off", "Runs"),
        ("how to sign off a run", "Runs"),
        ("signoff", "Runs"),
        ("how to", "Guide"),
        ("schedules", "Plans"),
        ("kinds of sentence", "Kind of sentence"),
        ("two-sided", ""),
    ],
)
def test_a_page_is_found_by_what_people_do_there_in_any_number_and_with_hyphens(text: str, title: str) -> None:
    found = [one.title for one in pages(text)]
    assert found[:1] == ([title] if title else [])


def test_of_many_hits_some_are_shown_and_the_rest_is_told(viewer: User) -> None:
    source = Source("All", "audits.view_run", lambda text: [Hit(str(n), "/") for n in range(MOST_OF_A_KIND + 1)])
    (found,) = search("any", [source], viewer)
    assert (len(found.hits), found.has_more) == (MOST_OF_A_KIND, True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", True),
        ("#3", True),
        ("run 21", True),
        ("Run #4", True),
        ("run", False),
        ("", False),
        ("12a", False),
        ("٣", False),
    ],
)
def test_numbers_of_runs(text: str, expected: bool) -> None:
    assert is_number(text) is expected


def test_nobody_without_a_role_finds_anything() -> None:
    names("Anna")
    stranger = User.objects.create_user("sam")
    assert search("anna", SOURCES, stranger) == []
    client = Client()
    client.force_login(stranger)
    assert client.get(reverse("search"), {"q": "anna"}).status_code == 403


def test_the_page_escapes_what_it_finds_and_what_was_asked(client_of_viewer: Client) -> None:
    names(MARKED)
    page = client_of_viewer.get(reverse("search"), {"q": "<b>nur"}).content.decode()
    assert "&lt;b&gt;nurses&lt;/b&gt;" in page
    assert "<b>nur" not in page


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "Write at least 2 letters"),
        ("x", "Write at least 2 letters"),
        ("xy%_\\'", "Nothing has"),
        ("y" * 5000, "Nothing has"),
        ("99999999999999", "Nothing has"),
    ],
)
def test_a_text_that_finds_nothing_says_what_to_do(client_of_viewer: Client, text: str, told: str) -> None:
    for part in ({}, {"hits": "1"}):
        answer = client_of_viewer.get(reverse("search"), {"q": text} | part)
        assert answer.status_code == 200
        assert told in answer.content.decode()


def test_the_box_alone_gets_no_second_head(client_of_viewer: Client) -> None:
    page = client_of_viewer.get(reverse("search"), {"q": "queue", "hits": "1"}).content.decode()
    assert "<html" not in page
    assert reverse("queue") in page


def test_the_box_of_the_admin_finds_the_same(client_of_viewer: Client, viewer: User) -> None:
    User.objects.filter(pk=viewer.pk).update(is_staff=True)
    names("Anna")
    page = client_of_viewer.get(reverse("admin:search"), {"s": "anna", "extended": "1"}).content.decode()
    assert "Anna" in page
    assert "names: The staff" in page


def test_every_page_has_the_box(client_of_viewer: Client) -> None:
    page = client_of_viewer.get(reverse("runs")).content.decode()
    assert 'role="search"' in page


def test_a_run_is_found_by_the_title_and_the_tags_of_its_model(viewer: User, client_of_viewer: Client) -> None:
    ModelUnderAudit.objects.create(reference="bundled:none", title="Our assistant", tags="support, release 3")
    run = a_run(model="bundled:none", spec={"name": "weekly"})
    for text in ("our assist", "release 3"):
        assert titles(text, viewer)["Runs"] == [f"{run.pk}: weekly"]
        assert [one.pk for one in client_of_viewer.get(reverse("runs"), {"text": text}).context["page"]] == [run.pk]


def test_curatings_home_is_found(viewer: User) -> None:
    assert "Curating" in titles("curating", viewer)["Pages"]
