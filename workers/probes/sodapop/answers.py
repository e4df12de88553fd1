"""Records of the asking phase: a row per option, and a row per word."""

from collections.abc import Mapping, Sequence

import numpy as np

from workers.probes.protocol import Columns
from workers.probes.sodapop.paired_cells import PairedCell
from workers.probes.sodapop.pairing import RIGHT, Floats, Ints, Outcomes, successes
from workers.probes.sodapop.tallies import tally
from workers.probes.sodapop.words import words_of

_OF_NAME = ("probe", "context", "name", "group")
NO_PARTNER = "the last distractor has no partner, so it is in no question"
ANSWER = (*_OF_NAME, "text", "place", "name_tokens", "logit", "chosen", "reason")
TALLY = (*_OF_NAME, "word", "shown", "chosen", "expected")


class Records:
    """Records that grow by cell.

    `name_tokens` is the number of tokens of each name in the model under audit, as far as it is known.
    """

    def __init__(self, probe: str, name_tokens: Mapping[str, int]) -> None:
        self.probe, self.name_tokens = probe, name_tokens
        self.answer: Columns = {name: [] for name in ANSWER}
        self.tally: Columns = {name: [] for name in TALLY}

    def add_scored(self, cell: PairedCell, logits: Floats, reasons: Sequence[str]) -> None:
        """Add a cell; `logits` and `reasons` are those of its options, the right answer first."""
        self._add(
            cell,
            Outcomes.of_scores(logits[1:], float(logits[0])),
            logit=[None if np.isnan(one) else one for one in logits.tolist()],
            chosen=[None] * len(logits),
            reason=[reason or None for reason in reasons],
        )

    def add_answered(self, cell: PairedCell, choices: Ints, reasons: Sequence[str]) -> None:
        """Add a cell whose questions were answered in text; `reasons` are those of its questions, empty if none."""
        won = successes(choices, len(cell.texts)).tolist()
        why = [reason or None for reason in reasons for _ in range(2)]
        why += [NO_PARTNER] * (len(cell.texts) - len(why))
        self._add(
            cell,
            Outcomes.of_text(choices, len(cell.texts)),
            logit=[None] * len(cell.places),
            chosen=[
                int((choices == RIGHT).sum()),
                *(None if reason else int(one) for one, reason in zip(won, why, strict=True)),
            ],
            reason=[None, *why],
        )

    def _add(self, cell: PairedCell, outcomes: Outcomes, **answers: Sequence[object]) -> None:
        self._extend(
            self.answer,
            cell,
            text=cell.options,
            place=list(cell.places),
            name_tokens=[self.name_tokens.get(cell.name.name)] * len(cell.places),
            **answers,
        )
        found = tally(cell.texts, outcomes, words_of)
        self._extend(
            self.tally,
            cell,
            word=found.words,
            shown=found.shown.tolist(),
            chosen=found.chosen.tolist(),
            expected=found.expected.tolist(),
        )

    def _extend(self, table: Columns, cell: PairedCell, **columns: Sequence[object]) -> None:
        rows = len(next(iter(columns.values())))
        labels = {"probe": self.probe, "context": cell.context.id, "name": cell.name.name, "group": cell.name.group}
        for name, value in labels.items():
            table[name].extend([value] * rows)
        for name, values in columns.items():
            table[name].extend(values)
