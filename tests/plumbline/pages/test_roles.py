"""Who may do what: every address of the desk and the admin, for each role and for an account without one.

The addresses come from the resolver, so a new page is held to this too: open to each role and to nobody else, or named
here.
"""

import re

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.models import Group, Permission, User
from django.db import connection
from django.template import Context
from django.test import Client
from django.urls import reverse

from plumbline.pages.roles import ROLES, write_roles
from plumbline.pages.templatetags.refusals import who_may
from tests.plumbline.pages.addresses import all_addresses, desk, leads_to_login

# Django decides before any query of a page who may open it.
pytestmark = [pytest.mark.django_db, pytest.mark.any_server]

PEOPLE = settings.BASE_DIR / "docs" / "people.md"
OF_THE_INVITED = {"survey", "survey_begin", "survey_save", "survey_withdraw"}
"""Open to whoever has a link. Any other token leads nowhere, for everybody."""
OF_EVERY_ACCOUNT = OF_THE_INVITED | {"login", "logout", "password_change", "password_change_done"}
ONLY = (
    {
        name: {"auditor", "admin"}
        for name in (
            *(
                "run_cancel",
                "run_resume",
                "run_ask_again",
                "run_answers_parse",
                "run_summarise_again",
                "queue_move",
                "plan_launch",
                "plan_archive",
                "plan_add_entry",
                "plan_new",
                "plan_edit",
                "model_archive",
                "model_check",
                "compare_ask",
                "confounds_ask",
            ),
            *("indirect_word_add", "indirect_word_take", "indirect_word_give"),
            *("annotation_new", "annotation_make", "annotation_delete", "validation_new", "validation_make"),
            *("survey_new", "survey_make", "survey_invite", "survey_link", "survey_close", "survey_release"),
            *("survey_delete", "survey_wording_save"),
            *("study_new", "study_make", "study_close", "study_tidy", "study_delete"),
        )
    }
    | {
        name: {"reviewer", "admin"}
        for name in (
            *("annotate", "annotate_save", "annotate_undo", "annotate_end", "annotate_decline"),
            *("finding_pin", "finding_pin_save", "findings_judge", "finding_vote", "finding_comment"),
            *("run_sign_off", "release_sign_off", "sign_off_withdraw", "run_answers_judge"),
        )
    }
    | {
        name: {"admin"}
        for name in (
            "runs_old",
            "runs_old_delete",
            "people",
            "person_invite",
            "invitation_again",
            "invitation_withdraw",
            "person_roles",
            "reset_link",
            "second_factor_remove",
            "person_leaving",
            "person_leave",
        )
    }
)
"""The desk's addresses that not every role may use."""
GET_AND_POST = {"sql_save", "sql_edit", "plan_new", "plan_edit"}
EDITORS = {
    "vocab": {"curator", "admin"},
    "audits": {"auditor", "admin"},
    "results": set[str](),
    "auth": {"admin"},
    "axes": {"admin"},
    "alerts": {"auditor", "admin"},
    "findings": set[str](),
    "reports": {"admin"},
    "accounts": set[str](),
    "pghistory": set[str](),
}
"""Who edits the rows of an app in the admin, where the admin lets anybody."""
OPEN_TO_VIEWERS = {"vocab", "audits", "results", "findings", "reports"}
TABLES_OPEN_TO_VIEWERS = {"ruleset"}
"""Tables of other apps."""
NO_ROLE = "no role"


@pytest.fixture(scope="module")
def sessions(module_rows: None) -> dict[str, str]:
    """The keys of sessions, one of an account of each role and of one without.

    All tests of this module share them: to make an account and to log in takes as long as most of the pages.
    """
    return {role: logged_in(role) for role in (NO_ROLE, *ROLES)}


def logged_in(role: str) -> str:
    person = User.objects.create_user(role.replace(" ", "-"))
    person.groups.set(Group.objects.filter(name=role))
    client = Client()
    client.force_login(person)
    return str(client.cookies[settings.SESSION_COOKIE_NAME].value)


class Clients(dict[str, Client]):
    """Browsers that are logged in: by a role's name, or NO_ROLE. What one does to its cookies, no other test sees."""

    def __init__(self, sessions: dict[str, str]) -> None:
        super().__init__()
        self.sessions = sessions

    def __missing__(self, role: str) -> Client:
        self[role] = Client()
        self[role].cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return self[role]


