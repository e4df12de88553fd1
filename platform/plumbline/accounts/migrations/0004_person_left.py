from django.db import migrations

# The history stays as it was written, but for one thing: a person who leaves. In a transaction that names the number of
# that person, a row may change if it keeps all but the person's name, which becomes the pseudonym, and the person's mail
# address, which may only go.
ONLY_A_NAME_GOES = """
CREATE FUNCTION only_a_name_goes(was jsonb, becomes jsonb, person text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
SELECT NOT EXISTS (
    SELECT FROM jsonb_each(becomes) AS a JOIN jsonb_each(was) AS b USING (key)
    WHERE a.value IS DISTINCT FROM b.value AND NOT coalesce(CASE
        WHEN key = 'metadata' THEN
            b.value->>'user' = person AND a.value - 'username' = b.value - 'username'
            AND a.value->>'username' = 'Person ' || person || ' (left)'
        WHEN key = 'findings' THEN
            (SELECT jsonb_agg(one - ARRAY['judged_by', 'votes', 'assignee']) FROM jsonb_array_elements(a.value) AS one)
            IS NOT DISTINCT FROM
            (SELECT jsonb_agg(one - ARRAY['judged_by', 'votes', 'assignee']) FROM jsonb_array_elements(b.value) AS one)
        WHEN key = 'notify' THEN
            string_to_array(a.value #>> '{}', chr(10)) <@ string_to_array(replace(b.value #>> '{}', chr(13), ''), chr(10))
        WHEN key = ANY (ARRAY['pinned_name', 'judged_name', 'person_name', 'signed_name', 'withdrawn_name']) THEN
            person IN (was->>(replace(key, '_name', '_by_id')), was->>'person_id')
            AND a.value = to_jsonb('Person ' || person || ' (left)')
        ELSE false
    END, false)
)
$$
"""
FUNCTION = """
CREATE OR REPLACE FUNCTION history_stays() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    person_left text := nullif(current_setting('plumbline.person_left', true), '');
BEGIN
    IF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'pghistory_context' THEN
        IF OLD.created_at = transaction_timestamp() AND NEW.created_at = OLD.created_at AND NEW.id = OLD.id THEN
            RETURN NEW;
        END IF;
    END IF;
    IF TG_OP = 'UPDATE' AND person_left IS NOT NULL THEN
        IF only_a_name_goes(to_jsonb(OLD), to_jsonb(NEW), person_left) THEN
            RETURN NEW;
        END IF;
    END IF;
    RAISE EXCEPTION 'The history stays as it was written: % of a row of % is refused', TG_OP, TG_TABLE_NAME
        USING HINT = 'To take a change back, undo it on the page History: that is recorded too.';
END;
$$
"""
BEFORE = """
CREATE OR REPLACE FUNCTION history_stays() RETURNS trigger LANGUAGE plpgsql AS $$
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
        ('accounts', '0003_invitations'),
        ('vocab', '0004_authors'),
    ]

    operations = [
        migrations.RunSQL(ONLY_A_NAME_GOES, 'DROP FUNCTION only_a_name_goes(jsonb, jsonb, text)'),
        migrations.RunSQL(FUNCTION, BEFORE),
    ]
