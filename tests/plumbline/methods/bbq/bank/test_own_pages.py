"""A curator sends tables of templates, sees what they make, and makes a bank of them."""

import io
import zipfile
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from plumbline.methods.bbq.bank import curated_tables
from plumbline.vocab.models import Bank
from tests.plumbline.methods.bbq.bank.some_examples import TEMPLATE, table

pytestmark = pytest.mark.django_db
OWN, PREVIEW, STARTER = "admin:vocab_bank_own", "admin:vocab_bank_own_preview", "admin:vocab_bank_own_starter"
MIRRORED = TEMPLATE | {"version": "b", "Names": "NAME1: [trainee]; NAME2: [<b>retired pilot]"}
OTHER = TEMPLATE | {"Q_id": "2", "Names": "NAME1: [grandmother, uncle]; NAME2: [cousin]"}
CODES = {"NAME1_info": "nonOld", "NAME2_info": "old"}


def bytes_of(tmp_path: Path, *rows: dict[str, str]) -> bytes:
    return table(tmp_path / "own.csv", rows).read_bytes()


def send(client: Client, *templates: bytes, **words: bytes) -> str:
    files = {"templates": [SimpleUploadedFile(f"own{n}.csv", data) for n, data in enumerate(templates, 1)]}
    told = {part: SimpleUploadedFile(f"{part}.csv", data) for part, data in words.items()}
    return client.post(reverse(OWN), {**files, **told}, follow=True).content.decode()


@pytest.fixture
def curator(admin_client: Client, tmp_path: Path) -> Client:
    """With two templates sent, in two files."""
    page = send(admin_client, bytes_of(tmp_path, TEMPLATE, MIRRORED | CODES), bytes_of(tmp_path, OTHER))
    assert "own1.csv, own2.csv" in page
    return admin_client


def test_the_list_of_banks_leads_to_the_page_and_the_page_to_tables_to_copy(admin_client: Client) -> None:
    assert reverse(OWN) in admin_client.get(reverse("admin:vocab_bank_changelist")).content.decode()
    assert reverse(STARTER) in admin_client.get(reverse(OWN)).content.decode()
    archive = zipfile.ZipFile(io.BytesIO(admin_client.get(reverse(STARTER)).content))
    assert archive.namelist() == ["templates.csv", "vocabulary.csv", "vocabulary_proper_names.csv"]


def test_the_starters_own_tables_make_the_starters_questions(admin_client: Client) -> None:
    archive = zipfile.ZipFile(io.BytesIO(admin_client.get(reverse(STARTER)).content))
    texts = [archive.read(name) for name in archive.namelist()]
    assert "528 questions" in send(admin_client, texts[0], labels=texts[1], names=texts[2])
    call_command("vocab", "starter")
    admin_client.post(reverse(PREVIEW), {"into": "copy", "title": ""})
    starter, copy = Bank.objects.get(slug="bbq-starter"), Bank.objects.get(slug="copy")
    assert starter.digest == copy.digest


def test_what_the_tables_make_is_shown_by_template_with_examples_and_nothing_is_written(curator: Client) -> None:
    page = " ".join(curator.get(reverse(PREVIEW)).content.decode().split())
    assert "16 questions" in page
    assert "<td>2</td><td>2</td><td>8</td>" in page  # template 1: two versions, a set each
    assert "<td>1</td><td>2</td><td>8</td>" in page  # template 2: two sets of one version
    assert "The trainee <b>(right)</b>" in page
    assert "<b>retired" not in page
    assert "right answers with and against the bias are not equally many in Age 2 (0:4)" in page
    assert not Bank.objects.exists()


def test_another_seed_draws_others_and_the_bank_notes_it(curator: Client) -> None:
    pages = {seed: curator.get(reverse(PREVIEW), {"seed": seed}).content for seed in ("1", "2", "3", "4")}
    assert len(set(pages.values())) > 1
    made = curator.post(reverse(PREVIEW) + "?seed=4", {"into": "mine", "title": "Mine"}, follow=True)
    assert "Made the bank mine of 16 questions." in made.content.decode()
    bank = Bank.objects.get()
    assert (bank.title, bank.entries.count()) == ("Mine", 16)
    assert bank.imported_from == "seed 4: own1.csv, own2.csv"
    assert "choose them again" in curator.get(reverse(PREVIEW), follow=True).content.decode()


def test_all_faults_are_reported_with_file_and_line(admin_client: Client, tmp_path: Path) -> None:
    faulty = [
        TEMPLATE | {"Names": "NAME1: []; NAME2: [trainee]"},
        TEMPLATE | {"Known_stereotyped_groups": "[old"},
        TEMPLATE | {"Names": "", "Known_stereotyped_groups": '["Moon"]'},
        TEMPLATE,
    ]
    names = b"Name,First_last,gender,ethnicity\nAnna,middle,F,\nBen\n"
    page = send(admin_client, bytes_of(tmp_path, *faulty), b"Q_id,Category\n1,Age\n", names=names)
    for told in (
        "own1.csv, line 2: the list of NAME1 is empty",
        "own1.csv, line 3:",
        "own1.csv, line 4: the vocabulary of Age has none of Moon",
        "own2.csv, line 1: there is no column &#x27;Ambiguous_Context&#x27;",
        "names.csv, line 2: First_last is &#x27;middle&#x27;",
        "names.csv, line 3: 1 cell under a header of 4",
    ):
        assert told in page
    assert "own1.csv, line 5" not in page
    assert "No tables wait" in admin_client.get(reverse(PREVIEW), follow=True).content.decode()


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ({"into": "taken", "title": ""}, "There is a bank of that name already"),
        ({"into": "no slug", "title": ""}, "Enter a valid"),
        ({"into": "", "title": ""}, "This field is required"),
    ],
)
def test_what_cannot_be_made_is_reported(curator: Client, sent: dict[str, str], told: str) -> None:
    Bank.objects.create(slug="taken", title="Taken", kind="bbq")
    assert told in curator.post(reverse(PREVIEW), sent, follow=True).content.decode()
    assert Bank.objects.count() == 1


def test_a_seed_that_is_none_shows_no_questions(curator: Client) -> None:
    page = curator.get(reverse(PREVIEW), {"seed": "-1"}).content.decode()
    assert "greater than or equal to 0" in page
    assert "Make the bank" not in page


def test_more_questions_than_a_page_can_wait_for_are_refused(
    admin_client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(curated_tables, "MOST_QUESTIONS", 4)
    assert "own1.csv, line 2: up to here these make more than 4 questions" in send(
        admin_client, bytes_of(tmp_path, OTHER)
    )


def test_empty_tables_and_none_at_all_are_reported(admin_client: Client, tmp_path: Path) -> None:
    assert "own1.csv holds no template" in send(admin_client, bytes_of(tmp_path, TEMPLATE | {"Ambiguous_Context": " "}))
    assert "This field is required" in send(admin_client)
    assert "A file is empty" in send(admin_client, b"")


def test_who_may_only_look_may_make_none(client: Client) -> None:
    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    assert reverse(OWN) not in client.get(reverse("admin:vocab_bank_changelist")).content.decode()
    assert [client.get(reverse(page)).status_code for page in (OWN, PREVIEW, STARTER)] == [403] * 3
    assert client.post(reverse(PREVIEW), {"into": "mine"}).status_code == 403
