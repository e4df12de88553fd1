from django.db import migrations

KEPT = ('pghistory_context', *(
    f'vocab_{name}event'
    for name in (
        'attribute', 'attributeset', 'group', 'grouplist', 'name', 'namelist', 'sentencetemplate', 'templatelist',
        'traitlist', 'traitpair',
    )
))

# pghistory writes a context again when more is known of it, with the time of the transaction that began it as
# created_at: so a context is open as long as the transaction that wrote it, and no longer. Unlike triggers of
# pgtrigger, this one cannot be asked to look away.
FUNCTION = """
CREATE FUNCTION history_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'pghistory_context' THEN
        IF OLD.created_at = transaction_timestamp() AND NEW.created_at = OLD.created_at AND NEW.id = OLD.id THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The history stays as it was written: % of a row of % is refused', TG_OP, TG_TABLE_NAME
        USING HINT = 'To take a change back, undo it on the page History: that is recorded too.';
END;
$$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('vocab', '0003_frequency'),
    ]

    operations = [
        migrations.RunSQL(FUNCTION, 'DROP FUNCTION history_stays()'),
        *(
            migrations.RunSQL(
                f'CREATE TRIGGER history_stays BEFORE UPDATE OR DELETE ON {table} '
                'FOR EACH ROW EXECUTE FUNCTION history_stays()',
                f'DROP TRIGGER history_stays ON {table}',
            )
            for table in KEPT
        ),
    ]
