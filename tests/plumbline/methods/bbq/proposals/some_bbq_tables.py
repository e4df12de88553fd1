"""Small tables in the forms of the public ones, made up for the tests."""

import io
from collections.abc import Sequence
from typing import Any

from openpyxl import Workbook  # type: ignore[import-untyped]

from plumbline.methods.bbq.proposals import census, tzioumis
from plumbline.vocab.bundles import Sent

BIRTHS = (
    b"Year of Birth,Gender,Ethnicity,Child's First Name,Count,Rank\n"
    b"2012,FEMALE,ASIAN AND PACI,LIN,150,1\n"
    b"2012,FEMALE,ASIAN AND PACI,LIN,150,1\n"
    b"2012,FEMALE,ASIAN AND PACI,MEI,201,1\n"
    b"2012,MALE,HISPANIC,Luz,499,1\n"
    b"2012,MALE,BLACK NON HISP,Oba,400,1\n"
)
WOMEN, MEN = (
    f"{name}  2.000  2.000  1\nROBIN  {share}  3.0  2\n".encode() for name, share in (("MARY", 0.1), ("JOHN", 0.5))
)
BARTZ = b"list,gender,name,rank\nmost,F,AMY,1\nmost,M,SAM,\n"
SURNAMES: list[list[Any]] = [
    ["Surnames of a made-up census"],
    [],
    ["SURNAME", "COUNT HERE"],
    [census.SURNAME.upper(), "RANK", census.COUNT.upper(), *(column.upper() for column in census.SHARES.values())],
    ["LEE", 1, 48000, 1.0, "(S)", 90, 2.0],
    ["FEW", 2, 47999, 1.0, 1.0, 95, 2.0],
    ["HILL", 3, 90000, 91, 3.0, 1.0, 2.0],
    ["HALL", 4, 90000, 90.9, 3.0, 1.0, 2.0],
    ["Source: nobody."],
]
TZIOUMIS: list[list[Any]] = [
    [tzioumis.NAME, tzioumis.COUNT, *tzioumis.SHARES.values(), "beside"],
    ["ROBIN", 30, 1, 10, 85, 0],
    ["ANA", 150, 85, 10, 0, 0, "x"],
    ["EVA", 149, 99, 1, 0, 0],
    [tzioumis.OTHERS.upper(), 9_999, 99, 1, 0, 0],
]
PRESTIGE: list[list[Any]] = [["Full", "prestige", "label"]] + [
    [f"{score} {label}", str(score), label]
    for score, label in ((16.8, "Ushers"), (40, "Even"), (39.9, "Short-Order Cooks"), (65.1, "Teachers, Physics"))
]


def workbook(rows: Sequence[Sequence[Any]], before: str = "About") -> bytes:
    """With a sheet of remarks before that of the table."""
    book = Workbook()
    book.active.title = before
    book.active.append(["Field", "Description"])
    sheet = book.create_sheet("Data")
    for row in rows:
        sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def all_tables() -> dict[str, bytes]:
    """By what they are sent for."""
    return {
        "births": BIRTHS,
        "tzioumis": workbook(TZIOUMIS),
        "surnames": workbook(SURNAMES),
        "women": WOMEN,
        "men": MEN,
        "bartz": BARTZ,
        "prestige": workbook(PRESTIGE),
    }


def all_sent() -> dict[str, Sent]:
    return {part: Sent(f"{part}.csv", data) for part, data in all_tables().items()}
