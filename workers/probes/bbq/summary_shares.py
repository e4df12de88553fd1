"""Shares of answers: wordings of UNKNOWN, places, choices, and answers that can be scored at all."""

from collections.abc import Iterator

import numpy as np
import polars as pl

from plumbline.spec.banks.bbq_question import OPTIONS
from workers.probes.bbq.summary_cells import LEVELS, Cells, cells_of
from workers.probes.bbq.summary_frame import AMB, CONDITIONS, DIS
from workers.probes.bbq.summary_rates import NO_ANSWER, Rate
from workers.probes.bbq.summary_scores import NO_TARGET, WIDE, labels
from workers.statistics.units import Blocks, Floats

PER_OFFER = "per_offer"
NONE_UNKNOWN = "no answer is UNKNOWN"
NONE_SCORED = f"{NO_ANSWER}, or {NO_TARGET}"
TARGET, NON_TARGET, UNKNOWN = "target", "non-target", "UNKNOWN"
_WORDINGS = {name: {**LEVELS[name], "attribute": "wording"} for name in WIDE}
_TEMPLATES = {"template": {**LEVELS["template"], "attribute": "polarity"}}


def shares(frame: pl.DataFrame, cells: Cells, own: str) -> Iterator[Rate]:
    """Return the shares. `cells` are those of the frame; `own` is the variant that all of them have."""
    wide = cells.of(WIDE)
    yield from _wordings(frame, wide, own)
    yield from _places(wide)
    yield from _choices(frame, own)
    yield from _scorable(wide)


def _both(cells: Cells, name: str) -> Floats:
    return np.asarray(cells[f"{AMB}_{name}"] + cells[f"{DIS}_{name}"])


def _wordings(frame: pl.DataFrame, wide: Cells, own: str) -> Iterator[Rate]:
    """Return Figure 7: each wording's share of the UNKNOWN answers, and how often it is chosen when it is offered."""
    counted = [f"{beginning}_{name}" for beginning in CONDITIONS for name in ("answered", "said_unknown")]
    cells = cells_of(frame, _WORDINGS, counted, own=own)
    chosen = _both(cells, "said_unknown")
    whole = dict(zip((key.get("category", "") for key in wide.keys), _both(wide, "said_unknown"), strict=True))
    of = np.array([whole[key.get("category", "")] for key in cells.keys]).reshape(chosen.shape)
    yield Rate(labels("unknown_string_share", ""), cells.keys, Blocks(chosen, of), nothing=NONE_UNKNOWN)
    offered = Blocks(chosen, _both(cells, "answered"))
    yield Rate(labels("unknown_string_share", PER_OFFER), cells.keys, offered)


def _places(wide: Cells) -> Iterator[Rate]:
    for place in range(OPTIONS):
        blocks = Blocks(wide[f"at_{place}"], _both(wide, "answered"))
        yield Rate({**labels("position_share", ""), "attribute": str(place + 1)}, wide.keys, blocks)
        beyond = Blocks(wide[f"at_{place}"] - wide[f"right_at_{place}"], _both(wide, "answered"))
        yield Rate({**labels("position_excess", ""), "attribute": str(place + 1)}, wide.keys, beyond)


def _choices(frame: pl.DataFrame, own: str) -> Iterator[Rate]:
    """Return Table 2: how often target, non-target and UNKNOWN are chosen, of each template, condition and polarity."""
    names = ("asked", "target", "non_target", "unknown")
    cells = cells_of(
        frame.with_columns(_chosen()), _TEMPLATES, [f"{b}_{name}" for b in CONDITIONS for name in names], own=own
    )
    for beginning, condition in CONDITIONS.items():
        some = cells.with_condition(beginning)
        counts = {
            TARGET: some[f"{beginning}_target"],
            NON_TARGET: some[f"{beginning}_non_target"],
            UNKNOWN: some[f"{beginning}_unknown"],
        }
        scored = sum(counts.values(), start=np.zeros_like(some[f"{beginning}_asked"]))
        for name, chosen in counts.items():
            named = {**labels("choice_rate", condition), "group_a": name}
            yield Rate(named, some.keys, Blocks(chosen, scored), nothing=NONE_SCORED)


def _chosen() -> list[pl.Expr]:
    return [
        ((pl.col("chosen") == pl.col(name)) & (pl.col("condition") == condition))
        .fill_null(value=False)
        .cast(pl.Int64)
        .alias(f"{beginning}_{name}")
        for beginning, condition in CONDITIONS.items()
        for name in ("target", "non_target")
    ]


def _scorable(wide: Cells) -> Iterator[Rate]:
    """Return the share of answers that match an option, of each category."""
    some = wide.of(("category",))
    keys = [{**key, "group_a": key["category"]} for key in some.keys]
    yield Rate(labels("scorable_share", ""), keys, Blocks(_both(some, "answered"), _both(some, "asked")))
