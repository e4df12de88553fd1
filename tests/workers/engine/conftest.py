"""Tiny random models of each family, with small tokenizers of their kinds, saved and loaded as real ones are."""

import itertools
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import torch
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast

from tests.workers.tiny import xlnet_tokenizer
from workers.engine.causal import CausalModel
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel

SPECIAL = {"pad": "[PAD]", "unk": "[UNK]", "cls": "[CLS]", "sep": "[SEP]", "mask": "[MASK]"}
TEXT = [
    "All women are powerful and all men are warm.",
    "Most people are kind, honest and self-reliant, the doctor said.",
    "Nurses should be confident; lawyers should be friendly.",
    "The farmers of the village are poor but cheerful.",
] * 3
# Wide enough that a token's neighbours change its answer by far more than rounding does.
WIDE = {"initializer_range": 0.4}
SMALL = {
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": 64,
    **WIDE,
}
DISTIL = {
    "dim": 32,
    "n_layers": 2,
    "n_heads": 4,
    "hidden_dim": 48,
    "max_position_embeddings": 64,
    **WIDE,
}
GPT2 = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 64, **WIDE}
LLAMA = {**SMALL, "num_key_value_heads": 2}
BLOOM = {"hidden_size": 32, "n_layer": 2, "n_head": 4, **WIDE}
RELATIVE = {"relative_attention": True, "pos_att_type": ["c2p", "p2c"], "position_biased_input": False}

# name -> (class, tokenizer, settings of the config)
MASKED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "bert": ("BertForMaskedLM", "wordpiece", SMALL),
    "roberta": ("RobertaForMaskedLM", "bytes", {**SMALL, "max_position_embeddings": 66, "type_vocab_size": 1}),
    "distilbert": ("DistilBertForMaskedLM", "wordpiece", DISTIL),
    "albert": ("AlbertForMaskedLM", "unigram", {**SMALL, "embedding_size": 16}),
    "electra": ("ElectraForMaskedLM", "wordpiece", {**SMALL, "embedding_size": 16}),
    "deberta": ("DebertaForMaskedLM", "bytes", {**SMALL, **RELATIVE, "legacy": False}),
    "deberta-v2": ("DebertaV2ForMaskedLM", "unigram", {**SMALL, **RELATIVE}),
    "modernbert": ("ModernBertForMaskedLM", "bytes", {**SMALL, "local_attention": 8, "global_attn_every_n_layers": 2}),
    "xlnet": ("XLNetLMHeadModel", "xlnet", {"d_model": 32, "n_layer": 2, "n_head": 4, "d_inner": 48, **WIDE}),
    # No entry in the registry of heads: run whole.
    "mpnet": ("MPNetForMaskedLM", "wordpiece", {**SMALL, "max_position_embeddings": 66}),
}
CAUSAL: dict[str, tuple[str, str, dict[str, Any]]] = {
    "llama": ("LlamaForCausalLM", "bytes_plain", LLAMA),
    "llama-bos": ("LlamaForCausalLM", "bytes_bos", {**LLAMA, "tie_word_embeddings": False}),
    "gpt2": ("GPT2LMHeadModel", "bytes_plain", GPT2),
    "qwen2": ("Qwen2ForCausalLM", "bytes_plain", LLAMA),
    # A window shorter than the sentences, so that no tree may be used.
    "mistral-window": ("MistralForCausalLM", "bytes_plain", {**LLAMA, "sliding_window": 6}),
    # Positions by distance (ALiBi): cannot read trees.
    "bloom": ("BloomForCausalLM", "bytes_plain", BLOOM),
}
Kind = TypeVar("Kind", MaskedModel, CausalModel)
MaskedLoader = Callable[[str], MaskedModel]
CausalLoader = Callable[[str], CausalModel]


