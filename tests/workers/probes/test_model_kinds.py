"""The kinds of model that each probe takes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plumbline.spec.errors import ModelError
from plumbline.spec.registry import PROBES
from workers.engine.checkpoint import Checkpoint, Kind
from workers.probes.model_kinds import require_kind


def spec_of(probe: str) -> Any:
    return SimpleNamespace(probe=probe, model="path:./a-model")


def checkpoint_of(kind: Kind) -> Checkpoint:
    return Checkpoint("path:./a-model", Path(), kind, "", "", "", "")


@pytest.mark.parametrize("probe", PROBES)
def test_a_probe_takes_the_kinds_on_its_card_and_refuses_all_others(probe: str) -> None:
    taken = PROBES[probe].card.model_kinds
    for kind in Kind:
        if kind in taken:
            require_kind(spec_of(probe), checkpoint_of(kind))
        else:
            with pytest.raises(ModelError, match=f"the probe {probe} takes"):
                require_kind(spec_of(probe), checkpoint_of(kind))


def test_the_refusal_names_the_kind_of_the_model_and_the_kinds_that_the_probe_takes() -> None:
    with pytest.raises(ModelError) as refusal:
        require_kind(spec_of("ceat"), checkpoint_of(Kind.MULTIPLE_CHOICE))
    assert str(refusal.value) == (
        "path:./a-model is of the kind multiple_choice; the probe ceat takes these kinds: masked, causal, encoder."
    )
