"""Forget the words of observations: they are noted anew, with the forms alone that the templates of the run read.

A pronoun that no template reads made a finding one in other words. The scheduler writes the latest run of each such
finding again.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    observations, updates = (apps.get_model("findings", name).objects for name in ("Observation", "Update"))
    otherwise = observations.filter(outcome="other words", run__isnull=False).values("run")
    updates.filter(run__in=otherwise, error="").update(summarised_at=None)
    observations.exclude(words="").update(words="")


class Migration(migrations.Migration):
    dependencies = [("findings", "0007_words_of_lists")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
