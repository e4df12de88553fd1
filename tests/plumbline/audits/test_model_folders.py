"""The folders of models that pages may name, and those that the form of a new model offers."""

from pathlib import Path
from urllib.parse import quote

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from plumbline.audits import model_folders

pytestmark = pytest.mark.django_db
ADD = reverse("admin:audits_modelunderaudit_add")


@pytest.fixture
def auditor(client: Client) -> Client:
    person = User.objects.create_user("auditor", is_staff=True)
    person.groups.add(Group.objects.get(name="auditor"))
    client.force_login(person)
    return client


@pytest.fixture
def root(tmp_path: Path, settings: Settings) -> Path:
    """The one folder of MODEL_ROOTS: a model, one of an organisation, a folder without one, and a model too deep."""
    root = tmp_path / "models"
    for name in ("bert", "org/<i>small & kind", "a/b/c/d"):
        (root / name).mkdir(parents=True)
        (root / name / "config.json").write_text("{}")
    (root / "empty").mkdir()
    (tmp_path / "beside").mkdir()
    (tmp_path / "beside/config.json").write_text("{}")
    (root / "out").symlink_to(tmp_path / "beside")
    settings.MODEL_ROOTS = [str(root)]
    return root


def test_the_folders_with_a_model_are_found_by_name(root: Path) -> None:
    assert model_folders.found() == [root / "bert", root / "org/<i>small & kind"]


def test_a_root_that_is_a_model_is_one(root: Path, settings: Settings) -> None:
    settings.MODEL_ROOTS = [str(root / "bert")]
    assert model_folders.found() == [root / "bert"]


@pytest.mark.parametrize("roots", [[], ["/nowhere"]])
def test_without_a_readable_root_nothing_is_found(roots: list[str], settings: Settings) -> None:
    settings.MODEL_ROOTS = roots
    assert model_folders.found() == []


def test_of_very_many_folders_only_the_first_are_looked_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_folders, "MOST_SHOWN", 1)
    assert model_folders.found() == [root / "bert"]
    monkeypatch.setattr(model_folders, "MOST_VISITED", 2)
    assert model_folders.found() == []


def test_the_form_of_a_new_model_offers_each_and_takes_it_by_one_click(root: Path, auditor: Client) -> None:
    page = auditor.get(ADD).content.decode()
    link = f"?reference={quote(f'path:{root}/org/<i>small & kind', safe='')}"
    assert f'<a class="underline" href="{link}"><bdi>org/&lt;i&gt;small &amp; kind</bdi></a>' in page
    filled = auditor.get(f"{ADD}{link}").content.decode()
    assert f'value="path:{root}/org/&lt;i&gt;small &amp; kind"' in filled


def test_the_form_says_where_a_model_is_put_if_there_is_none(
    tmp_path: Path, settings: Settings, auditor: Client
) -> None:
    settings.MODEL_ROOTS = [str(tmp_path)]
    assert f"No model lies there yet: copy its folder into {tmp_path}" in auditor.get(ADD).content.decode()
