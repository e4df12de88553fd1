"""The SQL page as people use it."""

import json
import re
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from plumbline.results import fence, reader_role
from plumbline.results.columns import VIEWS
from plumbline.sql_page.examples import examples
from plumbline.sql_page.faults import RESERVED
from plumbline.sql_page.forms import SavedQueryForm
from plumbline.sql_page.parameters import names
from plumbline.sql_page.saved import REMEMBERED, AskedQuery, SavedQuery
from tests.plumbline.sql_page.conftest import person

TOKEN = "0" * 32


def answer(client: Client, text: str, **more: str) -> str:
    """What the page's script gets."""
    response = client.post(
        reverse("sql_answer"), {"text": text, "token": TOKEN, **more}, headers={"X-Requested-With": "fetch"}
    )
    assert response.status_code == 200
    return response.content.decode()


def page(client: Client, name: str = "sql", *args: Any) -> str:
    response = client.get(reverse(name, args=args))
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_shows_the_views_their_columns_and_the_examples(viewer: Client) -> None:
    html = page(viewer)
    assert "results.v_association" in html
    assert "log probability of the word with the group named (natural log)" in html
    assert 'data-insert="&quot;group&quot;"' in html
    assert all(example.title in html for example in examples().values())


def test_an_answer_is_a_table_in_which_null_is_said_and_markup_is_text(viewer: Client) -> None:
    html = answer(viewer, "SELECT 1.50::numeric AS x, NULL AS y, '<b>\u200b' AS z")
    assert '<td class="number">1.50</td>' in html
    assert "NULL</i>" in html
    assert "&lt;b&gt;⟨U+200B⟩" in html
    assert "1 row," in html


def test_truths_and_lists_are_written_out(viewer: Client) -> None:
    html = answer(viewer, "SELECT true AS yes, false AS no, ARRAY['a', NULL] AS texts, ARRAY[1, 2] AS numbers")
    for shown in ("true", "false", "[&quot;a&quot;, NULL]", "[1, 2]"):
        assert f"<bdi>{shown}</bdi>" in html


def test_a_part_of_a_long_answer_says_so(viewer: Client) -> None:
    assert "First 1,000 of more rows" in answer(viewer, "SELECT generate_series(1, 1001)")
    assert "1,000 rows" in answer(viewer, "SELECT generate_series(1, 1000)")


def test_a_fault_is_marked_in_its_line_and_says_what_to_do(viewer: Client) -> None:
    html = answer(viewer, "SELECT 1\r\nFROM results.v_nowhere")
    assert "line 2: " in html
    assert "<mark>results</mark>" in html
    assert "results.v_run" in html
    assert 'data-position="15"' in html


@pytest.mark.parametrize(
    "text",
    [
        "SELECT group, attribute FROM results.v_association",
        "SELECT v.run, v.Group\n FROM results.v_association v WHERE group = 'women'",
        "SELECT attribute FROM results.v_association ORDER BY group",
    ],
)
def test_a_column_that_is_a_reserved_word_is_named_with_its_quotes(viewer: Client, text: str) -> None:
    assert "Write &quot;group&quot; in double quotes" in answer(viewer, text)
    assert "double quotes" not in answer(viewer, "SELECT run, FROM results.v_run GROUP BY run")


