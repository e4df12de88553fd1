from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0010_padding_comparisons'),
    ]

    operations = [
        migrations.AddField(
            model_name='shard',
            name='rows_reused',
            field=models.PositiveIntegerField(db_default=0, default=0, help_text='Of its rows: from earlier runs; stays when these go'),
        ),
        migrations.RunSQL(
            "UPDATE audits_shard SET rows_reused = size WHERE reused_from_id IS NOT NULL", migrations.RunSQL.noop
        ),
    ]
