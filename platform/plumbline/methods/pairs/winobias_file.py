"""WinoBias' files: one sentence per line, pro-stereotypical in one file and anti-stereotypical in the other."""

import re
from pathlib import Path
from typing import Any

from plumbline.methods.pairs.tables import checked
from plumbline.spec.errors import InputError
from plumbline.vocab.banks.reading import Questions, named
from plumbline.vocab.banks.text_file import text_of

ABOUT = {
    "title": "WinoBias",
    "source": "Zhao, Wang, Yatskar, Ordonez and Chang 2018, WinoBias; uclanlp/corefBias",
    "licence": "MIT",
    "origin": "US, English, 2018",
}
PRO, ANTI = "pro_stereotyped", "anti_stereotyped"
_NUMBER = re.compile(r"^\d+\s+")


def winobias(path: Path) -> Questions:
    """Return the pairs of a pro-stereotypical file and its anti-stereotypical one, or of all files of a folder."""
    files = sorted(path.glob(f"{PRO}*")) if path.is_dir() else [path]
    if not files:
        raise InputError(f"{path} holds no file {PRO}_...: name a folder of WinoBias.")
    return Questions([pair for file in files for pair in _pairs(file)], named(files), ABOUT)


def _pairs(file: Path) -> list[dict[str, Any]]:
    other = file.with_name(file.name.replace(PRO, ANTI))
    if PRO not in file.name or not other.is_file():
        raise InputError(f"{file.name}: name the file {PRO}_..., with {ANTI}_... in the same folder.")
    more, less = _lines(file), _lines(other)
    if len(more) != len(less):
        raise InputError(f"{file.name} has {len(more)} sentences and {other.name} {len(less)}; fetch both again.")
    part = file.name.removeprefix(PRO).strip("_").split(".")[0] or "pairs"
    return [
        checked(f"{file.name}, line {number}", {"id": f"{part} {number}", "category": part, "more": one, "less": two})
        for number, (one, two) in enumerate(zip(more, less, strict=True), start=1)
    ]


def _lines(path: Path) -> list[str]:
    """Return the line without its leading numbers and without the brackets around the people."""
    lines = [line.strip() for line in text_of(path).splitlines() if line.strip()]
    return [_NUMBER.sub("", line).replace("[", "").replace("]", "") for line in lines]
