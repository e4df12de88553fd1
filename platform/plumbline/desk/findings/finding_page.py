"""The page of one finding: its sentence, its life over runs, examples, and what people said and decided."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline.audits.reuse import copied_shares
from plumbline.audits.sentence_words import sentence_words
from plumbline.desk.findings.doubts import named_groups
from plumbline.desk.findings.examples import examples_of
from plumbline.desk.findings.factors import factor_of
from plumbline.desk.findings.past import past_of
from plumbline.desk.findings.rows import reviewers, with_votes
from plumbline.findings.by_method import findings_of, warnings
from plumbline.findings.concerning import to_judge
from plumbline.findings.models import Finding, Observation, State
from plumbline.findings.models.observations import COPIED
from plumbline.findings.outcomes import asked_alike, is_present
from plumbline.findings.robustness import sentence_without_one_kind
from plumbline.findings.sentences import SUM_TO_ZERO, group_name
from plumbline.findings.sign_off.baselines import signed_off
from plumbline.pages.charts.timeline import Audit, chart
from plumbline.pages.roles import viewers_only
from plumbline.spec.card import Card, Statistic
from plumbline.spec.measure import OTHER_GROUPS, Measure
from plumbline.spec.registry import card_of
from plumbline.spec.rewording import forms_told, in_shared_sentences, words_told
from plumbline.spec.verdicts import Scale

RUNS_DRAWN = 40


@require_safe
@viewers_only
@never_cache
def finding_page(request: HttpRequest, number: int) -> HttpResponse:
    known = Finding.objects.select_related("latest__run", "latest__finding", "assignee", "plan", "judged_by")
    finding = get_object_or_404(known, pk=number)
    card = card_of(finding.probe)
    statistic = card.statistic(finding.statistic) if card else None
    own = list(finding.votes.order_by("pk"))
    latest, measured = finding.latest, _measured(finding)
    finding.latest = measured or latest  # whose sentences are the examples. Nothing is saved.
    context = {
        "finding": finding,
        "latest": latest,
        "statistic": statistic,
        "smallest_factor": _smallest_factor(statistic, latest),
        "has_interval": latest is not None and latest.ci_low is not None,
        "factor": factor_of(finding, latest) if latest and is_present(latest) else None,
        "minus": _minus(finding, card),
        "unit": card.unit_of(finding.statistic) if card else "",
        "probe_title": card.title if card else finding.probe,
        "caveat": _caveat(finding),
        "without_one_kind": _without_one_kind(finding, measured, card),
        "life": (life := _life(finding)),
        "shown_before": (shown := _shown_before(life["rows"])),
        "asked_otherwise": (other := _is_asked_otherwise(shown, life["rows"])),
        "forms": _other_forms(finding, shown[0], life["rows"][0]) if other else [],
        "judged_otherwise": _judged_otherwise(finding, life["rows"]),
        "measured": measured,
        "examples": examples_of(finding),
        "warnings": _warned(finding, latest),
        "votes": own,
        "own_vote": next((one.state for one in own if one.person_id == request.user.pk), ""),
        "comments": finding.comments.order_by("pk"),
        "past": past_of(finding),
        "states": State.choices,
        "reviewers": reviewers(),
        "following": _following(finding, latest),
        "next": request.path,
    }
    return render(request, "desk/finding.html", context)


def _following(finding: Finding, latest: Observation | None) -> Finding | None:
    """Return the next finding to judge: of the same run if it has one, or of any."""
    waiting = with_votes(Finding.objects.filter(to_judge()).exclude(pk=finding.pk))
    of_run = waiting.filter(latest__run_number=latest.run_number).first() if latest else None
    return of_run or waiting.first()


def _caveat(finding: Finding) -> str:
    """Return what the finding does not say, and whether it depends on those of the other groups."""
    method, card = findings_of(finding.probe), card_of(finding.probe)
    is_difference = method.contrasts and card is not None and finding.statistic == card.difference
    return f"{method.caveat} {SUM_TO_ZERO}" if is_difference and finding.group_b == OTHER_GROUPS else method.caveat


def _warned(finding: Finding, latest: Observation | None) -> list[str]:
    """Return the warnings of the latest run that concern the finding's groups: all where the others are one side."""
    if latest is None or latest.run is None:
        return []
    return warnings(latest.run, () if finding.group_b == OTHER_GROUPS else named_groups(finding))


