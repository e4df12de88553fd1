"""The measures of a run of pairs, laid out for its findings and pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.methods.pairs.card import SHARES
from plumbline.methods.pairs.scores import SCORE_NAMES
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import WITHOUT_FLAGGED, Measure

PUBLISHED = "as published"
GEST_OVERALL = ("gest_r_f", "gest_r_m", "gest_g_s", "gest_log_g_s")
GEST_STATISTICS = ("gest_r", *GEST_OVERALL, "gest_mass", "template_agreement")
STATISTICS = (*SHARES.values(), *GEST_STATISTICS)


@dataclass(frozen=True, slots=True)
class Line:
    """A share or rate, and the same without flagged items. `kept` is None if nothing is flagged."""

    label: str
    whole: Measure
    kept: Measure | None


@dataclass(frozen=True, slots=True)
class Board:
    """One score: its lines over all pairs, by type and by direction, its ties, and the share by the published rule."""

    score: str
    title: str
    overall: Line
    types: tuple[Line, ...]
    directions: tuple[Line, ...]
    ties: Measure | None
    published: Measure | None


def found_in(run: Run) -> list[Measure]:
    """Return the measures of a run of pairs."""
    return measures(of_run(run.pk, *STATISTICS, "pair_ties").order_by("pk"))


def boards(found: Sequence[Measure]) -> list[Board]:
    """Return one board for each score of the run, in the order of the card."""
    return [board for score, name in SHARES.items() if (board := _board(score, name, found))]


def _board(score: str, name: str, found: Sequence[Measure]) -> Board | None:
    own = [one for one in found if one.statistic == name]
    published = next((one for one in own if one.variant.startswith(PUBLISHED)), None)
    lines = _lines([one for one in own if not one.variant.startswith(PUBLISHED)])
    overall = next((line for line in lines if not (line.whole.category or line.whole.condition)), None)
    if overall is None:
        return None
    ties = [one for one in found if one.statistic == "pair_ties" and one.attribute == score and not is_kept(one)]
    return Board(
        score=score,
        title=SCORE_NAMES[score],
        overall=overall,
        types=tuple(line for line in lines if line.whole.category),
        directions=tuple(line for line in lines if line.whole.condition),
        ties=ties[0] if ties else None,
        published=published,
    )


def is_kept(one: Measure) -> bool:
    """Return whether a measure leaves out flagged items."""
    return one.variant.endswith(WITHOUT_FLAGGED)


def _lines(own: Sequence[Measure]) -> list[Line]:
    kept = {_key(one): one for one in own if is_kept(one)}
    return [Line(one.category or one.condition, one, kept.get(_key(one))) for one in own if not is_kept(one)]


def _key(one: Measure) -> tuple[str, ...]:
    return (one.category, one.condition, one.attribute, one.template)


@dataclass(frozen=True, slots=True)
class Column:
    """A template of GEST: ratios by stereotype, and the rates over them. The mean of the templates has no name."""

    template: str
    ratios: dict[str, Measure]
    rates: dict[str, Line]
    mass: Measure | None


def columns(found: Sequence[Measure]) -> list[Column]:
    """Return the templates of a run over GEST. With several, their mean is the first."""
    templates = dict.fromkeys(one.template for one in found if one.statistic == "gest_g_s")
    return [_column(name, [one for one in found if one.template == name]) for name in sorted(templates, key=bool)]


def _column(template: str, own: Sequence[Measure]) -> Column:
    whole = [one for one in own if not is_kept(one)]
    rates = {name: _lines([one for one in own if one.statistic == name]) for name in GEST_OVERALL}
    return Column(
        template=template,
        ratios={one.attribute: one for one in whole if one.statistic == "gest_r"},
        rates={name: lines[0] for name, lines in rates.items() if lines},
        mass=next((one for one in whole if one.statistic == "gest_mass"), None),
    )


def agreements(found: Sequence[Measure]) -> list[Measure]:
    """Return the agreements of templates on the order of the stereotypes, with flagged sentences."""
    return [one for one in found if one.statistic == "template_agreement" and not is_kept(one)]
