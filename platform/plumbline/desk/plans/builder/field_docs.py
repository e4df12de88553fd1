"""The strings below the fields of a spec, as the fields' descriptions.

pydantic can read them as it makes a class. Up to Python 3.12 it then searches all loaded modules for each class, which
takes a fifth of the start of a worker, and only the form of a plan shows them.
"""

import ast
import inspect
import textwrap
from collections.abc import Mapping
from copy import copy
from functools import cache
from itertools import pairwise

from pydantic import BaseModel
from pydantic.fields import FieldInfo


@cache
def described(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """Return the fields of a model, each with the string below it as its description where there is one."""
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, BaseModel) and base is not BaseModel:
            texts |= _texts(base)
    return {name: _with(field, texts.get(name)) for name, field in model.model_fields.items()}


def _with(field: FieldInfo, text: str | None) -> FieldInfo:
    if text is None or field.description is not None:
        return field
    found = copy(field)
    found.description = text
    return found


def _texts(model: type[BaseModel]) -> dict[str, str]:
    """Return the strings in the source of one class; none if it has no source, as `Source[Attribute]` has none."""
    try:
        source = textwrap.dedent(inspect.getsource(model))
    except OSError:
        return {}
    (defined,) = ast.parse(source).body
    if not isinstance(defined, ast.ClassDef):
        return {}
    return {
        field.target.id: inspect.cleandoc(below.value.value)
        for field, below in pairwise(defined.body)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) and isinstance(below.value.value, str)
    }
