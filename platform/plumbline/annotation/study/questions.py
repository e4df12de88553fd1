"""The steps of a study: tasks with one answer each, pages of scales, and a page of own words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from plumbline.annotation.study.models import Study
from plumbline.spec.yaml_file import read_yaml

FILE = Path(__file__).with_name("questions.yaml")
LATEST = 2
TEXT, CHOICE, SCALE = "text", "choice", "scale"
SCALE_POINTS = tuple(str(point) for point in range(10))
"""0 to 9, as in the thesis."""
JUDGEMENTS = ("yes", "partly", "no", "I cannot tell")
COULD_NOT = "could not"
"""The answer of a person who did not manage a task."""


@dataclass(frozen=True, slots=True)
class Field:
    """One question of a step: its answers to choose from, or own words if there are none."""

    name: str
    text: str
    kind: str
    choices: tuple[str, ...] = ()
    low: str = ""
    high: str = ""


@dataclass(frozen=True, slots=True)
class StudyStep:
    """One page of a sitting. A task must be answered, or given up; other questions may be left out."""

    key: str
    title: str
    source: str
    fields: tuple[Field, ...]
    is_task: bool
    is_expectation: bool = False
    """Whether the person must not look at the scores: what the person expects is asked."""
    words: tuple[str, ...] = ()
    """The words that the person chooses from, where the scores must not be looked at."""


@cache
def version(number: int) -> Mapping[str, Any]:
    """Return the questions of a version. One with a `base` holds what differs from that version, by task."""
    found: Mapping[str, Any] = read_yaml(FILE)[number]
    if "base" not in found:
        return found
    base = version(found["base"])
    return {**base, "tasks": [one | found["tasks"].get(one["key"], {}) for one in base["tasks"]]}


def steps(study: Study) -> list[StudyStep]:
    """Return the pages of a study in order. Tasks about other lists need a run that has some."""
    asked, words = version(study.version), study.words
    filled = {name: words[name] for name in ("target", "feature", "list")}
    return [
        *(_task(one, words, filled) for one in asked["tasks"] if words["other"] or not _needs_others(one)),
        *(StudyStep(one["key"], one["title"], one["source"], tuple(_scales(one)), False) for one in asked["scales"]),
        StudyStep("open", "In your own words", "open questions", tuple(_open(asked["open"])), False),
    ]


def _needs_others(task: Mapping[str, Any]) -> bool:
    return bool(task.get("other")) or task["answer"] == "other"


def _task(task: Mapping[str, Any], words: Mapping[str, Any], filled: Mapping[str, str]) -> StudyStep:
    text, kind = task["text"].format(**filled), TEXT if task["answer"] == TEXT else CHOICE
    fields = [Field("answer", text, kind, () if kind == TEXT else tuple(words[task["answer"]]))]
    if task.get("judge"):
        fields.append(Field("judged", "Do the scores agree with what you expected?", SCALE, JUDGEMENTS))
    title, expects = task["title"].format(**filled), task["key"].endswith("_expected")
    shown = tuple(words[task["shows"]]) if "shows" in task else ()
    return StudyStep(task["key"], title, task["source"], tuple(fields), True, expects, shown)


def _scales(page: Mapping[str, Any]) -> Iterator[Field]:
    for one in page["questions"]:
        choices = tuple(one.get("choices", SCALE_POINTS))
        yield Field(one["key"], one["text"], SCALE, choices, one.get("low", ""), one.get("high", ""))


def _open(questions: list[Mapping[str, Any]]) -> Iterator[Field]:
    return (Field(one["key"], one["text"], TEXT) for one in questions)
