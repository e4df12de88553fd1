"""Dropout settings, by the names that families give them."""

import pytest
from transformers import AlbertConfig, BertConfig, GPT2Config, LlamaConfig, MambaConfig

from plumbline.spec.errors import ModelError
from workers.training.dropout import dropout_settings


def test_bert_and_albert_have_the_values_of_webster_et_al() -> None:
    assert dropout_settings(BertConfig(), "some") == {"hidden_dropout_prob": 0.20, "attention_probs_dropout_prob": 0.15}
    assert set(dropout_settings(AlbertConfig(), "some").values()) == {0.05}


def test_each_family_gets_those_that_it_has() -> None:
    expected = {"resid_pdrop": 0.20, "embd_pdrop": 0.20, "attn_pdrop": 0.15}
    assert dropout_settings(GPT2Config(), "some") == expected
    assert dropout_settings(LlamaConfig(), "some") == {"attention_dropout": 0.15}


def test_values_of_ones_own_take_their_place() -> None:
    assert dropout_settings(BertConfig(), "some", 0.3, 0.0) == {
        "hidden_dropout_prob": 0.3,
        "attention_probs_dropout_prob": 0.0,
    }


def test_a_family_without_dropout_is_refused() -> None:
    with pytest.raises(ModelError, match="some is of a family without dropout"):
        dropout_settings(MambaConfig(), "some")
