"""One person's way through a survey: begun, saved page by page, continued, deleted or ended."""

import hashlib
import random
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from plumbline.annotation.survey import plans
from plumbline.annotation.survey.demographics import answers_of
from plumbline.annotation.survey.inviting import give_back, take_place
from plumbline.annotation.survey.models import GroupAnswer, Respondent, Survey, SurveyInvitation, SurveyWording
from plumbline.annotation.survey.plans import Place, Step
from plumbline.annotation.survey.quality import NONE, faults_of, leans, self_agreement
from plumbline.spec.errors import InputError

FAMILIARITY = ("I do not know this group", "Not familiar", "A little familiar", "Familiar", "Very familiar")
LOWEST, HIGHEST = 0, 100
LONGEST_SECONDS = 3600
KEPT_UNFINISHED = timedelta(days=30)
"""How long answers that nobody finished are kept."""


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def begin(invitation: SurveyInvitation) -> str:
    """Begin for a person who agreed. Return the secret of the browser's cookie.

    Raises InputError if the link has no place left at this moment.
    """
    if not take_place(invitation):
        raise InputError("nobody can begin at this moment. Please try again in a minute.")
    survey = Survey.objects.select_for_update().get(pk=invitation.survey_id)
    dice = random.SystemRandom()
    wording = _wording(survey, dice)
    shown = _shown(survey, wording)
    order = plans.draw(shown, survey.groups_each, dice)
    survey.shown[str(wording.pk)] = plans.counted(shown, order)
    survey.save(update_fields=["shown"])
    secret = secrets.token_urlsafe(24)
    Respondent.objects.create(
        survey=survey,
        invitation=invitation,
        wording=wording,
        secret=digest(secret),
        started_on=timezone.now().date(),
        seed=secrets.randbits(62),
        order=order,
    )
    return secret


def _shown(survey: Survey, wording: SurveyWording) -> dict[str, list[int]]:
    known = survey.shown.get(str(wording.pk), {})
    return {label: known.get(label, [0] * survey.groups_each) for label in survey.names}


def _wording(survey: Survey, dice: random.Random) -> SurveyWording:
    """Return the wording that fewer people were shown; a pilot has two."""
    loads = {one: sum(map(sum, _shown(survey, one).values())) for one in survey.wordings}
    least = min(loads.values())
    return dice.choice([one for one, load in loads.items() if load == least])


def respondent_of(invitation: SurveyInvitation, secret: str) -> Respondent | None:
    """Return the person whose browser has this secret and who has not finished."""
    found = Respondent.objects.select_related("survey", "wording")
    return found.filter(invitation=invitation, secret=digest(secret), ended=False).first() if secret else None


def place_of(person: Respondent) -> Place:
    return plans.places(len(person.order))[person.step]


def rated(person: Respondent) -> dict[str, list[int]]:
    """Return the person's ratings by group, in the order shown, without groups that the person does not know."""
    given = dict(person.answers.values_list("group", "ratings"))
    return {label: given[label] for label in person.order if given.get(label)}


@transaction.atomic
def save(person: Respondent, step: int, given: Mapping[str, str], seconds: int) -> bool:
    """Save the answers of a page and go to the next one. Return whether the person has finished.

    A page that was saved before is skipped, so that a second click does no harm. Raises InputError for missing or
    impossible answers.
    """
    held = Respondent.objects.select_for_update().select_related("survey").get(pk=person.pk)
    if held.step != step or held.ended:
        return held.ended
    SAVERS[place_of(held).step](held, given, seconds)
    _advance(held)
    held.save()
    return held.ended


def _advance(person: Respondent) -> None:
    last = len(plans.places(len(person.order)))
    person.step += 1
    while person.step < last and not _applies(person, place_of(person)):
        person.step += 1
    if person.step == last:
        _end(person)


def _applies(person: Respondent, place: Place) -> bool:
    """Return whether there is something to ask: groups that the person does not know have no ratings."""
    if place.step is Step.WORD_CHECK:
        return person.order[place.group or 0] in rated(person)
    return bool(rated(person)) if place.step is Step.REPEAT else True


