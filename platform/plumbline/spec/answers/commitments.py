"""Where an answer commits itself: lines that begin with a letter or are an option, and words that announce one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.spec.answers.option_names import CLOSE, MARK, OPEN
from plumbline.spec.answers.plain_form import FINAL

_M = f"{OPEN}\\d+{CLOSE}"
_ANNOUNCED = re.compile(
    r"(?:answer|option|choice|respuesta|resposta|risposta|réponse|antwort|svar|ответ|答案|正解|答え|정답|답)"
    r"(?: (?:to (?:the|this) question|here|correcta?|correcte|corretta))?[ '\]]*"
    r"(?:is|would be|should be|must be|es|est|ist|é|è|은|는|是|:|=)+[ :]*(?=(?P<what>[^\n]*))"
    r"|\bi(?:'d|'ll| would| will)? (?:choose|pick|select|go with|say|guess|think|believe)(?: that)?"
    r"(?: (?:it(?:'s| is)|the answer is))?:? (?=(?P<own>[^\n]*))"
    r"|(?:^|[.,;] |\bso )(?:it(?:'s| is|'d be| would be)|that(?:'s| is)) (?=(?P<is>[^\n]*))",
    re.MULTILINE,
)
_LEAD = r"[^\w\n" + OPEN + r"'-]*(?:(?:the )?(?:answer|option|choice)\b[ :]*)?[(\[{<]*"
_LETTER = re.compile(
    rf"{_LEAD}(?P<letter>[a-z])(?P<after>[)\]}}>]*(?:\s*[.:,;)]+(?=\s|$|{_M})|\s+-+\s|\s*$"
    r"|(?<=[)\]}>])(?=\s)|\s+(?=(?:because|since|as|is (?:the )?(?:correct|right|best|answer))\b)))"
)
_LOOSE = re.compile(rf"{_LEAD}(?P<letter>[b-z])(?P<after>\s)(?=\w|{OPEN})")
_LIST = re.compile(
    r"^\W*(?:both |either |neither |options? )?\(?[a-z]\b\)?(?:\s*(?:,|/|&|\+|and|or|nor)+\s*\(?[a-z]\b\)?)+"
)
_NUMBERED = re.compile(r"^\W*(?:option|choice|answer)\s+(?P<number>[1-9])\b(?P<after>[.:,;)]*\s*)")
_ORDINAL = re.compile(r"^\W*(?:the )?(?P<ordinal>first|second|third|last) (?:option|choice|answer)\b")
_NEGATED = re.compile(r"^\W*(?:not|never|neither)\b")
_WHOLE = re.compile(rf"^[^\w{OPEN}]*(?:\d+[.)] )?(?P<mark>{_M})[^\w{OPEN}]*$")
_ORDINALS = {"first": 0, "second": 1, "third": 2, "last": -1}
SEVERAL = frozenset({-1, -2})
"""The places of a commitment to several options at once, or to a letter and another option's words."""


@dataclass(frozen=True, slots=True)
class Commitment:
    """The places that an answer commits itself to, where in the text, and how."""

    places: frozenset[int]
    at: int
    is_final: bool = False
    letter: int | None = None
    """The letter at the beginning of a line, as a list of options has it."""


def commitments(said: str, letters: int) -> list[Commitment]:
    """Return all commitments of a marked text in order, for questions with this number of lettered options."""
    found, at = [], 0
    for line in said.split("\n"):
        if (own := _of_line(line, letters)) is not None:
            places, letter = own
            found.append(Commitment(places, at, letter=letter))
        at += len(line) + 1
    return sorted([*found, *_announced(said, letters)], key=lambda one: one.at)


def _of_line(line: str, letters: int) -> tuple[frozenset[int], int | None] | None:
    """Return what a line begins with, or is as a whole."""
    if _LIST.match(line) and not _is_word_list(line, letters):
        return SEVERAL, None
    if (lettered := _letter(line, letters, loose=False)) is not None:
        place, rest = lettered
        return _with_words(place, rest), place
    if whole := _WHOLE.match(line):
        return frozenset({_place(whole["mark"])}), None
    return None


def _announced(said: str, letters: int) -> Iterator[Commitment]:
    for found in _ANNOUNCED.finditer(said):
        what = next(text for text in found.group("what", "own", "is") if text is not None)
        is_final = said[: found.start() + len(FINAL)].endswith(FINAL) or said[: found.start()].endswith("final ")
        places = _what(what, letters)
        # A line that begins with "Answer:" is found twice, and says the same twice.
        if places is not None:
            yield Commitment(places, found.start(), is_final)


def _what(what: str, letters: int) -> frozenset[int] | None:
    """Return what an announcement names, or None for nothing."""
    if _NEGATED.match(what):
        return None
    if _LIST.match(what) and not _is_word_list(what, letters):
        return SEVERAL
    if (lettered := _letter(what, letters, loose=True)) is not None:
        return _with_words(*lettered)
    named = re.match(rf"[^\w{OPEN}]*({_M})", what)
    if named is None:
        return None
    rest = what[named.end() :]
    another = re.match(rf"\s*(?:,|/|and|or|nor|&)+\s*({_M})", rest)
    return SEVERAL if another else frozenset({_place(named[1])})


def _letter(text: str, letters: int, *, loose: bool) -> tuple[int, str] | None:
    """Return the place of the option whose letter begins the text, and what follows."""
    found = _LETTER.match(text) or (_LOOSE.match(text) if loose else None)
    if found and (place := ord(found["letter"]) - ord("a")) < letters:
        return place, text[found.end() :]
    if numbered := _NUMBERED.match(text):
        place = int(numbered["number"]) - 1
        return (place, text[numbered.end() :]) if place < letters else None
    if ordinal := _ORDINAL.match(text):
        place = _ORDINALS[ordinal["ordinal"]] % letters
        return (place, text[ordinal.end() :]) if place < letters else None
    return None


def _with_words(place: int, rest: str) -> frozenset[int]:
    """Return the place, or several if the words after the letter are those of another option."""
    named = re.match(rf"[^\w{OPEN}]*({_M})", rest)
    return frozenset({place}) | (frozenset({_place(named[1])}) if named else frozenset())


def _is_word_list(text: str, letters: int) -> bool:
    """Return whether the letters of a list are beyond the options, as in "I and a friend"."""
    listed = _LIST.match(text)
    return listed is None or any(
        ord(one) - ord("a") >= letters for one in re.findall(r"\b[a-z]\b", listed[0].casefold())
    )


def _place(mark: str) -> int:
    found = MARK.search(mark)
    assert found is not None  # noqa: S101 -- callers match it
    return int(found[1])
