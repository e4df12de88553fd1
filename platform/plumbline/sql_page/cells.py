"""Values of an answer as a page shows them: PostgreSQL's own text, made readable where it is made for machines."""

import json
import re
from typing import Any

from psycopg.adapt import Transformer
from psycopg.postgres import types
from psycopg.pq import Format

from plumbline.sql_page.asking import Column, Kind

ONE_LINE = 60
"""Characters of JSON up to which it stands on one line."""
_LOADER = Transformer().get_loader(types["text"].array_oid, Format.TEXT)
_TRUTH = {"t": "true", "f": "false"}
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def shown(value: str, column: Column) -> str:
    """`true`, an array as `["women", "men"]`, long JSON in lines of its own; all else as the server wrote it."""
    match column.kind:
        case Kind.TRUTH:
            return _TRUTH.get(value, value)
        case Kind.JSON:
            return value if len(value) <= ONE_LINE else indented(value)
        case Kind.LIST:
            return _listed(_elements(value), column.element)
    return value


def indented(text: str) -> str:
    """JSON over several lines, token by token: a number keeps the digits that a parser would round."""
    lines, depth, tokens = [""], 0, _TOKEN.findall(text)
    for before, token, following in zip(["", *tokens[:-1]], tokens, [*tokens[1:], ""], strict=True):
        if token in "}]" and before not in ("{", "["):
            lines.append("  " * (depth - 1))
        depth += (token in "{[") - (token in "}]")
        lines[-1] += f"{token} " if token == ":" else token
        if token == "," or (token in "{[" and following not in ("}", "]")):
            lines.append("  " * depth)
    return "\n".join(lines)


def _elements(value: str) -> list[Any]:
    """The array's elements as texts, None, or arrays themselves."""
    elements: list[Any] = _LOADER.load(value.encode())
    return elements


def _listed(elements: list[Any], kind: Kind) -> str:
    return f"[{', '.join(_element(one, kind) for one in elements)}]"


def _element(one: Any, kind: Kind) -> str:
    if one is None:
        return "NULL"
    if isinstance(one, list):
        return _listed(one, kind)
    match kind:
        case Kind.NUMBER | Kind.JSON:
            return str(one)
        case Kind.TRUTH:
            return _TRUTH.get(str(one), str(one))
    return json.dumps(one, ensure_ascii=False)
