"""The inputs of the form, with their values and errors, as the template needs them."""

from dataclasses import dataclass
from typing import Any

from plumbline.desk.plans.builder.choices import Lists, Offered
from plumbline.desk.plans.builder.drafts import Draft
from plumbline.desk.plans.builder.faults import Faults
from plumbline.desk.plans.builder.fitting import kind_of_first
from plumbline.desk.plans.builder.offered_models import models_of_kind, offered_models, offered_name
from plumbline.desk.plans.builder.places import ABSENT, place_of, value_at
from plumbline.desk.plans.builder.shapes import ListField, Setting, shape_of
from plumbline.desk.plans.builder.values import PRIOR_WORDS, Values, is_plain_prior

BIGGEST_FIRST = {"groups": 0, "names": 1, "attributes": 2, "templates": 3, "banks": 4, "ratings": 6}


@dataclass(frozen=True, slots=True)
class SettingInput:
    setting: Setting
    value: str
    faults: tuple[str, ...]
    models: tuple[str, ...] = ()
    """The references that a field for a model offers."""

    def is_foreign_to(self, kind: str) -> bool:
        """Return whether it is empty and concerns only other kinds of model. `kind` is "" if unknown."""
        concerned = not kind or not self.setting.kinds or kind in self.setting.kinds
        return not concerned and not self.value and not self.faults


@dataclass(frozen=True, slots=True)
class ListInput:
    """A field with lists. `shown` is False if the form cannot show what the YAML has there."""

    field: ListField
    shown: bool
    used: tuple[Offered, ...]
    unused: tuple[Offered, ...]
    lines: str
    faults: tuple[str, ...]


def inputs_of(draft: Draft, values: Values, faults: Faults) -> dict[str, Any]:
    """Return the inputs of a draft's method; none if the YAML names no known method."""
    context: dict[str, Any] = {"models": _models(values.get("model", ("",))[0]), "typed_model": ""}
    context["typed_model"] = "" if any(one["chosen"] for one in context["models"]) else values.get("model", ("",))[0]
    if not draft.probe:
        return context
    shape, lists = shape_of(draft.probe), Lists()
    settings = [
        SettingInput(one, values.get(one.key, ("",))[0], faults.get(one.key, ()), _models_for(one))
        for one in shape.settings
        if _can_show(one, draft, values)
    ]
    kind = kind_of_first(draft.data)
    foreign = [one for one in settings if one.is_foreign_to(kind)]
    settings = [one for one in settings if one not in foreign]
    found = [_list_input(field, values, faults, lists) for field in shape.lists]
    return context | {
        "needed_lists": sorted(
            (one for one in found if _is_needed(one)), key=lambda one: BIGGEST_FIRST.get(one.field.kind, 5)
        ),
        "other_lists": [one for one in found if not _is_needed(one)],
        "settings": [one for one in settings if not one.setting.rare or one.value or one.faults],
        "rare_settings": [one for one in settings if one.setting.rare and not one.value and not one.faults],
        "foreign_settings": foreign,
        "prior": _prior(draft, values, faults) if shape.has_prior else None,
    }


def _is_needed(one: ListInput) -> bool:
    return one.field.required or bool(one.used or one.lines or one.faults)


def _can_show(setting: Setting, draft: Draft, values: Values) -> bool:
    """Return whether the input can show the value, or the YAML has none."""
    place = setting.path if len(setting.path) > 1 else place_of(setting.key, draft.data, shape_of(draft.probe))
    given = value_at(draft.data, place)
    return setting.key in values or given is ABSENT


def _list_input(field: ListField, values: Values, faults: Faults, lists: Lists) -> ListInput:
    offered = lists.offered(field, values)
    return ListInput(
        field,
        shown=f"{field.key}:use" in values or f"{field.key}:shown" in values,
        used=tuple(one for one in offered if one.used),
        unused=tuple(one for one in offered if not one.used),
        lines="\n".join(values.get(f"{field.key}:inline", ())),
        faults=faults.get(field.key, ()),
    )


def _models(chosen: str) -> list[dict[str, Any]]:
    return [
        {"reference": one.reference, "name": offered_name(one), "chosen": one.reference == chosen}
        for one in offered_models()
    ]


def _models_for(setting: Setting) -> tuple[str, ...]:
    if setting.model is None:
        return ()
    return tuple(dict.fromkeys([setting.model.example, *models_of_kind(setting.model.kind)]))


def _prior(draft: Draft, values: Values, faults: Faults) -> dict[str, Any]:
    return {
        "shown": is_plain_prior(value_at(draft.data, ("prior",))),
        "kind": values.get("prior", ("",))[0],
        "words": [(one, values.get(f"prior.{one}", ("",))[0]) for one in PRIOR_WORDS],
        "faults": faults.get("prior", ()),
    }