def test_the_reserved_words_are_those_of_the_server(reader: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT word FROM pg_get_keywords() WHERE catcode IN ('R', 'T')")
        words = {word for (word,) in cursor.fetchall()}
    assert words & {column for columns in VIEWS.values() for column in columns} == set(RESERVED)


def test_an_empty_answer_names_its_columns(viewer: Client) -> None:
    assert "The columns are: run, name." in answer(viewer, "SELECT run, name FROM results.v_run")


def test_parameters_are_asked_for_and_then_used(viewer: Client) -> None:
    asked_for = answer(viewer, "SELECT :n::integer * 2 AS double")
    assert 'name="parameter-n"' in asked_for
    assert "Fill in" in asked_for
    answered = answer(viewer, "SELECT :n::integer * 2 AS double", **{"parameter-n": "21"})
    assert '<td class="number">42</td>' in answered
    assert 'value="21"' in answered


@pytest.mark.parametrize("text", ["", "x" * 20_001, "SELECT '\0'"])
def test_a_text_that_is_none_is_refused(viewer: Client, text: str) -> None:
    assert 'class="notice error"' in answer(viewer, text)


def test_without_its_script_the_answer_is_a_whole_page(viewer: Client) -> None:
    response = viewer.post(reverse("sql_answer"), {"text": "SELECT 6 * 7 AS it", "token": TOKEN})
    html = response.content.decode()
    assert "<nav" in html
    assert '<td class="number">42</td>' in html


class TestFiles:
    def file(self, client: Client, kind: str, text: str) -> Any:
        return client.post(reverse("sql_file"), {"text": text, "token": TOKEN, "kind": kind})

    def test_csv_and_json_are_downloads(self, viewer: Client) -> None:
        csv = self.file(viewer, "csv", "SELECT 1 AS n, '=1+1' AS word")
        assert csv["Content-Disposition"] == 'attachment; filename="answer.csv"'
        assert b"".join(csv.streaming_content) == b"n,word\r\n1,'=1+1\r\n"
        found = self.file(viewer, "json", "SELECT 1 AS n, '=1+1' AS word")
        assert json.loads(b"".join(found.streaming_content))["rows"] == [[1, "=1+1"]]

    @pytest.mark.parametrize(
        ("title", "name"), [("Ten words, Änne's", "ten-words-annes.csv"), ("../<b>", "b.csv"), ("語", "answer.csv")]
    )
    def test_the_file_of_a_saved_query_has_its_title(self, viewer: Client, title: str, name: str) -> None:
        SavedQuery.objects.create(title=title, text="SELECT 7 AS n", owner=User.objects.get(), shared=True)
        csv = self.file(viewer, "csv", "SELECT 7 AS n")
        assert b"".join(csv.streaming_content) == b"n\r\n7\r\n"
        assert csv["Content-Disposition"] == f'attachment; filename="{name}"'

    def test_the_file_of_an_example_has_its_title(self, viewer: Client) -> None:
        example = next(iter(examples().values()))
        for text in (example.text, f"{example.text}\n"):
            with_values = {f"parameter-{key}": "1" for key in names(example.text)}
            sent = {"text": text, "token": TOKEN, "kind": "csv", **with_values}
            csv: Any = viewer.post(reverse("sql_file"), sent)
            assert b"".join(csv.streaming_content)
            assert f'filename="{example.slug}.csv"' in csv["Content-Disposition"]

    def test_a_file_has_more_rows_than_the_page_and_its_name_says_when_not_all(self, viewer: Client) -> None:
        response = self.file(viewer, "csv", "SELECT generate_series(1, 100001)")
        assert "first-100000" in response["Content-Disposition"]
        assert b"".join(response.streaming_content).count(b"\n") == 100_001

    def test_a_fault_is_a_page_and_no_file(self, viewer: Client) -> None:
        assert "<mark>nothing</mark>" in self.file(viewer, "csv", "SELECT nothing").content.decode()
        assert self.file(viewer, "exe", "SELECT 1").status_code == 404


class TestSavedQueries:
    def test_an_example_is_saved_with_its_title_and_its_explanation(self, viewer: Client) -> None:
        for example in examples().values():
            form = viewer.post(reverse("sql_save"), {"text": f"{example.text}\n"}).context["form"]
            kept = SavedQueryForm(
                {"title": form["title"].value(), "description": form["description"].value(), "text": "x"}
            )
            assert (kept.is_valid(), form["description"].value()) == (True, example.about), kept.errors

    def test_a_question_is_kept_for_oneself_or_for_all(self, viewer: Client) -> None:
        other = person("omar", "curator")
        filled = viewer.post(reverse("sql_save"), {"text": "SELECT 7"}).content.decode()
        assert "SELECT 7" in filled
        own = viewer.post(reverse("sql_save"), {"title": "<mine>", "text": "SELECT 7"})
        shared = viewer.post(reverse("sql_save"), {"title": "ours", "text": "SELECT 8", "shared": "on"})
        assert "&lt;mine&gt;" in viewer.get(own["Location"]).content.decode()
        assert other.get(own["Location"]).status_code == 404
        assert "by <bdi>vera</bdi>" in other.get(shared["Location"]).content.decode()
        assert "&lt;mine&gt;" not in page(other)

    def test_only_its_owner_or_an_admin_changes_or_deletes_it(self, viewer: Client) -> None:
        saved = SavedQuery.objects.create(title="ours", text="SELECT 8", shared=True, owner=User.objects.get())
        edit, delete = reverse("sql_edit", args=[saved.pk]), reverse("sql_delete", args=[saved.pk])
        for role in ("viewer", "reviewer", "curator", "auditor"):
            other = person(f"another {role}", role)
            assert other.get(edit).status_code == 403
            assert other.post(edit, {"title": "theirs", "text": "SELECT 9"}).status_code == 403
            assert other.post(delete).status_code == 403
        viewer.post(edit, {"title": "better", "text": "SELECT 8"})
        saved.refresh_from_db()
        assert (saved.title, saved.shared) == ("better", False)
        saved.shared = True
        saved.save()
        assert person("ada", "admin").post(delete, follow=True).status_code == 200
        assert not SavedQuery.objects.exists()

    def test_what_somebody_changed_in_the_editor_is_in_the_form_that_saves_it(self, viewer: Client) -> None:
        saved = SavedQuery.objects.create(title="mine", text="SELECT 8", owner=User.objects.get())
        edit = reverse("sql_edit", args=[saved.pk])
        assert f'formaction="{edit}"' in viewer.get(reverse("sql_saved", args=[saved.pk])).content.decode()
        form = viewer.post(edit, {"text": "SELECT 9"}).context["form"]
        assert (form["title"].value(), form["text"].value()) == ("mine", "SELECT 9")
        saved.refresh_from_db()
        assert saved.text == "SELECT 8"

    def test_a_deleted_query_stays_in_the_editor(self, viewer: Client) -> None:
        saved = SavedQuery.objects.create(title="mine", text="SELECT 'back'", owner=User.objects.get())
        response = viewer.post(reverse("sql_delete", args=[saved.pk]), follow=True)
        assert "SELECT &#x27;back&#x27;" in response.content.decode()

    def test_what_is_shared_outlives_the_account(self, viewer: Client) -> None:
        SavedQuery.objects.create(title="ours", text="SELECT 8", shared=True, owner=User.objects.get())
        other = person("omar", "viewer")
        User.objects.get(username="vera").delete()
        assert "somebody who is gone" in page(other)

    def test_an_admin_looks_after_what_is_not_shared_and_its_owner_left(self, viewer: Client) -> None:
        saved = SavedQuery.objects.create(title="orphan", text="SELECT 8", owner=User.objects.get())
        other, admin = person("omar", "auditor"), person("ada", "admin")
        User.objects.get(username="vera").delete()
        shown, edit, delete = (reverse(name, args=[saved.pk]) for name in ("sql_saved", "sql_edit", "sql_delete"))
        assert "orphan" not in page(other)
        assert [other.get(shown).status_code, other.get(edit).status_code, other.post(delete).status_code] == [404] * 3
        assert "orphan" in page(admin)
        assert admin.get(shown).status_code == 200
        admin.post(edit, {"title": "found", "text": "SELECT 8"})
        assert SavedQuery.objects.get().title == "found"
        admin.post(delete)
        assert not SavedQuery.objects.exists()

    def test_ones_own_queries_come_first(self, viewer: Client) -> None:
        person("ada", "admin")
        vera, ada = User.objects.get(username="vera"), User.objects.get(username="ada")
        SavedQuery.objects.bulk_create(SavedQuery(title=f"a{n}", text="SELECT 1", owner=vera) for n in range(200))
        SavedQuery.objects.create(title="gone", text="SELECT 1", shared=True)
        for title in ("z", "y"):
            SavedQuery.objects.create(title=title, text="SELECT 1", owner=ada)
        assert [saved.title for saved in SavedQuery.seen_by(ada.pk)[:3]] == ["y", "z", "a0"]
        assert [saved.title for saved in SavedQuery.seen_by(vera.pk)][-1] == "gone"
        assert SavedQuery.seen_by(vera.pk).count() == 201


class TestLastQuestions:
    def test_they_are_ones_own_each_once_the_latest_first(self, viewer: Client) -> None:
        for text in ("SELECT 1", "SELECT nothing", "SELECT 1"):
            answer(viewer, text)
        assert [(asked.text, asked.seconds is None) for asked in AskedQuery.objects.all()] == [
            ("SELECT 1", False),
            ("SELECT nothing", True),
        ]
        last = AskedQuery.objects.all()[0]
        assert "SELECT 1" in page(viewer, "sql_asked", last.pk)
        assert person("omar", "admin").get(reverse("sql_asked", args=[last.pk])).status_code == 404

    def test_only_so_many_are_kept(self, viewer: Client) -> None:
        owner = User.objects.get()
        for number in range(REMEMBERED + 3):
            AskedQuery.remember(owner.pk, f"SELECT {number}", 0.1)
        assert AskedQuery.objects.count() == REMEMBERED
        assert not AskedQuery.objects.filter(text="SELECT 2").exists()


def test_cancelling_what_does_not_run_cancels_nothing(viewer: Client) -> None:
    assert viewer.post(reverse("sql_cancel"), {"token": TOKEN}).json() == {"cancelled": 0}
    assert viewer.post(reverse("sql_cancel"), {"token": "%"}).json() == {"cancelled": 0}


def test_the_page_asks_the_database_little_however_much_is_kept(
    viewer: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    owner = User.objects.get()
    SavedQuery.objects.bulk_create(SavedQuery(title=f"q{n}", text="SELECT 1", owner=owner) for n in range(100))
    with django_assert_max_num_queries(8):
        page(viewer)


@pytest.mark.django_db
class TestWithoutAReader:
    def test_the_page_and_the_navigation_say_so(self, settings: Settings) -> None:
        settings.READER_DATABASE_URL = ""
        client = person("vera", "viewer")
        html = page(client)
        name = reader_role.default_name(connection)
        assert f"manage.py reader create --name {name}<" in html
        assert str(connection.settings_dict["PASSWORD"] or "postgres://") not in html
        assert 'class="off"' in html
        assert "There is no reader." in answer(client, "SELECT 1")

    def test_the_command_of_the_page_creates_the_reader(
        self, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A name that the server has is passed over, or the command would fail."""
        monkeypatch.setattr(fence, "MAINTENANCE", ())  # others use the server of the tests
        settings.READER_DATABASE_URL = ""
        first = reader_role.default_name(connection)
        reader_role.create_reader(connection, first)
        html = page(person("vera", "viewer"))
        command = re.search(r'<pre id="command">(.+?)</pre>', html)
        assert command
        assert command[1].endswith(f"manage.py reader create --name {first}_2")
        out = StringIO()
        call_command(*command[1].partition("manage.py ")[2].split(), stdout=out)
        assert out.getvalue().startswith(f"READER_DATABASE_URL=postgres://{first}_2:")

    def test_a_login_that_may_not_create_others_is_named_with_the_statement_for_an_administrator(
        self, settings: Settings
    ) -> None:
        settings.READER_DATABASE_URL = ""
        client = person("vera", "viewer")
        with connection.cursor() as cursor:
            cursor.execute(
                "CREATE ROLE weak_test; GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA public TO weak_test"
            )
            cursor.execute("SET LOCAL ROLE weak_test")
            html = page(client)
            cursor.execute("RESET ROLE")
        assert f"ALTER ROLE &quot;{connection.settings_dict['USER']}&quot; CREATEROLE;" in html

    def test_a_reader_that_cannot_log_in_leaves_a_page_that_says_so(self, settings: Settings) -> None:
        settings.READER_DATABASE_URL = "postgres://nobody:secret@127.0.0.1:1/nothing"
        html = page(person("vera", "viewer"))
        assert "The reader cannot log in" in html
        assert "secret" not in html


def test_each_example_of_the_document_is_a_question_that_runs(viewer: Client) -> None:
    assert len(examples()) == 12
    for example in examples().values():
        assert example.about
        assert not re.search(r"[`\[\]]", example.about)
        assert example.text in page(viewer, "sql_example", example.slug).replace("&#x27;", "'").replace(
            "&quot;", '"'
        ).replace("&lt;", "<").replace("&gt;", ">")
        assert "notice error" not in answer(viewer, example.text)
    assert viewer.get(reverse("sql_example", args=["nowhere"])).status_code == 404
