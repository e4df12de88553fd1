"""Sentences about measures that their method has no sentence for: those that a person pinned."""

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.findings.sentences import group_name
from plumbline.spec.card import Card
from plumbline.spec.registry import card_of


def plain_sentence(run: Run, finding: Finding) -> str:
    """Return what was measured, without a verdict: `Difference of women and men with “warm” on MODEL.`"""
    groups = " and ".join(group_name(one) for one in (finding.group_a, finding.group_b) if one)
    parts = [
        _title(finding),
        f"of {groups}" if groups else "",
        f"with \u201c{finding.attribute}\u201d" if finding.attribute else "",
        f"in {finding.category}" if finding.category else "",
        f"({finding.condition})" if finding.condition else "",
        f"in the template \u201c{finding.template}\u201d" if finding.template else "",
        f"on {run.subject}",
    ]
    return f"{' '.join(filter(None, parts))}."


def _title(finding: Finding) -> str:
    card = card_of(finding.probe)
    statistic = card.statistic(finding.statistic) if card else None
    title = (statistic.title if statistic else None) or _of_a_contrast(card).get(finding.statistic)
    spoken = title or finding.statistic.replace("_", " ")
    return spoken[:1].upper() + spoken[1:]


def _of_a_contrast(card: Card | None) -> dict[str, str]:
    """Return the titles of scores of groups and of their differences, for the methods that have both."""
    if card is None or card.statistic(f"{card.difference}_centred") is None:
        return {}
    return {card.score: "Score", card.difference: "Difference"}
