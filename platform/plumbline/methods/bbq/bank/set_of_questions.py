"""Sets of four questions from a template and two people."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.methods.bbq.bank import flags
from plumbline.methods.bbq.bank.draws import Draws
from plumbline.methods.bbq.bank.lines import UNKNOWN
from plumbline.methods.bbq.bank.people import Pair, Person, fills_of
from plumbline.methods.bbq.bank.slot_filling import filled, mended, slots_of
from plumbline.methods.bbq.bank.targets import difference, target_of
from plumbline.methods.bbq.bank.templates import Template
from plumbline.methods.bbq.bank.word_list_cells import Words, lists_of
from plumbline.spec.banks.bbq_question import AMBIG, DISAMBIG, NEGATIVE, NON_NEGATIVE, OPTIONS

SWAPPED = {
    "ff34f6fbc187498974341e1b9e64f6b3fd7564068e4f5dd69092cb0fe9b65067": "Physical_appearance 6b",
    "d4351852baee0f053834a511b20790b070962869108966988603a0b581aa1d98": "Physical_appearance 10b",
}
"""Published rows whose answer columns contradict their context, by the digest of their text."""
PEOPLE = ("NAME", "GEN", "OCC")
"""Slots that identify one of the two people. WORD1 and WORD2 identify neither."""
STATUS_CATEGORIES = ("SES", "Race_x_SES", "Race_x_gender")
"""Categories with names, whose results are not separated by them."""


def filler_words(row: Template, draws: Draws) -> dict[str, str]:
    """Return one word for each slot of lexical diversity. Raises ValueError for faulty lists."""
    return {slot: draws.one(words) for slot, words in words_of(row).items()}


def words_of(row: Template) -> dict[str, Words]:
    return lists_of(row.words) if row.words.strip() else {}


def texts_of(row: Template, fills: Mapping[str, str]) -> dict[str, str]:
    """Return the filled columns. Raises KeyError for a slot that nothing fills."""
    ambiguous = filled(row.ambiguous, fills).strip()
    return {
        AMBIG: ambiguous,
        DISAMBIG: f"{ambiguous} {filled(row.disambiguating, fills).strip()}".strip(),
        NEGATIVE: filled(row.negative, fills),
        NON_NEGATIVE: filled(row.non_negative, fills),
        "negative answer": filled(row.answer_negative, fills),
        "non-negative answer": filled(row.answer_non_negative, fills),
    }


def named_in(answer: str, pair: Pair) -> Person:
    """Return which of the two an answer's template names, by its slots. Raises ValueError unless it is one of them."""
    places = {slot[-1] for slot in slots_of(answer) if slot[:-1] in PEOPLE and slot[-1] in ("1", "2")}
    if len(places) != 1:
        raise ValueError(f"the answer {answer!r} must name one of two people, by NAME1 or NAME2")
    return pair[int(places.pop()) - 1]


def set_of(row: Template, pair: Pair, words: Mapping[str, str], draws: Draws) -> Iterator[dict[str, Any]]:
    """Return four questions in the published order, without id and number. Raises KeyError and ValueError as above."""
    texts = texts_of(row, {**fills_of(pair), **words})
    answering = named_in(row.answer_negative, pair), named_in(row.answer_non_negative, pair)
    if answering[0] == answering[1]:
        raise ValueError("both answers name the same person; one must answer the negative question, one the other")
    nobody = draws.unknown()
    order = draws.order()
    options = _ordered((texts["negative answer"], texts["non-negative answer"], nobody), order)
    named = [mended(person.label, vowel=False) for person in answering]
    labels = _ordered((named[0], named[1], nobody), order)
    codes = _ordered((answering[0].code, answering[1].code, UNKNOWN), order)
    target = target_of(labels, codes, row.stereotyped, row.second)
    about = _template_fields(row) | {
        "options": options,
        "labels": labels,
        "codes": codes,
        "unknown": order[2],
        "target": target,
        "differs": difference(codes, target, "gender" if row.second in ("M", "F") else "SES") if row.second else "",
    }
    for polarity, right in ((NEGATIVE, order[0]), (NON_NEGATIVE, order[1])):
        for condition, gold in ((AMBIG, order[2]), (DISAMBIG, right)):
            asked = {"polarity": polarity, "condition": condition, "gold": gold}
            shown = {"context": texts[condition], "question": texts[polarity]}
            yield about | asked | shown | {"flags": _flags(row, condition, (*shown.values(), *options))}


def _ordered(three: tuple[str, str, str], order: list[int]) -> tuple[str, str, str]:
    """Return each option at its place."""
    found = [""] * OPTIONS
    for place, text in zip(order, three, strict=True):
        found[place] = text
    return found[0], found[1], found[2]


def _template_fields(row: Template) -> dict[str, Any]:
    return {
        "category": row.category,
        "template": row.number,
        "version": row.version,
        "groups": row.stereotyped,
        "value": row.value,
        "label_type": "name" if row.proper and row.category not in STATUS_CATEGORIES else "label",
        "subcategory": row.subcategory,
        "source": row.notes,
        "base_rate": row.base_rate,
    }


def _flags(row: Template, condition: str, texts: tuple[str, ...]) -> tuple[str, ...]:
    swapped = condition == DISAMBIG and digest_of(row) in SWAPPED
    return (*((flags.WRONG_GOLD,) if swapped else ()), *flags.in_text(texts))


def digest_of(row: Template) -> str:
    """Return the digest of a row's disambiguating context and of both answers."""
    told = "\n".join((row.disambiguating, row.answer_negative, row.answer_non_negative))
    return hashlib.sha256(told.encode()).hexdigest()
