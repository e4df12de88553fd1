"""People with known opinions answer a survey by its pages, each from an address of their own. One in ten cheats.

A change plays 80 of them, a trial 200: the least number with whole people in each share of cheaters is 40.
"""

import logging
import random
from collections import Counter
from dataclasses import dataclass

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

CHEATS = ("name_check", "word_check", "agreement", "constant")
CHEATERS_OF_A_KIND = 1 / 40
SPREAD = 2
"""The standard deviation of an honest person's rating from the known one, in points."""
ERRORS = 5
"""How many standard errors a mean may be off. With 48 means, one test in 20,000 would fail by chance."""


@dataclass
class Played:
    people: list[Player]
    honest: int
    cheaters: int
    """People of each kind."""


def opinion(group: str, place: int) -> int:
    """Between 20 and 80, so that the scale cuts nobody's deviation, and never in the middle."""
    level = 20 + (17 * GROUPS.index(group) + 31 * place) % 61
    return level if level != 50 else 51


def players(honest: int, cheaters: int) -> list[Player]:
    genders = ("Woman", "Woman", "Man", "Non-binary", "own", "")
    found = [
        Player(
            noisy(opinion, SPREAD, number),
            about={"gender": genders[number % len(genders)], "gender_own": f"code {number}"},
        )
        for number in range(honest)
    ]
    for fault in CHEATS:
        checks = (fault,) if fault.endswith("check") else ()
        for _ in range(cheaters):
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


@pytest.fixture(params=[80, pytest.param(200, marks=pytest.mark.trial)])
def played(
    request: pytest.FixtureRequest,
    survey: Survey,
    link: SurveyInvitation,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> Played:
    monkeypatch.setattr("plumbline.annotation.survey.inviting.BEGINS_PER_MINUTE", 10_000)
    caplog.set_level(logging.DEBUG)
    cheaters = round(request.param * CHEATERS_OF_A_KIND)
    honest = request.param - cheaters * len(CHEATS)
    found = players(honest, cheaters)
    for one in found:
        assert "Your answers are complete" in one.play(link)
    return Played(found, honest, cheaters)


def test_means_are_right_cheaters_are_found_and_nothing_says_who_answered(
    played: Played, survey: Survey, maker: User, caplog: pytest.LogCaptureFixture
) -> None:
    faults = Counter(fault for faults in Respondent.objects.values_list("faults", flat=True) for fault in faults)
    # A constant rater of 70 has no word on the left, and says so.
    assert faults == dict.fromkeys(CHEATS, played.cheaters)
    secrets = [one.client.cookies["survey"].value for one in played.people]
    assert len(set(secrets)) == 1, "the cookie of all who have finished is the same"

    releasing.release(survey, maker)
    judged = judgements_in("asked")
    assert len(judged.annotators) == played.honest
    known = np.array([[opinion(group, pair) for pair in range(len(PAIRS))] for group in judged.groups])
    raters = (~np.isnan(judged.values)).sum(axis=0)
    assert (np.abs(means(judged.values) - known) < ERRORS * SPREAD / np.sqrt(raters)).all()
    assert reliability(judged.values).by_group.min() > 0.95
    parts = dict(judged.parts())
    assert {"gender: Woman"} <= set(parts) <= {"gender: Woman", "gender: Man", "gender: Non-binary"}
    for members in parts.values():
        of_part = (~np.isnan(judged.values[members])).sum(axis=0)
        others = (~np.isnan(judged.values[~members])).sum(axis=0)
        assert not {1, 2, 3, 4} & {*of_part.ravel().tolist(), *others.ravel().tolist()}

    kept = all_rows() + caplog.text
    assert "203.0.113." not in kept
    assert "198.51.100." not in kept
    assert "code 1" not in kept
