"""Where the tables keep names of people: declared by the apps, so that this floor knows none of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db import models


@dataclass(frozen=True, slots=True)
class NameColumn:
    """A column with the name of the person whose number stands in the field `person`."""

    model: type[models.Model]
    person: str
    name: str


def name_columns() -> Iterator[NameColumn]:
    """Yield the columns that the apps declare as `names_of_people`, and those of their histories."""
    for config in apps.get_app_configs():
        declared: dict[str, dict[str, str]] = getattr(config, "names_of_people", {})
        for model, columns in declared.items():
            for one in _with_history(config.label, model):
                meta: Any = one._meta
                fields = {meta.get_field(person).attname: name for person, name in columns.items()}
                yield from (NameColumn(one, person, name) for person, name in fields.items())


def decision_columns() -> Iterator[tuple[type[models.Model], str]]:
    """Yield the JSON columns whose findings name people as `judged_by`, `assignee` and in `votes`."""
    for config in apps.get_app_configs():
        declared: dict[str, str] = getattr(config, "decisions_of_people", {})
        for model, column in declared.items():
            yield from ((one, column) for one in _with_history(config.label, model))


def address_columns() -> Iterator[tuple[type[models.Model], str]]:
    """Yield the columns with mail addresses: texts with one a line, or JSON lists."""
    for config in apps.get_app_configs():
        declared: dict[str, str] = getattr(config, "addresses_of_people", {})
        for model, column in declared.items():
            yield from ((one, column) for one in _with_history(config.label, model))


def sentence_columns() -> Iterator[tuple[type[models.Model], str, str]]:
    """Yield columns in which programs write a sentence that ends with a name, with the words before the name."""
    for config in apps.get_app_configs():
        declared: dict[str, tuple[str, str]] = getattr(config, "sentences_about_people", {})
        for model, (column, before) in declared.items():
            yield (apps.get_model(config.label, model), column, before)


def private_columns() -> Iterator[tuple[type[models.Model], str]]:
    """Yield the models whose rows go with the person, and their column with the person."""
    for config in apps.get_app_configs():
        declared: dict[str, str] = getattr(config, "goes_with_people", {})
        yield from ((apps.get_model(config.label, model), column) for model, column in declared.items())


def _with_history(label: str, model: str) -> list[type[models.Model]]:
    found: Any = apps.all_models[label]
    return [found[name] for name in (model.lower(), f"{model.lower()}event") if name in found]
