"""The API, version 1: its operations, their errors and its OpenAPI document."""

from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest
from django.urls import URLPattern
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema
from ninja.renderers import BaseRenderer
from pydantic_core import to_json

from plumbline.api import schemas
from plumbline.api.bearer import Bearer, admitted
from plumbline.api.document import DESCRIPTION, completed
from plumbline.api.problems import handle_errors
from plumbline.api.responses import ROOT
from plumbline.api.routes import findings, plans, runs, words


class StrictJson(BaseRenderer):
    """JSON without NaN and infinity, which its standard does not have: null in their place."""

    media_type = "application/json"

    def render(self, request: HttpRequest, data: Any, *, response_status: int) -> bytes:
        return to_json(data, inf_nan_mode="null")


class Api(NinjaAPI):
    """ninja's API with short names of operations, and the errors of each in its document."""

    def get_openapi_operation_id(self, operation: Any) -> str:
        return str(operation.view_func.__name__)

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**{"path_prefix": ROOT, **options})
        found: OpenAPISchema = completed(schema)
        return found


api = Api(
    title="Plumbline",
    version="1",
    description=DESCRIPTION,
    urls_namespace="api",
    docs_url=None,
    openapi_url=None,
    renderer=StrictJson(),
)
handle_errors(api)
for _rooms in (runs, findings, words, plans):
    api.add_router("", _rooms.router)


@api.get("/me", response=schemas.Me, auth=Bearer(), tags=["token"], summary="Get what the token may do")
def get_me(request: HttpRequest) -> Any:
    found = admitted(request)
    person = found.token.person
    return {
        "name": found.token.name,
        "scopes": [scope for scope in found.token.scopes if found.may(scope)],
        "person": person.get_username() if person else None,
        "expires_at": found.token.expires_at,
        "requests_left": max(0, settings.API_REQUESTS_PER_MINUTE - found.requests),
    }


@api.get("/openapi.json", auth=Bearer(), include_in_schema=False)
def get_openapi(request: HttpRequest) -> Any:
    return api.get_openapi_schema()


def patterns() -> list[Any]:
    """Return the addresses, without ninja's first page. Operations ask for a token instead of a login."""
    found = [one for one in api.urls[0] if isinstance(one, URLPattern) and one.name != "api-root"]
    for one in found:
        one.callback = login_not_required(one.callback)
    return found
