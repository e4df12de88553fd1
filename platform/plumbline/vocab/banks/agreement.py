"""The plural of a finite verb behind "they"."""

from plumbline.vocab.banks.closed_words import ADVERBS, FUNCTION_WORDS, IRREGULAR


def plural(verb: str) -> str:
    """As it stands behind "they": "was" gives "were", "tries" "try"; what has no ending of the third person stays.

    The verb is in lower case. "" for a word that is no finite verb, so that nothing can be told.
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
    """One that is alike behind "she" and behind "they"."""
    return word in {"did", "had", "could", "should", "would", "will", "do", "have", "are", "were"}


def is_adverb(word: str) -> bool:
    """One that may stand between a subject and its verb."""
    return word in ADVERBS or (word.endswith("ly") and word not in {"reply", "rely", "apply", "supply", "fly"})
