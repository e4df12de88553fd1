"""A client of Plumbline's API, version 1. Written by `manage.py api client`: do not edit it.

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
        super().__init__(f"{problem.get('status')} {problem.get('title')}: {problem.get('detail', '')}")


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
            page = operation(*args, **{**query, "cursor": cursor or None})
            yield from page["items"]
            cursor = page["next"]

    def _send(self, method: str, path: str, query: dict[str, Any], headers: dict[str, Any], body: Any = None) -> Any:
        given = {name: _text(value) for name, value in query.items() if value is not None}
        address = f"{self.address}{path}" + (f"?{urlencode(given)}" if given else "")
        sent = {name: str(value) for name, value in headers.items() if value is not None}
        sent |= {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
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

    def get_finding(self, finding: int) -> Any:
        """Get a finding with all its runs."""
        return self._send(
            "GET",
            f"/api/v1/findings/{quote(str(finding), safe='')}",
            {},
            {},
        )

    def get_me(self) -> Any:
        """Get what the token may do."""
        return self._send(
            "GET",
            "/api/v1/me",
            {},
            {},
        )

    def get_plan(self, plan: int) -> Any:
        """Get a plan with its spec."""
        return self._send(
            "GET",
            f"/api/v1/plans/{quote(str(plan), safe='')}",
            {},
            {},
        )

    def get_run(self, run: int) -> Any:
        """Get a run with its frozen spec and its provenance."""
        return self._send(
            "GET",
            f"/api/v1/runs/{quote(str(run), safe='')}",
            {},
            {},
        )

    def get_word_list(self, kind: str, slug: str) -> Any:
        """Get a word list with its version."""
        return self._send(
            "GET",
            f"/api/v1/words/{quote(str(kind), safe='')}/{quote(str(slug), safe='')}",
            {},
            {},
        )

    def launch_plan(
        self,
        plan: int,
        body: dict[str, Any],
        *,
        idempotency_key: str,
    ) -> Any:
        """Launch a plan with today's words, a run for each of its models."""
        return self._send(
            "POST",
            f"/api/v1/plans/{quote(str(plan), safe='')}/launches",
            {},
            {"Idempotency-Key": idempotency_key},
            body,
        )

    def list_banks(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Any:
        """List question banks, without their questions."""
        return self._send(
            "GET",
            "/api/v1/banks",
            {"limit": limit, "cursor": cursor},
            {},
        )

    def list_entries(
        self,
        kind: str,
        slug: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Any:
        """List the entries of a word list."""
        return self._send(
            "GET",
            f"/api/v1/words/{quote(str(kind), safe='')}/{quote(str(slug), safe='')}/entries",
            {"limit": limit, "cursor": cursor},
            {},
        )

    def list_findings(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: str | None = None,
        outcome: str | None = None,
        model: str | None = None,
        probe: str | None = None,
        run: int | None = None,
    ) -> Any:
        """List findings, the newest first."""
        return self._send(
            "GET",
            "/api/v1/findings",
            {
                "limit": limit,
                "cursor": cursor,
                "state": state,
                "outcome": outcome,
                "model": model,
                "probe": probe,
                "run": run,
            },
            {},
        )

    def list_items(
        self,
        run: int,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        table: str | None = None,
        template: str | None = None,
        group: str | None = None,
        attribute: str | None = None,
        name: str | None = None,
        context: str | None = None,
        word: str | None = None,
        bank: str | None = None,
        item: str | None = None,
        category: str | None = None,
        condition: str | None = None,
        scorable: bool | None = None,
    ) -> Any:
        """List the items of a run, as asked and answered."""
        return self._send(
            "GET",
            f"/api/v1/runs/{quote(str(run), safe='')}/items",
            {
                "limit": limit,
                "cursor": cursor,
                "table": table,
                "template": template,
                "group": group,
                "attribute": attribute,
                "name": name,
                "context": context,
                "word": word,
                "bank": bank,
                "item": item,
                "category": category,
                "condition": condition,
                "scorable": scorable,
            },
            {},
        )

    def list_measures(
        self,
        run: int,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        statistic: str | None = None,
        verdict: str | None = None,
        group_a: str | None = None,
        group_b: str | None = None,
        attribute: str | None = None,
        other_priors: bool | None = None,
    ) -> Any:
        """List the measures of a run."""
        return self._send(
            "GET",
            f"/api/v1/runs/{quote(str(run), safe='')}/measures",
            {
                "limit": limit,
                "cursor": cursor,
                "statistic": statistic,
                "verdict": verdict,
                "group_a": group_a,
                "group_b": group_b,
                "attribute": attribute,
                "other_priors": other_priors,
            },
            {},
        )

    def list_models(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        reference: str | None = None,
    ) -> Any:
        """List models under audit, the newest first."""
        return self._send(
            "GET",
            "/api/v1/models",
            {
                "limit": limit,
                "cursor": cursor,
                "reference": reference,
            },
            {},
        )

    def list_plans(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Any:
        """List plans, the newest first."""
        return self._send(
            "GET",
            "/api/v1/plans",
            {"limit": limit, "cursor": cursor},
            {},
        )

    def list_runs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: str | None = None,
        probe: str | None = None,
        model: str | None = None,
        plan: int | None = None,
    ) -> Any:
        """List runs, the newest first."""
        return self._send(
            "GET",
            "/api/v1/runs",
            {
                "limit": limit,
                "cursor": cursor,
                "state": state,
                "probe": probe,
                "model": model,
                "plan": plan,
            },
            {},
        )

    def list_word_lists(self, *, kind: str | None = None) -> Any:
        """List all word lists, or those of one kind."""
        return self._send(
            "GET",
            "/api/v1/words",
            {"kind": kind},
            {},
        )


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _problem(error: HTTPError) -> dict[str, Any]:
    """Return the problem of an error, or its status if a proxy answered with something else."""
    try:
        found = json.load(error)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"status": error.code, "title": error.reason}
