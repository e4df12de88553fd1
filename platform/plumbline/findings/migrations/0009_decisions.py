"""Sign-offs with a decision about the use of the model. Earlier ones have none."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('findings', '0008_forms_of_words'),
    ]

    operations = [
        pgtrigger.migrations.RemoveTrigger(
            model_name='signoff',
            name='insert_insert',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='signoff',
            name='update_update',
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name='signoff',
            name='delete_delete',
        ),
        migrations.AddField(
            model_name='signoff',
            name='decision',
            field=models.CharField(blank=True, choices=[('use', 'May be used as described'), ('conditions', 'May be used on conditions'), ('no use', 'Must not be used as described'), ('none', 'No decision about its use')], db_default='', default='', max_length=12),
        ),
        migrations.AddField(
            model_name='signoffevent',
            name='decision',
            field=models.CharField(blank=True, choices=[('use', 'May be used as described'), ('conditions', 'May be used on conditions'), ('no use', 'Must not be used as described'), ('none', 'No decision about its use')], db_default='', default='', max_length=12),
        ),
        migrations.AlterField(
            model_name='signoff',
            name='note',
            field=models.TextField(blank=True, help_text='For which use, on which conditions, and why'),
        ),
        migrations.AlterField(
            model_name='signoffevent',
            name='note',
            field=models.TextField(blank=True, help_text='For which use, on which conditions, and why'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='signoff',
            trigger=pgtrigger.compiler.Trigger(name='insert_insert', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "findings_signoffevent" ("conditions", "decision", "findings", "id", "is_of_release", "model", "note", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "probe", "release", "series", "signed_at", "signed_by_id", "signed_name", "withdrawn_at", "withdrawn_by_id", "withdrawn_name", "withdrawn_reason") VALUES (NEW."conditions", NEW."decision", NEW."findings", NEW."id", NEW."is_of_release", NEW."model", NEW."note", _pgh_attach_context(), clock_timestamp(), \'insert\', NEW."id", NEW."probe", NEW."release", NEW."series", NEW."signed_at", NEW."signed_by_id", NEW."signed_name", NEW."withdrawn_at", NEW."withdrawn_by_id", NEW."withdrawn_name", NEW."withdrawn_reason"); RETURN NULL;', hash='2fc2975d475a1d244c6f6f4d5196b827673ed5b5', operation='INSERT', pgid='pgtrigger_insert_insert_f2742', table='findings_signoff', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='signoff',
            trigger=pgtrigger.compiler.Trigger(name='update_update', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (OLD.* IS DISTINCT FROM NEW.*)', func='INSERT INTO "findings_signoffevent" ("conditions", "decision", "findings", "id", "is_of_release", "model", "note", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "probe", "release", "series", "signed_at", "signed_by_id", "signed_name", "withdrawn_at", "withdrawn_by_id", "withdrawn_name", "withdrawn_reason") VALUES (NEW."conditions", NEW."decision", NEW."findings", NEW."id", NEW."is_of_release", NEW."model", NEW."note", _pgh_attach_context(), clock_timestamp(), \'update\', NEW."id", NEW."probe", NEW."release", NEW."series", NEW."signed_at", NEW."signed_by_id", NEW."signed_name", NEW."withdrawn_at", NEW."withdrawn_by_id", NEW."withdrawn_name", NEW."withdrawn_reason"); RETURN NULL;', hash='c787ee7f65cd90ef4203ba291dd10010141c2d44', operation='UPDATE', pgid='pgtrigger_update_update_dee52', table='findings_signoff', when='AFTER')),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='signoff',
            trigger=pgtrigger.compiler.Trigger(name='delete_delete', sql=pgtrigger.compiler.UpsertTriggerSql(func='INSERT INTO "findings_signoffevent" ("conditions", "decision", "findings", "id", "is_of_release", "model", "note", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "probe", "release", "series", "signed_at", "signed_by_id", "signed_name", "withdrawn_at", "withdrawn_by_id", "withdrawn_name", "withdrawn_reason") VALUES (OLD."conditions", OLD."decision", OLD."findings", OLD."id", OLD."is_of_release", OLD."model", OLD."note", _pgh_attach_context(), clock_timestamp(), \'delete\', OLD."id", OLD."probe", OLD."release", OLD."series", OLD."signed_at", OLD."signed_by_id", OLD."signed_name", OLD."withdrawn_at", OLD."withdrawn_by_id", OLD."withdrawn_name", OLD."withdrawn_reason"); RETURN NULL;', hash='5f1ada12ee8e090a0cf841697e2a3b26a03ad2f8', operation='DELETE', pgid='pgtrigger_delete_delete_7b4ac', table='findings_signoff', when='AFTER')),
        ),
    ]
