"""Records of the asking phase: a row per option, and a row per word."""

from collections.abc import Mapping, Sequence

import numpy as np

from workers.probes.protocol import Columns
from workers.probes.sodapop.paired_cells import PairedCell
from workers.probes.sodapop.pairing import Floats
from workers.probes.sodapop.tallies import tally
from workers.probes.sodapop.words import words_of

_OF_NAME = ("probe", "context", "name", "group")
ANSWER = (*_OF_NAME, "text", "place", "name_tokens", "logit", "reason")
TALLY = (*_OF_NAME, "word", "shown", "chosen", "expected")


class Records:
    """Records that grow by cell. `name_tokens` is the number of tokens of each name in the model under audit."""

    def __init__(self, probe: str, name_tokens: Mapping[str, int]) -> None:
        self.probe, self.name_tokens = probe, name_tokens
        self.answer: Columns = {name: [] for name in ANSWER}
        self.tally: Columns = {name: [] for name in TALLY}

    def add(self, cell: PairedCell, logits: Floats, reasons: Sequence[str]) -> None:
        """Add a cell; `logits` and `reasons` are those of its options, the right answer first."""
        self._extend(
            self.answer,
            cell,
            text=cell.options,
            place=list(cell.places),
            name_tokens=[self.name_tokens[cell.name.name]] * len(cell.places),
            logit=[None if np.isnan(one) else one for one in logits.tolist()],
            reason=[reason or None for reason in reasons],
        )
        found = tally(cell.texts, logits[1:], float(logits[0]), words_of)
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
