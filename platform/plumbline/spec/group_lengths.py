"""Groups whose names differ in length, which scores of the words beside them may follow."""

from collections.abc import Sequence

from plumbline.spec.content import Group
from plumbline.spec.numbers import counted


def length_sentence(groups: Sequence[Group]) -> str:
    """Return which group has the longest name and which the shortest, or "" if all have the same number of words.

    Pairs of groups are left out: a pair is longer than its components by its making.
    """
    names = [group.plural or group.singular or group.label for group in groups if not group.components]
    if not names:
        return ""
    shortest, longest = (extreme(names, key=lambda name: len(name.split())) for extreme in (min, max))
    fewest, most = len(shortest.split()), len(longest.split())
    if fewest == most:
        return ""
    return (
        f"The names of the groups differ in length: \u201c{longest}\u201d has {counted(most, 'word')},"
        f" \u201c{shortest}\u201d {fewest}. Their scores may differ for that reason alone. To see whether they do,"
        " give each group a name of the same number of words in its list, and ask again."
    )
