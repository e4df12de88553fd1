"""A comparison rests on no tokenizer: the column was inherited, and nothing was ever written to it."""

from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('audits', '0006_authors'),
    ]

    operations = [
        migrations.RemoveField(
            model_name='comparisonrequest',
            name='tokenizer_digest',
        ),
    ]
