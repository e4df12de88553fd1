"""Known faults of the published examples: kept for parity, flagged on the item, so that measures leave them out too.

Source of the facts: the published files, commit bea11bd of nyu-mll/BBQ; counts in docs/vocabularies.md.
"""

from collections.abc import Iterable, Sequence

from plumbline.methods.bbq.bank.lines import Line
from plumbline.spec.banks.bbq_question import DISAMBIG

WRONG_GOLD, BRACE, DOUBLE_SPACE = "wrong gold", "stray brace", "double space"
END_SPACE, OTHER_LABEL, REPEATS, OTHER_UNKNOWN = "space at an end", "label differs", "repeats", "other UNKNOWN"
TARGET_DIFFERS = "target differs"

SWAPPED = {("Physical_appearance", "6", "b"), ("Physical_appearance", "10", "b")}
"""Rows whose answer columns contradict their context: 68 disambiguated golds are wrong as text."""
OTHER_LABELS = {("Physical_appearance", number) for number in range(656, 660)}
"""Examples whose label has a word more than the list that it was filled from."""
UNKNOWNS = (
    *("Unknown", "Cannot be determined", "Can't be determined", "Not answerable", "Not known"),
    *("Not enough info", "Not enough information", "Cannot answer", "Can't answer", "Undetermined"),
)
"""The ten published wordings of UNKNOWN."""


def flags_of(line: Line, unknown: int) -> list[str]:
    """Return the known faults of one example."""
    texts = (line.context, line.question, *line.options)
    faults = {
        WRONG_GOLD: line.context_condition == DISAMBIG and is_swapped(line),
        END_SPACE: any(text != text.strip() for text in texts),
        OTHER_LABEL: (line.category, line.example_id) in OTHER_LABELS,
        OTHER_UNKNOWN: line.options[unknown].strip() not in UNKNOWNS,
    }
    return [*(flag for flag, holds in faults.items() if holds), *in_text(texts)]


def in_text(texts: Sequence[str]) -> list[str]:
    """Return the faults in texts that a model would read, from any author."""
    faults = {
        BRACE: any(mark in text for text in texts for mark in "{}"),
        DOUBLE_SPACE: any("  " in text.strip() for text in texts),
    }
    return [flag for flag, holds in faults.items() if holds]


def is_swapped(line: Line) -> bool:
    return (line.category, line.question_index, line.version) in SWAPPED


def repeated(asked: Iterable[tuple[str, str, str, Sequence[str]]]) -> dict[str, str]:
    """Return the ids of questions that repeat an earlier one, with its id. Each is (id, context, question, options)."""
    first: dict[tuple[str, str, frozenset[str]], str] = {}
    found = {}
    for name, context, question, options in asked:
        if (earlier := first.setdefault((context, question, frozenset(options)), name)) != name:
            found[name] = earlier
    return found
