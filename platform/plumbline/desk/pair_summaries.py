"""The summary of each pair of groups on the page of a run: counts, means, and the words that lean."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.audits.opposites import opposites_of
from plumbline.findings.contrasts import alpha_of, tally_sentences
from plumbline.findings.sentences import group_name
from plumbline.results.summary import Counted
from plumbline.results.tallies import tallies

MOST_SUMMARISED = 6
"""The most pairs with a summary of their own. The table of contrasts counts the others."""


@dataclass(frozen=True, slots=True)
class PairSummary:
    """The sentences on one pair of groups."""

    contrast: Counted
    sentences: tuple[str, ...]

    @property
    def heading(self) -> str:
        """The heading of the pair, such as `Women and men`."""
        names = f"{group_name(self.contrast.group_a)} and {group_name(self.contrast.group_b)}"
        return f"{names[:1].upper()}{names[1:]}"


def pair_summaries(run: Run, difference: str, contrasts: Sequence[Counted], chosen: Counted) -> list[PairSummary]:
    """Return the summaries of the first contrasts and of the chosen one. Their number of queries is bounded."""
    first = contrasts[:MOST_SUMMARISED]
    told = [*first, *([] if chosen in first else [chosen])]
    alpha, opposites = alpha_of(run.spec), opposites_of(run)
    found = zip(told, tallies(run.pk, difference, told), strict=True)
    return [PairSummary(one, tuple(tally_sentences(run.subject, own, alpha, opposites))) for one, own in found]
