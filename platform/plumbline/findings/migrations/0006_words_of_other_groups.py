"""Forget the words of findings about a group and the others: they are noted anew, with those of the other groups."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

OTHER_GROUPS = "(other groups)"


def forget(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    observations = apps.get_model("findings", "Observation").objects
    observations.filter(finding__group_b=OTHER_GROUPS).exclude(words="").update(words="")


class Migration(migrations.Migration):
    dependencies = [("findings", "0005_words")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="observation",
            name="outcome",
            field=models.CharField(
                choices=[
                    ("new", "First found"),
                    ("still", "Still there"),
                    ("stronger", "Stronger"),
                    ("weaker", "Weaker"),
                    ("reversed", "Reversed"),
                    ("back", "Back"),
                    ("gone", "Gone"),
                    ("undecided", "Undecided"),
                    ("not measured", "Not measured"),
                    ("other words", "Asked in other words or groups"),
                ],
                max_length=12,
            ),
        ),
    ]
