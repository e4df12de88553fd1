"""Declared tables, migrations, mirrors and views say the same."""

from typing import Any

import polars as pl
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from django.db import connection, models
from sqlalchemy import BigInteger, Boolean, Connection, DateTime, Double, Integer, MetaData, SmallInteger, Table, Text
from sqlalchemy import text as statement
from sqlalchemy.schema import CreateSchema

from plumbline.results import schema
from plumbline.results.columns import VIEWS
from plumbline.results.measure_writing import replace_measures
from plumbline.results.models import (
    Association,
    Choice,
    Effect,
    Measure,
    ParsedAnswer,
    ReadOnlyModel,
    Reply,
    ReplyText,
    Term,
)
from plumbline.results.tables import (
    RECORD_TABLES,
    SCHEMA,
    association,
    choice,
    effect,
    measure,
    metadata,
    parsed_answer,
    reply,
    reply_text,
    term,
)
from plumbline.spec.errors import InputError

MIRRORS: list[tuple[type[ReadOnlyModel], Table]] = [
    (Term, term),
    (Association, association),
    (Effect, effect),
    (Choice, choice),
    (ParsedAnswer, parsed_answer),
    (Reply, reply),
    (ReplyText, reply_text),
    (Measure, measure),
]
FIELD_TYPES: dict[type, type[models.Field[Any, Any]]] = {
    BigInteger: models.BigIntegerField,
    SmallInteger: models.SmallIntegerField,
    Integer: models.IntegerField,
    Double: models.FloatField,
    Boolean: models.BooleanField,
    Text: models.TextField,
    DateTime: models.DateTimeField,
}


def is_declared(name: str | None, type_: str, parents: Any) -> bool:
    """The results plane without the partitions, which belong to their parent."""
    if type_ == "schema":
        return name == SCHEMA
    return type_ != "table" or not any(str(name).startswith(f"{table}_") for table in RECORD_TABLES)


@pytest.mark.django_db
def test_the_migrations_make_the_declared_tables() -> None:
    options = {
        "include_schemas": True,
        "include_name": is_declared,
        "version_table": schema.VERSION_TABLE,
        "version_table_schema": SCHEMA,
        "compare_server_default": True,
    }
    with schema.own_connection(connection) as own:
        context = MigrationContext.configure(own, opts=options)
        assert compare_metadata(context, metadata) == []


@pytest.mark.django_db
def test_the_constraints_have_their_conventional_names() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid"
            " WHERE connamespace = %s::regnamespace AND contype IN ('c', 'p', 'u')"
            " AND relname = ANY(%s)",
            [SCHEMA, [table.name for table in metadata.tables.values()]],
        )
        found = {name for (name,) in cursor.fetchall()}
    declared = {str(constraint.name) for table in metadata.tables.values() for constraint in table.constraints}
    assert found == declared


@pytest.mark.django_db
def test_the_migrations_make_the_declared_checks() -> None:
    """Alembic does not compare conditions. So the declared tables are made, too, and PostgreSQL writes down both."""
    declared = MetaData(schema="declared", naming_convention=metadata.naming_convention)
    for table in metadata.tables.values():
        table.to_metadata(declared, schema="declared")
    with schema.own_connection(connection) as own:
        own.execute(CreateSchema("declared"))
        declared.create_all(own)
        expected = checks(own, "declared")
        assert "value IS NOT NULL" in expected["measure_value_or_reason_ck"]
        assert checks(own, SCHEMA) == expected


def checks(own: Connection, schema_name: str) -> dict[str, str]:
    """The check constraints of the declared tables of a schema: their definitions by name."""
    query = statement(
        "SELECT conname, pg_get_constraintdef(pg_constraint.oid) AS condition FROM pg_constraint"
        " JOIN pg_class ON pg_class.oid = conrelid"
        " WHERE connamespace = CAST(:schema AS regnamespace) AND contype = 'c' AND relname = ANY(:tables)"
    )
    names = [table.name for table in metadata.tables.values()]
    return {row.conname: row.condition for row in own.execute(query, {"schema": schema_name, "tables": names})}


