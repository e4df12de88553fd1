"""The words of a distractor: equation 1's tokenize(), and the words that are left out."""

import re

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_CLITIC = re.compile(r"(?:n['’]t|['’](?:s|m|d|re|ve|ll))$", re.IGNORECASE)

# NLTK's English list as of the paper (179 entries, after M. F. Porter's Snowball list, BSD licence) without the 26 with
# an apostrophe, which no token has. scikit-learn's list also has traits: "sincere", "serious", "interest".
_LISTED = """
a about above after again against ain all am an and any are aren as at be because been before being below between
both but by can couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn
have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m ma me
mightn more most mustn my myself needn no nor not now o of off on once only or other our ours ourselves out over own
re s same shan she should shouldn so some such t than that the their theirs them themselves then there these they
    this those through to too under until up ve very was wasn we were weren what when where which while who whom why
will with won wouldn y you your yours yourself yourselves
"""
STOP_WORDS = frozenset(_LISTED.split())


def tokens_of(text: str) -> tuple[str, ...]:
    """Return the words of a text in order, with repetitions and case.

    A word is letters and digits, with hyphens and apostrophes inside. A clitic at its end ('s, n't, 'll) is removed, as
    tokenizers of the Penn Treebank do. Punctuation is not a word; the released code counts it.
    """
    return tuple(word for token in _TOKEN.findall(text) if (word := _CLITIC.sub("", token)))


def words_of(text: str) -> frozenset[str]:
    """Return the distinct words of a text: a distractor counts once per word (An et al.

    2023, section 3.2, equation 1).
    """
    return frozenset(tokens_of(text))


def is_stop_word(word: str) -> bool:
    """Return whether a word is a stop word, in any case."""
    return word.lower() in STOP_WORDS
