"""Memory that runs out anywhere while a probe executes gives the same records, once each, with scores within 1e-5."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plumbline.methods.pairs.content import GestSentence
from plumbline.methods.pairs.scores import GEST_GENERATIVE, Template
from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.audit import AuditSpec
from plumbline.spec.banks.contexts import Context
from plumbline.spec.banks.passages import Passage
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.engine.conftest import save_model, save_t5
from tests.workers.memory import MemoryRunsOut, watched
from tests.workers.probes.gap.made_up import passage
from tests.workers.probes.sodapop.test_asking import CONTEXTS, NAMES, done, generated
from tests.workers.probes.test_itemised import CORPUS, GPT2, LINES, PRIOR, ceat, frame, grid, spec_of, words
from tests.workers.tiny import save_tiny_bert, save_tiny_multiple_choice
from workers.debiasing.states import sentence_states
from workers.engine.loading import load_any, locate
from workers.execution.stages import stages_of
from workers.probes.gap.spans import encodings
from workers.probes.name_embedding.embedding import embedded
from workers.probes.pairs.asks import Ask
from workers.probes.pairs.causal import score_gest
from workers.probes.span_embeddings import span_embeddings

TEXTS = ["All women are poor people.", "Most men should be warm, in all.", "A person is in."]
PAIRS = [
    {"id": str(at), "more": text, "less": text.replace("women", "men").replace("warm", "poor").replace("is", "are")}
    for at, text in enumerate(TEXTS)
]
GEST = [GestSentence(id=word, sentence=f"I {word} poor.", stereotype=8) for word in ("am", "should be")]
HELD_OUT = {"probe": "perplexity", "bank": {"inline": [{"id": str(at), "text": one} for at, one in enumerate(TEXTS)]}}
SODAPOP = {"probe": "sodapop", "names": {"inline": NAMES}, "contexts": {"inline": CONTEXTS}}
GENERATING = {**SODAPOP, "generator": "path:./model", "params": {"k": 2, "top": 3, "ask": False}}
ASKING = {**SODAPOP, "generator": "path:./generator"}
LETTERS = {"scoring": "letter", "orders": "cyclic"}
DESCRIBED = {"self_debias": {"inline": ["most men are poor {text}"]}}


def bank(probe: str, items: Sequence[Any], **params: Any) -> dict[str, Any]:
    return {"probe": probe, "bank": {"inline": list(items)}, "params": params}


PROBES: dict[str, tuple[str, dict[str, Any]]] = {
    "log_probability": ("masked", grid("log_probability")),
    "ilps_chain": ("masked", grid("ilps_chain", **PRIOR)),
    "ilps_chain, self_debias": ("masked", grid("ilps_chain", **PRIOR, **DESCRIBED)),
    "ilps_chain, causal, self_debias": ("causal", grid("ilps_chain", **PRIOR, **DESCRIBED)),
    "weat": ("masked", words()),
    "ceat": ("masked", ceat()),
    "pairs, all scores": ("masked", bank("pairs", PAIRS)),
    "pairs, causal": ("causal", bank("pairs", PAIRS)),
    "pairs, self_debias": ("masked", {**bank("pairs", PAIRS, scores=["crows", "pll_l2r"]), **DESCRIBED}),
    "perplexity": ("masked", HELD_OUT),
    "perplexity, causal": ("causal", HELD_OUT),
    "bbq": ("choice", bank("bbq", set_of_four())),
    "bbq, causal": ("causal", bank("bbq", set_of_four(), scoring="pmi")),
    "bbq, letters in cyclic orders": ("causal", bank("bbq", set_of_four(), **LETTERS)),
    "bbq, text to text, all orders": ("text to text", bank("bbq", set_of_four()[:1], orders="all")),
    "sodapop, generating": ("masked", GENERATING),
    "sodapop, asking": ("choice", ASKING),
    "sodapop, asking, causal": ("causal", ASKING),
}


def context(text: str) -> Context:
    return Context(id=text, context=text, question="Who is {name}?", prompt="{name} is", answer="warm")


def span_states(model: Any) -> Any:
    passages = [Passage.model_validate(passage(number)) for number in range(4)]
    return span_embeddings(model, [one.encoded for one in encodings(model.tokenizer, passages)], lambda _: None)


def name_states(model: Any) -> Any:
    found = embedded(model, "anna", [context(f"{text[:-1]} and {{name}}.") for text in TEXTS], lambda _: None)
    assert not isinstance(found, str)
    return found.vector


def ratios(model: Any) -> Any:
    asks = [Ask(GEST_GENERATIVE, form=Template('"{sentence}", the ', male, "women")) for male in ("men", "people")]
    return np.array([(one.first, one.second) for one in score_gest(model, GEST, asks, lambda _: None)], dtype=float)


NUMBERS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "gap": ("masked", span_states),
    "name_embedding": ("masked", name_states),
    "debiasing": ("causal", lambda model: sentence_states(model, TEXTS)),
    "GEST": ("causal", ratios),
}
"""Ratios of GEST, and what classifiers are trained on: training enlarges differences in the last digit."""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Tiny models by kind."""
    root = tmp_path_factory.mktemp("out-of-memory")
    (root / CORPUS).write_text("\n".join(LINES))
    save_t5(root / "text to text")
    folders: dict[str, Path] = {
        "masked": save_tiny_bert(root / "masked", 0),
        "causal": save_model(root / "causal", "GPT2LMHeadModel", "bytes_plain", GPT2),
        "choice": save_tiny_multiple_choice(root / "choice", 1),
        "text to text": root / "text to text",
    }
    return {name: load_any(locate(f"path:{folder}"), device="cpu") for name, folder in folders.items()}


