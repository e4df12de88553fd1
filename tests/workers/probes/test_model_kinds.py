"""The kinds of model that each probe takes."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plumbline.spec.errors import ModelError
from plumbline.spec.registry import PROBES
from workers.engine.checkpoints.checkpoint import Checkpoint, Kind
from workers.engine.servers.facts import ServerFacts
from workers.probes.model_kinds import require_kind, require_weights


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


BY_LOG_PROBABILITIES = {
    "log_probability", "ilps", "ilps_chain", "sodapop", "bbq", "indirect", "pairs", "perplexity", "question_accuracy",
}  # fmt: skip


@pytest.mark.parametrize("probe", PROBES)
def test_a_model_behind_a_server_is_refused_by_probes_that_read_more_than_log_probabilities(probe: str) -> None:
    served = Checkpoint(
        "vllm:x", Path(), Kind.CAUSAL, "", "", "", server=ServerFacts("vllm", "http://x", "m", "hub:a/b")
    )
    if probe in BY_LOG_PROBABILITIES:
        require_weights(spec_of(probe), "vllm:x", served)
    else:
        with pytest.raises(
            ModelError, match="vllm:x is behind a server, which gives log probabilities of single words"
        ):
            require_weights(spec_of(probe), "vllm:x", served)
    require_weights(spec_of(probe), "path:./a-model", checkpoint_of(Kind.CAUSAL))
