"""The bridge of an indirect score: each first name with its direct scores on both sides."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, Subquery, case, exists, func, select

from plumbline.audits.models import Run
from plumbline.methods.indirect.materials import BRIDGE_FEATURE, TARGET_BRIDGE
from plumbline.results import statements
from plumbline.results.tables import bridge, term
from plumbline.results.terms import known_ids

TARGET, FEATURE = TARGET_BRIDGE, BRIDGE_FEATURE
LEAST_LOG = -700.0


@dataclass(frozen=True, slots=True)
class Link:
    """A name's log probability bias scores with the target and with the feature, in natural logarithms."""

    name: str
    target: float
    feature: float


def links(run: int, target: str, feature: str, category: str = "") -> list[Link]:
    """Return the names that have both scores, in order of name. Each score is the mean over templates as in the run.

    `category` is the feature's list, as measures name it. A sensitive list has its own sentences.
    """
    with_target, with_feature = _runs_of(run)
    side = _side_of(with_feature, category)
    ids = known_ids([TARGET, side, target, feature])
    if not {TARGET, side, target, feature} <= ids.keys():
        return []
    logs = _averages_logs(run)
    one = _scores(with_target, ids[TARGET], ids[target], logs)
    other = _scores(with_feature, ids[side], ids[feature], logs)
    query = (
        select(term.c.text, one.c.score, other.c.score)
        .join_from(one, other, other.c.name == one.c.name)
        .join(term, term.c.id == one.c.name)
        .order_by(term.c.text)
    )
    return [Link(*row) for row in statements.rows(query)]


def _runs_of(run: int) -> tuple[int, int]:
    """Return the runs with the records of the targets and of the features.

    An added word's run holds one of the sides.
    """
    spec = Run.objects.filter(pk=run).values_list("spec", flat=True).first() or {}
    adds_to = spec.get("adds_to")
    if not adds_to:
        return run, run
    return (run, adds_to["run"]) if adds_to["kind"] == "target" else (adds_to["run"], run)


def _side_of(run: int, category: str) -> str:
    """Return the side of the records. A sensitive list with this name has its own side."""
    own = f"{FEATURE}:{category}"
    ids = known_ids([own])
    if own not in ids:
        return FEATURE
    ((found,),) = statements.rows(select(exists().where(bridge.c.run == run, bridge.c.side == ids[own])))
    return own if found else FEATURE


def _averages_logs(run: int) -> bool:
    spec = Run.objects.filter(pk=run).values_list("spec", flat=True).first() or {}
    return bool(spec.get("params", {}).get("average") == "log")


def _scores(run: int, side: int, word: int, logs: bool) -> Subquery:
    """Return name and score for one word, without names that lack a score in some template."""
    # A row without a template is already a mean.
    ratio = _log_mean(bridge.c.log_p_target) - _log_mean(bridge.c.log_p_prior)
    mean = func.avg(bridge.c.score)
    score = mean if logs else case((func.count(bridge.c.template) > 0, ratio), else_=mean)
    return (
        select(bridge.c.name, score.label("score"))
        .where(bridge.c.run == run, bridge.c.side == side, bridge.c.word == word)
        .group_by(bridge.c.name)
        .having(func.bool_and(bridge.c.scorable))
        .subquery()
    )


def _log_mean(log_p: ColumnElement[float]) -> ColumnElement[float]:
    """Return the logarithm of the mean of exp(log_p)."""
    # PostgreSQL raises an error for an exp that rounds to 0.
    return func.ln(func.avg(func.exp(func.greatest(log_p, LEAST_LOG))))
