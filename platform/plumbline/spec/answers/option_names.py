"""Options that a text names by their words: each is replaced by a mark that holds its place."""

import re
import unicodedata
from collections.abc import Sequence

from plumbline.spec.answers.plain_form import plain
from plumbline.spec.answers.unknown_phrases import OF_SOMEBODY, UNKNOWN_PHRASE

OPEN, CLOSE = "\ue000", "\ue001"
"""Characters for private use: `plain` texts of people do not have them, and `marked` removes any."""
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")
POSSESSIVE = re.compile(f"{MARK.pattern}(?='s\\b)")
NOBODY = "99"
"""The place of a phrase that means "not known" when no option does."""
_ARTICLE = re.compile(r"^(?:the|an?)\s+(?=\w)")
_PEOPLE = "one|person|man|woman|guy|girl|boy|lady|kid|child|student|friend|neighbou?r"
"""What stands for "one" in "the tall one"."""
_WITHOUT_SPACES = ("CJK", "HANGUL", "HIRAGANA", "KATAKANA", "THAI", "LAO", "KHMER", "MYANMAR")
_ENDS = " \n.!?:;,"


def marked(text: str, options: Sequence[str], unknown: int | None) -> str:
    """Return a plain text with a mark for each option that it names, longer options first.

    A phrase that means "not known" is the option `unknown`.
    """
    said = text.replace(OPEN, "").replace(CLOSE, "")
    said = OF_SOMEBODY.sub(f"{OPEN}{NOBODY}{CLOSE}", said)
    for place, key in sorted(_keys(options).items(), key=lambda one: -len(one[1])):
        said = _form(key).sub(f"{OPEN}{place}{CLOSE}", said)
    meant = NOBODY if unknown is None else str(unknown)
    return UNKNOWN_PHRASE.sub(f"{OPEN}{meant}{CLOSE}", said)


def _keys(options: Sequence[str]) -> dict[int, str]:
    """Return what identifies each option among the others, by place.

    Options that differ by their article alone keep it. Only a letter can name one of equal options, or an empty one.
    """
    short, whole = list(map(option_key, options)), list(map(_whole, options))
    keys = [key if short.count(key) == 1 else full for key, full in zip(short, whole, strict=True)]
    return {place: key for place, key in enumerate(keys) if key and keys.count(key) == 1}


def option_key(option: str) -> str:
    """Return what identifies an option by itself: its plain form without article and final marks."""
    return _ARTICLE.sub("", _whole(option))


def _whole(option: str) -> str:
    return " ".join(plain(option).split()).strip(_ENDS)


def _form(key: str) -> re.Pattern[str]:
    """Return the pattern of an option's text.

    Hyphens and spaces are alike, and so are "the tall one" and "the tall guy". Words are whole where spaces part them.
    """
    parts = [re.escape(word) for word in re.split(r"[\s-]+", key) if word]
    if len(parts) > 1 and parts[-1] == "one":
        parts[-1] = f"(?:{_PEOPLE})"
    words = r"[\s-]+".join(parts)
    before, after = ("" if _is_unspaced(end) else edge for end, edge in ((key[0], r"(?<!\w)"), (key[-1], r"(?!\w)")))
    return re.compile(f"{before}(?:(?:the|an?) )?{words}{after}")


def _is_unspaced(character: str) -> bool:
    return unicodedata.name(character, "").startswith(_WITHOUT_SPACES)
