"""Groups whose names differ in length, which scores of the words beside them may follow."""

from collections.abc import Collection

from plumbline.audits.freezing import frozen_groups
from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.spec.group_lengths import length_sentence


def group_length_warnings(run: Run, among: Collection[str] = ()) -> list[str]:
    """Return a warning if the names of a finished run's groups have different numbers of words.

    `among`: look at the groups of these labels only. Who looks at a live run must not wait for its words: a worker may
    hold them.
    """
    found = frozen_groups(run) if run.state == RunState.DONE else None
    groups = [one for one in found[1] if not among or one.label in among] if found else []
    sentence = length_sentence(groups)
    return [sentence] if sentence else []
