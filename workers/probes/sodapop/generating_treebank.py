"""Word tokenization of the released code: NLTK's `word_tokenize`, by its rules of the Penn Treebank.

Here sentences end at every full stop, question or exclamation mark before white space; NLTK's trained model (Punkt)
also knows abbreviations. The rules for quotation marks other than ASCII's are left out.
"""

import re

_SENTENCE_END = re.compile(r"(?<=[.?!])\s+")
_OPENING = (
    (re.compile(r'^"'), "`` "),
    (re.compile(r'([ (\[{<])("|\'{2})'), r"\1 `` "),
)
_PUNCTUATION = (
    (re.compile(r"([^.])(\.)([\])}>\"' ]*)\s*$"), r"\1 \2 \3 "),
    (re.compile(r"([:,])(?!\d)"), r" \1 "),
    (re.compile(r"\.{2,}|[;@#$%&?!*\[\](){}<>]|--"), r" \g<0> "),
    (re.compile(r"([^'])' "), r"\1 ' "),
)
_CLOSING = (
    (re.compile(r"''|\""), " '' "),
    (re.compile(r"([^' ])('[sSmMdD]|'ll|'LL|'re|'RE|'ve|'VE|n't|N'T) "), r"\1 \2 "),
)
_RUN_TOGETHER = re.compile(r"(?i)\b(?:(can)(not)|(gim)(me)|(gon)(na)|(got)(ta)|(lem)(me)|(wan)(na))\b")


def released_words(text: str) -> list[str]:
    """Return the words and punctuation marks in order: "Bethany doesn't." is Bethany, does, n't and a full stop."""
    return [word for sentence in _SENTENCE_END.split(text) for word in _words(sentence)]


def _words(sentence: str) -> list[str]:
    for pattern, with_spaces in (*_OPENING, *_PUNCTUATION):
        sentence = pattern.sub(with_spaces, sentence)
    sentence = f" {sentence} "
    for pattern, with_spaces in _CLOSING:
        sentence = pattern.sub(with_spaces, sentence)
    return _RUN_TOGETHER.sub(lambda found: " ".join(filter(None, found.groups())), sentence).split()
