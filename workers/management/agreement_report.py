"""The agreement of a model's methods as lines of text."""

from collections.abc import Mapping
from typing import Any

from plumbline.audits import agreements
from plumbline.findings import method_agreement as wording
from plumbline.findings.method_agreement import KINDS, estimate_text
from workers.management.console import table

MOST_LISTED = 20


def agreement(model: str) -> list[str]:
    """Return what the stored comparison says. Without one of the latest runs, it is computed and stored first.

    Raises InputError if fewer than two methods have a finished run.
    """
    known = agreements.known_agreement(model)
    if known is None or agreements.is_outdated(known):
        # The statistics take a second to load, and no other report needs them.
        from workers.execution.agreements import agreements_of

        known = agreements.prepared(model)
        known.found = agreements_of(known)
        agreements.store(known)
    return [line for row in known.found for line in _pair(row)]


def _pair(row: Mapping[str, Any]) -> list[str]:
    if wording.too_little(row) and not row["compared"]:
        return [wording.agreement_sentence(row)]
    a, b = row["a"], row["b"]
    return [
        wording.agreement_sentence(row),
        *filter(None, [wording.same_order(row), wording.equal_scores(row), wording.agreement_figures(row)]),
        f"  run {a['run']} ({a['statistic']}) and run {b['run']} ({b['statistic']})",
        f"  {wording.contradiction_sentence(row)}",
        *_contradictions(row),
        *(f"  {sentence}" for sentence in wording.why_sentences(row)),
    ]


def _contradictions(row: Mapping[str, Any]) -> list[str]:
    rows = [
        (
            f"    {' minus '.join(one['groups'])}",
            one["word"],
            estimate_text(one["a"]),
            estimate_text(one["b"]),
            KINDS[one["kind"]],
        )
        for one in row["contradictions"][:MOST_LISTED]
    ]
    left = sum(row["kinds"].values()) - len(rows)
    return [*table(rows), *([f"    and {left} more"] if left else [])]
