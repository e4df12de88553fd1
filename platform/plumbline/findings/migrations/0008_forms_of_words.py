"""Forget the words of observations: they are noted anew by the forms that the templates of a run read.

A pronoun that no template reads made a finding one in other words. The scheduler writes the runs of these findings
again.
"""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    observations, updates = (apps.get_model("findings", name).objects for name in ("Observation", "Update"))
    otherwise = observations.filter(outcome="other words", run__isnull=False).values("run")
    updates.filter(run__in=otherwise, error="").update(summarised_at=None)
    observations.filter(run__isnull=False).exclude(words="").update(words="")


class Migration(migrations.Migration):
    dependencies = [("findings", "0007_words_of_lists")]

    operations = [
        migrations.AlterField(
            model_name="observation",
            name="words",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                help_text="Digests of the forms in which the finding's groups and its word were asked;"
                " empty if not known",
                max_length=320,
            ),
        ),
        migrations.RunPython(forget, migrations.RunPython.noop, elidable=True),
    ]
