"""What the page of a run says about the run before: the comparison of both, and what only one of them asks."""

from typing import Any

from plumbline.audits.models import Comparison, Run
from plumbline.desk.changed_words import WORDS_SHOWN, changes
from plumbline.desk.lost_contrasts import lost_contrasts


def against_before(run: Run) -> dict[str, Any]:
    """Return the context of the section. Runs that asked the same items differ in no words and no contrasts."""
    found = Comparison.objects.filter(run=run).select_related("previous").first()
    if found is None or found.previous is None or not (found.only_new or found.only_previous):
        return {"comparison": found}
    both = (found.previous, run)
    return {
        "comparison": found,
        "changes": changes(*both),
        "words_shown": WORDS_SHOWN,
        "lost_contrasts": lost_contrasts(*both),
    }
