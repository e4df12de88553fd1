"""What a page of the survey shows, by step."""

from collections.abc import Callable, Mapping
from typing import Any

from plumbline.annotation.survey import plans
from plumbline.annotation.survey.answering import FAMILIARITY, HIGHEST, LOWEST, place_of, rated, repetition
from plumbline.annotation.survey.demographics import LONGEST, OWN_WORDS, QUESTIONS
from plumbline.annotation.survey.models import Respondent, Survey, SurveyWording
from plumbline.annotation.survey.plans import Place, Step
from plumbline.annotation.survey.quality import MIDDLE, NONE, offered
from plumbline.annotation.survey.wordings import SLOT

Given = Mapping[str, str]
Context = dict[str, Any]


def page_of(person: Respondent, given: Given) -> Context:
    """Return the context of the person's present page, filled with what was given in vain."""
    place, pages = place_of(person), plans.places(len(person.order))
    context = {
        "survey": person.survey,
        "wording": person.wording,
        "place": place.step.value,
        "step": person.step,
        "pages": len(pages),
        "given": given,
    }
    return context | DISPLAYS[place.step](person, place, given)


def _instruction(_person: Respondent, _place: Place, _given: Given) -> Context:
    return {"heading": "Before you begin"}


def _group(person: Respondent, place: Place, given: Given) -> Context:
    number = place.group or 0
    name = person.survey.names[person.order[number]]
    pairs = person.survey.pairs
    familiarity = [(str(value), label, given.get("familiarity") == str(value)) for value, label in _familiarity()]
    return {
        "heading": name[:1].upper() + name[1:],
        "number": number + 1,
        "groups": len(person.order),
        "familiarity_question": person.wording.familiarity.replace(SLOT, name),
        "question": person.wording.question.replace(SLOT, name),
        "familiarity": familiarity,
        "sliders": _sliders(person, plans.pair_order(person.seed, len(pairs)), given),
    }


def _familiarity() -> list[tuple[int, str]]:
    """Return the answers by value. The one that leaves the group out stands last, so that nobody chooses it first."""
    first, *others = enumerate(FAMILIARITY)
    return [*others, first]


def _sliders(person: Respondent, places: list[int], given: Given) -> list[Context]:
    """Return the sliders. One that nobody moved yet has no value: its middle is not an answer."""
    pairs = person.survey.pairs
    return [
        {
            "name": f"pair{place}",
            "left": pairs[place][0],
            "right": pairs[place][1],
            "value": given.get(f"pair{place}") or MIDDLE,
            "moved": bool(given.get(f"pair{place}")),
            "least": LOWEST,
            "most": HIGHEST,
        }
        for place in places
    ]


def _name_check(person: Respondent, place: Place, given: Given) -> Context:
    label, names = person.order[place.group or 0], person.survey.names
    options = plans.name_options(person.seed, label, list(names))
    return {
        "heading": "Which group did you just see?",
        "options": [(one, names[one], given.get("name") == one) for one in options],
    }


def _word_check(person: Respondent, place: Place, given: Given) -> Context:
    label = person.order[place.group or 0]
    ratings = rated(person)[label]
    sides = [
        (side, [*offered(ratings, person.survey.pairs, right=right, seed=person.seed), NONE], given.get(side))
        for side, right in (("left", False), ("right", True))
    ]
    return {"heading": f"Your sliders for {person.survey.names[label]}", "sides": sides, "none": NONE}


def _repeat(person: Respondent, _place: Place, given: Given) -> Context:
    label, places = repetition(person)
    name = person.survey.names[label]
    return {
        "heading": f"Once more: {name}",
        "question": person.wording.question.replace(SLOT, name),
        "sliders": _sliders(person, places, given),
    }


def _about_you(_person: Respondent, _place: Place, given: Given) -> Context:
    questions = [
        (
            field,
            asked,
            [(option, given.get(field) == option) for option in options],
            given.get(field) == OWN_WORDS,
            given.get(f"{field}_own", ""),
        )
        for field, (asked, options) in QUESTIONS.items()
    ]
    return {"heading": "About you", "questions": questions, "own_words": OWN_WORDS, "longest": LONGEST}


DISPLAYS: dict[Step, Callable[[Respondent, Place, Given], Context]] = {
    Step.INSTRUCTION: _instruction,
    Step.GROUP: _group,
    Step.NAME_CHECK: _name_check,
    Step.WORD_CHECK: _word_check,
    Step.REPEAT: _repeat,
    Step.ABOUT_YOU: _about_you,
}


PREVIEWED = ("consent", "instruction", "group", "about_you")
"""The pages that can be shown without answers."""


def preview_of(survey: Survey, wording: SurveyWording, page: str) -> Context:
    """Return the context of a page of somebody who has not answered anything."""
    person = Respondent(survey=survey, wording=wording, seed=0, order=list(survey.names)[: survey.groups_each])
    if page == "consent":
        return {"survey": survey, "place": page}
    person.step = [place.step.value for place in plans.places(len(person.order))].index(page)
    return page_of(person, {})
