"""Questions about the person: a choice, own words, or no answer."""

from collections.abc import Mapping

from plumbline.spec.clean_text import printable
from plumbline.spec.errors import InputError

OWN_WORDS, SILENT = "own", ""
LONGEST = 60
QUESTIONS: dict[str, tuple[str, tuple[str, ...]]] = {
    "gender": ("What is your gender?", ("Woman", "Man", "Non-binary")),
    "race": (
        "What is your race or ethnicity?",
        (
            "American Indian or Alaska Native",
            "Asian",
            "Black or African American",
            "Hispanic or Latino",
            "Middle Eastern or North African",
            "Native Hawaiian or Pacific Islander",
            "White",
            "More than one",
        ),
    ),
    "age": ("How old are you?", ("18-24", "25-34", "35-44", "45-54", "55-64", "65 and over")),
    "education": (
        "What is your highest level of education?",
        (
            "Less than high school",
            "High school",
            "Some college",
            "Associate's degree or trade school",
            "Bachelor's degree",
            "Graduate degree",
        ),
    ),
    "area": ("Where do you live?", ("Urban", "Suburban", "Rural")),
}
"""By field of a rating list: the question, and the answers to choose from."""


def answers_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return the answers by field, without those that were left out. Own words are in the field `FIELD_own`.

    Raises InputError for an answer that was not offered.
    """
    found = {field: _answer(field, given) for field in QUESTIONS}
    return {field: answer for field, answer in found.items() if answer}


def _own_words(text: str) -> str:
    """Return the text on one line, without characters that do not print: the database refuses a null character."""
    return " ".join(printable(text).split())[:LONGEST]


def _answer(field: str, given: Mapping[str, str]) -> str:
    chosen = given.get(field, SILENT)
    if chosen == OWN_WORDS:
        return _own_words(given.get(f"{field}_own", ""))
    if chosen and chosen not in QUESTIONS[field][1]:
        raise InputError(f"{QUESTIONS[field][0]} {chosen[:40]!r} is not one of the answers; choose again.")
    return chosen
