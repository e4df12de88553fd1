"""Measures as a summary leaves them: with a verdict, for tests that only read it."""

from typing import Any

from plumbline.spec.verdicts import Verdict


def judged(row: dict[str, Any]) -> dict[str, Any]:
    """The row with the verdict that its q-value alone gives; one that names its verdict keeps it."""
    q = row.get("q_value")
    return {"verdict": "" if q is None else Verdict.PRESENT if q < 0.05 else Verdict.UNDECIDED} | row
