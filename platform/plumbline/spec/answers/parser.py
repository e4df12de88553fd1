"""The parser: from the text of an answer to the option that it names, or the reason why it names none.

It is careful: what names no option never becomes one, and what names two is not decided.
"""

import re
from collections.abc import Sequence

from plumbline.spec.answers.classes import AnswerClass, Parsed
from plumbline.spec.answers.commitments import Commitment, commitments
from plumbline.spec.answers.option_names import MARK, NOBODY, OPEN, POSSESSIVE, marked
from plumbline.spec.answers.plain_form import plain
from plumbline.spec.answers.reply import Reply
from plumbline.spec.answers.unknown_phrases import REFUSAL
from plumbline.spec.answers.valid_commitments import is_mislabelled, valid

VERSION = "forms 3"
"""The name of this parser in records. A change of what it returns for any text needs a new one."""
LENGTH, FILTER = "length", "content_filter"
"""Reasons why a model stopped, as endpoints name them."""
_THOUGHT = re.compile(r"<(think|thinking|reasoning|analysis)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_THINKS = re.compile(r"<(?:think|thinking|reasoning|analysis)>", re.IGNORECASE)
_THOUGHT_BEFORE = re.compile(r"^.*</(?:think|thinking|reasoning|analysis)>", re.DOTALL | re.IGNORECASE)
_OPEN_LETTER = re.compile(r"(?<![\w'\u2019])[a-z][ \t]*\Z", re.IGNORECASE)
"""A letter at the very end, which may begin a word if the text is cut off."""
_NEGATION = re.compile(r"\bnot\b|n't\b|\bno\b|\bnever\b|\bcannot\b")
_CLAUSE = re.compile(r"(?:(?!\b(?:because|since|but|so)\b)[^.!?,;\n])*")
_DENIED_AFTER = re.compile(
    r"\s*(?:(?:is|was) the (?:one|person) (?:who|that)\s+)?"
    r"(?:[a-z]+\s+)?(?:(?:is|was|are|were|does|did|do|has|have|had|can|could|would|should|will|may|might)"
    r"(?:\s+[a-z]+)?\s*(?:not\b|n't\b)|cannot\b|won't\b)"
)
LONGEST_DENIAL = 40
"""Characters before an option in which it can be denied: an answer of many sentences is then read in linear time."""
LONGEST_CLAUSE = 200
"""Characters before and after an option in which its clause is looked for, for the same reason."""
_DENIED_BEFORE = re.compile(
    r"(?:\bnot|n't|\bnever|\bneither|\bnor|\brather than|\binstead of|\bcannot be)(?:\s+(?:only|that of))?\s*$"
)
_JOINED = re.compile(rf"^\s*(?:,|/|and\b|or\b|nor\b|&|vs\b|versus\b|(?:is|are|was|were|would be)(?: both)? {OPEN})")


def parse(reply: Reply, options: Sequence[str], unknown: int | None = None, question: str = "") -> Parsed:
    """Return what a reply to a question with lettered options answers.

    `unknown` is the place of the option that means "not known"; any wording of it names that option. Where the
    `question` has a negation, an answer repeats it, and only one that has a second negation denies its option.
    """
    if reply.finish_reason == FILTER:
        return Parsed(AnswerClass.FILTERED)
    if reply.refusal.strip():
        return Parsed(AnswerClass.REFUSAL)
    if reply.finish_reason != LENGTH:
        return parse_text(reply.text, options, unknown, question)
    found = parse_text(_without_open_letter(reply.text), options, unknown, question)
    return Parsed(AnswerClass.CUT_OFF) if found.kind in (AnswerClass.UNMATCHED, AnswerClass.EMPTY) else found


def parse_text(text: str, options: Sequence[str], unknown: int | None = None, question: str = "") -> Parsed:
    """Return what a text alone answers, without the endpoint's reason why it ended."""
    answer = without_reasoning(text)
    if answer is None:
        return Parsed(AnswerClass.CUT_OFF)
    words = plain(answer)
    said = marked(words, options, unknown)
    if not re.search(rf"\w|{OPEN}", said):
        return Parsed(AnswerClass.EMPTY)
    found = commitments(said, len(options))
    if not any(one.is_final for one in found) and is_mislabelled(said, len(options)):
        return Parsed(AnswerClass.SEVERAL)
    committed = valid(found, said)
    if committed is not None:
        return _decided(committed)
    if REFUSAL.search(re.split(r"[.!?\n](?:\s|$)", words, maxsplit=1)[0]):
        return Parsed(AnswerClass.REFUSAL)
    asked = plain(question)
    if not asked.startswith("whose"):
        said = POSSESSIVE.sub("", said)
    return _of_mentions(said, unknown, is_negated=bool(_NEGATION.search(asked)))


def without_reasoning(text: str) -> str | None:
    """Return the text after the model's reasoning, or None if the reasoning never ends."""
    rest = _THOUGHT_BEFORE.sub("", _THOUGHT.sub("", text))
    return None if _THINKS.search(rest) else rest


def _without_open_letter(text: str) -> str:
    """Return a text that was cut off without a letter at its end. A letter stays if nothing else is said."""
    shorter = _OPEN_LETTER.sub("", text)
    return shorter if re.search(r"\w", without_reasoning(shorter) or "") else text


def _decided(found: Sequence[Commitment]) -> Parsed:
    places = frozenset[int]().union(*(one.places for one in found))
    if not places:
        return Parsed(AnswerClass.SEVERAL)
    (place, *others) = sorted(places)
    if others:
        return Parsed(AnswerClass.SEVERAL)
    return Parsed(AnswerClass.UNMATCHED) if place == int(NOBODY) else Parsed.option(place)


def _of_mentions(said: str, unknown: int | None, *, is_negated: bool) -> Parsed:
    """Return what a text without commitment answers, from the options that its sentences name."""
    mentions = [(int(found[1]), found) for found in MARK.finditer(said)]
    refused = [_is_denied(said, found) and (not is_negated or _is_negated_twice(said, found)) for _, found in mentions]
    named = [one for one, is_refused in zip(mentions, refused, strict=True) if not is_refused]
    denied = {place for (place, _), is_refused in zip(mentions, refused, strict=True) if is_refused}
    if denied & {place for place, _ in named}:
        return Parsed(AnswerClass.SEVERAL)
    places = {place for place, _ in named}
    if len(places) > 1 and not _leads(said, named[0][1], places, unknown):
        return Parsed(AnswerClass.SEVERAL)
    if not named and len(denied) > 1:
        return Parsed(AnswerClass.SEVERAL)
    if not named or named[0][0] == int(NOBODY):
        return Parsed(AnswerClass.UNMATCHED)
    return Parsed.option(named[0][0])


def _is_denied(said: str, found: re.Match[str]) -> bool:
    before = said[max(0, found.start() - LONGEST_DENIAL) : found.start()]
    return bool(_DENIED_BEFORE.search(before) or _DENIED_AFTER.match(said, found.end()))


def _is_negated_twice(said: str, found: re.Match[str]) -> bool:
    """Return whether the clause around an option has two negations."""
    first, last = max(0, found.start() - LONGEST_CLAUSE), found.end() + LONGEST_CLAUSE
    begin = max(first, *(said.rfind(end, first, found.start()) + 1 for end in ".!?,;\n"))
    clause = _CLAUSE.match(said, begin, last)
    return clause is not None and len(_NEGATION.findall(clause[0])) > 1


def _leads(said: str, first: re.Match[str], places: set[int], unknown: int | None) -> bool:
    """Return whether the answer begins with an option, and names others only to explain itself.

    One that calls a person "not known" says two things. One that begins with "not known" may name the people.
    """
    if re.search(r"\w", said[: first.start()]) or _JOINED.match(said[first.end() :]):
        return False
    return int(first[1]) == unknown or (unknown not in places and int(NOBODY) not in places)
