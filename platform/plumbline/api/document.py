"""What ninja's OpenAPI document lacks: the errors of each operation, and plain types of optional parameters."""

from typing import Any

from plumbline.api.problems import MEDIA_TYPE
from plumbline.api.schemas import Problem

DESCRIPTION = (
    "Read what Plumbline measured and what people decided, and launch plans. Each request needs a token in the header"
    " `Authorization: Bearer TOKEN`. Errors are problem details (RFC 9457). Pages have a cursor `next`. Send an ETag in"
    " If-None-Match to get 304 if nothing changed. Columns are described in docs/sql.md."
)
REFUSALS = {
    "400": "The address or the cursor is not valid",
    "401": "There is no valid token",
    "403": "The token or its account may not do this",
    "404": "There is nothing of this number",
    "422": "A parameter or the body is not valid",
    "429": "Too many requests in this minute; Retry-After has the seconds",
}
CONFLICT = {"409": "The plan needs accept_warnings"}


def completed(schema: Any) -> Any:
    """Return ninja's document with the errors of all operations."""
    schema["components"]["schemas"]["Problem"] = Problem.model_json_schema()
    for operations in schema["paths"].values():
        for method, operation in operations.items():
            operation["responses"] |= _refusals(REFUSALS | (CONFLICT if method == "post" else {}))
            for parameter in operation.get("parameters", []):
                parameter["schema"] = _plain(parameter["schema"])
    return schema


def _refusals(meanings: dict[str, str]) -> dict[int, Any]:
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {int(status): {"description": why, "content": content} for status, why in meanings.items()}


def _plain(schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an optional parameter without null, which a query cannot hold."""
    given = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    if len(given) != 1:
        return schema
    return {**{key: value for key, value in schema.items() if key != "anyOf"}, **given[0]}
