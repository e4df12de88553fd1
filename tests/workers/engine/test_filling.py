from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.workers.engine.conftest import memory_for
from tests.workers.tiny import save_tiny_bert
from workers.engine.filling import Masked, top_tokens
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel

Loader = Callable[[str], MaskedModel]
TEXTS = ["All women are {}.", "Most nurses of the village should be {}, the doctor said.", "{} are warm.", "Men {}"]


def inputs_of(model: MaskedModel, texts: list[str]) -> tuple[list[Masked], list[int]]:
    masked = [text.format(model.tokenizer.mask_token) for text in texts]
    ids = [tuple(one) for one in model.tokenizer(masked)["input_ids"]]
    return ids, [one.index(model.mask_token_id) for one in ids]


@pytest.mark.parametrize("family", ["bert", "roberta", "albert", "modernbert", "mpnet"])
def test_the_likeliest_tokens_are_those_of_the_plain_forward_pass(masked: Loader, family: str) -> None:
    model = masked(family)
    ids, positions = inputs_of(model, TEXTS)
    tokens, log_p = top_tokens(model, ids, positions, 7)
    for one, position, found, likely in zip(ids, positions, tokens, log_p, strict=True):
        with torch.inference_mode():
            logits = model.model(input_ids=torch.tensor([one])).logits[0, position].double().log_softmax(0)
        expected = logits[: model.named].topk(7)
        assert found.tolist() == expected.indices.tolist()
        np.testing.assert_allclose(likely, expected.values, atol=2e-5, rtol=0)


def test_neither_batches_nor_an_input_asked_twice_change_an_answer(masked: Loader) -> None:
    model = masked("bert")
    ids, positions = inputs_of(model, [*TEXTS, TEXTS[0]])
    tokens, log_p = top_tokens(model, ids, positions, 5)
    for index in range(len(ids)):
        alone, likely = top_tokens(model, [ids[index]], [positions[index]], 5)
        assert alone[0].tolist() == tokens[index].tolist()
        np.testing.assert_allclose(likely[0], log_p[index], atol=1e-5, rtol=0)
    assert tokens[0].tolist() == tokens[-1].tolist()


def test_several_positions_of_one_input_are_answered_each(masked: Loader) -> None:
    model = masked("bert")
    ids, positions = inputs_of(model, TEXTS[:1])
    _, log_p = top_tokens(model, ids * 2, [positions[0], 1], 5)
    for number, position in enumerate((positions[0], 1)):
        np.testing.assert_allclose(log_p[number], top_tokens(model, ids, [position], 5)[1][0], atol=1e-5)
    assert abs(log_p[0] - log_p[1]).max() > 1e-3


def test_memory_that_runs_out_changes_nothing_but_the_batches(masked: Loader, folder_of: Callable[[str], Path]) -> None:
    model = load(locate(f"path:{folder_of('bert')}"), device="cpu")
    assert isinstance(model, MaskedModel)
    ids, positions = inputs_of(model, [text + " Men are warm." * times for text in TEXTS for times in range(3)])
    expected, _ = top_tokens(masked("bert"), ids, positions, 3)
    answered: list[int] = []
    with memory_for(64, model) as refused:
        tokens, _ = top_tokens(model, ids, positions, 3, answered.append)
    assert refused
    assert tokens.tolist() == expected.tolist()
    assert sum(answered) == len(ids)


@pytest.fixture
def level(tmp_path: Path) -> MaskedModel:
    """A model to which all tokens are equally likely."""
    model = load(locate(f"path:{save_tiny_bert(tmp_path, seed=0)}"), device="cpu")
    assert isinstance(model, MaskedModel)
    assert model.head is not None
    assert model.head.bias is not None
    with torch.no_grad():
        model.head.weight.zero_()
        model.head.bias.zero_()
    return model


def test_of_equally_likely_tokens_those_with_the_smaller_ids_are_taken(level: MaskedModel) -> None:
    ids, positions = inputs_of(level, ["all women are {}."])
    tokens, log_p = top_tokens(level, ids, positions, 4)
    assert tokens.tolist() == [[0, 1, 2, 3]]
    np.testing.assert_allclose(log_p, -np.log(level.vocabulary_size))


def test_ties_below_the_first_are_broken_by_id_too(level: MaskedModel) -> None:
    assert level.head is not None
    assert level.head.bias is not None
    with torch.no_grad():
        level.head.bias[[30, 9, 20]] = torch.tensor([2.0, 1.0, 1.0])
    ids, positions = inputs_of(level, ["all women are {}."])
    assert top_tokens(level, ids, positions, 2)[0].tolist() == [[30, 9]]
    assert top_tokens(level, ids, positions, 3)[0].tolist() == [[30, 9, 20]]
    assert top_tokens(level, ids, positions, 5)[0].tolist() == [[30, 9, 20, 0, 1]]


def test_rows_without_a_token_are_no_answers(masked: Loader) -> None:
    model = masked("bert")
    assert model.named == model.vocabulary_size - 3
    ids, positions = inputs_of(model, TEXTS)
    assert top_tokens(model, ids, positions, model.named)[0].max() == model.named - 1


def test_more_tokens_than_there_are_cannot_be_asked_for(masked: Loader) -> None:
    model = masked("bert")
    ids, positions = inputs_of(model, TEXTS[:1])
    with pytest.raises(ValueError, match="vocabulary of"):
        top_tokens(model, ids, positions, model.named + 1)
