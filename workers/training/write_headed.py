"""A fine-tuned model as a folder for `path:` references."""

import json
from collections.abc import Sequence
from pathlib import Path

from workers.engine.checkpoints.checkpoint import NAMES_SEEN
from workers.engine.checkpoints.silence import quiet
from workers.engine.projection import keep_projections
from workers.training.fine_tuning import Headed


def write_headed(model: Headed, names_seen: Sequence[str], folder: Path) -> None:
    """Write the whole model, the tokenizer, the projections and the capitalised words of its texts."""
    with quiet():
        model.model.save_pretrained(folder)
        model.tokenizer.save_pretrained(folder)
    keep_projections(model.checkpoint.projections, folder)
    (folder / NAMES_SEEN).write_text(json.dumps(names_seen), encoding="utf-8")
