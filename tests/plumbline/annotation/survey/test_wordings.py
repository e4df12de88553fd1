"""Starter wordings: new installations get today's, and an edited wording is never replaced."""

from pathlib import Path

import pytest
import yaml

from plumbline.annotation.survey import wordings
from plumbline.annotation.survey.models import SurveyWording

pytestmark = pytest.mark.django_db
TEXTS = {"consent": "Do you agree?", "instruction": "Move sliders.", "familiarity": "{group}?", "question": "{group}!"}


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A starter file with one wording, which an earlier release had as TEXTS."""
    texts = {**TEXTS, "consent": "You may refuse.", "earlier": [wordings.digest(TEXTS)]}
    starter = tmp_path / "wordings.yaml"
    starter.write_text(yaml.safe_dump({"plain": texts}))
    monkeypatch.setattr(wordings, "STARTER", starter)


def versions() -> list[tuple[int, str]]:
    return list(SurveyWording.objects.order_by("version").values_list("version", "consent"))


def test_a_new_installation_gets_todays_wording_once(offered: None) -> None:
    wordings.ensure_starter()
    wordings.ensure_starter()
    assert versions() == [(1, "You may refuse.")]


def test_an_unchanged_wording_of_an_earlier_release_gets_the_next_version(offered: None) -> None:
    SurveyWording.objects.create(slug="plain", version=1, **TEXTS)
    wordings.ensure_starter()
    wordings.ensure_starter()
    assert versions() == [(1, "Do you agree?"), (2, "You may refuse.")]


def test_an_edited_wording_stays_the_latest(offered: None) -> None:
    SurveyWording.objects.create(slug="plain", version=1, **TEXTS)
    wordings.save_version("plain", TEXTS | {"consent": "Our own text."}, None)
    wordings.ensure_starter()
    assert versions() == [(1, "Do you agree?"), (2, "Our own text.")]


def test_the_starter_file_names_no_text_that_it_offers_as_an_earlier_one() -> None:
    wordings.ensure_starter()
    before = SurveyWording.objects.count()
    wordings.ensure_starter()
    assert SurveyWording.objects.count() == before == 2
