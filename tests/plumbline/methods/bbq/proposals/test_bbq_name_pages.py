"""A curator sends tables, sees the candidates, ticks some, and lists are made that the generator of BBQ can read."""

import io
import zipfile

import pytest
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from plumbline.methods.bbq.bank.vocabulary import read_files
from plumbline.vocab.bundles import Sent
from plumbline.vocab.models import Attribute, AttributeSet, Name, NameList
from plumbline.vocab.models.recorded import EVENTS
from tests.plumbline.methods.bbq.proposals.some_bbq_tables import all_tables
from tests.plumbline.methods.bbq.proposals.test_bbq_proposing import LABELS, PUBLISHED

pytestmark = pytest.mark.django_db
TABLES, PROPOSE, FILES = (f"admin:vocab_namelist_bbq_{name}" for name in ("tables", "propose", "files"))
PICKED = ["first|Asian||Mei", "last|Asian||Lee", "first_only||F|Mary", "job|lowSES||Ushers"]


def send(client: Client, **tables: bytes) -> str:
    files = {part: SimpleUploadedFile(f"{part}.dat", data) for part, data in tables.items()}
    return client.post(reverse(TABLES), files, follow=True).content.decode()


@pytest.fixture
def curator(admin_client: Client) -> Client:
    """With all tables and the published words sent."""
    assert "births.dat" in send(admin_client, **all_tables(), published_names=PUBLISHED, published_labels=LABELS)
    return admin_client


def accepted(client: Client, picked: list[str], query: str = "") -> str:
    sent = {"pick": picked, "into": "mine", "title": "Mine"}
    return client.post(reverse(PROPOSE) + query, sent, follow=True).content.decode()


def test_the_lists_of_names_lead_to_the_page(admin_client: Client) -> None:
    assert reverse(TABLES) in admin_client.get(reverse("admin:vocab_namelist_changelist")).content.decode()
    assert reverse(TABLES) not in admin_client.get(reverse("admin:vocab_grouplist_changelist")).content.decode()


def test_candidates_are_compared_with_the_published_names_and_nothing_is_written(curator: Client) -> None:
    page = " ".join(curator.get(reverse(PROPOSE)).content.decode().split())
    assert 'value="first|Asian||Mei" aria-label="accept Mei" checked' in page
    assert "Asian: given names</bdi>: 1 of 2 published is among the 3 candidates" in page
    assert "only published: <bdi>not in the tables</bdi>" in page
    assert "accept Lin" not in page
    assert not NameList.objects.exists()


def test_the_thresholds_of_the_page_decide(curator: Client) -> None:
    form = curator.get(reverse(PROPOSE)).context["thresholds"]
    asked = {name: field.initial for name, field in form.fields.items() if field.initial is not None}
    assert "accept Lin" in curator.get(reverse(PROPOSE), asked | {"repeats": "on"}).content.decode()
    assert "accept Lin" in curator.get(reverse(PROPOSE), asked | {"asian_births_count": 100}).content.decode()
    wrong = curator.get(reverse(PROPOSE), asked | {"asian_births_share": 2}).content.decode()
    assert "less than or equal to 1" in wrong
    assert "accept Mei" not in wrong


def test_what_is_ticked_becomes_lists_with_who_accepted_it(curator: Client) -> None:
    page = accepted(curator, PICKED)
    assert all(f"Made mine-{part}: new, 1 entry." in page for part in ("given", "family", "alone", "jobs"))
    told = Name.objects.values_list("name", "group", "race", "gender", "pronoun", "frequency")
    assert {(*one[:5], float(one[5] or 0)) for one in told} == {
        ("Mei", "Asian women", "Asian", "F", "she", 0),
        ("Lee", "Asian families", "Asian", "", "", 48_000),
        ("Mary", "women", "", "F", "she", 2),
    }
    job = Attribute.objects.get()
    assert (job.text, job.category, job.note) == ("Ushers", "lowSES", "prestige 16.8")
    assert EVENTS[Name].objects.get(name="Mei").pgh_context.metadata["username"] == "admin"
    assert AttributeSet.objects.get().source.startswith("NORC prestige, by thresholds after Parrish et al. 2022")


def test_accepted_lists_are_given_as_the_generators_tables(curator: Client) -> None:
    assert reverse(FILES) + "?lists=mine" in accepted(curator, PICKED)
    archive = zipfile.ZipFile(io.BytesIO(curator.get(reverse(FILES), {"lists": "mine"}).content))
    names, labels = (Sent(name, archive.read(name)) for name in ("vocabulary_proper_names.csv", "vocabulary.csv"))
    words, notices = read_files(labels, names)
    assert [(name.text, name.part, name.ethnicity) for name in words.names] == [
        ("Mei", "first", "Asian"),
        ("Lee", "last", "Asian"),
        ("Mary", "first_only", ""),
    ]
    assert [(job.category, job.subcategory, job.code) for job in words.labels] == [("SES", "Occupation", "lowSES")]
    assert notices == []
    assert curator.get(reverse(FILES), {"lists": "other"}).status_code == 404


@pytest.mark.parametrize(
    ("picked", "told"),
    [
        (["first|Asian||Lin"], "Not all that you ticked is proposed"),
        ([], "nothing is chosen"),
        (["job|lowSES||Ushers"], "there is a list &#x27;mine-jobs&#x27; already"),
    ],
)
def test_what_cannot_be_made_is_reported(curator: Client, picked: list[str], told: str) -> None:
    AttributeSet.objects.create(slug="mine-jobs", title="Taken")
    assert told in accepted(curator, picked)
    assert not NameList.objects.exists()


def test_faulty_tables_are_reported_and_not_kept(admin_client: Client) -> None:
    page = send(admin_client, women=b"MARY 1\n", bartz=b"gender,name\nX,AMY\n")
    assert "women.dat, line 1: there are 2 cells" in page
    assert "bartz.dat, line 2: gender is &#x27;X&#x27;" in page
    assert "Choose at least one table" in send(admin_client)
    assert "No tables wait" in admin_client.get(reverse(PROPOSE), follow=True).content.decode()


def test_who_may_only_look_may_not_propose(client: Client) -> None:
    user = User.objects.create_user("viewer", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    assert [client.get(reverse(page)).status_code for page in (TABLES, PROPOSE, FILES)] == [403] * 3
    assert client.post(reverse(PROPOSE), {"pick": PICKED, "into": "mine"}).status_code == 403