def records(spec: AuditSpec, model: Any, memory: MemoryRunsOut) -> dict[str, pl.DataFrame]:
    """The records of a run by table: of SODAPOP those of one phase, with distractors that are given."""
    given, generates = generated(), isinstance(spec, SodapopSpec) and not spec.params.ask
    stage = stages_of(spec)["generating"] if generates else list(stages_of(spec).values())[-1]
    before = done(given) if isinstance(spec, SodapopSpec) and not generates else []
    parts, memo = dict[str, list[pl.DataFrame]](), dict[Any, Any]()
    for shard in stage.plan(spec, {}, model.checkpoint, before).shards:
        forget(model)
        with watched(memory):
            tables = stage.execute(spec, {}, shard.items, model, memo, lambda _: None, reader(given))
        for table, columns in tables.items():
            parts.setdefault(table, []).append(frame(columns))
    return {table: pl.concat(some, how="diagonal_relaxed") for table, some in parts.items()}


def reader(given: pl.DataFrame) -> Any:
    def read(_: str, **where: Any) -> pl.DataFrame:
        return given.filter(pl.all_horizontal(pl.col(column).is_in(values) for column, values in where.items()))

    return read


def forget(model: Any) -> None:
    """What is known already would need no memory, and a budget that memory allowed would stay."""
    if hasattr(model, "kept"):
        model.state_cache.clear()
    if hasattr(model, "token_budget"):
        model.token_budget = 10_000


def assert_same(found: pl.DataFrame, expected: pl.DataFrame) -> None:
    """The same records in the same order."""
    assert found.columns == expected.columns
    assert len(found) == len(expected)
    for name, kind in expected.schema.items():
        one, other = found[name], expected[name]
        if name == "logits" and kind == pl.String:
            one, other = (each.str.json_decode(pl.List(pl.Float64)).explode() for each in (one, other))
        if one.dtype.is_float():
            np.testing.assert_allclose(one.to_numpy(), other.to_numpy(), atol=1e-5, rtol=0)
        else:
            assert one.equals(other), name


shares_of_operations = st.sets(st.integers(1, 100), min_size=1, max_size=3)
few = settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def after(memory: MemoryRunsOut, shares: set[int]) -> MemoryRunsOut:
    return MemoryRunsOut(frozenset(-(-memory.done * share // 100) for share in shares))


@pytest.mark.parametrize("name", PROBES)
@few
@given(shares=shares_of_operations)
def test_memory_that_runs_out_anywhere_changes_no_record(loaded: dict[str, Any], name: str, shares: set[int]) -> None:
    kind, data = PROBES[name]
    model, enough = loaded[kind], MemoryRunsOut()
    spec = spec_of(model, data)
    expected = records(spec, model, enough)
    found = records(spec, model, after(enough, shares))
    assert found.keys() == expected.keys()
    for table in expected:
        assert len(expected[table]) > 1
        assert_same(found[table], expected[table])


@pytest.mark.parametrize("name", NUMBERS)
@few
@given(shares=shares_of_operations)
def test_memory_that_runs_out_anywhere_changes_no_number(loaded: dict[str, Any], name: str, shares: set[int]) -> None:
    kind, numbers = NUMBERS[name]
    enough = MemoryRunsOut()
    forget(loaded[kind])
    with watched(enough):
        expected = numbers(loaded[kind])
    assert enough.done
    forget(loaded[kind])
    with watched(after(enough, shares)):
        np.testing.assert_allclose(numbers(loaded[kind]), expected, atol=1e-5, rtol=0)
