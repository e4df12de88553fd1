"""Words that name a group by their meaning, such as “firemen” for men: what they show is no stereotype by itself."""

from collections.abc import Mapping

from plumbline.spec.grammar import Word

COMPOUNDED = ("man", "men", "woman", "women")
"""The words for groups that English joins to another word without a hyphen. “Caucasians” are no kind of “Asians”."""
NO_COMPOUNDS = frozenset(
    [
        "abdomen",
        "acumen",
        "albumen",
        "bitumen",
        "cyclamen",
        "dolmen",
        "hymen",
        "lumen",
        "ramen",
        "regimen",
        "semen",
        "specimen",
        "stamen",
        "turkmen",
        "yemen",
    ]
)
"""English words that end with “men” and are no plural."""


def group_in_word(word: Word, groups: Mapping[str, Word]) -> str | None:
    """Return the group whose own word a word is, or is made of; None if there is none.

    If the word's singular and plural are known, both must be: “fireman” and “firemen” are, “human” and “humans” are
    not. Of several groups the one with the longest form is returned, so that “firewomen” name women.
    """
    named = [label for label, group in groups.items() if _names(word, group)]
    return max(named, key=lambda label: len(groups[label].plural), default=None)


def _names(word: Word, group: Word) -> bool:
    if word.plural:
        return _is_made_of(word.singular, group.singular) and _is_made_of(word.plural, group.plural)
    # Alone, a word that ends with “man” says too little: “German”.
    forms = (group.singular.casefold(), group.plural.casefold())
    return any(_is_made_of(word.singular, form, joined=form != "man") for form in forms)


def _is_made_of(own: str, form: str, *, joined: bool = True) -> bool:
    own, form = own.casefold(), form.casefold()
    if not form:
        return False
    if own == form or own.endswith((f" {form}", f"-{form}")):
        return True
    return joined and form in COMPOUNDED and own.endswith(form) and own not in NO_COMPOUNDS
