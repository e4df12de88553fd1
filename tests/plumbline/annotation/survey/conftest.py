"""A survey of eight groups on four pairs, and people who answer it by its link."""

import pytest
from django.contrib.auth.models import User

from plumbline.annotation.survey import wordings
from plumbline.annotation.survey.inviting import invite
from plumbline.annotation.survey.models import Survey, SurveyInvitation, SurveyWording
from tests.plumbline.annotation.survey.players import GROUPS, PAIRS


def make_survey(slug: str = "asked", **fields: object) -> Survey:
    wordings.ensure_starter()
    settings: dict[str, object] = {
        "title": "How <society> sees groups",
        "wording": SurveyWording.objects.get(slug="american-society"),
        "groups": [{"label": label, "shown": f"{label} people"} for label in GROUPS],
        "pairs": [list(pair) for pair in PAIRS],
        "groups_each": 4,
        "repeated": 5,
        "tolerance": 20,
        "least_agreement": 0.8,
    }
    return Survey.objects.create(slug=slug, **(settings | fields))


@pytest.fixture
def survey(db: None) -> Survey:
    return make_survey()


@pytest.fixture
def link(survey: Survey) -> SurveyInvitation:
    return invite(survey, "panel", 500)


@pytest.fixture
def maker(db: None) -> User:
    return User.objects.create_user("maker")
