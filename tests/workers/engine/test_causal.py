from collections.abc import Callable

import numpy as np
import pytest
import torch

from plumbline.spec.errors import ModelError
from tests.workers.engine.conftest import memory_for
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.vocabulary import boundary_tokens

CAUSAL_FAMILIES = ["llama", "llama-bos", "gpt2", "qwen2", "mistral-window", "bloom"]
Loader = Callable[[str], CausalModel]


def queries_for(model: CausalModel) -> list[CausalQuery]:
    """Contexts that share beginnings; continuations of one or more tokens, among them prefixes of each other."""
    contexts = ["All women are", "All men are", "All", "Most nurses of the village should be"]
    words = [" warm", " powerful", " power", " kind", " self-reliant", " selfless"]
    return [
        CausalQuery(tuple(model.tokenizer(context)["input_ids"]), _tokens(model, word), ends)
        for context in contexts
        for word in words
        for ends in (False, True)
    ]


def _tokens(model: CausalModel, text: str) -> tuple[int, ...]:
    return tuple(model.tokenizer(text, add_special_tokens=False)["input_ids"])


def plainly(model: CausalModel, query: CausalQuery) -> float:
    """The whole sequence by itself, the softmax in float64."""
    ids = query.context + query.continuation
    with torch.inference_mode():
        log_p = model.model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].double().log_softmax(-1)
    start = len(query.context)
    total = sum(float(log_p[start + index - 1, token]) for index, token in enumerate(query.continuation))
    if query.ends:
        boundary = torch.from_numpy(boundary_tokens(model.tokenizer, log_p.shape[1]))
        total += float(log_p[-1, boundary].logsumexp(0))
    return total


@pytest.mark.parametrize("family", CAUSAL_FAMILIES)
def test_batches_give_what_scoring_each_sequence_by_itself_gives(causal: Loader, family: str) -> None:
    model = causal(family)
    queries = queries_for(model)
    expected = [plainly(model, query) for query in queries]
    assert np.ptp(expected) > 1
    np.testing.assert_allclose(model.log_probabilities(queries), expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("family", CAUSAL_FAMILIES)
def test_answers_do_not_depend_on_the_batch(causal: Loader, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = causal(family)
    queries = queries_for(model)
    together = model.log_probabilities(queries)
    alone = np.concatenate([model.log_probabilities([query]) for query in queries])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=0)
    monkeypatch.setattr(model, "token_budget", 11)
    np.testing.assert_allclose(model.log_probabilities(queries), together, atol=1e-5, rtol=0)


@pytest.mark.parametrize(("family", "expected"), [("llama", True), ("gpt2", True), ("qwen2", True), ("bloom", False)])
def test_a_model_is_asked_whether_it_reads_trees(causal: Loader, family: str, expected: bool) -> None:
    assert causal(family).trees is expected


def test_a_shared_context_is_run_once_and_logits_are_made_only_where_they_are_read(causal: Loader) -> None:
    model = causal("llama")
    run, read = [], []
    hooks = [
        model.model.base_model.register_forward_hook(lambda _, __, output: run.append(output[0].shape[:2].numel())),
        model.model.lm_head.register_forward_hook(lambda _, __, output: read.append(output.shape[:2].numel())),
    ]
    context = tuple(range(10, 30))
    # Single tokens are read after the context. The tree has a node for each of the 20 first tokens and for 40, 41.
    single = [(token,) for token in range(60, 90)]
    longer = [(token, last) for token in range(30, 50) for last in (5, 6)] + [(40, 41, 7), (40, 41), (40,)]
    model.log_probabilities([CausalQuery(context, continuation) for continuation in single + longer])
    for hook in hooks:
        hook.remove()
    assert (run, read) == ([20 + 20 + 1], [1 + 20 + 1])


def test_a_word_that_must_end_is_never_more_likely(causal: Loader) -> None:
    model = causal("llama")
    queries = queries_for(model)
    answers = model.log_probabilities(queries)
    assert np.all(answers[1::2] <= answers[0::2])
    assert np.any(answers[1::2] < answers[0::2] - 0.1)


def test_without_context_there_is_a_clear_error(causal: Loader) -> None:
    with pytest.raises(ModelError, match=r"nothing stands before the word.*put a word before the slot"):
        causal("llama").log_probabilities([CausalQuery((), (20, 21))])


def test_the_start_token_of_a_tokenizer_is_context_enough(causal: Loader) -> None:
    model = causal("llama-bos")
    context = tuple(model.tokenizer("")["input_ids"])
    assert len(context) == 1
    assert np.isfinite(model.log_probabilities([CausalQuery(context, (20, 21))])).all()


def test_no_queries_give_no_answers(causal: Loader) -> None:
    assert causal("llama").log_probabilities([]).shape == (0,)


def test_progress_counts_every_query_once(causal: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    model = causal("llama")
    monkeypatch.setattr(model, "token_budget", 12)
    counted: list[int] = []
    queries = queries_for(model) * 2
    model.log_probabilities(queries, progress=counted.append)
    assert sum(counted) == len(queries)
    assert len(counted) > 1


@pytest.mark.parametrize("family", ["llama", "bloom"])
def test_when_memory_runs_out_the_batch_is_halved(causal: Loader, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = causal(family)
    queries = queries_for(model)
    expected = model.log_probabilities(queries)
    monkeypatch.setattr(model, "token_budget", 10_000)
    with memory_for(40, model) as refused:
        found = model.log_probabilities(queries)
    np.testing.assert_allclose(found, expected, atol=1e-5, rtol=0)
    assert refused
    assert model.token_budget < 100
