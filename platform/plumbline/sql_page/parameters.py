"""Named parameters of a query (`:run`), which are sent to the server as parameters, never as text."""

import re

from plumbline.sql_page.faults import AskError

MOST = 9
"""The most parameters. `$1` to `$9` fit into the shortest name with its colon, so each can be padded to its length."""

# Colons in these begin no parameter: strings, quoted names, comments, dollar quotes, casts and slices.
_TOKEN = re.compile(
    r"""
      [eE]'(?:[^'\\]|\\.|'')*'      | '(?:[^']|'')*'            | "(?:[^"]|"")*"
    | --[^\n]*                      | /\*.*?\*/                 | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$
    | ::                            | :=                        | \w+(?::\w+)?
    | :(?P<name>[a-z_][a-z0-9_]*)
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def names(text: str) -> list[str]:
    """Return the distinct parameters in order of first use. Raises AskError for more than nine."""
    found = list(dict.fromkeys(match["name"] for match in _TOKEN.finditer(text) if match["name"]))
    if len(found) > MOST:
        raise AskError(
            f"A query may have {MOST} parameters; this one has {len(found)}.", hint="Replace some by values."
        )
    return found


def numbered(text: str) -> str:
    """Return the text with `$1` for the first name and so on, padded so that the server's positions fit `text`."""
    places = {name: f"${number}" for number, name in enumerate(names(text), 1)}
    return _TOKEN.sub(lambda match: places[match["name"]].ljust(len(match[0])) if match["name"] else match[0], text)
