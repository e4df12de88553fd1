"""One spec for several models: a parent and its variants, each audited by a run of its own.

The YAML file and the plan may have `models: [REF, ...]` beside or in place of `model`. The first model is the parent.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from plumbline.spec.audit import AuditSpec, parse
from plumbline.spec.banks.written_texts import check_inline, check_written
from plumbline.spec.errors import SpecError
from plumbline.spec.plain_data import check_plain

MODELS = "models"
MOST_MODELS = 12


def model_names(data: Any) -> list[str]:
    """Return the references that plain data of a spec names, as they are written, each once: `model`, then `models`.

    Nothing is checked: data that no parser accepts names none.
    """
    if not isinstance(data, Mapping):
        return []
    several = data.get(MODELS)
    named = [data.get("model"), *(several if isinstance(several, list | tuple) else ())]
    return list(dict.fromkeys(one for one in named if isinstance(one, str)))


def for_model(data: Mapping[str, Any], model: str) -> dict[str, Any]:
    """Return the data for one model alone."""
    return {key: value for key, value in data.items() if key != MODELS} | {"model": model}


def for_models(data: Mapping[str, Any], models: Sequence[str]) -> dict[str, Any]:
    """Return the data with these models in place of its own."""
    alone = for_model(data, models[0])
    return alone if len(models) == 1 else alone | {MODELS: list(models[1:])}


def parse_each(data: Any) -> list[AuditSpec]:
    """Return the spec of each model, the parent's first, of data that somebody wrote.

    Raises SpecError, in one line, for any error, and for texts that are longer than the pages for words allow.
    """
    check_plain(data)
    if isinstance(data, Mapping):
        check_written(data)
    specs = [parse(one) for one in _for_each_model(data)]
    check_inline(specs[0])
    return specs


def _for_each_model(data: Any) -> list[Any]:
    """Return the data for each model alone. Raises SpecError for models that are no short list of references."""
    if not isinstance(data, Mapping) or MODELS not in data:
        return [data]
    several = data[MODELS]
    if not isinstance(several, list | tuple) or not several or not all(isinstance(one, str) for one in several):
        raise SpecError("models must be a list of references: write [variant:SLUG, ...], or take it out.")
    named = model_names(data)
    if len(named) > MOST_MODELS:
        raise SpecError(f"the spec names {len(named)} models; name at most {MOST_MODELS}, or launch it in parts.")
    return [for_model(data, one) for one in named]
