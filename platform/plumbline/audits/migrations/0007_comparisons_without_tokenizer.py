"""Remove the inherited tokenizer column of comparisons, which was never written."""

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
