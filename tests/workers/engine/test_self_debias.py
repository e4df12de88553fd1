"""Self-Debias against a plain transcription of Schick et al. 2021, section 4, over whole distributions."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from torch import Tensor

from plumbline.spec.errors import ModelError, SpecError
from plumbline.spec.self_debias import SelfDebiasing
from tests.workers.engine.conftest import memory_for
from tests.workers.engine.test_masked import MASKED_FAMILIES, hidden, queries_for
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.self_debias import reweighted, tokens_of
from workers.engine.self_debiased import self_debiased

ASKED = SelfDebiasing(("Men are kind.", "Most are warm"), 50.0)
CAUSAL_FAMILIES = ["llama", "llama-bos", "gpt2", "qwen2", "mistral-window", "bloom"]
Masked = Callable[[str], MaskedModel]
Causal = Callable[[str], CausalModel]


def alpha(x: float, decay: float) -> float:
    return 1.0 if x >= 0 else float(np.exp(decay * x))


def transcribed(plain: Tensor, described: Sequence[Tensor], decay: float) -> np.ndarray:
    """p' over the vocabulary, one word after the other."""
    # Lists: Python reads a number of an array ten times as slowly.
    p, under = plain.double().softmax(-1).tolist(), [one.double().softmax(-1).tolist() for one in described]
    kept = [alpha(min(p[word] - one[word] for one in under), decay) * p[word] for word in range(len(p))]
    return np.asarray(np.array(kept) / np.sum(kept))


def before_the_text(model: MaskedModel | CausalModel, ids: Sequence[int], words: str) -> list[int]:
    """The description and a line break that is no unknown token, after [CLS] where the text begins with it."""
    own = model.tokenizer(words + "\n", add_special_tokens=False)["input_ids"]
    own = [one for one in own if one != model.tokenizer.unk_token_id]
    first = 1 if ids and ids[0] == model.tokenizer.convert_tokens_to_ids("[CLS]") else 0
    return [*ids[:first], *own, *ids[first:]]


def masked_logits(model: MaskedModel, query: MaskedQuery) -> Tensor:
    ids = torch.tensor([query.ids])
    with torch.inference_mode():
        if model.model.config.model_type == "xlnet":
            found: Tensor = model.model(input_ids=ids, **hidden(model, query)).logits[0, 0]
        else:
            found = model.model(input_ids=ids).logits[0, query.position]
    return found


def masked_expected(model: MaskedModel, query: MaskedQuery) -> float:
    described = []
    for words in ASKED.descriptions:
        ids = before_the_text(model, query.ids, words)
        place = query.position + len(ids) - len(query.ids)
        described.append(masked_logits(model, MaskedQuery(tuple(ids), place, query.target)))
    return float(np.log(transcribed(masked_logits(model, query), described, ASKED.decay)[query.target]))


def next_logits(model: CausalModel, ids: Sequence[int]) -> Tensor:
    with torch.inference_mode():
        found: Tensor = model.model(torch.tensor([ids])).logits[0, -1]
    return found


def causal_expected(model: CausalModel, query: CausalQuery) -> float:
    total, tokens = 0.0, [*query.context]
    boundary = model.boundary.numpy()
    for token in (*query.continuation, None) if query.ends else query.continuation:
        described = [next_logits(model, before_the_text(model, tokens, words)) for words in ASKED.descriptions]
        p = transcribed(next_logits(model, tokens), described, ASKED.decay)
        total += float(np.log(p[boundary].sum() if token is None else p[token]))
        tokens += [] if token is None else [token]
    return total


def causal_queries(model: CausalModel, ends: bool = False) -> list[CausalQuery]:
    """Sentences that share beginnings, cut at two places."""
    texts = ["All women are powerful.", "All women are kind and warm.", "Most people, the doctor said, are poor."]
    ids = [tuple(one) for one in model.tokenizer(texts)["input_ids"]]
    return [CausalQuery(one[:cut], one[cut : cut + 4], ends) for one in ids for cut in (1, 2, 3)]


@pytest.mark.parametrize("family", MASKED_FAMILIES)
def test_a_masked_model_gives_the_published_formula_over_its_whole_vocabulary(masked: Masked, family: str) -> None:
    model = masked(family)
    queries = queries_for(model)
    found = self_debiased(model, ASKED).log_probabilities(queries)
    # Both are float32, each with an error of its own.
    np.testing.assert_allclose(found, [masked_expected(model, query) for query in queries], atol=2e-5, rtol=0)
    assert np.abs(found - model.log_probabilities(queries)).max() > 0.1


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("family", CAUSAL_FAMILIES)
def test_a_causal_model_gives_the_published_formula_at_every_token(causal: Causal, family: str, ends: bool) -> None:
    model = causal(family)
    queries = causal_queries(model, ends)
    found = self_debiased(model, ASKED).log_probabilities(queries)
    np.testing.assert_allclose(found, [causal_expected(model, query) for query in queries], atol=1e-5, rtol=0)
    assert np.abs(found - model.log_probabilities(queries)).max() > 0.1


def test_a_model_that_is_asked_with_self_debias_leaves_the_plain_one_as_it_was(masked: Masked) -> None:
    model = masked("bert")
    queries = queries_for(model)
    plain = model.log_probabilities(queries)
    self_debiased(model, ASKED).log_probabilities(queries)
    np.testing.assert_array_equal(model.log_probabilities(queries), plain)


