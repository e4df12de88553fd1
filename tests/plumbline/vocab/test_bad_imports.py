"""At least 60 bad imports: each is refused in one line of at most 2,000 characters, and no row is written."""

import io
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command

FEWEST = 60
LONGEST = 2000
NAMES = "name,group\nAnna,readers\n"
RATINGS = "list,list_title,annotator,group,left,right,rating\n"
RATED = "r,R,1,women,warm,cold,"
DEEP = "[" * 100_000
WORD = "x" * 300_000

Bad = tuple[str, str, bytes]

OF_ANY_KIND: tuple[tuple[str, bytes], ...] = (
    ("empty.csv", b""),
    ("blank.csv", b"\n\n\n"),
    ("header.csv", b"colour,taste\nred,sweet\n"),
    ("nul.csv", b"name,label,text\nA\x00b,A\x00b,A\x00b\n"),
    ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(range(256))),
    ("words.docx", b"PK\x03\x04 no archive"),
    ("words.xlsx", b"no workbook"),
    ("words.json", b"{"),
    ("number.json", b"7"),
    ("deep.json", DEEP.encode()),
    ("nan.json", b'[{"name": NaN, "label": NaN, "text": NaN}]'),
    ("twice.json", b'[{"name": "A", "name": "B"}]'),
)
NAMES_ALONE: tuple[tuple[str, bytes], ...] = (
    ("no_name.csv", b"name,group\n,readers\n"),
    ("long.csv", f"name,group\n{WORD},readers\n".encode()),
    ("formula.csv", b"name,group\n=1+1,readers\n"),
    ("twice.csv", b"name,group\nAnna,readers\nAnna,readers\n"),
    ("quote.csv", b'name,group\n"Anna,readers\n'),
    ("wide.csv", b"name,group\nAnna,readers,more,and,more\n"),
    ("same_columns.csv", b"name,name\nAnna,Ben\n"),
    ("frequency.csv", b"name,group,frequency\nAnna,readers,often\n"),
    ("negative.csv", b"name,group,frequency\nAnna,readers,-1\n"),
    ("infinite.csv", b"name,group,frequency\nAnna,readers,1e999\n"),
    ("comma.csv", b'name,group,frequency\nAnna,readers,"0,93"\n'),
    ("utf16.csv", NAMES.encode("utf-16")),
)
TEMPLATES_ALONE: tuple[tuple[str, bytes], ...] = tuple(
    (f"template{number}.csv", f'template\n"{text}"\n'.encode())
    for number, text in enumerate(
        ("{", "}", "{nobody} is kind.", "[All|", "{{name}", "{name.}", "{" * 20_000, "no slot")
    )
)
RATINGS_ALONE: tuple[tuple[str, bytes], ...] = tuple(
    (f"ratings{number}.csv", (RATINGS + rows).encode())
    for number, rows in enumerate(
        (
            *(f"{RATED}{value}\n" for value in ("", "much", "-1", "100.01", "nan", "inf", "1e5")),
            f"{RATED}50\n{RATED}60\n",
            f"{RATED}50\nr,R,1,women,cold,warm,50\n",
            "r,R,,women,warm,cold,50\n",
            "r,R,1,,warm,cold,50\n",
            "r,R,1,women,warm,,50\n",
        )
    )
)
OF_BANKS: tuple[Bad, ...] = (
    *(
        (kind, name, content)
        for kind in ("socialiqa", "contexts", "gap", "pairs", "texts")
        for name, content in (
            ("empty.jsonl", b""),
            ("nul.csv", b"a\x00b\n"),
            ("bytes.tsv", b"\xff\xfe\x00\xd8"),
        )
    ),
    ("socialiqa", "a.jsonl", b'{"context": "A", "question": 7}\n'),
    ("socialiqa", "deep.jsonl", DEEP.encode()),
    ("contexts", "a.csv", b"id,context,question,prompt,answer\n1,nobody,nobody,nobody,\n"),
    ("gap", "a.tsv", b"ID\tText\n1\tx\n"),
    ("pairs", "same.csv", b"more,less\nA b.,A b.\n"),
    ("pairs", "half.csv", b"more,less\nA b.,\n"),
    ("bbq", "missing", b""),
)


def sparse_workbook() -> bytes:
    """Return an XLSX of a few kB with a cell in row 1,048,576 alone."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", "<row/>" * 2_000_000)
    return packed.getvalue()


def of_words() -> Iterator[Bad]:
    for kind in ("names", "groups", "templates", "ratings"):
        yield from ((kind, name, content) for name, content in OF_ANY_KIND)
    yield from (("names", name, content) for name, content in NAMES_ALONE)
    yield from (("templates", name, content) for name, content in TEMPLATES_ALONE)
    yield from (("ratings", name, content) for name, content in RATINGS_ALONE)
    yield "names", "sparse.xlsx", sparse_workbook()


def line_of(refuse: Callable[[], object]) -> str:
    """Return the message of the refusal, or "" for what was taken. Any other exception fails the test."""
    try:
        refuse()
    except CommandError as refusal:
        return str(refusal) if refusal.returncode == 2 else f"exit status\n{refusal.returncode}"
    return ""


def rows_of_all_tables() -> dict[str, int]:
    return {model.__name__: model._default_manager.count() for model in apps.get_models() if model._meta.managed}


@pytest.mark.django_db
def test_sixty_bad_imports_are_refused_in_one_line_and_write_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = rows_of_all_tables()
    taken, untidy, tried = [], [], 0
    for command, cases in (("vocab", of_words()), ("bank", iter(OF_BANKS))):
        flag = "--list" if command == "vocab" else "--into"
        for kind, name, content in cases:
            tried += 1
            path = tmp_path / name
            if content or name != "missing":
                path.write_bytes(content)
            line = line_of(lambda: call_command(command, "import", kind, str(path), flag, "bad"))  # noqa: B023
            shown = capsys.readouterr().err
            if not line:
                taken.append((command, kind, name))
            elif "\n" in line or max(map(len, [line, *shown.splitlines()])) > LONGEST:
                untidy.append((command, kind, name, line[:200], shown[:200]))
    assert taken == []
    assert untidy == []
    assert rows_of_all_tables() == before
    with capsys.disabled():
        sys.stdout.write(f"{tried} bad imports were refused\n")
    assert tried >= FEWEST
