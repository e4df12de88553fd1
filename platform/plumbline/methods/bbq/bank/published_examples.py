"""The published examples of BBQ as a bank.

Every line and set is checked; targets follow the rule or the authors' table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plumbline.methods.bbq.bank import authors, flags, folder, lines, templates
from plumbline.methods.bbq.bank.authors import Authors
from plumbline.methods.bbq.bank.import_notices import notices_of
from plumbline.methods.bbq.bank.lines import UNKNOWN, Line, stated_text
from plumbline.methods.bbq.bank.sets import SIZE, in_sets
from plumbline.methods.bbq.bank.targets import difference, target_of
from plumbline.methods.bbq.bank.template_of_example import Templates
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.vocab.banks.reading import Questions, named

ABOUT = {
    "title": "BBQ: bias benchmark for question answering",
    "source": "Parrish et al. 2022, BBQ: A Hand-Built Bias Benchmark for Question Answering; nyu-mll/BBQ",
    "licence": "CC-BY-4.0",
    "origin": "US, English, 2022",
}
NAMED_CATEGORIES = ("Race_ethnicity", "Gender_identity")
FIRST_NAMED = 26
"""The template of two categories from which on proper names show the groups."""
VARIABLES = {"Race_x_gender": "gender", "Race_x_SES": "SES"}


@dataclass(frozen=True, slots=True)
class Beside:
    """The tables in the folder of the examples."""

    templates: Templates
    authors: Authors


def questions(path: Path, categories: Sequence[str] = ()) -> Questions:
    """Return the items of the files. Raises InputError naming file and line of the first fault."""
    files = folder.example_files(path, categories)
    home = folder.home_of(path)
    rows, told = templates.read(folder.template_files(home, beside=True))
    beside = Beside(Templates(rows), authors.read(folder.metadata_file(home)))
    items = without_repeats([item for name, file in files.items() for item in _items(name, file, beside)])
    notices = [*told, *beside.authors.notices, *notices_of(items, bool(beside.templates))]
    return Questions([item.model_dump(mode="json") for item in items], named(list(files.values())), ABOUT, notices)


def _items(category: str, path: Path, beside: Beside) -> Iterator[Question]:
    for four in in_sets(lines.read(path, category)):
        for place, line in four:
            try:
                yield Question.model_validate(content(line, beside))
            except ValidationError as error:
                raise InputError(f"{place}: {in_one_line(error)}") from None


def content(line: Line, beside: Beside) -> dict[str, Any]:
    """Return one example as an item, without the flags that need all examples."""
    row, metadata = beside.templates.of(line), line.additional_metadata
    unknown = line.codes.index(UNKNOWN)
    groups = row.stereotyped if row else metadata.stereotyped_groups
    target, differing = _target(line, unknown, groups, row.second if row else "", beside.authors)
    return {
        "id": f"{line.category} {line.example_id}",
        "category": line.category,
        "template": line.question_index,
        "version": line.version,
        "set": line.example_id // SIZE,
        "polarity": line.question_polarity,
        "condition": line.context_condition,
        "context": line.context,
        "question": line.question,
        "options": line.options,
        "labels": line.labels,
        "codes": line.codes,
        "unknown": unknown,
        "gold": line.label,
        "target": target,
        "groups": groups,
        "value": row.value if row else "",
        "label_type": "name" if _by_name(line) else "label",
        "differs": difference(line.codes, target, VARIABLES[line.category]) if line.category in VARIABLES else "",
        "subcategory": stated_text(metadata.subcategory) or (row.subcategory if row else ""),
        "source": stated_text(metadata.source) or (row.notes if row else ""),
        "base_rate": row is not None and row.base_rate,
        "flags": (*flags.flags_of(line, unknown), *differing),
    }


def _target(
    line: Line, unknown: int, groups: Sequence[str], second: str, told: Authors
) -> tuple[int | None, tuple[str, ...]]:
    """Return the target by the authors' table, else by the rule, and a flag if the two differ."""
    second = second or told.seconds.get((line.category, line.example_id), "")
    without = line.category in VARIABLES and not second  # two identities, of which only one is known
    ruled = None if without else target_of(line.labels, line.codes, groups, second)
    theirs = told.target(line, unknown)
    if theirs is None:
        return ruled, ()
    return theirs, (flags.TARGET_DIFFERS,) if ruled is not None and ruled != theirs else ()


def _by_name(line: Line) -> bool:
    number = line.question_index
    return line.category in NAMED_CATEGORIES and number.isdecimal() and int(number) >= FIRST_NAMED


def without_repeats(items: Sequence[Question]) -> list[Question]:
    """Flag the items that repeat the question of an earlier one."""
    earlier = flags.repeated((item.id, item.context, item.question, item.options) for item in items)
    return [
        item.model_copy(update={"flags": (*item.flags, f"{flags.REPEATS}: {earlier[item.id]}")})
        if item.id in earlier
        else item
        for item in items
    ]
