"""A list as a Croissant 1.1 data set: its CSV file with a description in JSON-LD, which states limits and biases (RAI).

Sources: Croissant 1.1, published 2026-01-29, docs.mlcommons.org/croissant/docs/croissant-spec-1.1.html; Croissant RAI
1.0, published 2024-03-06, docs.mlcommons.org/croissant/docs/croissant-rai-spec.html; both read on 2026-11-25.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from io import BytesIO
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from plumbline.spec.errors import InputError
from plumbline.vocab import csv_file
from plumbline.vocab.content import unknown
from plumbline.vocab.kinds import Kind
from plumbline.vocab.listing import list_columns, rows_of

VERSIONS = ("http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0")
DESCRIPTION = "croissant.json"
WHEN = (1980, 1, 1, 0, 0, 0)
"""The time of the files in the archive. A fixed one gives equal bytes for equal lists."""

CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "description": {"@container": "@language"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "name": {"@container": "@language"},
} | {
    name: f"cr:{name}"
    for name in (
        *("arrayShape", "citeAs", "column", "containedIn", "equivalentProperty", "extract", "field", "fileObject"),
        *("fileProperty", "fileSet", "format", "includes", "isArray", "isLiveDataset", "jsonPath", "key", "md5"),
        *("parentField", "path", "recordSet", "references", "regex", "repeated", "replace", "samplingRate"),
        *("separator", "source", "subField", "transform"),
    )
}

PEOPLE = {
    "names": (
        "First names, each with a group (such as a gender or an ethnicity) that a curator gave it. The list names no"
        " single person. A name is a weak sign of a group: many people do not match the group of their name."
    ),
    "groups": "Words for groups of people, such as groups by religion, ethnicity, gender or health. No single person.",
    "ratings": (
        "Judgements of raters about groups of people. Raters have ids instead of names; where their demographics are"
        " given, they are personal data."
    ),
}
NO_PERSON = "None known: the words name no single person."
USES = (
    "To audit which associations, stereotypes included, a language model has. Not to describe, classify or select"
    " people, and not as training data that would teach a model these associations."
)
BIASES = "Curators chose the words. Groups and words that are missing from the list stay unseen in each audit with it."
IMPACT = (
    "The words were chosen to bring stereotypes to light, so results with them can be read as statements about people."
    " They are statements about models."
)


def croissant_archive(kind: Kind, slug: str) -> bytes:
    """Return a ZIP file of one list as CSV and its description. Raises InputError for an unknown or empty list."""
    if not slug:
        raise InputError("a Croissant data set describes one list: name it.")
    word_list = kind.list_model.objects.filter(slug=slug).first()
    if word_list is None:
        raise InputError(unknown(kind.name, slug, (kind.list_model,)))
    if not (rows := rows_of(kind, word_list)):
        raise InputError(f"the {kind.name} list {slug!r} is empty: add entries before you export it.")
    columns = (*list_columns(kind), *kind.columns)
    table = csv_file.write(columns, rows).encode()
    described = json.dumps(description(kind, word_list, columns, table, len(rows)), ensure_ascii=False, indent=2)
    return _zipped({DESCRIPTION: described.encode(), f"{slug}.csv": table})


def description(kind: Kind, word_list: Any, columns: Sequence[str], table: bytes, rows: int) -> dict[str, Any]:
    """Return the description of a list whose CSV file is `table`. Fields that the curator left empty are left out."""
    file = f"{word_list.slug}.csv"
    own = {
        "license": word_list.licence,
        "citeAs": word_list.source,
        "rai:dataCollection": word_list.source and f"Source: {word_list.source}",
    }
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": list(VERSIONS),
        "name": word_list.slug,
        "alternateName": word_list.title,
        "description": word_list.description
        or f"{word_list.title}: a list of {kind.name} for audits of language models.",
        "dateCreated": word_list.created_at.date().isoformat(),
        "datePublished": word_list.modified_at.date().isoformat(),
        "dateModified": word_list.modified_at.date().isoformat(),
        **{name: text for name, text in own.items() if text},
        "rai:dataLimitations": _limitations(word_list, rows),
        "rai:dataBiases": BIASES,
        "rai:dataUseCases": USES,
        "rai:dataSocialImpact": IMPACT,
        "rai:personalSensitiveInformation": PEOPLE.get(kind.name, NO_PERSON),
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": file,
                "name": file,
                "contentUrl": file,
                "encodingFormat": "text/csv",
                "sha256": sha256(table).hexdigest(),
            }
        ],
        "recordSet": [
            {
                "@type": "cr:RecordSet",
                "@id": "entries",
                "name": "entries",
                "description": "One entry a row. The first row also has the fields of the list itself.",
                "field": [_field(column, file) for column in columns],
            }
        ],
    }


def _limitations(word_list: Any, rows: int) -> str:
    origin = (
        f"The words are those of: {word_list.origin}. Other places, languages and years have other words."
        if word_list.origin
        else "Nobody has stated the place, language and year of the words. Do not assume that they hold elsewhere."
    )
    return f"The list has {rows:,} entries. {origin}"


def _field(column: str, file: str) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"entries/{column}",
        "name": column,
        "dataType": "sc:Text",
        "source": {"fileObject": {"@id": file}, "extract": {"column": column}},
    }


def _zipped(files: dict[str, bytes]) -> bytes:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(ZipInfo(name, WHEN), content, ZIP_DEFLATED)
    return buffer.getvalue()
