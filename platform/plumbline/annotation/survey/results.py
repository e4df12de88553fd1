"""What a survey has so far: counts of people, and the released ratings with their flags and reliability."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from plumbline.annotation.survey.blocks import releasable
from plumbline.annotation.survey.models import Survey, SurveyWording
from plumbline.annotation.survey.pilots import Wordings, compared
from plumbline.annotation.survey.quality import FAULTS
from plumbline.annotation.survey.releasing import waiting
from plumbline.spec.judgements import Judgements
from plumbline.vocab.distributions import Distribution, distributions, judgements_in, reliability


@dataclass(frozen=True, slots=True)
class Progress:
    """People by state. `faults` counts each reason; one person may have several."""

    begun: int
    ended: int
    counted: int
    faults: list[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class GroupResult:
    """A group in a released list: raters, split-half reliability (None: too few), mean familiarity, 0 to 4."""

    group: str
    raters: int
    reliability: float | None
    familiarity: float | None


@dataclass(frozen=True, slots=True)
class Released:
    """The released ratings of one wording. `flags` are those of every rating list."""

    wording: SurveyWording
    slug: str
    judged: Judgements
    overall: float | None
    groups: list[GroupResult]
    flags: list[str]
    waiting: int
    ready: int
    """Groups that the next release would add to."""

    @property
    def cells(self) -> list[Distribution]:
        return [one for one in distributions(self.judged) if not one.hidden]


def progress(survey: Survey) -> Progress:
    ended = list(survey.respondents.filter(ended=True).values_list("faults", flat=True))
    counts = Counter(fault for faults in ended for fault in faults)
    named = [(FAULTS[key], counts[key]) for key in FAULTS if counts[key]]
    return Progress(survey.respondents.filter(ended=False).count(), len(ended), sum(not one for one in ended), named)


def released(survey: Survey) -> list[Released]:
    return [_released(survey, wording) for wording in survey.wordings]


def _released(survey: Survey, wording: SurveyWording) -> Released:
    slug = survey.list_slug(wording)
    judged, open_answers = judgements_in(slug), waiting(survey, wording)
    told = reliability(judged.values) if judged.groups else None
    groups = [
        GroupResult(group, _raters(judged, row), _known(told.by_group[row]), _familiarity(survey, wording, group))
        for row, group in enumerate(judged.groups)
        if told
    ]
    return Released(
        wording=wording,
        slug=slug,
        judged=judged,
        overall=_known(told.overall) if told else None,
        groups=groups,
        flags=[flag.reason for flag in judged.checked().flags],
        waiting=len({one.respondent_id for one in open_answers}),
        ready=len(releasable((one.respondent_id, one.group) for one in open_answers)),
    )


def _raters(judged: Judgements, row: int) -> int:
    return int((~np.isnan(judged.values[:, row])).any(axis=1).sum())


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _familiarity(survey: Survey, wording: SurveyWording, group: str) -> float | None:
    """Return the mean familiarity of the released raters, each release weighted by its raters."""
    own = [
        one.about["groups"][group] for one in survey.releases.filter(wording=wording) if group in one.about["groups"]
    ]
    raters = sum(one["raters"] for one in own)
    return sum(one["familiarity"] * one["raters"] for one in own) / raters if raters else None


def pilot(found: list[Released]) -> Wordings | None:
    """Return the comparison of a pilot's two wordings, once both have cells with enough raters."""
    if len(found) < 2 or not all(one.judged.groups for one in found):
        return None
    return compared(found[0].judged, found[1].judged)
