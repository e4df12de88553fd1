"""The validation state of a bank's templates: passed, failed, edited since, or not validated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Q

from plumbline.annotation import tallies, task_results
from plumbline.annotation.models import AnnotationTask, ValidatedTemplate
from plumbline.annotation.tallies import Asked, Person, Verdict
from plumbline.annotation.template_texts import Key, Texts, texts
from plumbline.vocab.models import Bank


class ValidationStatus(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    VOID = "void"
    """It passed or failed with other texts than it has now."""
    NONE = "not validated"


@dataclass(frozen=True, slots=True)
class State:
    """The state of one template and, if a task covers it, that task and its number of raters."""

    status: ValidationStatus
    task: int | None = None
    raters: int = 0
    wanted: int = 0
    verdict: Verdict | None = None

    @property
    def label(self) -> str:
        """Return the state in words."""
        if self.status is ValidationStatus.VOID:
            return "void: edited since"
        if self.status is ValidationStatus.NONE and self.task is not None:
            return f"not validated: {self.raters} of {self.wanted} raters so far"
        return self.status.value


@dataclass(frozen=True, slots=True)
class Work:
    """A task with its raters' answers, from which all of its figures are computed."""

    task: AnnotationTask
    items: Sequence[Asked]
    people: Sequence[Person]

    @property
    def wanted(self) -> int:
        return int(self.task.chosen["raters"])

    @property
    def decided(self) -> bool:
        """Whether the task has all of its raters."""
        return len(self.people) >= self.wanted

    def verdicts(self) -> list[Verdict]:
        return tallies.verdicts(self.items, self.people, float(self.task.chosen["threshold"]))


Judged = tuple[Work, Mapping[Key, Verdict]]
"""A task with the verdicts on its templates."""


def work(task: AnnotationTask, leave_out: bool = False) -> Work:
    """Return a task with its finished answers, with `leave_out` without raters who failed too many fillers."""
    items = [_asked(pk, origin) for pk, origin in task.items.values_list("pk", "origin")]
    people = task_results.people(task)
    return Work(task, items, tallies.careful(items, people) if leave_out else people)


def _asked(pk: int, origin: Mapping[str, object]) -> Asked:
    gold = int(str(origin["gold"]))
    if "filler" in origin:
        return Asked(pk, gold)
    key = (str(origin["category"]), str(origin["template"]))
    return Asked(pk, gold, key, str(origin["condition"]), str(origin["polarity"]))


def states(bank: Bank, leave_out: bool = False) -> dict[Key, State]:
    """Return the state of each template of the bank, in its order.

    A validation counts if the texts are the same, whatever the bank's name. The latest task with all of its raters
    counts. If only other texts of a bank of this name were validated, the state is void.
    """
    return states_of(bank, texts(bank), leave_out)


def states_of(bank: Bank, present: Mapping[Key, Texts], leave_out: bool = False) -> dict[Key, State]:
    """Return the same for a caller who already has the bank's texts."""
    asked = _tasks(bank, present)
    judged = {task.pk: _judged(work(task, leave_out)) for task in {row.task for rows in asked.values() for row in rows}}
    return {key: _state(bank, own, asked.get(key, ()), judged) for key, own in present.items()}


def _tasks(bank: Bank, present: Mapping[Key, Texts]) -> dict[Key, list[ValidatedTemplate]]:
    """Return the validations of these texts or under the bank's name, for each template the latest first."""
    alike = Q(digest__in={own.digest for own in present.values()})
    found: dict[Key, list[ValidatedTemplate]] = {}
    rows = ValidatedTemplate.objects.filter(alike | Q(bank_slug=bank.slug)).select_related("task")
    for row in rows.order_by("-task_id"):
        if (key := (row.category, row.template)) in present:
            found.setdefault(key, []).append(row)
    return found


def _judged(done: Work) -> Judged:
    return done, {verdict.key: verdict for verdict in done.verdicts()}


def _state(bank: Bank, own: Texts, asked: Sequence[ValidatedTemplate], judged: Mapping[int, Judged]) -> State:
    same = [row for row in asked if row.digest == own.digest]
    other = [row for row in asked if row.digest != own.digest and row.bank_slug == bank.slug]
    for row in same:
        if judged[row.task_id][0].decided:
            return _decided(judged[row.task_id], (row.category, row.template))
    for row in other:
        if judged[row.task_id][0].decided:
            return State(ValidationStatus.VOID, row.task_id)
    begun = [judged[row.task_id][0] for row in same]
    return _open(max(begun, key=lambda done: len(done.people))) if begun else State(ValidationStatus.NONE)


def _decided(judged: Judged, key: Key) -> State:
    done, verdict = judged[0], judged[1][key]
    status = ValidationStatus.PASSED if verdict.passes else ValidationStatus.FAILED
    return State(status, done.task.pk, len(done.people), done.wanted, verdict)


def _open(done: Work) -> State:
    return State(ValidationStatus.NONE, done.task.pk, len(done.people), done.wanted)
