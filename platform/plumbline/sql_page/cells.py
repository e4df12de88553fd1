"""Values of an answer for pages: PostgreSQL's text, with booleans, arrays and JSON made readable."""

import json
import re
from typing import Any

from psycopg.adapt import Transformer
from psycopg.postgres import types
from psycopg.pq import Format

from plumbline.sql_page.asking import Column, Kind

ONE_LINE = 60
"""The most characters of JSON on one line."""
_LOADER = Transformer().get_loader(types["text"].array_oid, Format.TEXT)
_TRUTH = {"t": "true", "f": "false"}
_TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def shown(value: str, column: Column) -> str:
    """Return `true` for t, arrays as `["women", "men"]`, long JSON over several lines, and other text unchanged."""
    match column.kind:
        case Kind.TRUTH:
            return _TRUTH.get(value, value)
        case Kind.JSON:
            return value if len(value) <= ONE_LINE else indented(value)
        case Kind.LIST:
            return _listed(_elements(value), column.element)
    return value


def indented(text: str) -> str:
    """Return JSON over several lines, token by token. Numbers keep the digits that a parser would round."""
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
    """Return the array's elements: texts, None or nested arrays."""
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
