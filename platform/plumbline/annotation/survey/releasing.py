"""Releases: answers that count become ratings in fixed steps, and are deleted here.

A released group got at least five new raters, so that neither a list nor the difference of two shows fewer.
"""

import secrets
from collections.abc import Mapping
from statistics import median
from typing import Any

from django.db import transaction
from django.utils import timezone

from plumbline.annotation.survey.answering import delete_unfinished
from plumbline.annotation.survey.blocks import Profile, profiles, releasable
from plumbline.annotation.survey.models import GroupAnswer, Respondent, Survey, SurveyRelease, SurveyWording
from plumbline.spec.errors import InputError
from plumbline.spec.judgements import LEAST_RATERS
from plumbline.vocab.kinds import kind_named
from plumbline.vocab.locking import lock
from plumbline.vocab.models import Rating, RatingList
from plumbline.vocab.replacing import compare, write

NOTHING = f"no group has {LEAST_RATERS} new raters whose answers count, so there is nothing to release yet."


def waiting(survey: Survey, wording: SurveyWording) -> list[GroupAnswer]:
    """Return the answers that count and are not released."""
    own = GroupAnswer.objects.filter(respondent__survey=survey, respondent__wording=wording, respondent__ended=True)
    return [one for one in own.select_related("respondent").order_by("pk") if one.ratings and not one.respondent.faults]


@transaction.atomic
def release(survey: Survey, maker: Any) -> list[SurveyRelease]:
    """Release what can be released. Raises InputError if that is nothing."""
    Survey.objects.select_for_update().get(pk=survey.pk)
    delete_unfinished(survey)
    made = [one for one in (_release(survey, wording, maker) for wording in survey.wordings) if one]
    if not made:
        raise InputError(NOTHING)
    return made


def _release(survey: Survey, wording: SurveyWording, maker: Any) -> SurveyRelease | None:
    answers = waiting(survey, wording)
    raters = releasable((one.respondent, one.group) for one in answers)
    chosen = [one for one in answers if one.group in raters]
    if not chosen:
        return None
    published = profiles(raters, {one.respondent: one.respondent.demographics for one in chosen})
    number = survey.releases.count() + 1
    _add(survey, wording, _entries(survey, chosen, published, number))
    made = SurveyRelease.objects.create(
        survey=survey,
        wording=wording,
        number=number,
        made_on=timezone.now().date(),
        made_by=maker,
        about=_about(chosen),
    )
    GroupAnswer.objects.filter(pk__in=[one.pk for one in chosen]).delete()
    _forget(survey, wording)
    return made


def _entries(
    survey: Survey, chosen: list[GroupAnswer], published: Mapping[Respondent, Profile], number: int
) -> list[Rating]:
    """Return the ratings under codes that are new in each release and say nothing of the order of answering."""
    people = list(published)
    secrets.SystemRandom().shuffle(people)
    codes = {person: f"{number}-{place:04}" for place, person in enumerate(people, start=1)}
    ordered = sorted(chosen, key=lambda one: (list(survey.names).index(one.group), codes[one.respondent]))
    return [
        Rating(
            annotator=codes[one.respondent],
            group=one.group,
            left=left,
            right=right,
            rating=rating,
            **dict(published[one.respondent]),
        )
        for one in ordered
        for (left, right), rating in zip(survey.pairs, one.ratings, strict=True)
    ]


def _add(survey: Survey, wording: SurveyWording, entries: list[Rating]) -> None:
    """Append the ratings to the survey's list, which is created if it is missing."""
    kind, slug = kind_named("ratings"), survey.list_slug(wording)
    lock(kind, slug=slug)
    present = RatingList.objects.filter(slug=slug).first()
    about = (
        {} if present else {"title": survey.title, "source": f"Survey {survey.slug}", "description": _asked(wording)}
    )
    write(compare(kind, slug, about, [*(present.rows() if present else ()), *entries]))


def _asked(wording: SurveyWording) -> str:
    return f'Asked as "{wording.question}" (wording {wording}).'


def _about(chosen: list[GroupAnswer]) -> dict[str, Any]:
    groups: dict[str, list[GroupAnswer]] = {}
    for one in chosen:
        groups.setdefault(one.group, []).append(one)
    return {
        "people": len({one.respondent_id for one in chosen}),
        "ratings": sum(len(one.ratings) for one in chosen),
        "groups": {label: _of_group(own) for label, own in groups.items()},
    }


def _of_group(own: list[GroupAnswer]) -> dict[str, Any]:
    """Return counts and means over at least five people."""
    familiarity = sum(one.familiarity for one in own) / len(own)
    return {"raters": len(own), "familiarity": familiarity, "seconds": median(one.seconds for one in own)}


def _forget(survey: Survey, wording: SurveyWording) -> None:
    """Delete answers that will never be released, and what people without waiting answers said about themselves."""
    ended = survey.respondents.filter(wording=wording, ended=True)
    GroupAnswer.objects.filter(respondent__in=ended.exclude(faults=[])).delete()
    GroupAnswer.objects.filter(respondent__in=ended, ratings=[]).delete()
    ended.filter(answers=None).update(demographics={}, order=[], seed=0, checks={}, agreement=None)
