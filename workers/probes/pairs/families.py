"""Families of pairs. Pairs that share a text, or a family in their bank, are no independent observations."""

from collections.abc import Sequence

from plumbline.methods.pairs.content import SentencePair


def families(items: Sequence[SentencePair]) -> list[int]:
    """Return the number of each item's family. Items that share a text or a family name are joined."""
    root = list(range(len(items)))

    def find(place: int) -> int:
        while root[place] != place:
            root[place] = root[root[place]]
            place = root[place]
        return place

    seen: dict[tuple[str, str], int] = {}
    for place, item in enumerate(items):
        named = [("family", item.family)] if item.family else []
        for key in [("text", item.more), ("text", item.less), *named]:
            root[find(place)] = find(seen.setdefault(key, place))
    return [find(place) for place in range(len(items))]
