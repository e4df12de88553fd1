"""The authors' own values on the tiny models of the reference data."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.sentences import Encoded, Sentence, encode, replace
from workers.engine.vocabulary import released_class, released_classes

TOLERANCE = 1e-3


@pytest.fixture(scope="module")
def tiny_bert(reference_data: Path) -> MaskedModel:
    model = load(locate(f"path:{reference_data / 'tiny_bert'}"), device="cpu")
    assert isinstance(model, MaskedModel)
    return model


@pytest.fixture(scope="module")
def abc(reference_data: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((reference_data / "abc_tiny_bert.json").read_text())
    return found


def framed(template: str, group: str, adjective: str) -> Sentence:
    before = template.split("<mask>")[0].replace("<group>", group)
    return Sentence(before + adjective + template.split("<mask>")[1], ((len(before), len(before) + len(adjective)),))


def first_subword(model: MaskedModel, encoded: Encoded) -> MaskedQuery:
    slot = encoded.slots[0]
    masked = replace(encoded, 0, [model.mask_token_id] * len(slot))
    return MaskedQuery(masked.ids, slot.start, encoded.ids[slot.start])


def chain(model: MaskedModel, encoded: Encoded) -> list[MaskedQuery]:
    slot = encoded.slots[0]
    word = encoded.ids[slot.start : slot.stop]
    filled = [[*word[:known], *[model.mask_token_id] * (len(word) - known)] for known in range(len(word))]
    return [
        MaskedQuery(replace(encoded, 0, ids).ids, position, target, released_class(index))
        for index, (ids, position, target) in enumerate(zip(filled, slot, word, strict=True))
    ]


def pairs(abc: dict[str, Any], number: str) -> tuple[list[Sentence], list[Sentence]]:
    """Target and prior sentences, group by group, adjective by adjective."""
    form = abc["templates"][number]
    cells = [(group, adjective) for group in form["groups"] for adjective in abc["adjectives"]]
    targets = [framed(form["template"], group, adjective) for group, adjective in cells]
    return targets, [framed(form["template"], form["prior_group"], adjective) for _, adjective in cells]


def values(abc: dict[str, Any], number: str, method: str) -> dict[str, Any]:
    """Log-probabilities in the order of `pairs`; a prior is given once for all groups."""
    shape = len(abc["templates"][number]["groups"]), len(abc["adjectives"])
    found = abc["templates"][number][method]
    return {name: np.broadcast_to(np.array(found[name]), shape).ravel() for name in ("target", "prior")}


@pytest.mark.parametrize("number", ["singular", "plural"])
def test_every_adjective_is_spelled_as_in_the_released_code(
    tiny_bert: MaskedModel, abc: dict[str, Any], number: str
) -> None:
    encoded = encode(tiny_bert.tokenizer, pairs(abc, number)[0][: len(abc["adjectives"])])
    found = [
        tiny_bert.tokenizer.convert_ids_to_tokens(list(one.ids[one.slots[0].start : one.slots[0].stop]))
        for one in encoded
    ]
    assert found == [abc["subwords"][adjective] for adjective in abc["adjectives"]]


@pytest.mark.parametrize("number", ["singular", "plural"])
def test_ilps_by_the_first_subword(tiny_bert: MaskedModel, abc: dict[str, Any], number: str) -> None:
    expected = values(abc, number, "bwoe")
    for sentences, name in zip(pairs(abc, number), ("target", "prior"), strict=True):
        queries = [first_subword(tiny_bert, encoded) for encoded in encode(tiny_bert.tokenizer, sentences)]
        np.testing.assert_allclose(tiny_bert.log_probabilities(queries), expected[name], atol=TOLERANCE, rtol=0)


@pytest.mark.parametrize("number", ["singular", "plural"])
def test_ilps_by_the_chain_rule_with_the_released_codes_two_classes(
    tiny_bert: MaskedModel, abc: dict[str, Any], number: str
) -> None:
    expected = values(abc, number, "mwoe")
    classes = released_classes(tiny_bert.tokenizer, tiny_bert.vocabulary_size)
    for sentences, name in zip(pairs(abc, number), ("target", "prior"), strict=True):
        chains = [chain(tiny_bert, encoded) for encoded in encode(tiny_bert.tokenizer, sentences)]
        answers = tiny_bert.log_probabilities([query for queries in chains for query in queries], classes)
        starts = np.cumsum([0] + [len(queries) for queries in chains[:-1]])
        np.testing.assert_allclose(np.add.reduceat(answers, starts), expected[name], atol=TOLERANCE, rtol=0)


def test_log_probability_of_targets_and_prior(tiny_bert: MaskedModel, reference_data: Path) -> None:
    items = json.loads((reference_data / "log_probability_tiny_bert.json").read_text())["items"]
    tokenizer = tiny_bert.tokenizer
    queries, expected = [], []
    for item in items:
        attribute = item["attribute"]
        text = item["template"].replace("GGG", "he").replace("XXX", attribute)
        spans = tuple((text.index(word), text.index(word) + len(word)) for word in ("he", attribute))
        sentence = replace(encode(tokenizer, [Sentence(text, spans)])[0], 0, [tiny_bert.mask_token_id])
        prior = replace(sentence, 1, [tiny_bert.mask_token_id])
        for target in ("he", "she"):
            token = tokenizer.convert_tokens_to_ids(target)
            queries += [MaskedQuery(one.ids, one.slots[0].start, token) for one in (sentence, prior)]
            expected += [item["p_tgt"][target], item["prior_at_target_mask"]["p"][target]]
    np.testing.assert_allclose(tiny_bert.log_probabilities(queries), np.log(expected), atol=TOLERANCE, rtol=0)


def test_the_ten_likeliest_tokens_of_tiny_roberta(reference_data: Path) -> None:
    model = load(locate(f"path:{reference_data / 'tiny_roberta'}"), device="cpu")
    assert isinstance(model, MaskedModel)
    items = json.loads((reference_data / "distractors_tiny_roberta.json").read_text())["items"]
    queries, expected = [], []
    for position in (position for item in items for position in item["positions"][:1]):
        before = position["input"].split("[MASK]")[0]
        sentence = Sentence(before + "warm", ((len(before), len(before) + 4),))
        encoded = replace(encode(model.tokenizer, [sentence])[0], 0, [model.mask_token_id])
        queries += [MaskedQuery(encoded.ids, encoded.slots[0].start, token) for token in position["top10_ids"]]
        expected += position["top10_p"]
    np.testing.assert_allclose(model.log_probabilities(queries), np.log(expected), atol=TOLERANCE, rtol=0)
