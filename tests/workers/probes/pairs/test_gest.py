"""GEST on models whose tokenizer knows the words: the masked and the generative ratio, against the plain pass."""

from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    AutoModelForCausalLM,
    AutoModelForMaskedLM,
    BertConfig,
    BertForMaskedLM,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)

from plumbline.methods.pairs.content import GestSentence, SentencePair
from plumbline.methods.pairs.scores import GEST_GENERATIVE, GEST_MASKED, TEMPLATES
from tests.workers.probes.pairs import transcribed
from workers.engine.causal import CausalModel
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.pairs import causal, masked
from workers.probes.pairs.asks import Ask

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
WORDS = ["he", "she", "man", "woman", "the", "said", "i", "cry", "sing", ".", ",", ":", '"']
SENTENCES = ["I cry.", "I sing.", "I cry, I sing."]
ITEMS = [GestSentence(id=str(at), sentence=text, stereotype=at + 1) for at, text in enumerate(SENTENCES)]


def saved_tokenizer(folder: Path, *, around: bool) -> None:
    vocabulary = {token: place for place, token in enumerate([*SPECIAL, *WORDS])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if around:
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    special = {"pad_token": "[PAD]", "unk_token": "[UNK]", "mask_token": "[MASK]"} if around else {}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, model_max_length=64, **special).save_pretrained(folder)


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> MaskedModel:
    folder = tmp_path_factory.mktemp("gest-bert")
    saved_tokenizer(folder, around=True)
    torch.manual_seed(0)
    sizes = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 48}
    BertForMaskedLM(BertConfig(vocab_size=18, initializer_range=0.4, **sizes)).save_pretrained(folder)
    found = load(locate(f"path:{folder}"), device="cpu")
    assert isinstance(found, MaskedModel)
    return found


@pytest.fixture(scope="module")
def gpt(tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    """Without a token that begins or ends a text."""
    folder = tmp_path_factory.mktemp("gest-gpt")
    saved_tokenizer(folder, around=False)
    torch.manual_seed(0)
    sizes: dict[str, Any] = {"n_embd": 32, "n_layer": 2, "n_head": 2, "n_positions": 64, "initializer_range": 0.4}
    config = GPT2Config(vocab_size=18, bos_token_id=0, eos_token_id=0, **sizes)
    GPT2LMHeadModel(config).save_pretrained(folder)
    found = load(locate(f"path:{folder}"), device="cpu")
    assert isinstance(found, CausalModel)
    return found


@torch.no_grad()
def test_the_masked_ratio_is_the_difference_of_both_sentences_masked_scores(bert: MaskedModel) -> None:
    plain = AutoModelForMaskedLM.from_pretrained(bert.checkpoint.folder).eval()
    asks = [Ask(GEST_MASKED, form.label, form) for form in TEMPLATES["masked"]]
    found = masked.score_gest(bert, ITEMS, asks, lambda _: None)
    expected = []
    for sentence in SENTENCES:
        for form in TEMPLATES["masked"]:
            a, b = (
                _at_mask(bert.tokenizer, plain, form.filled(word, sentence)[0], word)
                for word in (form.male, form.female)
            )
            expected.append(a - b)
    assert [one.score for one in found] == pytest.approx(expected, abs=1e-4)
    assert all(one.first is not None and one.first < 0 for one in found)


def _at_mask(tokenizer: Any, model: Any, text: str, word: str) -> float:
    ids = tokenizer(text, return_tensors="pt")["input_ids"][0]
    target = tokenizer.convert_tokens_to_ids(word.lower())
    place = ids.tolist().index(target)
    ids[place] = tokenizer.mask_token_id
    return float(model(ids[None]).logits[0, place].log_softmax(-1)[target])


@torch.no_grad()
def test_the_generative_ratio_is_that_of_the_next_word(gpt: CausalModel) -> None:
    plain = AutoModelForCausalLM.from_pretrained(gpt.checkpoint.folder).eval()
    asks = [Ask(GEST_GENERATIVE, form.label, form) for form in TEMPLATES["causal"]]
    found = causal.score_gest(gpt, ITEMS, asks, lambda _: None)
    expected = []
    for sentence in SENTENCES:
        for form in TEMPLATES["causal"]:
            ids = gpt.tokenizer(form.before.replace("{sentence}", sentence), return_tensors="pt")["input_ids"]
            log_p = plain(ids).logits[0, -1].log_softmax(-1)
            male, female = (log_p[gpt.tokenizer.convert_tokens_to_ids(word)] for word in (form.male, form.female))
            expected.append(float(male - female))
    assert [one.score for one in found] == pytest.approx(expected, abs=1e-4)


def test_the_likelihood_is_that_of_the_whole_sentence_and_per_token(gpt: CausalModel) -> None:
    plain = AutoModelForCausalLM.from_pretrained(gpt.checkpoint.folder).eval()
    pair = SentencePair(id="a", more="The man said I cry.", less="The woman said I cry.")
    whole, mean = causal.score_pairs(gpt, [pair], [Ask("log_likelihood"), Ask(causal.PER_TOKEN)], lambda _: None)
    expected = [transcribed.log_likelihood(plain, gpt.tokenizer(text)["input_ids"]) for text in (pair.more, pair.less)]
    assert [whole.first, whole.second] == pytest.approx(expected, abs=1e-4)
    # Six tokens, of which the first has nothing before it.
    assert mean.first == pytest.approx(expected[0] / 5, abs=1e-4)


def test_pairs_that_differ_in_their_first_token_need_a_token_that_starts_a_text(gpt: CausalModel) -> None:
    pair = SentencePair(id="a", more="He said I cry.", less="She said I cry.")
    (found,) = causal.score_pairs(gpt, [pair], [Ask("log_likelihood")], lambda _: None)
    assert (found.score, found.reason) == (None, causal.NO_START)
