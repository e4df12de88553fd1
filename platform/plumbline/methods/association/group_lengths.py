"""Groups whose names differ in length, which scores of the words beside them may follow."""

from collections.abc import Collection, Sequence

from plumbline.audits.freezing import frozen_groups
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.spec.content import Group
from plumbline.spec.numbers import counted


def group_length_warnings(run: Run, among: Collection[str] = ()) -> list[str]:
    """Return a warning if the names of a finished run's groups have different numbers of words.

    `among`: look at the groups of these labels only. Who looks at a live run must not wait for its words: a worker may
    hold them.
    """
    found = frozen_groups(run) if run.state == RunState.DONE else None
    groups = [one for one in found[1] if not among or one.label in among] if found else []
    sentence = length_sentence(groups)
    return [sentence] if sentence else []


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
