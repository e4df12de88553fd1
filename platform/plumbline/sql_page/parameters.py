"""Named parameters of a question, `:run`: found in its text, and handed to the server as parameters, never as text."""

import re

from plumbline.sql_page.faults import AskError

MOST = 9
"""`$1` to `$9` are no longer than the shortest name with its colon, so that each can be padded to its name's length."""

# What may hold a colon that begins no parameter: strings, quoted names, comments, dollar quotes, casts, slices.
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
    """The parameters of a question, each once, in the order of their first use. AskError: more than nine."""
    found = list(dict.fromkeys(match["name"] for match in _TOKEN.finditer(text) if match["name"]))
    if len(found) > MOST:
        raise AskError(
            f"A question may have {MOST} parameters; this one has {len(found)}.", hint="Write some of them out."
        )
    return found


def numbered(text: str) -> str:
    """The text with `$1` for the first name and so on, each padded: the server's positions are those of `text`."""
    places = {name: f"${number}" for number, name in enumerate(names(text), 1)}
    return _TOKEN.sub(lambda match: places[match["name"]].ljust(len(match[0])) if match["name"] else match[0], text)
