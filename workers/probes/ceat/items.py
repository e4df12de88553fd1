"""The content of each record of a CEAT run of groups, by which records of earlier runs are found."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Attribute, Group
from workers.probes.ceat.occurrences import Term, term_of
from workers.probes.protocol import Contents

_WORD = re.compile(r"\w+")


def contents_of(
    groups: Sequence[Group], attributes: Sequence[Attribute], pairs: Sequence[Pair], corpus: str
) -> Contents | None:
    """Return the contents, or None if an attribute has the name of a pair, because their records look alike."""
    texts = [one.text for one in attributes]
    if set(texts) & {pair.name for pair in pairs}:
        return None
    terms = [*map(term_of, groups), *(Term(text, (text,)) for text in texts)]
    words: dict[str, Any] = {text: overlapping_forms((text,), terms) for text in texts}
    ends = {pair.name: [(texts[end], words[texts[end]]) for end in (pair.left, pair.right)] for pair in pairs}
    of_groups = {
        group.label: (term_of(group).forms, overlapping_forms(term_of(group).forms, terms)) for group in groups
    }
    return Contents({"group": of_groups, "attribute": words | ends}, rest=corpus)


def overlapping_forms(forms: Sequence[str], terms: Sequence[Term]) -> list[str]:
    """Return forms of other terms that share a word with these; at one place of a text only the longest is found."""
    own = _words(forms)
    return sorted({form for term in terms for form in term.forms if form not in forms and own & _words([form])})


def _words(forms: Sequence[str]) -> set[str]:
    return {word.lower() for form in forms for word in _WORD.findall(form)}


def labels_of(label: str, attributes: Sequence[Attribute], pairs: Sequence[Pair]) -> pl.DataFrame:
    """Return the items of one group with each attribute, then with each pair."""
    others = [*(one.text for one in attributes), *(pair.name for pair in pairs)]
    return pl.DataFrame({"group": [label] * len(others), "attribute": others})


def chosen(
    items: Mapping[str, Any], attributes: Sequence[Attribute], pairs: Sequence[Pair]
) -> tuple[list[str], list[Pair]]:
    """Return the attributes and pairs of a shard: all, or those of the items that are still missing."""
    wanted = items.get("others")
    texts = [one.text for one in attributes if wanted is None or one.text in wanted]
    return texts, [pair for pair in pairs if wanted is None or pair.name in wanted]
