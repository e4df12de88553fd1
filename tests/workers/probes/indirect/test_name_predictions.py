"""Names from a model's own predictions: mean over sentences, highest over targets."""

import numpy as np
import pytest

from tests.workers.tiny import save_tiny_bert, xlnet_tokenizer
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.sentences import Sentence
from workers.probes.indirect.name_predictions import Predictions, predict

TEXTS = {
    "men": ["Mary is in men.", "All in men are Mary."],
    "people": ["Mary is in people.", "All in people are Mary."],
}


def spanned(text: str) -> Sentence:
    return Sentence(text, ((text.index("Mary"), text.index("Mary") + 4),))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> MaskedModel:
    found = load(locate(f"path:{save_tiny_bert(tmp_path_factory.mktemp('model') / 'model', seed=1)}"))
    assert isinstance(found, MaskedModel)
    return found


@pytest.fixture(scope="module")
def found(model: MaskedModel) -> Predictions:
    return predict(model, {target: [spanned(text) for text in texts] for target, texts in TEXTS.items()})


def plain(model: MaskedModel, text: str, word: str) -> float:
    ids = tuple(model.tokenizer(text.replace("Mary", "[MASK]"))["input_ids"])
    target = model.tokenizer.convert_tokens_to_ids(word)
    return float(np.exp(model.log_probabilities([MaskedQuery(ids, ids.index(model.mask_token_id), target)])[0]))


def test_a_word_has_its_mean_over_sentences_and_its_highest_over_targets(
    model: MaskedModel, found: Predictions
) -> None:
    by_target = {target: np.mean([plain(model, one, "poor") for one in texts]) for target, texts in TEXTS.items()}
    poor = found.words["poor"]
    assert poor.highest == pytest.approx(max(by_target.values()), rel=1e-5)
    assert poor.mean == pytest.approx(np.mean([*by_target.values()]), rel=1e-5)
    assert by_target[poor.target] == max(by_target.values())


def test_the_likeliest_word_is_first_and_parts_of_words_are_none(found: Predictions) -> None:
    probabilities = [one.highest for one in found.words.values()]
    assert probabilities == sorted(probabilities, reverse=True)
    assert not any(text.startswith("##") or len(text) < 2 or not text.isalpha() for text in found.words)


def test_a_name_is_found_by_its_only_token_and_a_split_one_is_not_predicted(found: Predictions) -> None:
    warm = found.of_name("Warm")
    assert warm is not None
    assert warm.text == "warm"
    assert found.of_name("Sharon") is None
    assert not found.keeps_case


def test_sentences_that_the_model_cannot_read_are_refused(model: MaskedModel) -> None:
    with pytest.raises(ValueError, match="can read none"):
        predict(model, {"": [spanned("Mary is " + "poor " * 200)]})


def test_a_tokenizer_with_capitals_keeps_them() -> None:
    assert Predictions({}, xlnet_tokenizer()).keeps_case
