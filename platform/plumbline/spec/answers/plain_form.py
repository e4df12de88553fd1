"""The plain form of answers and options: what differs only in case, marks or spaces becomes equal."""

import re
import unicodedata

_ALIKE = str.maketrans({**dict.fromkeys("’‘‛`´ʼ＇", "'"), **dict.fromkeys("‐‑‒–—―−", "-")})
_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe0e\ufe0f\ufeff]")
_QUOTES = re.compile(r"[\"“”„«»‹›「」『』]|(?<!\w)'|'(?!\w)")
_MARKDOWN = re.compile(r"\*+|(?<!\w)_+|_+(?!\w)|~~|^\s*(?:#{1,6}|>)+\s*", re.MULTILINE)
_BOXED = re.compile(r"\\(?:boxed|fbox)\s*\{(.*?)\}(?=[^}]|$)", re.DOTALL)
_COMMAND = re.compile(r"\\(?:text|textbf|mathbf|mathrm|textit)\s*\{(.*?)\}", re.DOTALL)
_TAGGED = re.compile(r"<answer>(.*?)</answer>", re.DOTALL)
_SPACES = re.compile(r"[^\S\n]+")
_CANNOT = re.compile(r"\b(?:can't|cant|can not)\b")
FINAL = "final answer:"
"""The words that announce an answer beyond doubt. Boxes and tags are written so."""


def plain(text: str) -> str:
    """Return the text in lower case, without marks of emphasis and quotation, with one kind of space and line end."""
    said = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text.translate(_ALIKE)).translate(_ALIKE)).casefold()
    said = _TAGGED.sub(rf"\n{FINAL} \1\n", _BOXED.sub(rf"\n{FINAL} \1\n", _COMMAND.sub(r"\1", said)))
    said = _MARKDOWN.sub("", _QUOTES.sub("", said)).replace("$", "")
    lines = (_SPACES.sub(" ", line).strip() for line in said.splitlines())
    return _CANNOT.sub("cannot", "\n".join(line for line in lines if line))
