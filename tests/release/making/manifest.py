"""What must be found in the release's data: written beside the dump, and checked in every later release."""

from typing import Any

from django.apps import apps
from django.db import connection
from django.urls import reverse
from pghistory.models import Context

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.vocab.authors import author_name, names_now
from tests.release import fingerprints
from tests.release.making.people import browser
from tests.release.walking import Walk

OURS = ("vocab", "audits", "review")
BESIDES = ("auth_user", "pghistory_context", "results.term")
"""Tables that are none of our apps', whose rows must stay as well."""
PASSING = frozenset({"audits_workerprocess"})
"""Rows that any process may take away."""


def of_the_database(commit: str) -> dict[str, Any]:
    columns = {table: fingerprints.columns_of(table) for table in fingerprints.TABLES}
    runs = Run.objects.order_by("pk")
    return {
        "release": commit,
        "server": connection.pg_version,  # type: ignore[attr-defined] # of PostgreSQL's wrapper
        "columns": columns,
        "runs": {str(run.pk): fingerprints.of_run(run, columns) for run in runs},
        "rows": _rows(),
        "history": fingerprints.of_history(),
        "authors": _authors(),
        "pages": {str(run.pk): _pages(run.pk) for run in runs},
        "plans": _plans(),
    }


def _rows() -> dict[str, int]:
    """Of each table of ours; RuntimeError for an empty one, of which the release would prove nothing."""
    models = (model for app in OURS for model in apps.get_app_config(app).get_models(include_auto_created=True))
    tables = {model._meta.db_table for model in models if model._meta.managed and not model._meta.proxy}
    found = fingerprints.rows_of(sorted({*tables, *BESIDES} - PASSING))
    if empty := [table for table, rows in found.items() if not rows]:
        raise RuntimeError(f"the story leaves these tables empty: {', '.join(empty)}")
    return found


def _authors() -> list[str]:
    """Everybody who changed a word, a plan or a schedule, as pages name them."""
    contexts = list(Context.objects.all())
    now = names_now(contexts)
    return sorted({author_name(context, now) for context in contexts if {"user", "command"} & context.metadata.keys()})


def _pages(run: int) -> list[str]:
    """The names of the addresses to which the run's page leads, and what these lead to in turn."""
    begin = reverse("run", args=[run])
    walk = Walk(browser("ada"), lambda path: path.startswith(begin))
    walk.over([begin])
    return sorted(walk.met)


def _plans() -> dict[str, int]:
    """By name the plans that were run, each with its latest finished run."""
    done = Run.objects.filter(state=RunState.DONE, plan__isnull=False).order_by("pk")
    return dict(done.values_list("plan__name", "pk"))
