"""Two hundred people with known opinions answer a survey by its pages, each from an address of their own."""

import logging
import random
from collections import Counter

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from plumbline.annotation.survey import releasing
from plumbline.annotation.survey.models import Respondent, Survey, SurveyInvitation
from plumbline.spec.judgements import means
from plumbline.vocab.distributions import judgements_in, reliability
from tests.plumbline.annotation.survey.players import GROUPS, PAIRS, Player, noisy

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]

HONEST = 180
CHEATERS = {"name_check": 5, "word_check": 5, "agreement": 5, "constant": 5}


def opinion(group: str, place: int) -> int:
    """Between 20 and 80, so that the scale cuts nobody's deviation, and never in the middle."""
    level = 20 + (17 * GROUPS.index(group) + 31 * place) % 61
    return level if level != 50 else 51


def players() -> list[Player]:
    genders = ("Woman", "Man", "Non-binary", "own", "")
    found = [
        Player(noisy(opinion, 2, number), about={"gender": genders[number % 5], "gender_own": f"code {number}"})
        for number in range(HONEST)
    ]
    for fault, people in CHEATERS.items():
        checks = (fault,) if fault.endswith("check") else ()
        for _ in range(people):
            view = (lambda group, place: 70) if fault == "constant" else opinion
            found.append(Player(view, inattentive=checks, restless=fault == "agreement"))
    random.Random(1).shuffle(found)  # noqa: S311
    for number, one in enumerate(found):
        one.client = Client(REMOTE_ADDR=address(number), HTTP_X_FORWARDED_FOR=f"198.51.100.{number}")
    return found


def address(number: int) -> str:
    return f"203.0.113.{number}"


def all_rows() -> str:
    """Everything that the database holds, in every table of every schema of ours."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT schemaname, tablename FROM pg_tables WHERE schemaname IN ('public', 'results')")
        tables = [f'"{schema}"."{name}"' for schema, name in cursor.fetchall()]
        texts = []
        for table in tables:
            cursor.execute(f"SELECT string_agg(one::text, ' ') FROM {table} one")  # noqa: S608
            texts.append(cursor.fetchone()[0] or "")
    return " ".join(texts)


@pytest.fixture
def played(
    survey: Survey, link: SurveyInvitation, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> list[Player]:
    monkeypatch.setattr("plumbline.annotation.survey.inviting.BEGINS_PER_MINUTE", 10_000)
    caplog.set_level(logging.DEBUG)
    found = players()
    for one in found:
        assert "Your answers are complete" in one.play(link)
    return found


def test_means_are_right_cheaters_are_found_and_nothing_says_who_answered(
    played: list[Player], survey: Survey, maker: User, caplog: pytest.LogCaptureFixture
) -> None:
    faults = Counter(fault for faults in Respondent.objects.values_list("faults", flat=True) for fault in faults)
    assert {name: faults[name] for name in ("name_check", "agreement", "constant")} == {
        name: CHEATERS[name] for name in ("name_check", "agreement", "constant")
    }
    # A constant rater of 70 has no word on the left, and says so.
    assert faults["word_check"] == CHEATERS["word_check"]
    secrets = [one.client.cookies["survey"].value for one in played]
    assert set(secrets) == {"done"}

    releasing.release(survey, maker)
    judged = judgements_in("asked")
    assert len(judged.annotators) == HONEST
    known = np.array([[opinion(group, pair) for pair in range(len(PAIRS))] for group in judged.groups])
    assert np.abs(means(judged.values) - known).max() < 1
    assert reliability(judged.values).by_group.min() > 0.95
    parts = dict(judged.parts())
    assert set(parts) <= {"gender: Woman", "gender: Man", "gender: Non-binary"}
    for members in parts.values():
        of_part = (~np.isnan(judged.values[members])).sum(axis=0)
        others = (~np.isnan(judged.values[~members])).sum(axis=0)
        assert not {1, 2, 3, 4} & {*of_part.ravel().tolist(), *others.ravel().tolist()}

    kept = all_rows() + caplog.text
    assert "203.0.113." not in kept
    assert "198.51.100." not in kept
    assert "code 1" not in kept
