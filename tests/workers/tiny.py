"""Masked language models small enough for any test: seeded weights, every Latin letter a token."""

from pathlib import Path

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import (
    BertConfig,
    BertForMaskedLM,
    BertForMultipleChoice,
    BertTokenizerFast,
    XLNetConfig,
    XLNetLMHeadModel,
    XLNetTokenizer,
)

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORDS = ["all", "most", "are", "is", "should", "be", "in", "were", "women", "men", "people", "person", "poor", "warm"]


def save_tiny_bert(folder: Path, seed: int, hidden: int = 32, layers: int = 2) -> Path:
    """Words that are not in WORDS are spelled letter by letter; other scripts are unknown."""
    vocabulary = [*SPECIAL, *WORDS, *LETTERS, *(f"##{letter}" for letter in LETTERS), *".,-'?"]
    tokenizer = Tokenizer(models.WordPiece({token: index for index, token in enumerate(vocabulary)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    BertTokenizerFast(tokenizer_object=tokenizer, model_max_length=128).save_pretrained(folder)
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=2 * hidden,
        max_position_embeddings=128,
        initializer_range=0.4,
    )
    BertForMaskedLM(config).save_pretrained(folder)
    return folder


def save_tiny_multiple_choice(folder: Path, seed: int) -> Path:
    """The same layout and tokenizer with the head of a multiple-choice model."""
    save_tiny_bert(folder, seed)
    torch.manual_seed(seed)
    BertForMultipleChoice(BertConfig.from_pretrained(folder)).save_pretrained(folder)
    return folder


def xlnet_tokenizer() -> XLNetTokenizer:
    """As XLNet's own, with the words of WORDS and, for all others, letters of both cases."""
    special = ("<unk>", "<s>", "</s>", "<cls>", "<sep>", "<pad>", "<mask>", "<eod>", "<eop>")
    words = [("▁" + form, -1.0) for word in WORDS for form in (word, word.capitalize())]
    letters = [(letter, -9.0) for letter in ["▁", *LETTERS, *LETTERS[:26].upper(), *".,-'?;"]]
    return XLNetTokenizer(vocab=[*((token, 0.0) for token in special), *words, *letters])


def save_tiny_xlnet(folder: Path, seed: int, hidden: int = 32, layers: int = 2) -> Path:
    """XLNet's layout: what is predicted, the permutation mask hides."""
    tokenizer = xlnet_tokenizer()
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = XLNetConfig(
        vocab_size=len(tokenizer),
        d_model=hidden,
        n_layer=layers,
        n_head=2,
        d_inner=2 * hidden,
        initializer_range=0.4,
        pad_token_id=tokenizer.pad_token_id,
    )
    XLNetLMHeadModel(config).save_pretrained(folder)
    return folder
