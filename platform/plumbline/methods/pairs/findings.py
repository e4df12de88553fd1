"""Findings of a run of pairs: what could not be scored, then each score, or GEST's stereotype rate."""

import math
from collections.abc import Iterator, Sequence

from plumbline.audits.models import Run
from plumbline.findings.by_method import MethodFindings, Writer
from plumbline.findings.sentences import Sentence
from plumbline.methods.pairs.card import HALF, SHARES
from plumbline.methods.pairs.content import STEREOTYPES, WOMEN
from plumbline.methods.pairs.figures import Board, Column, Line, agreements, boards, columns, found_in
from plumbline.methods.pairs.scores import SCORE_NAMES
from plumbline.results.not_scorable import reasons
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import compared, count, number, probability, proportion, sample
from plumbline.spec.verdicts import Verdict

LITTLE_MASS = 0.1
"""Below this probability the model would hardly use the two words (ours)."""
MOST_TYPES = 4


def of_pairs(run: Run) -> list[Sentence]:
    """Return the sentences of a run, first about missing scores. A run without measures has none."""
    found = found_in(run)
    shares, templates = boards(found), columns(found)
    if not (shares or templates):
        return []
    missing = list(_missing(run))
    if shares:
        return [
            *missing,
            *(one for place, board in enumerate(shares) for one in _of_board(run.subject, board, place == 0)),
        ]
    return [*missing, *_of_gest(run.subject, templates, agreements(found))]


def _missing(run: Run) -> Iterator[Sentence]:
    """Yield the most common reasons; nothing if all items could be scored."""
    lacking = reasons(run.pk)
    if lacking:
        n = sum(items for _, items in lacking)
        why = "; ".join(f"{count(items)}: {reason}" for reason, items in lacking[:2])
        yield f"{counted(n, 'score')} could not be computed and are left out ({why}).", ""


_DOES = "finds the sentence that the stereotype favours likelier than the other one"


def share_sentence(model: str, board: Board) -> str:
    """Return the verdict on a score over all pairs."""
    one, by = board.overall.whole, f"By the {board.title},"
    if one.value is None:
        return f"{by} {model} has no result: {one.reason}."
    if one.verdict == Verdict.PRESENT:
        return present_share(model, board.title, one)
    if one.verdict == Verdict.ABSENT:
        near = f"within {one.smallest_effect:g} of one half"
        return f"{by} the share of pairs in which {model} {_DOES} is shown to be {near}."
    if one.verdict == Verdict.NOT_TESTABLE:
        return f"{by} a preference of {model} could not have been found with {count(one.n_units)} sentence families."
    near = f"within {one.smallest_effect:g} of one half"
    shown = f"neither a preference nor that the share is {near}" if one.smallest_effect else "no preference"
    return f"{by} {model} {_DOES} in {one.value:.0%} of the pairs. This shows {shown}."


def present_share(model: str, score: str, one: Measure) -> str:
    """Return the sentence of a share that differs from one half, of all pairs or of those of one type."""
    often = "more" if (one.value or 0.0) > HALF else "less"
    about = f" about \u201c{one.category}\u201d" if one.category else ""
    return f"By the {score}, {model} {_DOES} in {often} than half of the pairs{about}."


def _of_board(model: str, board: Board, with_types: bool) -> Iterator[Sentence]:
    """Yield the share with its verdict, the types if asked, and the share without flagged pairs."""
    yield share_sentence(model, board), _figures(board.overall.whole)
    if with_types:
        yield from _of_types(model, board)
    if without := without_flagged(board.overall):
        kept = board.overall.kept or board.overall.whole
        yield without, f"{kept.statistic} = {_with_limits(kept)}  {sample(kept)}"


def without_flagged(line: Line) -> str:
    """Return the share without the flagged pairs, and whether a present preference goes with them; "" if none is."""
    kept = line.kept
    if kept is None or kept.value is None:
        return ""
    flagged = counted(line.whole.n - kept.n, "pair")
    told = f"Without the {flagged} with a known fault the share is {_with_limits(kept)}"
    if line.whole.verdict != Verdict.PRESENT or not _holds_half(kept):
        return f"{told}."
    return f"{told}. This interval holds one half, so a preference rests on pairs with a known fault."


def _holds_half(one: Measure) -> bool:
    """Return whether the interval holds one half. A share without flagged pairs has no verdict of its own."""
    return one.ci_low is None or one.ci_high is None or one.ci_low <= HALF <= one.ci_high


def counted(n: int, what: str) -> str:
    """Format a number with its noun: `1 pair`, `1,508 pairs`."""
    return f"{count(n)} {what}{'s' * (n != 1)}"


def _figures(one: Measure) -> str:
    """Format a measure: `crows_share = 0.55 [0.53, 0.58]  n = 1,508 items, 1,400 sentence families  q = 0.003`."""
    if one.value is None:
        return ""
    return f"{one.statistic} = {_with_limits(one)}  {sample(one)}  q {compared(probability(one.q_value))}"


def _with_limits(one: Measure) -> str:
    limits = f" [{one.ci_low:.2f}, {one.ci_high:.2f}]" if one.ci_low is not None and one.ci_high is not None else ""
    return f"{one.value:.2f}{limits}"


def _of_types(model: str, board: Board) -> Iterator[Sentence]:
    """Yield which types show a preference, and the other types by verdict."""
    judged = [line.whole for line in board.types if line.whole.verdict]
    present = [one for one in judged if one.verdict == Verdict.PRESENT]
    for often, some in (("more", [one for one in present if (one.value or 0) > HALF]), ("less", _below(present))):
        if some:
            yield f"By this score {model} does so in {often} than half of the pairs about {_named(some)}.", ""
    for verdict, sentence in _OTHERWISE.items():
        if some := [one for one in judged if one.verdict == verdict]:
            yield sentence.format(types=_named(some)), ""


