"""What new migrations of both planes may not do in silence: lose data, or break the release that still runs."""

import ast
from pathlib import Path

import pytest
from django.conf import settings
from django_migration_linter import MigrationLinter
from django_migration_linter.sql_analyser.analyser import analyse_sql_statements

APPS = ("vocab", "audits", "review")
REVISIONS = sorted(Path(settings.BASE_DIR, "migrations", "versions").glob("0*.py"))

# Landed, or done with open eyes: a site stops before it migrates (docs/operators.md). New lines need a reason.
KNOWN = {
    # Never written to: it had been inherited by mistake.
    ("audits", "0007_comparisons_without_tokenizer"): {"DROP_COLUMN"},
    # Of the rows that curators write: the web process that does so stops before. `db_default` would have spared it.
    ("vocab", "0005_intersections"): {"NOT_NULL"},
    # As there.
    ("vocab", "0010_article_and_group"): {"NOT_NULL"},
    ("vocab", "0011_word_family"): {"NOT_NULL"},
}
KNOWN_REVISIONS = {
    # Landed before there was `results.indexing.build_index`.
    "0002_indexes_of_pages": {"create_index", "drop_index"},
    # On a table that the same revision makes.
    "0006_sodapop": {"create_index"},
    # A looser check takes its place.
    "0007_templates_of_questions": {"drop_constraint"},
    # One with the template in the key takes its place.
    "0009_bridge_by_template": {"drop_constraint"},
    # A looser check takes its place, and what was always there may now be missing.
    "0017_answers_in_text": {"drop_constraint", "alter_column nullable"},
    # One with the number of the sample in the key takes its place.
    "0018_samples_of_answers": {"drop_constraint"},
}
LOSES_OR_BREAKS = {"drop_table", "drop_column", "drop_constraint", "drop_index", "rename_table"}


# It judges the statements that Django writes, and runs none.
@pytest.mark.django_db
@pytest.mark.any_server
def test_no_new_migration_of_django_is_incompatible() -> None:
    linter = MigrationLinter(include_apps=APPS, no_cache=True, no_output=True)
    found: dict[tuple[str, str], set[str]] = {}
    for app, name in linter.migration_loader.disk_migrations:
        if app in APPS and not name.startswith("0001"):
            errors, _, _ = analyse_sql_statements(linter.sql_analyser_class, linter.get_sql(app, name), [])
            found[app, name] = {error.code for error in errors}
    assert {where: codes for where, codes in found.items() if codes} == KNOWN


@pytest.mark.parametrize("revision", REVISIONS, ids=lambda path: path.stem)
def test_no_new_revision_of_the_results_is_incompatible(revision: Path) -> None:
    assert faults(revision.read_text(encoding="utf-8")) == KNOWN_REVISIONS.get(revision.stem, set())


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ('op.drop_column("measure", "n", schema="results")', {"drop_column"}),
        ('op.create_index("a_ix", "measure", ["n"], schema="results")', {"create_index"}),
        ('op.execute("CREATE INDEX a_ix ON results.measure (n)")', {"execute CREATE INDEX"}),
        ('op.execute("ALTER TABLE results.measure DROP COLUMN n")', {"execute DROP"}),
        ('op.alter_column("measure", "n", new_column_name="m")', {"alter_column new_column_name"}),
        ('op.alter_column("measure", "n", nullable=False)', {"alter_column nullable"}),
        ('op.add_column("measure", sa.Column("m", sa.Text, nullable=False))', {"add_column without default"}),
        ('op.add_column("measure", sa.Column("m", sa.Text, nullable=False, server_default="x"))', set()),
        ('op.add_column("measure", sa.Column("m", sa.Text))', set()),
        ('op.create_table("new")\n    op.create_index("a_ix", "new", ["n"])', set()),
        ('build_index("a_ix", "association", "n")', set()),
    ],
)
def test_what_is_a_fault_is_found(written: str, found: set[str]) -> None:
    assert faults(f"def upgrade() -> None:\n    {written}\n\ndef downgrade():\n    op.drop_table('new')\n") == found


def faults(source: str) -> set[str]:
    """What a revision's `upgrade` does to tables that stand; on those that it makes itself everything is allowed."""
    [upgrade] = [one for one in ast.parse(source).body if isinstance(one, ast.FunctionDef) and one.name == "upgrade"]
    calls = [call for call in ast.walk(upgrade) if isinstance(call, ast.Call) and _is_operation(call)]
    made = {_text(call, 0) for call in calls if _name(call) == "create_table"}
    return {fault for call in calls if (fault := _fault(call, made))}


def _fault(call: ast.Call, made: set[str]) -> str:
    name = _name(call)
    if name in LOSES_OR_BREAKS:
        return name
    if name == "create_index":
        return "" if _text(call, 1) in made else name
    if name == "alter_column":
        breaks = {keyword.arg for keyword in call.keywords} & {"new_column_name", "nullable", "type_"}
        return f"{name} {', '.join(sorted(map(str, breaks)))}" if breaks else ""
    if name == "add_column":
        column = {keyword.arg: keyword.value for keyword in getattr(call.args[1], "keywords", [])}
        required = getattr(column.get("nullable"), "value", True) is False
        return f"{name} without default" if required and "server_default" not in column else ""
    return _fault_of_statement(_text(call, 0).upper()) if name == "execute" else ""


def _fault_of_statement(statement: str) -> str:
    return next((f"execute {words}" for words in ("CREATE INDEX", "DROP", "RENAME") if words in statement), "")


def _is_operation(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Name) and call.func.value.id == "op"


def _name(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _text(call: ast.Call, position: int) -> str:
    found = call.args[position] if len(call.args) > position else None
    return str(found.value) if isinstance(found, ast.Constant) else ""