@pytest.mark.django_db
def test_the_database_is_at_the_head() -> None:
    assert schema.current_revision(connection) == schema.head_revision()


@pytest.mark.parametrize(("model", "table"), MIRRORS)
def test_a_mirror_has_the_columns_of_its_table(model: type[ReadOnlyModel], table: Table) -> None:
    fields = {str(field.column): field for field in model._meta.concrete_fields}
    assert list(fields) == table.c.keys()
    for column in table.c:
        field = fields[column.name]
        assert field.null == column.nullable, column.name
        plain = field.target_field if isinstance(field, models.ForeignKey) else field
        assert type(plain) is next(kind for type_, kind in FIELD_TYPES.items() if isinstance(column.type, type_))
    assert model._meta.db_table == f'"{SCHEMA}"."{table.name}"'
    assert not model._meta.managed


@pytest.mark.django_db
def test_every_view_has_its_documented_columns_and_types() -> None:
    assert schema.existing_views(connection) == sorted(f"v_{name}" for name in VIEWS)
    kinds = {
        "bigint": pl.Int64,
        "integer": pl.Int32,
        "smallint": pl.Int16,
        "double precision": pl.Float64,
        "boolean": pl.Boolean,
        "text": pl.String,
        "character varying": pl.String,
        "timestamp with time zone": pl.Datetime("us", "UTC"),
    }
    for name, columns in VIEWS.items():
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT column_name, data_type FROM information_schema.columns"
                " WHERE table_schema = %s AND table_name = %s ORDER BY ordinal_position",
                [SCHEMA, f"v_{name}"],
            )
            assert {column: kinds[kind] for column, kind in cursor.fetchall()} == columns


def test_each_view_is_one_file_of_its_name() -> None:
    for path in schema.VIEWS:
        assert f"CREATE OR REPLACE VIEW results.{path.stem} AS" in path.read_text()


def test_alembic_alone_says_who_drives_it() -> None:
    with pytest.raises(InputError, match=r"manage\.py migrate"):
        command.upgrade(schema._config(), "head")


SAID = "not told from 0 once names are"


def confounds() -> dict[str, tuple[str, str]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT attribute, confounds, reason FROM results.measure ORDER BY id")
        return {word: (told, reason) for word, told, reason in cursor.fetchall()}


@pytest.mark.django_db
def test_what_reasons_said_of_confounds_gets_a_column_and_can_be_written_back() -> None:
    one = {"statistic": "relative_difference", "n": 4, "value": 0.5}
    matched = one | {"statistic": "success_rate_difference", "condition": "matched"}
    said = {
        "both": one | {"reason": f"{SAID} matched or adjusted"},
        "one": one | {"reason": f"unequal; {SAID} adjusted"},
        "gone": matched | {"reason": "vanishes: not told from 0 any more; 9 pairs of names"},
        "kept": matched | {"reason": "9 pairs of names"},
        "other": one | {"reason": "vanishes"},
    }
    replace_measures(1, [row | {"attribute": word} for word, row in said.items()])
    revision = ScriptDirectory.from_config(schema._config()).get_revision("0012")
    with connection.cursor() as cursor:
        for statement in revision.module.FILLED:
            cursor.execute(statement)
    found = {word: told for word, (told, _) in confounds().items()}
    assert found == {"both": "matched, adjusted", "one": "adjusted", "gone": "matched", "kept": "", "other": ""}
    with connection.cursor() as cursor:
        cursor.execute("UPDATE results.measure SET reason = '' WHERE attribute = 'both'")
        cursor.execute("UPDATE results.measure SET reason = '9 pairs of names' WHERE attribute = 'gone'")
        for statement in revision.module.WRITTEN_BACK:
            cursor.execute(statement)
    assert {word: reason for word, (_, reason) in confounds().items()} == {
        word: row["reason"] for word, row in said.items()
    }
