"""Changes of a YAML text that keep its comments and everything else that they do not touch."""

from collections.abc import Mapping, Sequence
from io import StringIO
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString
from yaml.resolver import Resolver

from plumbline.desk.plans.builder.places import ABSENT, Change, with_change
from plumbline.spec.errors import SpecError
from plumbline.spec.yaml_file import MOST_BYTES, load

WIDTH = 100
LARGEST = 200_000
"""The longest text that the form changes, in characters. Longer ones are changed as YAML."""
TEXT = "tag:yaml.org,2002:str"


def loaded(text: str) -> Any:
    """Return the plain data of a text. Raises SpecError, in one line, if it is no YAML."""
    if len(text) > MOST_BYTES:
        raise SpecError(f"the YAML is larger than {MOST_BYTES // 1_000_000} MB; move its words to lists.")
    try:
        return load(text)
    except yaml.MarkedYAMLError as error:
        where = f" on line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise SpecError(f"this is not valid YAML{where}: {error.problem or error.context}.") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SpecError(f"this is not valid YAML: {error}.") from None


def yaml_of(data: Any) -> str:
    """Return plain data as YAML: each key on a line of its own, its short parts on one line."""
    node = yaml.SafeDumper(StringIO(), default_flow_style=None, sort_keys=False).represent_data(data)
    if isinstance(node, yaml.MappingNode):
        node.flow_style = False
    return str(yaml.serialize(node, Dumper=yaml.SafeDumper, allow_unicode=True, width=WIDTH))


def with_changes(text: str, changes: Sequence[Change]) -> str:
    """Return the text with these places changed. Raises SpecError for a text that is no YAML, or too long.

    The text is written anew, without its comments, if it would not hold the changed data otherwise.
    """
    wanted = loaded(text)
    if not changes:
        return text
    if len(text) > LARGEST:
        raise SpecError(f"the YAML has more than {LARGEST:,} characters: change it there, not by the form.")
    for change in changes:
        wanted = with_change(wanted, change)
    found = _edited(text, changes)
    return found if found is not None and _holds(found, wanted) else yaml_of(wanted)


def _holds(text: str, wanted: Any) -> bool:
    try:
        return bool(loaded(text) == wanted)
    except SpecError:
        return False


def _edited(text: str, changes: Sequence[Change]) -> str | None:
    """Return the text, edited in place, or None if that is not possible."""
    writer = YAML()
    writer.preserve_quotes = True
    writer.width = WIDTH + 20
    writer.indent(mapping=2, sequence=4, offset=2)
    try:
        found = writer.load(text)
        found = CommentedMap() if found is None else found
        for path, value in changes:
            _change(found, path, value)
        file = StringIO()
        writer.dump(found, file)
    except (YAMLError, TypeError, KeyError, AttributeError, ValueError):
        return None
    return file.getvalue()


def _change(found: Any, path: Sequence[str], value: Any) -> None:
    step, *rest = path
    if rest:
        if not isinstance(found.get(step), Mapping):
            found[step] = _flow(CommentedMap())
        _change(found[step], rest, value)
        if not found[step]:
            del found[step]
    elif value is ABSENT:
        found.pop(step, None)
    else:
        found[step] = _node(value)


def _node(value: Any) -> Any:
    """Return plain data as it is to be written: on one line, and in quotes what would read as something else."""
    if isinstance(value, Mapping):
        return _flow(CommentedMap({key: _node(one) for key, one in value.items()}))
    if isinstance(value, list | tuple):
        return _flow(CommentedSeq(_node(one) for one in value))
    if isinstance(value, str) and _reads_otherwise(value):
        return DoubleQuotedScalarString(value)
    return value


def _flow(node: Any) -> Any:
    node.fa.set_flow_style()
    return node


def _reads_otherwise(text: str) -> bool:
    resolver: Any = Resolver()
    return bool(resolver.resolve(yaml.ScalarNode, text, (True, False)) != TEXT)