def _end(person: Respondent) -> None:
    """Judge the answers, and forget the browser and the link: a link may be known to be for one person."""
    person.ended, person.secret, person.invitation = True, None, None
    own = list(rated(person).values())
    times = [
        (seconds, len(ratings)) for seconds, ratings in person.answers.values_list("seconds", "ratings") if ratings
    ]
    person.faults = faults_of(person.checks, person.agreement, own, person.survey.least_agreement, times)


@transaction.atomic
def withdraw(person: Respondent) -> None:
    """Delete everything that an unfinished person answered, and free the place."""
    held = Respondent.objects.select_for_update().filter(pk=person.pk, ended=False).first()
    if held and held.invitation_id:
        held.delete()
        give_back(held.invitation_id)


@transaction.atomic
def delete_unfinished(survey: Survey) -> None:
    """Delete answers that nobody finished in KEPT_UNFINISHED, and free their places."""
    old = survey.respondents.filter(ended=False, started_on__lt=timezone.now().date() - KEPT_UNFINISHED)
    for invitation, places in old.values_list("invitation").annotate(Count("pk")).order_by():
        give_back(invitation, places)
    old.delete()


def _instruction(_person: Respondent, _given: Mapping[str, str], _seconds: int) -> None:
    pass


def _group(person: Respondent, given: Mapping[str, str], seconds: int) -> None:
    label = person.order[place_of(person).group or 0]
    familiarity = _number(given, "familiarity", 0, len(FAMILIARITY) - 1, "how familiar you are with the group")
    ratings = _ratings(given, range(len(person.survey.pairs)), person.survey.pairs) if familiarity else []
    GroupAnswer.objects.create(
        respondent=person,
        group=label,
        familiarity=familiarity,
        ratings=ratings,
        seconds=max(0, min(seconds, LONGEST_SECONDS)),
    )


def _ratings(given: Mapping[str, str], places: Sequence[int], pairs: Sequence[Any]) -> list[int]:
    return [_number(given, f"pair{place}", LOWEST, HIGHEST, " – ".join(pairs[place])) for place in places]


def _number(given: Mapping[str, str], field: str, least: int, most: int, what: str) -> int:
    text = given.get(field, "")
    if not (text.isascii() and text.isdecimal() and len(text) < 4 and least <= int(text) <= most):
        raise InputError(f"There is no answer yet: {what}.")
    return int(text)


def _name_check(person: Respondent, given: Mapping[str, str], _seconds: int) -> None:
    if given.get("name", "") not in person.survey.names:
        raise InputError("There is no answer yet: which group was it?")
    person.checks[Step.NAME_CHECK.value] = given["name"] == person.order[place_of(person).group or 0]


def _word_check(person: Respondent, given: Mapping[str, str], _seconds: int) -> None:
    pairs, ratings = person.survey.pairs, rated(person)[person.order[place_of(person).group or 0]]
    for side, number in (("left", 0), ("right", 1)):
        if given.get(side, "") not in {NONE, *(pair[number] for pair in pairs)}:
            raise InputError("There is no answer yet: choose a word of each side.")
    sides = [leans(ratings, pairs, given[side], right=right) for side, right in (("left", False), ("right", True))]
    person.checks[Step.WORD_CHECK.value] = all(sides)


def repetition(person: Respondent) -> tuple[str, list[int]]:
    """Return the group and the indexes of the pairs that the person rates again."""
    label = plans.repeated_group(person.seed, list(rated(person)))
    survey = person.survey
    return label or "", plans.repeated_pairs(person.seed, len(survey.pairs), survey.repeated)


def _repeat(person: Respondent, given: Mapping[str, str], _seconds: int) -> None:
    label, places = repetition(person)
    first = [rated(person)[label][place] for place in places]
    person.agreement = self_agreement(first, _ratings(given, places, person.survey.pairs), person.survey.tolerance)


def _about_you(person: Respondent, given: Mapping[str, str], _seconds: int) -> None:
    person.demographics = answers_of(given)


SAVERS = {
    Step.INSTRUCTION: _instruction,
    Step.GROUP: _group,
    Step.NAME_CHECK: _name_check,
    Step.WORD_CHECK: _word_check,
    Step.REPEAT: _repeat,
    Step.ABOUT_YOU: _about_you,
}
