"""What the page of a run says about the run before: the comparison of both, and what only one of them asks."""

from typing import Any

from plumbline.audits.models import Comparison, Run
from plumbline.desk.changed_words import WORDS_SHOWN, Change, changes
from plumbline.desk.findings.outcome_counts import added_groups_of_new, outcome_counts
from plumbline.desk.lost_contrasts import changed_others, lost_contrasts, other_lists
from plumbline.findings.identity import fingerprint_of
from plumbline.results.summary import corrected_tests
from plumbline.spec.registry import card_of


def against_before(run: Run) -> dict[str, Any]:
    """Return the context of the section. Runs of one method and the same items differ in no words and no contrasts."""
    found = Comparison.objects.filter(run=run).select_related("previous").first()
    if found is None or found.previous is None:
        return {"comparison": found}
    context = {"comparison": found, "outcomes": outcome_counts(run)}
    both = (found.previous, run)
    if not (found.only_new or found.only_previous) and len(set(map(fingerprint_of, both))) == 1:
        return context
    changed = changes(*both)
    return {
        **context,
        "changes": changed,
        "words_shown": WORDS_SHOWN,
        "lost_contrasts": lost_contrasts(*both),
        "changed_others": changed_others(*both),
        "other_lists": other_lists(*both),
        "tests": _numbers_of_tests(*both),
        "new_about": added_groups_of_new(run, _added_groups(changed)),
    }


def _numbers_of_tests(*runs: Run) -> list[int]:
    """Return how many differences each run tested, or nothing if the runs tested equally many."""
    card = card_of(runs[0].probe)
    found = [corrected_tests(run.pk, card.difference) for run in runs] if card and card.difference else []
    return found if len(set(found)) > 1 else []


def _added_groups(changed: list[Change]) -> tuple[str, ...]:
    return next((one.appeared for one in changed if one.part == "groups"), ())