@pytest.fixture
def clients(sessions: dict[str, str]) -> Clients:
    return Clients(sessions)


DESK = sorted(desk())


def test_the_walk_finds_the_pages() -> None:
    names = {name for name, _ in DESK}
    assert {"overview", "sql", "sql_edit", *ONLY} <= names
    assert "" not in names
    assert len(set(all_addresses())) > len(names) + 3 * len(admin.site._registry)


WHO = [
    (name, address, role, role in ONLY.get(name, ROLES))
    for name, address in DESK
    if name not in OF_EVERY_ACCOUNT
    for role in (NO_ROLE, *ROLES)
]


@pytest.mark.sampled(by=["address", "allowed"])
@pytest.mark.parametrize(("name", "address", "role", "allowed"), WHO)
def test_each_page_of_the_desk_is_for_its_roles(
    name: str, address: str, role: str, allowed: bool, clients: Clients
) -> None:
    answers = [getattr(clients[role], method)(address) for method in used_methods(address, clients)]
    assert answers
    for answer in answers:
        assert (answer.status_code != 403) == allowed, (answer.status_code, answer.content)
        assert answer.status_code < 500, answer.content
        assert ("an account without a role" in answer.content.decode()) == (role == NO_ROLE)


METHODS: dict[str, list[str]] = {}
"""What `used_methods` found: the methods of an address depend on no data."""


def used_methods(address: str, clients: Clients) -> list[str]:
    if address not in METHODS:
        admin_ = clients["admin"]
        METHODS[address] = [one for one in ("get", "post") if getattr(admin_, one)(address).status_code != 405]
    return METHODS[address]


@pytest.mark.parametrize(("name", "address"), DESK)
def test_an_address_is_for_one_method(name: str, address: str, clients: Clients) -> None:
    assert len(used_methods(address, clients)) == 1 or name in GET_AND_POST


@pytest.mark.sampled(by=["address"])
@pytest.mark.parametrize("method", ["delete", "put", "patch"])
@pytest.mark.parametrize("address", [address for _, address in DESK])
def test_a_wrong_method_is_refused(address: str, method: str, clients: Clients) -> None:
    assert getattr(clients["admin"], method)(address).status_code == 405


MODELS = sorted({(model._meta.app_label, str(model._meta.model_name)) for model in admin.site._registry})


@pytest.mark.sampled(by=["app", "model"])
@pytest.mark.parametrize("role", [NO_ROLE, *ROLES])
@pytest.mark.parametrize(("app", "model"), MODELS)
def test_each_table_of_the_admin_is_for_its_roles(app: str, model: str, role: str, clients: Clients) -> None:
    changelist, add = (reverse(f"admin:{app}_{model}_{page}") for page in ("changelist", "add"))
    if role == NO_ROLE:
        assert leads_to_login(clients[role].get(changelist))
        return
    answers = [clients[role].get(changelist), clients[role].get(add), clients[role].post(add)]
    assert {answer.status_code for answer in answers} <= {200, 302, 403}, answers
    seen, added, posted = (answer.status_code == 200 for answer in answers)
    assert seen == (app in OPEN_TO_VIEWERS or model in TABLES_OPEN_TO_VIEWERS or role == "admin")
    assert added <= (role in EDITORS[app])
    assert added == posted


@pytest.mark.parametrize(
    "address", sorted(address for address in set(all_addresses()) if address.startswith("/admin/"))
)
def test_no_address_of_the_admin_lets_a_viewer_change_anything(address: str, clients: Clients) -> None:
    """Pages may be read; what is posted is refused, leads back, or shows a page that only reads."""
    if address in ("/admin/login/", "/admin/logout/", "/admin/password_change/"):
        return
    viewer, before = clients["viewer"], _rows()
    response = viewer.post(address, {"action": "delete_selected", "_selected_action": ["1"], "post": "yes"})
    assert response.status_code in (200, 302, 403, 404, 405)
    assert _rows() == before


def _rows() -> list[tuple[str, int]]:
    """How many rows each table of the admin has, in one question."""
    models = (model for model in admin.site._registry if model._meta.app_label not in ("results", "axes", "accounts"))
    counts = " UNION ALL ".join(
        f"SELECT '{table}', count(*) FROM {table}"  # noqa: S608
        for table in sorted({model._meta.db_table for model in models})
    )
    with connection.cursor() as cursor:
        cursor.execute(counts)
        return list(cursor.fetchall())


