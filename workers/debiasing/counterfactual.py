"""Counterfactual text: every word of a group exchanged for its counterpart of another group, on record.

Counterfactual data augmentation trains a model on a text and on its counterfactuals, so that each group appears in the
same sentences as the others (Zmigrod et al. 2019; Webster et al. 2020).
"""

from collections import Counter
from dataclasses import dataclass, field

from workers.debiasing.words import GroupWords


@dataclass
class Record:
    """How often each word was exchanged; words in lower case."""

    swapped: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By word and counterpart."""
    ambiguous: Counter[str] = field(default_factory=Counter)
    """Those among them for which the list has several counterparts: `her` stands for `his` and for `him`."""
    without_counterpart: Counter[str] = field(default_factory=Counter)
    """Words that stay because the list has no counterpart."""

    def by_word(self) -> dict[str, dict[str, int]]:
        """Return the exchanges as word -> counterpart -> count, the commonest first."""
        found: dict[str, dict[str, int]] = {}
        for (word, other), count in self.swapped.most_common():
            found.setdefault(word, {})[other] = count
        return found


def swap(text: str, words: GroupWords, record: Record, turn: int = 1) -> str:
    """Return the text in which each word names the group `turn` places after its own in the list.

    With two groups this exchanges them. Whole words only, with the capitals that they have in the text. A word that the
    list writes with a capital is a name or title: in lower case it stays as it is, because "will" is not Will.
    """

    def put(word: str) -> str:
        form = word.lower()
        if word == form and words.written[form] != form:
            return word
        group = _after(words, form, turn)
        if (other := words.counterparts[form].get(group)) is None:
            record.without_counterpart[form] += 1
            return word
        record.swapped[form, other.lower()] += 1
        if group in words.ambiguous.get(form, ()):
            record.ambiguous[form] += 1
        return words.counterpart(word, group)

    return words.replaced(text, put)


def counterfactuals(text: str, words: GroupWords, record: Record) -> list[str]:
    """Return the text with the groups exchanged in each possible turn; empty if nothing is exchanged."""
    found = (swap(text, words, record, turn) for turn in range(1, len(words.groups)))
    return [one for one in dict.fromkeys(found) if one != text]


def _after(words: GroupWords, form: str, turn: int) -> str:
    groups = words.groups
    return groups[(groups.index(words.group_of[form]) + turn) % len(groups)]
