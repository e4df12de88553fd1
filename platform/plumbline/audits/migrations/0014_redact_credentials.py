"""Take users and passwords out of the addresses of endpoints that earlier releases stored."""

from django.db import migrations

# The unique references of models come first: an entry whose address is there without credentials keeps its id in it.
REDACT = r"""
set constraints all immediate;

update audits_modelunderaudit as mine
set reference = case
    when exists (
        select from audits_modelunderaudit as other
        where other.id <> mine.id and other.reference in (
            mine.reference, regexp_replace(mine.reference, '(openai:https?://)[^#\s"]*@', '\1'))
        or other.id < mine.id
        and regexp_replace(other.reference, '(openai:https?://)[^#\s"]*@', '\1')
            = regexp_replace(mine.reference, '(openai:https?://)[^#\s"]*@', '\1')
    )
    then regexp_replace(mine.reference, '(openai:https?://)[^#\s"]*@', '\1') || '-' || mine.id
    else regexp_replace(mine.reference, '(openai:https?://)[^#\s"]*@', '\1')
end
where mine.reference ~ 'openai:https?://[^#\s"]*@';

do $$
declare
    place record;
    found boolean;
    pattern text := '(openai:https?://)[^#\s"]*@';
begin
    for place in
        select table_name as tab, column_name as col, data_type as kind
        from information_schema.columns join information_schema.tables using (table_schema, table_name)
        where table_schema = current_schema() and table_name like 'audits\_%' and table_type = 'BASE TABLE'
        and data_type in ('text', 'character varying', 'jsonb')
    loop
        execute format('select exists (select from %I where %I::text ~ %L)', place.tab, place.col, pattern) into found;
        if found then
            -- The history keeps what was typed, and its triggers let nobody change it.
            execute format('alter table %I disable trigger user', place.tab);
            execute format(
                'update %I set %I = regexp_replace(%I::text, %L, %L, ''g'')::%s where %I::text ~ %L',
                place.tab, place.col, place.col, pattern, '\1', place.kind, place.col, pattern
            );
            execute format('alter table %I enable trigger user', place.tab);
        end if;
    end loop;
end $$;
"""


class Migration(migrations.Migration):
    dependencies = [("audits", "0013_variants")]

    operations = [migrations.RunSQL(REDACT, migrations.RunSQL.noop)]