class TestPermissions:
    """What stands in docs/people.md."""

    def codenames(self, role: str) -> set[str]:
        return set(Permission.objects.filter(group__name=role).values_list("codename", flat=True))

    def test_every_role_sees_all_that_is_measured_curated_and_planned(self) -> None:
        for role in ROLES:
            assert {"view_run", "view_plan", "view_schedule", "view_measure", "view_namelist"} <= self.codenames(role)

    def test_viewers_and_reviewers_change_only_what_is_their_own(self) -> None:
        own = {"add_savedquery", "add_priorbelief", "add_sitting"}
        assert {name for name in self.codenames("viewer") if not name.startswith("view_")} == own
        others = {name.replace("add_", verb) for name in own for verb in ("change_", "delete_")}
        assert not {*others, "add_run", "change_run"} & self.codenames("reviewer")

    def test_an_auditor_launches_stops_and_schedules_but_deletes_no_run(self) -> None:
        found = self.codenames("auditor")
        assert {"add_run", "change_run", "add_plan", "change_plan", "add_schedule", "change_schedule"} <= found
        assert not {"delete_run", "change_namelist", "add_user"} & found

    def test_a_curator_edits_words_and_nothing_of_audits(self) -> None:
        found = self.codenames("curator")
        assert {"add_namelist", "change_name", "delete_name"} <= found
        assert not {"add_run", "change_run", "change_plan", "add_user"} & found

    def test_the_table_in_the_docs_says_who_has_each_permission_that_it_names(self) -> None:
        rows = [line[1:-1].split("|") for line in PEOPLE.read_text().splitlines() if line.startswith("| ")]
        head = next([cell.strip() for cell in row[1:6]] for row in rows if row[-1].strip() == "permission")
        assert tuple(head) == ROLES
        named = {code: row[1:6] for row in rows for code in re.findall("`([a-z]+_[a-z_]+)`", row[-1])}
        assert {"delete_run", "add_run", "judge_finding"} <= set(named)
        for code, cells in named.items():
            allowed = {role for role, cell in zip(ROLES, cells, strict=True) if cell.strip() == "yes"}
            assert allowed == {role for role in ROLES if code in self.codenames(role)}, code

    def test_every_model_of_the_platform_is_for_some_role(self) -> None:
        """A model of a new app is forgotten here until its app declares `role_permissions`."""
        own = [config.label for config in apps.get_app_configs() if config.name.startswith("plumbline.")]
        forgotten = Permission.objects.filter(content_type__app_label__in=own, group=None)
        assert not list(forgotten.values_list("content_type__model", "codename"))

    def test_only_an_admin_keeps_accounts(self) -> None:
        assert {role for role in ROLES if "change_user" in self.codenames(role)} == {"admin"}

    def test_a_migration_writes_the_roles_anew_and_leaves_other_groups_alone(self) -> None:
        own = Group.objects.create(name="own")
        Group.objects.get(name="viewer").permissions.set(Permission.objects.filter(codename="delete_user"))
        own.permissions.set(Permission.objects.filter(codename="delete_user"))
        write_roles()
        assert "delete_user" not in self.codenames("viewer")
        assert self.codenames("own") == {"delete_user"}


def test_a_refusal_names_the_roles_and_who_can_give_one() -> None:
    # Other people of this file have accounts, too: these come first by their names.
    for name, role in (("0ada", "admin"), ("0bea", "admin"), ("0cid", "admin"), ("0dan", "admin"), ("vera", "viewer")):
        User.objects.create_user(name).groups.add(Group.objects.get(name=role))
    client = Client()
    client.force_login(User.objects.get(username="vera"))
    refused = client.get(reverse("plan_new"))
    shown = " ".join(refused.content.decode().split())
    assert refused.status_code == 403
    assert "It needs the role auditor or admin." in shown
    assert "<bdi>0ada</bdi>, <bdi>0bea</bdi>, <bdi>0cid</bdi>. The page" in shown
    assert "role admin." in client.get(reverse("people")).content.decode()
    assert who_may(Context(), "auth.nobody_has_it") == "Only superusers may do this."
    assert "It needs the role admin." in client.get(reverse("admin:auth_group_changelist")).content.decode()
