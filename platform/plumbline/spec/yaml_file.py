"""YAML files: plain data within limits. Every YAML that a person may write is read here.

PyYAML shares what an alias repeats, but whatever walks the data repeats it. The expanded size therefore has the limit
of the file.
"""

from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import yaml

from plumbline.spec.errors import SpecError, shown
from plumbline.spec.plain_data import MOST_DEPTH

MOST_BYTES = 1_000_000
"""The largest file, in bytes, and the largest content with every alias expanded, in characters and nodes."""
LONGEST_NUMBER = 100
"""The most characters of a number or date. Base-60 numbers take quadratic time."""

_MERGE = "tag:yaml.org,2002:merge"


class _Loader(yaml.SafeLoader):
    """A safe loader that bounds depth and aliases, and rejects cycles and repeated keys."""

    depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        self.depth += 1
        if self.depth > MOST_DEPTH + 1:
            raise yaml.YAMLError(f"it is nested more than {MOST_DEPTH} levels deep")
        node = super().compose_node(parent, index)
        self.depth -= 1
        return node

    def get_single_node(self) -> yaml.Node | None:
        node = super().get_single_node()
        if node is not None and (size := _size(node, {})) > MOST_BYTES:
            raise yaml.YAMLError(f"its aliases expand to {size:.1g} characters; at most {MOST_BYTES:,} are allowed")
        return node

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[Hashable] = set()
        for key in (self.construct_object(key, deep=True) for key, _ in node.value if key.tag != _MERGE):
            if not isinstance(key, Hashable):
                raise yaml.YAMLError(f"a key on line {node.start_mark.line + 1} or below is no text; write plain keys")
            if key in seen:
                line = node.start_mark.line + 1
                raise yaml.YAMLError(f"the key {shown(key)} appears twice on line {line} or below")
            seen.add(key)
        return super().construct_mapping(node, deep)

    def construct_scalar(self, node: Any) -> str:
        text = str(super().construct_scalar(node))
        if node.tag != self.DEFAULT_SCALAR_TAG and len(text) > LONGEST_NUMBER:
            raise yaml.YAMLError(f"{shown(text)} is too long for a number; put a text in quotes")
        return text


def _size(node: yaml.Node, known: dict[int, int | None]) -> int:
    """Return the characters and nodes below a node with its aliases expanded. Raises YAMLError for a cycle.

    `known` holds the size of each node that was visited, and None for those around the current one.
    """
    if id(node) not in known:
        known[id(node)] = None
        parts = (
            len(node.value) if isinstance(node, yaml.ScalarNode) else sum(_size(one, known) for one in _inside(node))
        )
        known[id(node)] = 1 + parts
    if (size := known[id(node)]) is None:
        raise yaml.YAMLError(f"the alias on line {node.start_mark.line + 1} or below contains itself")
    return size


def _inside(node: Any) -> Iterator[yaml.Node]:
    for part in node.value:
        yield from part if isinstance(part, tuple) else (part,)


def load(text: str) -> Any:
    """Return the plain data of a YAML text. Raises YAMLError, and ValueError for a text that only looks like a date."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 -- a SafeLoader


def read_yaml(path: Path, what: str = "spec") -> Any:
    """Return the plain data of a YAML file. Raises SpecError if it cannot be read or is not valid YAML."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the name is no path"
        raise SpecError(f"cannot read the {what} {path}: {reason}.") from None
    if len(content) > MOST_BYTES:
        raise SpecError(f"{path} is larger than {MOST_BYTES // 1_000_000} MB; move its words to lists.")
    try:
        return load(content.decode("utf-8"))
    except (yaml.YAMLError, ValueError) as error:  # ValueError: not UTF-8, or text that looks like a date or a number
        raise SpecError(f"{path} is not valid YAML in UTF-8: {error}") from None
