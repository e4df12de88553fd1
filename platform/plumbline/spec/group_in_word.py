"""Words that name a group by their meaning, such as “firemen” for men: what they show is no stereotype by itself."""

from collections.abc import Mapping

from plumbline.spec.grammar import Word


def group_in_word(word: Word, groups: Mapping[str, Word]) -> str | None:
    """Return the group whose forms a word is or ends with, in the singular and in the plural; None if there is none.

    Both forms must do so: “fireman” and “firemen” end like “man” and “men”, “specimen” and “specimens” do not. Of
    several groups the one with the longest form is returned, so that “firewomen” name women.
    """
    named = [label for label, group in groups.items() if _names(word, group)]
    return max(named, key=lambda label: len(groups[label].plural), default=None)


def _names(word: Word, group: Word) -> bool:
    pairs = ((word.singular, group.singular), (word.plural, group.plural))
    return all(form and own.casefold().endswith(form.casefold()) for own, form in pairs)
