"""The source of the Python client, written from the API's OpenAPI document: a method for each operation.

The client is one file that needs only Python's standard library.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

TYPES = {"integer": "int", "string": "str", "boolean": "bool", "number": "float"}
HEAD = '''"""A client of Plumbline's API, version {version}. Written by `manage.py api client`: do not edit it.

Example:

    plumbline = Plumbline("https://plumbline.example.org", token)
    for run in plumbline.pages(plumbline.list_runs, state="done"):
        print(run["id"], run["model"])

It needs Python 3.11 or newer and nothing else.
"""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class ApiError(Exception):
    """An error of the API. `problem` has its members: title, status, detail and others."""

    def __init__(self, problem: dict[str, Any]) -> None:
        self.problem = problem
        super().__init__(f"{{problem.get('status')}} {{problem.get('title')}}: {{problem.get('detail', '')}}")


class Plumbline:
    """The API of an installation. A request above the token's limit waits and is sent again, at most `tries` times."""

    def __init__(self, address: str, token: str, *, timeout: float = 60.0, tries: int = 5) -> None:
        if not address.startswith(("https://", "http://")):
            raise ValueError("the address begins with https:// or http://")
        self.address, self.token, self.timeout, self.tries = address.rstrip("/"), token, timeout, tries

    def pages(self, operation: Callable[..., Any], *args: Any, **query: Any) -> Iterator[Any]:
        """Yield the rows of all pages of an operation that has a cursor."""
        cursor: str | None = ""
        while cursor is not None:
            page = operation(*args, **{{**query, "cursor": cursor or None}})
            yield from page["items"]
            cursor = page["next"]

    def _send(self, method: str, path: str, query: dict[str, Any], headers: dict[str, Any], body: Any = None) -> Any:
        given = {{name: _text(value) for name, value in query.items() if value is not None}}
        address = f"{{self.address}}{{path}}" + (f"?{{urlencode(given)}}" if given else "")
        sent = {{name: str(value) for name, value in headers.items() if value is not None}}
        sent |= {{"Authorization": f"Bearer {{self.token}}", "Accept": "application/json"}}
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            sent["Content-Type"] = "application/json"
        request = Request(address, data=data, headers=sent, method=method)
        for left in reversed(range(self.tries)):
            try:
                with urlopen(request, timeout=self.timeout) as response:
                    return json.load(response)
            except HTTPError as error:
                if error.code != 429 or not left:
                    raise ApiError(_problem(error)) from None
                time.sleep(float(error.headers.get("Retry-After", "1")))
        raise AssertionError("unreachable")
'''
TAIL = '''

def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _problem(error: HTTPError) -> dict[str, Any]:
    """Return the problem of an error, or its status if a proxy answered with something else."""
    try:
        found = json.load(error)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"status": error.code, "title": error.reason}
'''


def client_source(document: Mapping[str, Any]) -> str:
    """Return the file's text."""
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    ordered = sorted(operations, key=lambda one: str(one[2]["operationId"]))
    methods = (line for one in ordered for line in ("", *_method(*one)))
    return HEAD.format(version=document["info"]["version"]) + "\n".join(methods) + "\n" + TAIL


def _method(method: str, path: str, operation: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of one operation: parameters of the path by position, others by name."""
    own = operation.get("parameters", [])
    by_place = {place: [one for one in own if one["in"] == place] for place in ("path", "query", "header")}
    named = [_argument(one) for one in (*by_place["header"], *by_place["query"])]
    has_body = "requestBody" in operation
    body = ["body: dict[str, Any]"] if has_body else []
    arguments = ["self", *map(_argument, by_place["path"]), *body, *(["*", *named] if named else [])]
    yield from _signature(operation["operationId"], arguments)
    yield f'        """{operation["summary"]}."""'
    yield "        return self._send("
    yield f'            "{method}",'
    yield f"            {_path(path)},"
    yield f"            {_dict(by_place['query'])},"
    yield f"            {_dict(by_place['header'])},"
    yield from (["            body,"] if has_body else [])
    yield "        )"


def _signature(name: str, arguments: list[str]) -> list[str]:
    """Return the line that begins a method, or its lines if there are many arguments."""
    if len(arguments) < 4:
        return [f"    def {name}({', '.join(arguments)}) -> Any:"]
    return [f"    def {name}(", *(f"        {one}," for one in arguments), "    ) -> Any:"]


def _argument(parameter: Mapping[str, Any]) -> str:
    kind = TYPES.get(parameter["schema"].get("type", "string"), "str")
    required = parameter.get("required")
    return f"{_name(parameter)}: {kind}" if required else f"{_name(parameter)}: {kind} | None = None"


def _name(parameter: Mapping[str, Any]) -> str:
    return re.sub(r"\W", "_", parameter["name"]).lower()


def _path(path: str) -> str:
    filled = re.sub(r"\{(\w+)\}", r"{quote(str(\1), safe='')}", path)
    return f'f"{filled}"' if filled != path else f'"{path}"'


def _dict(parameters: list[Any]) -> str:
    entries = [f'"{one["name"]}": {_name(one)}' for one in parameters]
    if len(entries) < 3:
        return "{" + ", ".join(entries) + "}"
    return "{\n" + "".join(f"                {one},\n" for one in entries) + "            }"