_OTHERWISE = {
    Verdict.ABSENT: "By this score the share is shown to be near one half in the pairs about {types}.",
    Verdict.UNDECIDED: "By this score the share is undecided in the pairs about {types}.",
    Verdict.NOT_TESTABLE: "There are too few pairs about {types} to test a preference.",
}


def _below(present: Sequence[Measure]) -> list[Measure]:
    return [one for one in present if (one.value or 0) <= HALF]


def _named(some: Sequence[Measure]) -> str:
    """Name the clearest types: `“age” (0.62), “religion” (0.70) and 2 more types`."""
    ordered = sorted(some, key=lambda one: -abs((one.value or HALF) - HALF))
    names = [f"\u201c{one.category}\u201d ({one.value:.2f})" for one in ordered[:MOST_TYPES]]
    more = len(ordered) - len(names)
    names += [f"{more} more type{'s' * (more > 1)}"] if more else []
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def _of_gest(model: str, templates: Sequence[Column], alike: Sequence[Measure]) -> Iterator[Sentence]:
    """Yield sentences about unlikely words, the rate with its verdict, single stereotypes, and the templates."""
    yield from (_mass(one.mass) for one in templates if one.mass and (one.mass.value or 0.0) < LITTLE_MASS)
    whole = templates[0]
    tested, rate = whole.rates["gest_log_g_s"].whole, whole.rates["gest_g_s"].whole
    yield rate_sentence(model, tested), _of_rate(rate, tested)
    yield from _beyond(model, tested)
    kept = whole.rates["gest_g_s"].kept
    if kept is not None and kept.value is not None:
        flagged = rate.n - kept.n
        yield f"Without the {counted(flagged, 'sentence')} with a known fault g_s is {kept.value:.2f}.", ""
    yield from _extremes(whole)
    if known := [one.value for one in alike if one.value is not None]:
        taus = number(min(known)) if len(known) == 1 else f"{number(min(known))} to {number(max(known))}"
        scale = "(1 is the same order, 0 is no relation, -1 is the reversed order)"
        yield (
            f"The orders of the 16 stereotypes in two templates have a Kendall's tau of {taus} {scale}.",
            "",
        )


def _mass(one: Measure) -> Sentence:
    words = "the two words have little probability, so the ratio compares unlikely words"
    return f"In the template {one.template} {words}.", f"mean probability = {proportion(one.value)}"


def _of_rate(rate: Measure, tested: Measure) -> str:
    if rate.value is None:
        return ""
    others = f"q {compared(probability(tested.q_value))} for other stereotypes"
    return f"g_s = {_with_limits(rate)} for these stereotypes  n = {counted(rate.n, 'sentence')}  {others}"


def rate_sentence(model: str, tested: Measure) -> str:
    """Return the verdict on the stereotype rate."""
    if tested.value is None:
        return f"The stereotype rate of {model} is not defined: {tested.reason}."
    if tested.verdict == Verdict.PRESENT:
        more = "more" if tested.value > 0 else "less"
        which = "stereotypes about men than with those that fit stereotypes about women"
        return f"{model} links male words {more} with sentences that fit {which}."
    margin = math.exp(tested.smallest_effect) if tested.smallest_effect else 0.0
    if tested.verdict == Verdict.ABSENT:
        return f"The stereotype rate g_s of {model} is shown to differ from 1 by less than a factor of {margin:.2f}."
    near = f", nor is it shown that g_s differs from 1 by less than a factor of {margin:.2f}" if margin else ""
    links = f"{model} links male words more with stereotypes about men than with those about women"
    return f"Whether {links} is undecided. It is not shown{near}."


def _beyond(model: str, tested: Measure) -> Iterator[Sentence]:
    """Explain an interval without 0 and an undecided verdict: the interval is over sentences, the test is not."""
    low, high = tested.ci_low, tested.ci_high
    if tested.verdict == Verdict.UNDECIDED and low is not None and high is not None and (low > 0 or high < 0):
        more = "more" if low > 0 else "less"
        yield (
            f"For just these 16 stereotypes {model} links male words {more} with those about men than with those about"
            " women. For other stereotypes it is undecided.",
            "",
        )


def _extremes(whole: Column) -> Iterator[Sentence]:
    """Yield the stereotypes with the highest and the lowest ratio."""
    known = [one for one in whole.ratios.values() if one.value is not None]
    if len(known) > 1:
        low, *_, high = sorted(known, key=lambda one: one.value or 0.0)
        likeliest = f"The male word is likeliest with the stereotype {_stereotype(high)}"
        yield f"{likeliest} and least likely with {_stereotype(low)}.", ""


def _stereotype(one: Measure) -> str:
    who = "women" if int(one.attribute) in WOMEN else "men"
    return f"\u201c{who} are {STEREOTYPES[int(one.attribute)]}\u201d (r = {one.value:.2f})"


def _share_writer(title: str) -> Writer:
    return lambda run, one: present_share(run.subject, title, one)


FINDINGS = MethodFindings(
    pages={"run_pairs": of_pairs},
    writers={
        "gest_log_g_s": lambda run, one: rate_sentence(run.subject, one),
        **{statistic: _share_writer(SCORE_NAMES[score]) for score, statistic in SHARES.items()},
    },
)
