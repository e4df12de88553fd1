"""Where an answer commits itself: lines that begin with a letter or are an option, and words that announce one."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from plumbline.spec.answers.option_names import CLOSE, MARK, OPEN
from plumbline.spec.answers.plain_form import FINAL

_M = f"{OPEN}\\d+{CLOSE}"
_ANNOUNCED = re.compile(
    r"(?<!incorrect )(?<!wrong )"
    r"(?:answer|option|choice|respuesta|resposta|risposta|réponse|antwort|svar|ответ|答案|正解|答え|정답|답)"
    r"(?: (?:to (?:the|this) question|here|correcta?|correcte|corretta))?[ '\]]*"
    r"(?:is|would be|should be|must be|es|est|ist|é|è|은|는|是|:|=)+[ :]*(?=(?P<what>[^\n]*))"
    r"|\bi(?:'d|'ll| would| will)? (?:choose|pick|select|go with|say|guess|think|believe)(?: that)?"
    r"(?: (?:it(?:'s| is)|the answer is))?:? (?=(?P<own>[^\n]*))"
    r"|\boption (?=(?P<option>[a-z] is (?:the )?(?:correct|right|best)\b[^\n]*))"
    r"|\b(?:choos|pick|select)(?:e|ing)? (?:option|answer) (?=(?P<pick>[^\n]*))"
    r"|(?:^|[.,;] |\bso )(?:it(?:'s| is|'d be| would be)|that(?:'s| is)) (?=(?P<is>[^\n]*))",
    re.MULTILINE,
)
_LEAD = r"[^\w\n" + OPEN + r"'-]*(?:(?:the )?(?:answer|option|choice|sentence|statement)\b[ :]*)?[(\[{<]*"
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
_LABEL = re.compile(r"^\W*a: (?:the |my )?(?:\w+ )?answer (?:is|would be)\b")
"""A line whose "A:" is short for "Answer:"."""
_ADVERB = re.compile(r"^(?:(?:most|very) )?(?:likely|probably|clearly|definitely|certainly|obviously|actually) ")
_REJECTED = re.compile(
    r"\s*(?:is|was)(?:(?: not|n't) (?:the (?:one|person|answer|correct|right|best|only)\b|(?:correct|right)\b)"
    r"| (?:incorrect|wrong|false)\b)"
)
_MERGED = re.compile(rf"\s*(?:(?:is|are|was|were|would be)\s+)?(?:both\s+)?({_M})|[ ,;]*(?:[a-z][.):]\s*)({_M})")
_PREDICATE = re.compile(rf"[^.!?\n{OPEN}]*\b(?:is|are|was) ({_M})")
_OTHER_LETTER = re.compile(r"[^\w\n]*(?P<letter>[a-z])[.):]")
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
    """Return all commitments of a marked text in order, for questions with this number of lettered options.

    One without places names an option and rejects it at once.
    """
    found, at = [], 0
    for line in said.split("\n"):
        if not _LABEL.match(line) and (own := _of_line(line, letters)) is not None:
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
    if beyond := _LETTER.match(line):
        named = re.match(rf"[^\w{OPEN}]*({_M})", line[beyond.end() :])
        return (frozenset({_place(named[1])}), None) if named else None
    if whole := _WHOLE.match(line):
        return frozenset({_place(whole["mark"])}), None
    return None


def _announced(said: str, letters: int) -> Iterator[Commitment]:
    for found in _ANNOUNCED.finditer(said):
        what = next(text for text in found.group("what", "own", "option", "pick", "is") if text is not None)
        is_final = said.endswith(FINAL, 0, found.start() + len(FINAL)) or said.endswith("final ", 0, found.start())
        places = _what(what, letters)
        # A line that begins with "Answer:" is found twice, and says the same twice.
        if places is not None:
            yield Commitment(places, found.start(), is_final)


def _what(what: str, letters: int) -> frozenset[int] | None:
    """Return what an announcement names, or None for nothing."""
    if _NEGATED.match(what):
        return None
    what = _ADVERB.sub("", what)
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
    """Return the place, or several if another letter or the words of another option follow.

    Empty if the words after the letter are rejected at once, as in "A. Ann is not the one".
    """
    other = _OTHER_LETTER.match(rest)
    if other and other["letter"] != chr(ord("a") + place):
        return SEVERAL
    named = re.match(rf"[^\w{OPEN}]*(?:(?:which|that) is )?({_M})", rest)
    if named is None:
        said_of_it = _PREDICATE.match(rest)
        return SEVERAL if said_of_it and _place(said_of_it[1]) != place else frozenset({place})
    words, after = _place(named[1]), rest[named.end() :]
    merged = _MERGED.match(after)
    if merged and _place(merged[1] or merged[2]) != words:
        return SEVERAL
    return frozenset() if _REJECTED.match(after) else frozenset({place, words})


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
