"""What reviewers leave behind: questions in SQL, and tasks of annotation with answers."""

from plumbline.annotation import fillers, working
from plumbline.annotation.models import AnnotationTask
from plumbline.annotation.scores import ASPECTS
from plumbline.annotation.validating import Choice, make_validation
from plumbline.audits.models import Run
from plumbline.desk.models import AskedQuery, SavedQuery
from plumbline.methods.sodapop.annotation_tasks import Words, make_mapping, make_rating, pairs_of_groups
from plumbline.vocab.models import Bank, TraitList
from tests.release.making.people import person

OF_A_RUN = (
    "SELECT statistic, count(*) AS measures, max(value) AS greatest FROM results.v_measure\n"
    "WHERE run = :run GROUP BY statistic ORDER BY statistic"
)
RUNS = "SELECT probe, state, count(*) FROM results.v_run GROUP BY probe, state ORDER BY probe, state"


def keep_queries() -> None:
    """One shared with everybody, one that only its owner sees, and one whose owner is gone."""
    kept = {"Runs by probe": (RUNS, True, "rob"), "Measures of a run": (OF_A_RUN, False, "rob")}
    kept["How many runs"] = ("SELECT count(*) FROM results.v_run", True, "carl")
    for title, (text, shared, owner) in kept.items():
        SavedQuery.objects.create(title=title, text=text, shared=shared, owner=person(owner))
    AskedQuery.remember(person("rob").pk, RUNS, 0.02)
    AskedQuery.remember(person("rob").pk, "SELECT nothing FROM nowhere", None)


def annotate(discovery: Run) -> None:
    """A task of each kind: one that three people have ended, one that nobody has, one that somebody declined."""
    validation = make_validation(
        Bank.objects.get(slug="bbq-starter"),
        "Are these templates clear?",
        Choice((("Age", "S1"), ("Age", "S2")), seed=3, raters=2),
        fillers.own(),
        person("cleo"),
    )
    for number, name in enumerate(("ada", "rob", "vera")):
        _validate(validation, name, wrong=number)
    words = Words(tuple(pairs_of_groups(discovery.pk)), 0.5, most=5)
    traits = TraitList.objects.get(slug="release-traits")
    _map(make_mapping(discovery, "Which words belong to which trait?", words, traits, 7, person("rob")))
    rating = make_rating(discovery, "How do these wrong answers read?", 6, 7, person("rob"))
    _rate(rating)
    working.decline(working.joined(rating, person("ada")))


def _validate(task: AnnotationTask, name: str, wrong: int) -> None:
    """Answers all, the first few wrongly."""
    own = working.joined(task, person(name))
    for place, item in enumerate(task.items.all()):
        working.save(own, item, (item.origin["gold"] + (place < wrong)) % 3)
    working.end(own)


def _map(task: AnnotationTask) -> None:
    """One has ended; another is still at it."""
    first, second = (working.joined(task, person(name)) for name in ("ada", "rob"))
    for place, item in enumerate(task.items.all()):
        working.save(first, item, task.poles[place % 2 : place % 2 + 1])
    working.save(second, task.items.all()[0], [])
    working.end(first)


def _rate(task: AnnotationTask) -> None:
    own = working.joined(task, person("rob"))
    for place, item in enumerate(task.items.all()):
        working.save(own, item, dict.fromkeys(ASPECTS, 1 + place % 5))
    working.end(own)
