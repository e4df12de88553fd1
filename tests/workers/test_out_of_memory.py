"""Memory that runs out at any operation of any batch changes no answer, and progress counts each answer once."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.spec.self_debias import SelfDebiasing
from tests.workers.engine.conftest import CAUSAL, MASKED, SMALL, save_model, save_t5
from tests.workers.memory import MemoryRunsOut, watched
from tests.workers.probes.indirect.answered import asked, indirect
from workers.engine.causal import CausalQuery
from workers.engine.embeddings import Place, embeddings
from workers.engine.filling import top_tokens
from workers.engine.loading import load_any, locate
from workers.engine.masked import MaskedQuery
from workers.engine.options import option_scores
from workers.engine.self_debiased import self_debiased

TEXTS = ["All women are powerful.", "Most people, the doctor said, are kind.", "Men are warm.", "Nurses are"]
PAIRS = [(first, second) for first in TEXTS[:2] for second in ("women", "honest people", "the doctor")]
INDIRECT = {
    "targets": {"inline": ["women", "men"]},
    "features": {"inline": ["warm", "kind"]},
    "bridge": {"inline": ["doctor", "nurses", "self"]},
    "templates": {"target_bridge": ["{name} is {target}."], "bridge_feature": ["{name} are {feature}."]},
}
Progress = Callable[[int], None]


def ids_of(model: Any) -> list[tuple[int, ...]]:
    return [tuple(one) for one in model.tokenizer(TEXTS)["input_ids"]]


def masked_queries(model: Any) -> list[MaskedQuery]:
    places = [(ids, position) for ids in ids_of(model) for position in (1, 2, 1)]
    return [MaskedQuery(ids, position, 9 + at % 5, "odd" * (at % 2)) for at, (ids, position) in enumerate(places)]


def odd(model: Any) -> dict[str, Any]:
    return {"odd": np.arange(model.vocabulary_size) % 2 == 1}


def causal_queries(model: Any, ends: bool) -> list[CausalQuery]:
    return [CausalQuery(ids[:cut], ids[cut:], ends=ends) for ids in ids_of(model) for cut in (1, 2)]


def all_places(model: Any) -> list[Place]:
    return [Place(ids, position) for ids in ids_of(model) for position in range(len(ids))]


def top(model: Any, progress: Progress) -> Any:
    ids = ids_of(model)
    tokens, log_p = top_tokens(model, ids * 2, [1] * len(ids) + [2] * len(ids), 3, progress)
    return np.concatenate([tokens, log_p])


def bridged(model: Any, **params: str) -> Any:
    found = asked(indirect(INDIRECT, params=params), model)["bridge"]
    return found.select("log_p_target", "log_p_prior", "score").to_numpy().astype(float)


def lowered(model: Any, queries: Any, progress: Progress) -> Any:
    """The model asked with Self-Debias, from a budget that memory does not allow."""
    asked = self_debiased(model, SelfDebiasing(("All men are warm.", "Most people"), 50.0))
    return asked.log_probabilities(queries, progress=progress)


MASKED_CONSUMERS: dict[str, Callable[[Any, Progress], Any]] = {
    "log probabilities": lambda model, told: model.log_probabilities(masked_queries(model), odd(model), told),
    "self_debias": lambda model, told: lowered(model, [one for one in masked_queries(model) if not one.within], told),
    "distances": lambda model, told: model.distances(masked_queries(model), progress=told),
    "likeliest tokens": top,
    "embeddings": lambda model, told: embeddings(model, all_places(model), told),
    "indirect": lambda model, _: bridged(model),
    "indirect by the chain rule": lambda model, _: bridged(model, split="chain"),
}
CAUSAL_CONSUMERS: dict[str, Callable[[Any, Progress], Any]] = {
    "log probabilities": lambda model, told: model.log_probabilities(causal_queries(model, ends=True), told),
    "self_debias": lambda model, told: lowered(model, causal_queries(model, ends=True), told),
    "distances": lambda model, told: model.distances(causal_queries(model, ends=False), progress=told),
    "options": lambda model, told: option_scores(model, PAIRS, "pmi", told),
    "embeddings": lambda model, told: embeddings(model, all_places(model), told),
    "indirect": lambda model, _: bridged(model, variant="causal"),
}
OTHERS: dict[str, Callable[[Any, Progress], Any]] = {
    "multiple choice": lambda model, told: model.logits(PAIRS, told),
    "text to text": lambda model, told: model.outputs(TEXTS, 3, told),
    "encoder": lambda model, told: embeddings(model, all_places(model), told),
}
CONSUMERS = [
    *(("bert", name) for name in MASKED_CONSUMERS),
    *((family, "self_debias") for family in ("mpnet", "xlnet", "bloom")),
    *(("mpnet", name) for name in ("log probabilities", "likeliest tokens", "indirect")),
    *((family, "log probabilities") for family in ("xlnet", "modernbert")),
    *(("llama-bos", name) for name in CAUSAL_CONSUMERS),
    *(("bloom", name) for name in ("log probabilities", "embeddings")),
    *((name, name) for name in OTHERS),
]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    """A tiny model by its name."""
    root, models = tmp_path_factory.mktemp("out-of-memory"), dict[str, Any]()
    settings_of = {
        **MASKED,
        **CAUSAL,
        "multiple choice": ("BertForMultipleChoice", "wordpiece", SMALL),
        "encoder": ("BertModel", "wordpiece", SMALL),
    }

    def model(name: str) -> Any:
        if name not in models:
            folder = root / name
            save_t5(folder) if name == "text to text" else save_model(folder, *settings_of[name])
            models[name] = load_any(locate(f"path:{folder}"), device="cpu")
        return models[name]

    return model


def outcome(model: Any, consume: Callable[[Any, Progress], Any], memory: MemoryRunsOut) -> tuple[Any, int]:
    """What the consumer found, and how many answers progress counted."""
    counted: list[int] = []
    if hasattr(model, "kept"):
        model.state_cache.clear()  # what is known already would need no memory
    if hasattr(model, "token_budget"):
        model.token_budget = 10_000
    with watched(memory):
        return consume(model, counted.append), sum(counted)


@pytest.mark.parametrize(("family", "name"), CONSUMERS)
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shares=st.sets(st.integers(1, 100), min_size=1, max_size=3))
def test_memory_that_runs_out_anywhere_changes_no_answer(
    loaded: Callable[[str], Any], family: str, name: str, shares: set[int]
) -> None:
    consume = (OTHERS if family in OTHERS else MASKED_CONSUMERS if family in MASKED else CAUSAL_CONSUMERS)[name]
    model, enough = loaded(family), MemoryRunsOut()
    expected, count = outcome(model, consume, enough)
    after = frozenset(-(-enough.done * share // 100) for share in shares)
    found, counted = outcome(model, consume, MemoryRunsOut(after))
    assert counted == count
    if name == "text to text":
        assert found == expected
    else:
        np.testing.assert_allclose(found, expected, atol=1e-5, rtol=0)
