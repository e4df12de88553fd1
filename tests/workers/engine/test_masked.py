from collections.abc import Callable

import numpy as np
import pytest
import torch

from plumbline.spec.errors import ModelError
from tests.workers.engine.conftest import memory_for
from workers.engine.masked import MaskedModel, MaskedQuery, mask_token_id
from workers.engine.sentences import Sentence, encode, replace

MASKED_FAMILIES = [
    *("bert", "roberta", "distilbert", "albert", "electra", "deberta", "deberta-v2", "modernbert", "mpnet", "xlnet")
]
Loader = Callable[[str], MaskedModel]


def queries_for(model: MaskedModel) -> list[MaskedQuery]:
    """Sentences of unlike lengths, one mask or as many as tokens, several targets and positions."""
    queries = []
    for text in (
        "All women are powerful.",
        "Most nurses of the village should be kind, the doctor said.",
        "Men are warm.",
    ):
        start = text.rindex(" ") + 1
        encoded = encode(model.tokenizer, [Sentence(text, ((start, len(text) - 1),))])[0]
        slot = encoded.slots[0]
        for masks in (1, len(slot), len(slot) + 2):
            masked = replace(encoded, 0, [model.mask_token_id] * masks)
            queries += [
                MaskedQuery(masked.ids, position, target)
                for position in masked.slots[0]
                for target in (7, 20, encoded.ids[slot.start])
            ]
    return queries


def plainly(model: MaskedModel, query: MaskedQuery) -> float:
    """The whole model on one sentence, the softmax in float64."""
    ids = torch.tensor([query.ids])
    permuted = model.model.config.model_type == "xlnet"
    with torch.inference_mode():
        if permuted:
            logits = model.model(input_ids=ids, **hidden(model, query)).logits[0, 0]
        else:
            logits = model.model(input_ids=ids).logits[0, query.position]
    return float(logits.double().log_softmax(0)[query.target])


def hidden(model: MaskedModel, query: MaskedQuery) -> dict[str, torch.Tensor]:
    """As in transformers' example of XLNet: nobody sees the masked tokens, and one place is predicted."""
    length = len(query.ids)
    perm_mask, target_mapping = torch.zeros(1, length, length), torch.zeros(1, 1, length)
    for position, token in enumerate(query.ids):
        if token == model.mask_token_id:
            perm_mask[:, :, position] = 1.0
    target_mapping[0, 0, query.position] = 1.0
    return {"perm_mask": perm_mask, "target_mapping": target_mapping}


@pytest.mark.parametrize("family", MASKED_FAMILIES)
def test_batches_give_what_the_plain_forward_pass_gives(masked: Loader, family: str) -> None:
    model = masked(family)
    queries = queries_for(model)
    expected = [plainly(model, query) for query in queries]
    assert np.ptp(expected) > 1
    # Both are float32, each with an error of its own.
    np.testing.assert_allclose(model.log_probabilities(queries), expected, atol=2e-5, rtol=0)


@pytest.mark.parametrize("family", MASKED_FAMILIES)
def test_answers_do_not_depend_on_the_batch(masked: Loader, family: str) -> None:
    model = masked(family)
    queries = queries_for(model)
    together = model.log_probabilities(queries)
    alone = np.concatenate([model.log_probabilities([query]) for query in queries])
    # A family with an attention of its own keeps it in float32, with the error of the test above.
    atol = 1e-5 if model.model.config._attn_implementation == "float64_sdpa" or family == "xlnet" else 2e-5
    np.testing.assert_allclose(together, alone, atol=atol, rtol=0)


@pytest.mark.parametrize("family", MASKED_FAMILIES)
def test_a_known_family_takes_its_head_apart(masked: Loader, family: str) -> None:
    head = masked(family).head
    if family == "mpnet":
        assert head is None
    else:
        assert head is not None
        assert head.weight.shape[0] == masked(family).vocabulary_size


def test_each_input_is_run_once_and_each_position_is_read_once(masked: Loader) -> None:
    model = masked("bert")
    model.state_cache.clear()
    run, read = [], []
    hooks = [
        model.model.base_model.embeddings.register_forward_hook(lambda _, __, output: run.append(output.shape[0])),
        model.model.cls.predictions.transform.register_forward_hook(lambda _, __, output: read.append(output.shape[0])),
    ]
    # Twenty inputs with two positions each, asked for thirty tokens: enough that no row is filled up.
    places = [((2, first, 4, 4, 3), position) for first in range(10, 30) for position in (2, 3)]
    model.log_probabilities([MaskedQuery(*place, target) for target in range(5, 35) for place in places])
    for hook in hooks:
        hook.remove()
    assert (sum(run), sum(read)) == (20, 40)


