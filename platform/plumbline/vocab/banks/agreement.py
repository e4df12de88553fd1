"""The plural of a finite verb behind "they"."""

from plumbline.vocab.banks.closed_words import ADVERBS, FUNCTION_WORDS, IRREGULAR


def plural(verb: str) -> str:
    """Return the form of a finite verb behind "they": "was" gives "were", "tries" gives "try".

    The verb is in lower case. A verb without the ending of the third person stays. "" for a word that is no finite
    verb.
    """
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb in FUNCTION_WORDS and not is_auxiliary(verb):
        return ""
    if not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return verb[:-1] if len(verb) == len("dies") else verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1]


def is_auxiliary(word: str) -> bool:
    """Return whether the word is an auxiliary with one form behind "she" and behind "they"."""
    return word in {"did", "had", "could", "should", "would", "will", "do", "have", "are", "were"}


def is_adverb(word: str) -> bool:
    """Return whether the word may come between a subject and its verb."""
    return word in ADVERBS or (word.endswith("ly") and word not in {"reply", "rely", "apply", "supply", "fly"})
