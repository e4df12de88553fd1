"""The sets of words of a WEAT run, and each word's contribution."""

from plumbline.analyses.word_sets.method import Side, Word, WordSetTest, removed_of_sets, side
from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.weat.spec import WeatSpec
from plumbline.results.summary import measures, of_run
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure


def sides(run: Run, one: Measure) -> list[Side]:
    """Return both sets, from the stored association of each word."""
    rows = measures(of_run(run.pk, "word_association").order_by("pk"))
    return [
        side(
            name,
            [Word(row.group_a, row.value, row.ci_low, row.ci_high, row.reason) for row in rows if row.group_b == name],
        )
        for name in (one.group_a, one.group_b)
    ]


def removed_attributes(run: Run) -> list[tuple[str, str]]:
    """Return the attribute words without a score, or none if the spec is no longer valid."""
    try:
        spec, snapshots = frozen_spec(run)
    except InputError:
        return []
    return removed_of_sets(run.pk, spec.words(snapshots)) if isinstance(spec, WeatSpec) else []


WORD_SETS = WordSetTest(sides, removed_attributes)