def test_within_a_class_the_probabilities_of_its_members_sum_to_one(masked: Loader) -> None:
    model = masked("bert")
    members = np.zeros(model.vocabulary_size, dtype=np.bool_)
    members[10:25] = True
    queries = [MaskedQuery((2, 10, 4, 3), 2, target, "some") for target in range(10, 25)]
    inside = model.log_probabilities(queries, {"some": members})
    assert np.exp(inside).sum() == pytest.approx(1, abs=1e-6)
    whole = model.log_probabilities([MaskedQuery((2, 10, 4, 3), 2, 12)])
    assert inside[2] > whole[0]


def test_a_class_and_the_whole_vocabulary_may_be_asked_at_one_place(masked: Loader) -> None:
    model = masked("bert")
    members = {name: np.arange(model.vocabulary_size) % 3 == rest for name, rest in (("some", 0), ("more", 1))}
    queries = [MaskedQuery((2, first, 4, 3), 2, 9, name) for first in (10, 11) for name in ("", "some", "", "more")]
    together = model.log_probabilities(queries, members)
    alone = np.concatenate([model.log_probabilities([query], members) for query in queries])
    np.testing.assert_allclose(together, alone, atol=1e-5, rtol=0)


def test_a_class_that_is_not_given_is_an_error(masked: Loader) -> None:
    with pytest.raises(KeyError, match="nowhere"):
        masked("bert").log_probabilities([MaskedQuery((2, 4, 3), 1, 5, "nowhere")])


def test_a_position_outside_the_input_is_an_error(masked: Loader) -> None:
    with pytest.raises(ValueError, match="outside the 3 tokens"):
        masked("bert").log_probabilities([MaskedQuery((2, 4, 3), 3, 5)])


def test_no_queries_give_no_answers(masked: Loader) -> None:
    assert masked("bert").log_probabilities([]).shape == (0,)


def test_progress_counts_every_query_once(masked: Loader) -> None:
    model = masked("bert")
    queries = queries_for(model) * 2
    counted: list[int] = []
    model.log_probabilities(queries, progress=counted.append)
    assert sum(counted) == len(queries)


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_when_memory_runs_out_the_batch_is_halved(masked: Loader, family: str, monkeypatch: pytest.MonkeyPatch) -> None:
    model = masked(family)
    queries = queries_for(model)
    expected = model.log_probabilities(queries)
    monkeypatch.setattr(model, "token_budget", 10_000)
    counted: list[int] = []
    with memory_for(40, model) as refused:
        found = model.log_probabilities(queries, progress=counted.append)
    np.testing.assert_allclose(found, expected, atol=1e-5, rtol=0)
    assert refused
    assert sum(counted) == len(queries)
    assert model.token_budget < 100


def test_a_single_input_that_does_not_fit_is_a_clear_error(masked: Loader) -> None:
    model = masked("bert")
    model.state_cache.clear()

    def refuse(*_: object) -> None:
        raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 12 bytes")

    hook = model.model.base_model.embeddings.register_forward_pre_hook(refuse)
    try:
        with pytest.raises(ModelError, match="single input of 3 tokens: use a smaller model"):
            model.log_probabilities([MaskedQuery((2, 4, 3), 1, 5)])
    finally:
        hook.remove()


def test_an_error_that_is_not_about_memory_comes_through(masked: Loader) -> None:
    with pytest.raises(IndexError):
        masked("bert").log_probabilities([MaskedQuery((2, 10_000, 3), 1, 5)])


def test_a_tokenizer_without_mask_token_is_a_clear_error(causal: Callable[[str], MaskedModel]) -> None:
    with pytest.raises(ModelError, match="has no mask token: a masked probe needs one"):
        mask_token_id(causal("llama").checkpoint)


@pytest.mark.parametrize("family", ["bert", "roberta", "electra"])
def test_the_last_layer_goes_on_with_what_is_read_only(masked: Loader, family: str) -> None:
    """Many inputs, so that leaving out the others pays; the answers are those of the whole model."""
    model = masked(family)
    model.state_cache.clear()
    queries = [MaskedQuery((2, a, 4, b, 4, 9, 3), 2 + 2 * (a % 2), 7) for a in range(10, 40) for b in range(10, 30)]
    expected = [plainly(model, query) for query in queries[::40]]
    fed: list[int] = []
    layers = model.model.base_model.encoder.layer
    hooks = [
        layer.intermediate.register_forward_hook(lambda _, given, __: fed.append(given[0].shape[:-1].numel()))
        for layer in (layers[0], layers[-1])
    ]
    found = model.log_probabilities(queries)
    for hook in hooks:
        hook.remove()
    np.testing.assert_allclose(found[::40], expected, atol=2e-5, rtol=0)
    assert sum(fed[::2]) == 600 * 7
    assert sum(fed[1::2]) < 600 * 2