@pytest.mark.parametrize("family", ["bert", "mpnet", "xlnet"])
def test_answers_of_a_masked_model_do_not_depend_on_the_batch(masked: Masked, family: str) -> None:
    model = self_debiased(masked(family), ASKED)
    queries = queries_for(model)
    alone = [float(model.log_probabilities([query])[0]) for query in queries]
    np.testing.assert_allclose(model.log_probabilities(queries), alone, atol=2e-5, rtol=0)


@pytest.mark.parametrize("family", ["llama-bos", "bloom"])
def test_answers_of_a_causal_model_do_not_depend_on_the_batch(causal: Causal, family: str) -> None:
    model = self_debiased(causal(family), ASKED)
    queries = causal_queries(model)
    alone = [float(model.log_probabilities([query])[0]) for query in queries]
    np.testing.assert_allclose(model.log_probabilities(queries), alone, atol=2e-5, rtol=0)


def test_batches_shrink_when_the_descriptions_do_not_fit_into_memory(masked: Masked) -> None:
    model = self_debiased(masked("bert"), ASKED)
    queries = queries_for(model)
    expected = model.log_probabilities(queries)
    model.token_budget = 10_000
    with memory_for(150, model) as refused:
        found = model.log_probabilities(queries)
    assert refused
    np.testing.assert_allclose(found, expected, atol=1e-5, rtol=0)


def test_within_a_class_the_lowered_probabilities_sum_to_one(masked: Masked) -> None:
    model = self_debiased(masked("bert"), ASKED)
    members = np.zeros(model.vocabulary_size, dtype=np.bool_)
    members[10:25] = True
    queries = [MaskedQuery((2, 10, 4, 3), 2, target, "some") for target in range(10, 25)]
    assert np.exp(model.log_probabilities(queries, {"some": members})).sum() == pytest.approx(1, abs=1e-6)


def test_a_description_follows_the_token_that_begins_a_text(causal: Causal, masked: Masked) -> None:
    plain, begun = (tokens_of(causal(name).tokenizer, ASKED) for name in ("llama", "llama-bos"))
    assert plain.described((40, 41), (7, 8)) == (7, 8, 40, 41)
    assert plain.described((2, 40, 41), (7, 8)) == (2, 7, 8, 40, 41)
    assert begun.described((2, 40, 41), (7, 8)) == (2, 7, 8, 40, 41)
    in_brackets = tokens_of(masked("bert").tokenizer, ASKED)
    assert in_brackets.described((2, 4, 40, 3), (7, 8)) == (2, 7, 8, 4, 40, 3)


def test_a_description_that_the_tokenizer_cannot_spell_is_refused(masked: Masked) -> None:
    with pytest.raises(SpecError, match="cannot spell the description '\u0436'; word it in another way"):
        tokens_of(masked("bert").tokenizer, SelfDebiasing(("\u0436",), 50.0))


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_a_distance_is_not_defined_with_self_debias(masked: Masked, causal: Causal, kind: str) -> None:
    model = self_debiased(masked("bert") if kind == "masked" else causal("llama"), ASKED)
    with pytest.raises(ModelError, match=r"changes no layer of .*: ask it without self_debias"):
        model.distances([])


LOGITS = st.floats(-40, 40, width=32)
ROWS = arrays(np.float32, (2, 6), elements=LOGITS).map(torch.from_numpy)
DESCRIBED = arrays(np.float32, (2, 3, 6), elements=LOGITS).map(torch.from_numpy)


@given(ROWS, DESCRIBED, st.floats(0, 100))
def test_the_weights_are_those_of_the_formula(plain: Tensor, described: Tensor, decay: float) -> None:
    found = reweighted(plain, described, decay).softmax(-1).numpy()
    for row, own in enumerate(found):
        np.testing.assert_allclose(own, transcribed(plain[row], [*described[row]], decay), atol=1e-9)


@given(ROWS, DESCRIBED)
def test_a_decay_of_zero_changes_nothing(plain: Tensor, described: Tensor) -> None:
    np.testing.assert_allclose(reweighted(plain, described, 0.0), plain.double().log_softmax(-1), atol=1e-12)


@given(ROWS, st.integers(1, 3))
def test_descriptions_that_change_nothing_lower_nothing(plain: Tensor, several: int) -> None:
    same = plain[:, None].expand(-1, several, -1)
    np.testing.assert_allclose(reweighted(plain, same, 50.0), plain.double().log_softmax(-1), atol=1e-9)


@given(ROWS, DESCRIBED, st.floats(0.1, 100))
def test_a_word_that_a_description_makes_likelier_falls_against_one_that_none_does(
    plain: Tensor, described: Tensor, decay: float
) -> None:
    p, under = plain.double().softmax(-1), described.double().softmax(-1).amax(1)
    shift = reweighted(plain, described, decay) - p.log()
    kept, lowered = under <= p, under > p + 1e-6
    np.testing.assert_allclose(shift[kept], 0, atol=1e-12)
    assert (shift[lowered] < 0).all()


def test_the_least_weight_underflows_nowhere_and_an_impossible_word_stays_impossible() -> None:
    plain, described = torch.tensor([[-80.0, 0.0, -torch.inf]]), torch.tensor([[[0.0, -80.0, -torch.inf]]])
    found = reweighted(plain, described, 1000.0)[0]
    assert found[:2].tolist() == pytest.approx([-1080.0, 0.0])
    assert found[2] == -torch.inf
