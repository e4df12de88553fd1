"""How each kind of model answers, against the model itself."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from plumbline.methods.bbq import prompts
from plumbline.methods.bbq.spec import BbqSpec, StoredAnswer
from plumbline.spec.audit import parse
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import SpecError
from tests.plumbline.spec.some_questions import OPTIONS, set_of_four
from tests.workers.endpoint import serving
from tests.workers.engine.conftest import CAUSAL, build_tokenizer, save_model
from tests.workers.tiny import save_tiny_multiple_choice
from workers.engine.causal import CausalModel
from workers.engine.endpoints.remote import RemoteModel
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.probes.bbq import askers
from workers.probes.bbq.askers import in_chat
from workers.probes.bbq.item_requests import Answer, Ask

ASKS = [Ask(Question.model_validate(one), (0, 1, 2)) for one in set_of_four()]
TEMPLATE = "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% endfor %}<assistant>{% if hurry %}<fast>{% endif %}"


def spec_of(**params: Any) -> BbqSpec:
    bank = {"inline": set_of_four()}
    spec = parse({"name": "t", "probe": "bbq", "model": "path:./m", "bank": bank, "params": params})
    assert isinstance(spec, BbqSpec)
    return spec


def unwatched(_: int) -> None:
    """Nobody is told of progress."""


@pytest.fixture(scope="module")
def causal(tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    architecture, tokenizer, settings = CAUSAL["gpt2"]
    folder = save_model(tmp_path_factory.mktemp("causal"), architecture, tokenizer, {**settings, "n_positions": 512})
    model = load_any(locate(f"path:{folder}"), device="cpu")
    assert isinstance(model, CausalModel)
    model.tokenizer.chat_template = TEMPLATE
    return model


def log_p(model: CausalModel, first: str, second: str) -> float:
    """Token by token of the two texts put together, in one plain run."""
    context, ids = (model.tokenizer(text)["input_ids"] for text in (first, first + second))
    assert ids[: len(context)] == context
    with torch.inference_mode():
        log_probabilities = model.model(torch.tensor([ids])).logits[0].double().log_softmax(-1)
    return sum(float(log_probabilities[at - 1, ids[at]]) for at in range(len(context), len(ids)))


def test_a_multiple_choice_model_chooses_the_largest_logit(tmp_path: Path) -> None:
    model = load_any(locate(f"path:{save_tiny_multiple_choice(tmp_path, seed=3)}"), device="cpu")
    assert isinstance(model, MultipleChoiceModel)
    answers = askers.multiple_choice(model, spec_of(), ASKS, unwatched)
    for ask, answer in zip(ASKS, answers, strict=True):
        pairs = [(ask.question.context, f"{ask.question.question} {option}") for option in OPTIONS]
        fed = model.tokenizer([a for a, _ in pairs], [b for _, b in pairs], padding=True, return_tensors="pt")
        with torch.inference_mode():
            logits = model.model(**{name: tensor[None] for name, tensor in fed.items()}).logits[0]
        assert answer.logits == pytest.approx(logits.tolist(), abs=1e-5)
        assert answer.chosen == int(logits.argmax())


@pytest.mark.parametrize("listed", [False, True])
def test_a_causal_model_chooses_the_likeliest_option(causal: CausalModel, listed: bool) -> None:
    spec = spec_of(scoring="sum", listed=listed)
    answers = askers.causal(causal, spec, ASKS, unwatched)
    for ask, answer in zip(ASKS, answers, strict=True):
        first = prompts.causal(ask.question, spec.params, OPTIONS, lettered=False)
        assert answer.logits == pytest.approx([log_p(causal, first, f" {option}") for option in OPTIONS], abs=1e-4)


def test_a_letter_in_a_chat_follows_the_template_at_once(causal: CausalModel) -> None:
    spec = spec_of(scoring="letter", prompt="chat")
    answers = askers.causal(causal, spec, ASKS, unwatched)
    for ask, answer in zip(ASKS, answers, strict=True):
        turn = prompts.causal(ask.question, spec.params, OPTIONS, lettered=True)
        first = f"<user>{turn}<assistant>"
        assert answer.logits == pytest.approx([log_p(causal, first, letter) for letter in "ABC"], abs=1e-4)


def test_variables_reach_the_chat_template(causal: CausalModel) -> None:
    spec = spec_of(scoring="letter", prompt="chat", chat_template_kwargs={"hurry": True})
    (answer,) = askers.causal(causal, spec, ASKS[:1], unwatched)
    first = f"<user>{prompts.causal(ASKS[0].question, spec.params, OPTIONS, lettered=True)}<assistant><fast>"
    assert answer.logits == pytest.approx([log_p(causal, first, letter) for letter in "ABC"], abs=1e-4)


def test_a_variable_that_the_template_does_not_know_is_refused(causal: CausalModel) -> None:
    with pytest.raises(SpecError, match="has no variable 'enable_thinking': leave it out"):
        in_chat(causal.tokenizer, "text", {"enable_thinking": False})


def test_pmi_in_a_chat_takes_the_prior_of_a_chat(causal: CausalModel) -> None:
    spec = spec_of(scoring="pmi", prompt="chat")
    (answer,) = askers.causal(causal, spec, ASKS[:1], unwatched)
    first = f"<user>{prompts.causal(ASKS[0].question, spec.params, OPTIONS, lettered=False)}<assistant>"
    neutral = f"<user>{prompts.NEUTRAL}<assistant>"
    expected = [log_p(causal, first, option) - log_p(causal, neutral, option) for option in OPTIONS]
    assert answer.logits == pytest.approx(expected, abs=1e-4)


def test_a_model_without_a_chat_template_is_refused_with_the_reason() -> None:
    with pytest.raises(SpecError, match="has no chat template: leave"):
        in_chat(build_tokenizer("bytes_plain"), "text")


def test_an_item_that_is_too_long_has_its_reason(causal: CausalModel) -> None:
    long = Question.model_validate({**set_of_four()[0], "context": "women " * 400})
    (answer,) = askers.causal(causal, spec_of(), [Ask(long, (0, 1, 2))], unwatched)
    assert (answer.chosen, answer.logits) == (None, None)
    assert answer.reason == "longer than the model's 512 tokens"


def test_progress_counts_items(causal: CausalModel) -> None:
    done: list[int] = []
    askers.causal(causal, spec_of(), ASKS, done.append)
    assert sum(done) == len(ASKS)


@pytest.mark.parametrize(
    ("output", "chosen"),
    [
        ("B", 1),
        ("b.", 1),
        ("(C)", 2),
        ("**A**", 0),
        ("The answer is B.", 1),
        ("Answer: C", 2),
        ("A. The Blue person", 0),
        ("the green person", 1),
        ("Not known.", 2),
        ("The answer is B. The green person", 1),
        ("C'mon, I can't say.", None),
        ("A. The green person", None),
        ("A person", None),
        ("Both", None),
        ("", None),
    ],
)
def test_a_remote_model_answers_by_letter_or_by_text(
    output: str, chosen: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    with serving(lambda _: output) as endpoint:
        model = load_any(locate(endpoint.reference))
        assert isinstance(model, RemoteModel)
        (answer,) = askers.in_text(model, spec_of(), ASKS[:1], unwatched)
    assert answer.chosen == chosen
    assert bool(answer.reason) == (chosen is None)


@pytest.mark.parametrize("said", ["A", "It cannot be determined."])
def test_an_answer_counts_in_the_order_that_was_asked(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    last_first = Ask(ASKS[0].question, (2, 0, 1))
    with serving(lambda text: said if "A. Not known" in text else "B") as endpoint:
        model = load_any(locate(endpoint.reference))
        assert isinstance(model, RemoteModel)
        (answer,) = askers.in_text(model, spec_of(), [last_first], unwatched)
    assert answer.chosen == last_first.place(ASKS[0].question.unknown) == 0


@pytest.mark.parametrize(
    ("stored", "chosen", "logits"),
    [
        ({"output": "the green person"}, 1, None),
        ({"output": "nobody"}, None, None),
        ({"chosen": 2}, 2, None),
        ({"logits": (0.1, 0.3, 0.2)}, 1, (0.1, 0.3, 0.2)),
    ],
)
def test_stored_answers_are_read_as_they_were_given(stored: Any, chosen: int | None, logits: Any) -> None:
    answer = StoredAnswer(id=ASKS[0].question.id, **stored)
    (found,) = askers.stored({answer.id: answer}, ASKS[:1])
    assert (found.chosen, found.logits) == (chosen, logits)
    assert bool(found.reason) == (chosen is None)


def test_of_equal_logits_the_first_is_chosen() -> None:
    assert Answer.of(np.array([0.5, 0.5, 0.1]).tolist()).chosen == 0
