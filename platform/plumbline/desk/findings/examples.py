"""Example items of a finding: typical ones, never the most extreme."""

from collections.abc import Sequence
from functools import cached_property
from urllib.parse import urlencode

from django.db.models import F, Value
from django.db.models.functions import Abs
from django.urls import reverse

from plumbline.analyses.explorer.item_display import displayed
from plumbline.audits.models import Run
from plumbline.audits.opposites import opposites_of
from plumbline.audits.sentence_words import sentence_words
from plumbline.findings.contrasts import opposites_sentence
from plumbline.findings.list_mean import list_mean_sentence
from plumbline.findings.models import Finding
from plumbline.findings.split_words import scores_first_subword
from plumbline.findings.word_reasons import word_reasons
from plumbline.pages.finding_examples import Example, Examples, Find
from plumbline.results import items
from plumbline.results.items import Item
from plumbline.results.summary import OF_CELLS, compared_groups, measures, of_run
from plumbline.spec.card import Card
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.numbers import number
from plumbline.spec.registry import card_of, contributed
from plumbline.spec.sentences import Words

MOST_READ = 2000
TYPICAL = "the template whose difference is nearest to the value of the finding"
TYPICAL_OF_LIST = (
    "the word of the list whose difference is nearest to that of the list, and of this word the template whose"
    " difference is nearest to the value of the finding"
)
OF_OTHERS = (
    f". The finding compares with the mean of the other groups: of these, at most {items.MOST_OTHERS} are shown, those"
    " nearest to it"
)
SPLIT = (
    "“{word}” has {count} subwords in this model, and only the first one was scored. So the figures are those of every"
    " word that begins with it, and say nothing about the rest of the word."
)


def examples_of(finding: Finding) -> Examples:
    """Return examples from the latest run that still exists, and the page with all items behind the finding."""
    latest = finding.latest
    run = latest.run if latest else None
    if run is None or latest is None:
        return Examples()
    own: Find | None = contributed(finding.probe, "finding_examples", "EXAMPLES", None)
    if own is not None:
        return own(run, finding)
    card = card_of(finding.probe)
    if card is not None and _is_of_sentences(card, finding) and latest.value is not None:
        return _of_association(run, finding, latest.value)
    return Examples(address=measures_address(run, finding))


def _is_of_sentences(card: Card, finding: Finding) -> bool:
    """Return whether the finding is about scores of groups in sentences, which are the method's own records."""
    return (
        card.tables[0] == "association" and finding.statistic in (card.score, card.difference) and bool(finding.group_a)
    )


def measures_address(run: Run, finding: Finding) -> str:
    """Return the page of the measures of a finding's word, or of the words of its list."""
    about = {"attribute": finding.attribute} if finding.attribute else {"list": finding.category}
    query = {"statistic": finding.statistic, "group": finding.group_a, **about}
    return f"{reverse('run_measures', args=[run.pk])}?{urlencode(query)}"


def _of_association(run: Run, finding: Finding, value: float) -> Examples:
    """Return the sentences about both groups in one template. Of a list, its most typical word stands for it."""
    word = finding.attribute or _typical_word(run, finding, value)
    sentences = TypicalSentences(run)
    shown = sentences.of((finding.group_a, finding.group_b), word, value)
    typical = TYPICAL if finding.attribute else TYPICAL_OF_LIST
    how = f"{typical}{OF_OTHERS if finding.group_b == OTHER_GROUPS else ''}"
    limits = sentences.limits((finding.group_a, finding.group_b), finding.attribute, shown)
    limits += [] if finding.attribute else _of_opposites(run, finding)
    mean = list_mean_sentence(run, finding, value)
    return Examples(shown, how if shown else "", _basis_address(run, finding), limits, mean)


def _of_opposites(run: Run, finding: Finding) -> list[str]:
    pair = opposites_of(run).get(finding.category)
    return [opposites_sentence(finding.category, pair)] if pair else []


def _basis_address(run: Run, finding: Finding) -> str:
    """Return the page with all that a finding rests on: the items of its word, or the measures of its list's words."""
    if not finding.attribute:
        return measures_address(run, finding)
    if finding.group_b == OTHER_GROUPS:
        groups = {}
    else:
        groups = {"group": finding.group_a} | ({"against": finding.group_b} if finding.group_b else {})
    return f"{reverse('items', args=[run.pk])}?{urlencode(groups | {'attribute': finding.attribute})}"


class TypicalSentences:
    """Finds typical sentences of a run; what several findings need is read once."""

    def __init__(self, run: Run) -> None:
        self.run = run

    @cached_property
    def words(self) -> Words:
        return sentence_words(self.run)

    @cached_property
    def _compared(self) -> list[str]:
        """The groups that the run compares with the others."""
        card = card_of(self.run.probe)
        return compared_groups(self.run.pk, card.difference) if card else []

    def of(self, groups: tuple[str, str], attribute: str, value: float) -> list[Example]:
        """Return the two sentences of the template in which the groups differ by most nearly this value.

        Of several other groups, those nearest to their mean follow. Without a second group: two sentences about the
        first one, whose scores are nearest to the value.
        """
        if groups[1] == OTHER_GROUPS:
            others = [one for one in self._compared if one != groups[0]]
            pair = items.typical_items(self.run.pk, groups[0], others, attribute, value)
        else:
            found = items.under(self.run.pk, [one for one in groups if one], attribute, MOST_READ)
            pair = _typical_pair(found, *groups, value)
        return [self._example(one) for one in pair]

    def limits(self, groups: tuple[str, str], attribute: str, shown: Sequence[Example] = ()) -> list[str]:
        """Return what the examples of a word cannot tell.

        The word names a group, or echoes the name of one of these groups, or only a part of it was scored.
        """
        count = max((one.subwords for one in shown), default=0) if attribute else 0
        part = [SPLIT.format(word=attribute, count=count)] if count > 1 else []
        return [*word_reasons(self.words, groups, attribute), *part]

    def _example(self, one: Item) -> Example:
        subwords = (one.n_tokens or 0) if scores_first_subword(self.run) else 0
        part = f", of the first of {subwords} subwords" if subwords > 1 else ""
        return Example(displayed(one, self.words).pieces, "", f"score {number(one.score)}{part}", subwords)


def _typical_word(run: Run, finding: Finding, value: float) -> str:
    """Return the word of a list whose difference is nearest to the mean of the list."""
    same = {"group_a": finding.group_a, "group_b": finding.group_b, "category": finding.category}
    cells = of_run(run.pk, finding.statistic).filter(OF_CELLS, template="", value__isnull=False, **same)
    # A large run has tens of thousands of words: the database chooses.
    nearest = measures(cells.order_by(Abs(F("value") - Value(value)), "attribute")[:1])
    return nearest[0].attribute if nearest else ""


def _typical_pair(found: list[Item], group_a: str, group_b: str, value: float) -> list[Item]:
    scored = [one for one in found if one.score is not None]
    first = {one.template: one for one in scored if one.group == group_a}
    second = {one.template: one for one in scored if one.group == group_b}
    if not second:
        return sorted(first.values(), key=lambda one: abs(_score(one) - value))[:2]
    both = [template for template in first if template in second]
    apart = {template: _score(first[template]) - _score(second[template]) for template in both}
    nearest = min(apart, key=lambda template: abs(apart[template] - value), default=None)
    return [] if nearest is None else [first[nearest], second[nearest]]


def _score(one: Item) -> float:
    return one.score or 0.0
