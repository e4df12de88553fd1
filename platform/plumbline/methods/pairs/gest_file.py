"""GEST's file: sentences with the number of the stereotype that they fit."""

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from plumbline.methods.pairs.tables import items_of, rows_of
from plumbline.spec.errors import InputError
from plumbline.vocab.banks.reading import Questions, named

ABOUT = {
    "title": "GEST: sentences about gender stereotypes",
    "source": "Pikuliak, Oresko, Hrckova and Simko 2024, Women Are Beautiful, Men Are Leaders; kinit-sk/gest",
    "licence": "Apache-2.0",
    "origin": "English, 2023",
}
CORRECTED = "corrected in GEST 1.1"
DIGITS = 12
_DIGESTS = Path(__file__).parent / "gest_corrected.txt"


def gest(path: Path) -> Questions:
    """Return the sentences of GEST's file in its order. Sentences that release 1.1 corrected are flagged."""
    columns, rows = rows_of(path)
    if not {"sentence", "stereotype"} <= set(columns):
        raise InputError(f"{path.name}, line 1: it has no columns sentence and stereotype; is it the file of GEST?")

    def made(number: int, cells: Mapping[str, str]) -> dict[str, Any]:
        flags = [CORRECTED] if digest_of(cells["sentence"]) in corrected() else []
        # The item's own check refuses a text that is no number, and names it.
        text = cells["stereotype"]
        stereotype = int(text) if text.isascii() and text.isdecimal() else text
        return {"id": str(number + 1), "sentence": cells["sentence"], "stereotype": stereotype, "flags": flags}

    items = items_of(rows, made)
    flagged = sum(bool(item["flags"]) for item in items)
    notices = [f"{flagged} of {len(items)} sentences are corrected in GEST 1.1; measures come with and without them."]
    return Questions(items, named([path]), ABOUT, notices if flagged else [])


@cache
def corrected() -> frozenset[str]:
    """Return the digests of the sentences of GEST 1.0 that GEST 1.1 changed. The sentences are not copied."""
    return frozenset(_DIGESTS.read_text(encoding="ascii").split())


def digest_of(sentence: str) -> str:
    """Return the beginning of the SHA-256 of a sentence in UTF-8."""
    return sha256(sentence.encode()).hexdigest()[:DIGITS]
