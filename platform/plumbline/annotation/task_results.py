"""Results of a finished task: orders of groups along traits or mean ratings, and the annotators' agreement."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plumbline.annotation import agreement, scores
from plumbline.annotation.models import AnnotationTask, Answer, Participation
from plumbline.annotation.ordering import Ordering, Rated, Votes, orderings
from plumbline.annotation.scores import ASPECTS, SCALE, Distribution
from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group
from plumbline.spec.judgements import Judgements, Truths, means

Person = Mapping[int, Any]
"""One annotator's answers by item."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word, the sides on which it was found, and the number of annotators for each pole that any of them chose."""

    text: str
    sides: tuple[tuple[str, str], ...]
    votes: tuple[tuple[str, int], ...]


def people(task: AnnotationTask) -> list[Person]:
    """Return the answers of people who finished the task, in the order in which they began. Two queries."""
    ended = Participation.objects.filter(task=task, ended_at__isnull=False, declined=False)
    latest = Answer.objects.filter(participation__in=ended).order_by("participation", "item", "-id")
    found: dict[int, dict[int, Any]] = {pk: {} for pk in ended.values_list("pk", flat=True)}
    for person, item, value in latest.distinct("participation", "item").values_list("participation", "item", "value"):
        found[person][item] = value
    return list(found.values())


def words(task: AnnotationTask, answers: Sequence[Person]) -> list[Word]:
    """Return the words in alphabetical order."""
    found = []
    for pk, content, origin in task.items.values_list("pk", "content", "origin"):
        votes = Counter(pole for person in answers for pole in person[pk])
        sides = tuple((own, other) for own, other in origin["sides"])
        found.append(Word(content["word"], sides, tuple((pole, votes[pole]) for pole in task.poles if votes[pole])))
    return sorted(found, key=lambda one: (one.text.casefold(), one.text))


def table(task: AnnotationTask, found: Sequence[Word], a: str, b: str) -> list[Ordering]:
    """Return the model's column of Table 5 for two groups."""
    votes: Votes = {one.text: dict(one.votes) for one in found}
    of_a = [one.text for one in found if (a, b) in one.sides]
    of_b = [one.text for one in found if (b, a) in one.sides]
    return orderings([(one["left"], one["right"]) for one in task.chosen["traits"]], votes, of_a, of_b)


def rated(
    judged: Judgements, traits: Sequence[Mapping[str, str]], a: str, b: str, raters: Truths | None = None
) -> list[Rated]:
    """Return people's column of Table 5: mean rating of `a` minus that of `b` per trait, None below five raters."""
    groups = [Group(label=label) for label in (a, b)]
    values = judged.held_against(groups, [_pair(one) for one in traits])
    mean = means(values if raters is None else values[raters])
    return [Rated(None if np.isnan(one) else float(one)) for one in mean[0] - mean[1]]


def _pair(trait: Mapping[str, str]) -> Pair:
    return Pair(f"{trait['left']} - {trait['right']}", trait["dimension"], trait["key"], left=0, right=1)


@dataclass(frozen=True, slots=True)
class Between:
    """The agreement of a mapping's annotators: Fleiss' kappa over words and poles, and the share of equal answers."""

    annotators: int
    kappa: float | None
    alike: float | None


def of_mapping(task: AnnotationTask, answers: Sequence[Person]) -> Between:
    places = {pole: at for at, pole in enumerate(task.poles)}
    cells = np.zeros((len(answers), task.items.count(), len(places)), dtype=np.int64)
    for row, person in enumerate(answers):
        for column, item in enumerate(sorted(person)):
            cells[row, column, [places[pole] for pole in person[item]]] = 1
    flat = cells.reshape(len(answers), -1)
    return Between(len(answers), agreement.fleiss(flat, 2), agreement.exact_share(flat))


@dataclass(frozen=True, slots=True)
class Aspect:
    distribution: Distribution
    kappa: float | None
    """The mean weighted kappa over pairs of annotators (quadratic weights)."""
    alike: float | None


def of_ratings(answers: Sequence[Person]) -> list[Aspect]:
    """Return Table 7 and Figure 7: each aspect with the annotators' agreement."""
    every = [value for person in answers for value in person.values()]
    found = []
    for one in scores.distributions(every):
        given = np.array(
            [[person[item][one.aspect] - SCALE[0] for item in sorted(person)] for person in answers], dtype=np.int64
        )
        kappa = agreement.weighted_kappa(given, len(SCALE))
        found.append(Aspect(one, kappa, agreement.exact_share(given)))
    return found


def rating_rows(task: AnnotationTask, answers: Sequence[Person]) -> list[dict[str, Any]]:
    """Return one row per distractor and annotator. Annotators are numbers."""
    items = list(task.items.values_list("pk", "content", "origin"))
    return [
        {"annotator": number, **{key: content[key] for key in ("context", "question", "answer")}}
        | {"distractor": origin["text"], "name": origin["name"], "group": origin["group"]}
        | {aspect: person[pk][aspect] for aspect in ASPECTS}
        for number, person in enumerate(answers, start=1)
        for pk, content, origin in items
    ]
