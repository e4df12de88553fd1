from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('vocab', '0007_banks'),
    ]

    operations = [
        migrations.AlterField(
            model_name='bank',
            name='kind',
            field=models.CharField(
                choices=[
                    ('gap', 'GAP: gendered ambiguous pronouns'),
                    ('socialiqa', 'Social IQa: situations with a question about a person'),
                    ('contexts', "Contexts: situations of one's own with a question about a person"),
                ],
                max_length=20,
            ),
        ),
    ]
