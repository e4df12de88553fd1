"""Pronouns of the third person made gender-neutral: she and he become they, with the verb that belongs to them.

Only pronouns that the words around them decide are changed. Others do not change and are flagged:

- `him` becomes them, `himself` and `herself` themselves, `hers` theirs;
- `his` becomes their, at the end of a clause or before a function word theirs;
- `her` becomes them at the end of a clause or before a function word ("told her that"); otherwise their, unless it may
  be the first of two objects ("gave her twenty dollars", "made her laugh"): then it is left;
- `she` and `he` become they, and the next word, adverbs passed over, its plural (`agreement.plural`). Before a comma,
  before a word that is no verb, and behind a form of be they are left;
- a further verb of the same subject ("she woke up and was late") is not changed, but flagged.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from plumbline.vocab.banks.agreement import is_adverb, plural
from plumbline.vocab.banks.closed_words import FUNCTION_WORDS, IRREGULAR, OWNED, PREPOSITIONS, TWO_OBJECTS, UNSURE

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
FEMININE = frozenset({"she", "her", "hers", "herself", "she's", "she'd", "she'll"})
MASCULINE = frozenset({"he", "him", "his", "himself", "he's", "he'd", "he'll"})
GENDERED = FEMININE | MASCULINE
ALWAYS = {
    "him": "them",
    "hers": "theirs",
    "himself": "themselves",
    "herself": "themselves",
    **dict.fromkeys(("she'd", "he'd"), "they'd"),
    **dict.fromkeys(("she'll", "he'll"), "they'll"),
}
ENDS = tuple(".;:!?,)")
"""Characters that end a clause behind a word."""
IS, HAS = frozenset({"a", "an", "the", "not", "so", "very", "too", "going"}), frozenset({"been", "got", "had"})
_SENTENCE_END = re.compile(r"[.!?;]")
_COORDINATORS = frozenset({"and", "but", "or", "then"})


def _plain(word: str) -> str:
    return word.lower().replace("’", "'")


@dataclass(slots=True)
class _Text:
    """A text as words and the gaps between them: gaps[i] precedes words[i], and the last gap follows all."""

    words: list[str]
    gaps: list[str]
    lower: list[str] = field(init=False)
    """The words in lower case with straight apostrophes."""

    def __post_init__(self) -> None:
        self.lower = [_plain(word) for word in self.words]

    def before(self, place: int) -> str:
        """Return the word before, or "" if a clause ends in between."""
        return self.lower[place - 1] if place > 0 and self.gaps[place].isspace() else ""

    def behind(self, place: int) -> str:
        """Return the next word, "." if a clause or the text ends before it, "" for anything else."""
        gap = self.gaps[place + 1]
        if place + 1 < len(self.words) and gap.isspace():
            return self.lower[place + 1]
        return "." if not gap.strip() or gap.startswith(ENDS) else ""

    def put(self, place: int, word: str) -> None:
        """Put another word in this place, with the capital of the old one."""
        old = self.words[place]
        self.words[place] = word[0].upper() + word[1:] if old[0].isupper() else word
        self.lower[place] = _plain(word)

    def __str__(self) -> str:
        pairs = zip(self.gaps, [*self.words, ""], strict=True)
        return "".join(gap + word for gap, word in pairs)


def neutral(text: str) -> tuple[str, list[str]]:
    """Return the text with those gendered pronouns replaced whose role is clear, and flags for the others.

    A second pass changes nothing more.
    """
    parts = _Text(_WORD.findall(text), _WORD.split(text))
    flags: list[str] = []
    for place, word in enumerate(parts.lower):
        if word in ("she", "he", "she's", "he's"):
            flags += _subject(parts, place)
        elif word in GENDERED:
            new = _object_or_possessive(parts, place)
            flags += [] if new else [f"pronoun left: {word}"]
            if new:
                parts.put(place, new)
    return str(parts), flags


def pronouns_of(text: str) -> set[str]:
    """Return the gendered pronouns in a text, in lower case."""
    return {word for word in map(_plain, _WORD.findall(text)) if word in GENDERED}


def _object_or_possessive(parts: _Text, place: int) -> str:
    """Return the neutral form; "" if the role is unclear."""
    word, before, behind = parts.lower[place], parts.before(place), parts.behind(place)
    if word in ALWAYS:
        return ALWAYS[word]
    if not behind:
        return ""
    ends = behind == "." or behind in FUNCTION_WORDS
    if word == "his":
        return "theirs" if ends else "their"
    return "them" if ends else _her(before, behind)


def _her(before: str, behind: str) -> str:
    if behind.removesuffix("'s") in OWNED or behind.endswith("'s"):
        return "their"
    if before in PREPOSITIONS and behind not in UNSURE:
        return "their"
    risky = before in TWO_OBJECTS or behind in UNSURE or behind.endswith(("ly", "ing"))
    return "" if risky else "their"


def _subject(parts: _Text, place: int) -> list[str]:
    """Change she or he and the verb. Return the flags."""
    word, left = parts.lower[place], [f"pronoun left: {parts.lower[place]}"]
    if word.endswith("'s"):
        new = _contracted(parts.behind(place))
        if not new:
            return left
        parts.put(place, new)
        return list(_coordinated(parts, place))
    if parts.before(place) in ("does", "doesn't"):
        parts.put(place - 1, IRREGULAR[parts.before(place)])
        parts.put(place, "they")
        return []
    if parts.before(place) in IRREGULAR:
        return left
    verb = _verb(parts, place)
    if verb is None:
        plain = parts.behind(place) == "and" or (parts.behind(place) == "." and "," not in parts.gaps[place + 1])
        if plain:
            parts.put(place, "they")
        return [] if plain else left
    new = plural(parts.lower[verb])
    changed = new != parts.lower[verb]
    parts.put(place, "they")
    if changed:
        parts.put(verb, new)
    return list(_coordinated(parts, verb, also_plain=changed))


def _contracted(behind: str) -> str:
    if behind in IS or behind.endswith("ing"):
        return "they're"
    return "they've" if behind in HAS else ""


def _verb(parts: _Text, place: int) -> int | None:
    """Return the place of the finite verb behind the subject, after any adverbs."""
    while word := parts.behind(place):
        if word == ".":
            return None
        place += 1
        if not is_adverb(word):
            return place if plural(word) else None
    return None


def _coordinated(parts: _Text, verb: int, also_plain: bool = False) -> Iterator[str]:
    """Yield a flag for each further verb of the same sentence and subject that is still singular."""
    for place in range(verb + 1, len(parts.words)):
        if _SENTENCE_END.search(parts.gaps[place]):
            return
        joined = parts.before(place) in _COORDINATORS or _joined_over_adverb(parts.lower, place)
        word = parts.lower[place]
        if joined and (word in IRREGULAR or (also_plain and plural(word) not in ("", word))):
            yield f"agreement: {word}"


def _joined_over_adverb(words: Sequence[str], place: int) -> bool:
    return place > 1 and is_adverb(words[place - 1]) and words[place - 2] in _COORDINATORS
