"""A model's own chat template: turns as one text, and the tokens that end the model's turn."""

import pytest
from transformers import GenerationConfig

from plumbline.spec.errors import SpecError
from tests.workers.engine.conftest import CausalLoader, build_tokenizer
from workers.engine.chat_template import end_tokens, rendered

TURNS = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "Who?"}]
PLAIN = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}{% if add_generation_prompt %}<me>{% endif %}"
WITHOUT_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system turn') }}{% endif %}" + PLAIN


def test_the_turns_come_in_order_and_the_models_own_begins() -> None:
    tokenizer = build_tokenizer("bytes_plain")
    tokenizer.chat_template = PLAIN
    assert rendered(tokenizer, TURNS) == "<system>Be short.<user>Who?<me>"


def test_turns_that_the_template_refuses_are_named() -> None:
    tokenizer = build_tokenizer("bytes_plain")
    tokenizer.chat_template = WITHOUT_SYSTEM
    with pytest.raises(SpecError, match=r"refuses the turns \(no system turn\): leave out params.system"):
        rendered(tokenizer, TURNS)


@pytest.mark.parametrize(
    ("after", "tokens"),
    [("", ["[SEP]"]), ("[MASK]", ["[SEP]", "[MASK]"]), ("\n", ["[SEP]"]), ("[SEP]", ["[SEP]"])],
    ids=["nothing", "a special token", "plain text", "the end of texts"],
)
def test_a_special_token_that_the_template_puts_after_an_answer_ends_the_turn(
    after: str, tokens: list[str], causal: CausalLoader
) -> None:
    tokenizer = build_tokenizer("bytes_plain")
    tokenizer.add_special_tokens({"additional_special_tokens": ["[MASK]"]})
    tokenizer.chat_template = PLAIN.replace("{{ m.content }}", "{{ m.content }}" + after)
    assert end_tokens(tokenizer, causal("gpt2").model) == sorted(tokenizer.convert_tokens_to_ids(tokens))


def test_the_generation_config_may_name_several_ends(causal: CausalLoader, monkeypatch: pytest.MonkeyPatch) -> None:
    model = causal("gpt2")
    monkeypatch.setattr(model.model, "generation_config", GenerationConfig(eos_token_id=[9, 7]))
    model_tokenizer = build_tokenizer("bytes_plain")
    model_tokenizer.chat_template = PLAIN
    assert end_tokens(model_tokenizer, model.model) == [3, 7, 9]