def _shown_before(rows: Sequence[Observation]) -> list[Observation]:
    """Return the runs before the latest one that showed the effect. `rows`: latest first."""
    return [one for one in rows[1:] if is_present(one)]


def _is_asked_otherwise(shown: Sequence[Observation], rows: Sequence[Observation]) -> bool:
    """Return whether the latest run measured the figure, but in other words than all runs that showed it."""
    return bool(shown) and rows[0].value is not None and not any(asked_alike(one, rows[0]) for one in shown)


def _other_forms(finding: Finding, before: Observation, now: Observation) -> list[str]:
    """Return in which forms two runs ask the finding's groups and its word, and which words its list lost, if other."""
    if before.run is None or now.run is None:
        return []
    old, new = in_shared_sentences(sentence_words(before.run), sentence_words(now.run))
    groups = new.others if finding.group_b == OTHER_GROUPS else (finding.group_a, finding.group_b)
    pairs = [(label, old.groups.get(label), new.groups.get(label)) for label in groups]
    told = [] if finding.attribute else words_told(old.of_list(finding.category), new.of_list(finding.category))
    pairs.append((finding.attribute, old.attributes.get(finding.attribute), new.attributes.get(finding.attribute)))
    forms = [f"{label} ({forms_told(one, other)})" for label, one, other in pairs if one and other and one != other]
    return [*forms, *told]


def _judged_otherwise(finding: Finding, rows: Sequence[Observation]) -> int:
    """Return the run that was the latest when the finding was judged, if it asked other words than the latest; or 0.

    `rows`: latest first.
    """
    if finding.judged_at is None or not finding.is_judged:
        return 0
    known = [one for one in rows if one.run and one.run.created_at <= finding.judged_at]
    return known[0].run_number if known and not asked_alike(known[0], rows[0]) else 0


def _without_one_kind(finding: Finding, measured: Observation | None, card: Card | None) -> str:
    """Return how the difference of two groups holds without any one kind of sentence, in the run that measured it."""
    if measured is None or card is None or finding.statistic != card.difference or not finding.group_b:
        return ""
    labels = {name: getattr(finding, name) for name in ("group_a", "group_b", "attribute", "category")}
    return sentence_without_one_kind(measured.run_number, labels)


def _minus(finding: Finding, card: Card | None) -> str:
    """Return which group's score is subtracted from which, as "women minus men"; "" for a figure of another kind."""
    if card is None or finding.statistic != card.difference or not finding.group_b:
        return ""
    return f"{group_name(finding.group_a)} minus {group_name(finding.group_b)}"


def _smallest_factor(statistic: Statistic | None, latest: Observation | None) -> str:
    """Return a smallest effect of natural logarithms as a factor; "" on other scales."""
    if statistic is None or statistic.scale != Scale.LOG or latest is None or latest.smallest_effect is None:
        return ""
    return f"{math.exp(latest.smallest_effect):.2f}"


def _measured(finding: Finding) -> Observation | None:
    """Return the latest observation with a value: the plan of a later run may compare other groups."""
    return finding.observations.filter(value__isnull=False).order_by("-run_number").first()


def _life(finding: Finding) -> dict[str, Any]:
    """Return the latest observations, oldest first, as a chart and as rows."""
    seen = list(finding.observations.select_related("run").order_by("-run_number")[:RUNS_DRAWN])[::-1]
    signed = signed_off(one.run_number for one in seen)
    baseline = max(signed, default=None)
    kept = [one for one in seen if one.run_id]
    others = [False, *(not asked_alike(*both) for both in pairwise(kept))]
    drawn = [
        Audit(one.run_number, _day(one), measure_of(finding, one), one.run_number == baseline, asked_otherwise=other)
        for one, other in zip(kept, others[: len(kept)], strict=True)
    ]
    for one, other in zip(kept, others, strict=False):
        one.is_asked_otherwise = other  # type: ignore[attr-defined]  # for the template
    return {
        "rows": seen[::-1],
        "signed": signed,
        "copied": copied_shares(one.run for one in seen if one.run),
        "chart": chart(drawn, 720, 160) if len(drawn) > 1 else None,
    }


def _day(one: Observation) -> str:
    return f"{one.run.created_at:%Y-%m-%d}" if one.run else f"run {one.run_number}"


def measure_of(finding: Finding, one: Observation) -> Measure:
    """Return the observation's copied figures as a measure."""
    figures = {name: getattr(one, name) for name in COPIED}
    return Measure(statistic=finding.statistic, group_a=finding.group_a, group_b=finding.group_b, **figures)