def _wordpiece() -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece(_common_pieces(140), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(list(SPECIAL.values()))
    return tokenizer


def _common_pieces(size: int) -> dict[str, int]:
    """Special tokens, letters, then the most frequent words and pieces of words.

    The library's own trainer breaks ties by chance: each process would test other models.
    """
    words = [word for text in TEXT for word in re.findall(r"\w+|[^\w\s]", text.lower())]
    letters = [mark + letter for letter in sorted(set("".join(words))) for mark in ("", "##")]
    cuts = Counter(
        ("##" if begin else "") + word[begin:end]
        for word in words
        for begin, end in itertools.combinations(range(len(word) + 1), 2)
        if end - begin > 1
    )
    ranked = sorted(cuts, key=lambda piece: (piece not in words, -cuts[piece], piece))
    return {piece: index for index, piece in enumerate([*SPECIAL.values(), *letters, *ranked][:size])}


def _bytes() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=330,
        special_tokens=list(SPECIAL.values()),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    return tokenizer


def _unigram() -> Tokenizer:
    trained = Tokenizer(models.Unigram())
    trained.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(
        vocab_size=90, special_tokens=list(SPECIAL.values()), unk_token="[UNK]", show_progress=False
    )
    trained.train_from_iterator(TEXT, trainer)
    tokenizer = Tokenizer(models.Unigram(_in_one_order(trained), unk_id=1))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    tokenizer.add_special_tokens(list(SPECIAL.values()))
    return tokenizer


def _in_one_order(trained: Tokenizer) -> list[tuple[str, float]]:
    """The pieces of a unigram model. The trainer puts pieces of the same score in an order of chance."""
    pieces = [(piece, round(score, 3)) for piece, score in json.loads(trained.to_str())["model"]["vocab"]]
    count = len(SPECIAL)
    return pieces[:count] + sorted(pieces[count:], key=lambda pair: (-pair[1], pair[0]))


def build_tokenizer(kind: str) -> PreTrainedTokenizerFast:
    """wordpiece, bytes or unigram with [CLS] and [SEP] around; bytes_plain adds nothing, bytes_bos only a start.

    xlnet has its own special tokens, behind the text.
    """
    if kind == "xlnet":
        return xlnet_tokenizer()
    tokenizer = {"wordpiece": _wordpiece, "unigram": _unigram}.get(kind, _bytes)()
    ids = {token: tokenizer.token_to_id(token) for token in SPECIAL.values()}
    template = {"bytes_plain": "$A", "bytes_bos": "[CLS] $A"}.get(kind, "[CLS] $A [SEP]")
    tokenizer.post_processor = processors.TemplateProcessing(
        single=template, pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=list(ids.items())
    )
    if kind in ("bytes_plain", "bytes_bos"):
        return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="[SEP]", bos_token="[CLS]")
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, **{f"{name}_token": text for name, text in SPECIAL.items()}
    )


def save_model(folder: Path, architecture: str, tokenizer: str, settings: dict[str, Any], seed: int = 0) -> Path:
    """A seeded random model with its tokenizer, in a folder."""
    fast = build_tokenizer(tokenizer)
    model_class = getattr(transformers, architecture)
    torch.manual_seed(seed)
    special = {"pad_token_id": 0, "bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3}
    config = model_class.config_class(vocab_size=len(fast) + 3, **special, **settings)
    model_class(config).save_pretrained(folder)
    fast.save_pretrained(folder)
    return folder


@pytest.fixture(autouse=True, scope="session")
def _silence() -> None:
    transformers.logging.disable_progress_bar()


@pytest.fixture(scope="session")
def make_tokenizer() -> Callable[[str], PreTrainedTokenizerFast]:
    """A small tokenizer by its kind, made once a session."""
    return cache(build_tokenizer)


@pytest.fixture(scope="session")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder of a tiny model, made when it is first asked for."""
    root = tmp_path_factory.mktemp("models")

    def folder(name: str) -> Path:
        path = root / name
        if not path.is_dir():
            save_model(path, *(MASKED | CAUSAL)[name])
        return path

    return folder


@pytest.fixture(scope="session")
def masked(folder_of: Callable[[str], Path]) -> MaskedLoader:
    """A tiny masked model by the name of its family, loaded once a session."""
    return loader_of(MaskedModel, folder_of)


@pytest.fixture(scope="session")
def causal(folder_of: Callable[[str], Path]) -> CausalLoader:
    """A tiny causal model by the name of its family, loaded once a session."""
    return loader_of(CausalModel, folder_of)


def loader_of(kind: type[Kind], folder_of: Callable[[str], Path]) -> Callable[[str], Kind]:
    @cache
    def model(name: str) -> Kind:
        found = load(locate(f"path:{folder_of(name)}"), device="cpu")
        assert isinstance(found, kind)
        return found

    return model


@contextmanager
def memory_for(tokens: int, model: MaskedModel | CausalModel) -> Iterator[list[torch.Size]]:
    """Memory runs out whenever more tokens than these are run together: the shapes that were refused."""
    refused: list[torch.Size] = []

    def refuse(_: object, __: object, output: torch.Tensor) -> None:
        if output.shape[:2].numel() > tokens:
            refused.append(output.shape)
            raise torch.OutOfMemoryError("CUDA out of memory")

    if isinstance(model, MaskedModel):
        model.state_cache.clear()  # what is known already would need no memory
    hook = model.model.get_input_embeddings().register_forward_hook(refuse)
    try:
        yield refused
    finally:
        hook.remove()


@pytest.fixture(scope="session")
def reference_data() -> Path:
    """The reference values, in `shared/data/reference` beside the project."""
    folder = Path(__file__).resolve().parents[3] / "../shared/data/reference"
    if not folder.is_dir():
        pytest.skip("the reference data (../shared/data/reference beside the project) is absent")
    return folder.resolve()


def save_t5(folder: Path) -> None:
    tokenizer = build_tokenizer("unigram")
    torch.manual_seed(0)
    sizes = {"d_model": 32, "d_ff": 48, "d_kv": 8, "num_layers": 1, "num_heads": 4, "initializer_factor": 2.0}
    special = {"pad_token_id": 0, "eos_token_id": 3, "decoder_start_token_id": 0}
    config = transformers.T5Config(vocab_size=len(tokenizer), **sizes, **special)
    transformers.T5ForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
