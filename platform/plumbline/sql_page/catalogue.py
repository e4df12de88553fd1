"""The views and their columns with comments, as the reader sees them."""

from dataclasses import dataclass, field

from plumbline.sql_page.asking import ask

_QUERY = """
SELECT view.relname, obj_description(view.oid), part.attname, format_type(part.atttypid, part.atttypmod),
       col_description(view.oid, part.attnum), quote_ident(part.attname)
FROM pg_class AS view
JOIN pg_attribute AS part ON part.attrelid = view.oid AND part.attnum > 0 AND NOT part.attisdropped
WHERE view.relnamespace = 'results'::regnamespace AND view.relkind = 'v' AND has_table_privilege(view.oid, 'SELECT')
ORDER BY view.relname, part.attnum
"""


@dataclass(frozen=True)
class ViewColumn:
    name: str
    type: str
    comment: str
    quoted: str


@dataclass
class View:
    name: str
    comment: str
    columns: list[ViewColumn] = field(default_factory=list)


def views() -> list[View]:
    """Return the views in order of name. Raises AskError if the reader cannot log in."""
    found: dict[str, View] = {}
    for name, about, column, type_, comment, quoted in ask(_QUERY, {}, "plumbline sql catalogue").rows:
        view = found.setdefault(str(name), View(f"results.{name}", about or ""))
        view.columns.append(ViewColumn(str(column), str(type_), comment or "", str(quoted)))
    return list(found.values())
