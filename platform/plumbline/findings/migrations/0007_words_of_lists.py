"""Forget the words of findings about a whole list: they are noted anew, with all words of the list."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps


def forget(apps: StateApps, _editor: BaseDatabaseSchemaEditor) -> None:
    observations = apps.get_model("findings", "Observation").objects
    observations.filter(finding__attribute="").exclude(words="").update(words="")


class Migration(migrations.Migration):
    dependencies = [("findings", "0006_words_of_other_groups")]

    operations = [migrations.RunPython(forget, migrations.RunPython.noop, elidable=True)]
