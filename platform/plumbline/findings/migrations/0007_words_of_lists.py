"""Forget the words of findings about a whole list: they are noted anew, with all words of the list.

The scheduler writes the latest run of each such finding again, so that earlier runs are no longer said to be unchanged.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    findings, observations, updates = (
        apps.get_model("findings", name).objects for name in ("Finding", "Observation", "Update")
    )
    latest = findings.filter(attribute="", latest__run__isnull=False).values("latest__run")
    updates.filter(run__in=latest, error="").update(summarised_at=None)
    observations.filter(finding__attribute="").exclude(words="").update(words="")


class Migration(migrations.Migration):
    dependencies = [("findings", "0006_words_of_other_groups")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
