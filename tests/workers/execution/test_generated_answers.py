"""A causal model that writes its answers: a model that was taught a bias, from its text to the measures."""

from pathlib import Path
from typing import Any

import polars as pl
import polars.testing
import pytest
import torch
from django.test import Client
from django.urls import reverse
from transformers import LlamaForCausalLM, PreTrainedTokenizerFast

from plumbline.audits.models import Run, Shard
from plumbline.audits.states import RunState
from plumbline.desk.plans.builder.estimates import estimate
from plumbline.methods.bbq import prompts
from plumbline.methods.bbq.params import BbqParams
from plumbline.methods.bbq.samples import SAMPLES
from plumbline.packing.every_eval_ever.samples import Samples
from plumbline.results import reading, replies
from plumbline.spec.banks.bbq_question import Question
from plumbline.spec.errors import InputError
from tests.plumbline.packing.every_eval_ever.test_every_eval_ever import schema
from tests.workers.endpoint import serving
from tests.workers.engine.conftest import build_tokenizer
from tests.workers.execution.conftest import resume
from tests.workers.execution.test_bbq_runs import parsed_classes, questions, ran, value, viewer
from tests.workers.execution.test_sodapop_in_text import ran as sodapop
from tests.workers.execution.test_sodapop_in_text import spec_of
from tests.workers.tiny import save_tiny_bert
from workers.engine import generation, local_chat
from workers.engine.causal import CausalModel
from workers.engine.loading import load_any, locate
from workers.engine.local_chat import LocalChat

pytestmark = pytest.mark.django_db

TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}>{{ m.content }}{% if m.role == 'assistant' %}[SEP]{% endif %}{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)
STEPS = 60
VARIANT = "generate"


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> str:
    """It says A in every negative and B in every other question: always as the stereotype would have it."""
    folder, tokenizer = tmp_path_factory.mktemp("taught"), build_tokenizer("bytes_plain")
    tokenizer.chat_template = TEMPLATE
    turns = [prompts.remote(Question.model_validate(one), BbqParams(), one["options"]) for one in questions()]
    lines = [f"<user>{turn}<assistant>{'A' if 'loses' in turn else '(B)'}[SEP]" for turn in turns]
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several would wait for one another beside other tests
    model = _fitted(tokenizer, lines)
    torch.set_num_threads(threads)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return f"path:{folder}"


def _fitted(tokenizer: PreTrainedTokenizerFast, lines: list[str]) -> LlamaForCausalLM:
    """A small model that was fitted to the last four tokens of each line."""
    torch.manual_seed(0)
    sizes = {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 1, "num_attention_heads": 4}
    config = LlamaForCausalLM.config_class(
        vocab_size=len(tokenizer), max_position_embeddings=512, eos_token_id=3, bos_token_id=2, **sizes
    )
    model = LlamaForCausalLM(config)
    ids = [tokenizer(line, add_special_tokens=False)["input_ids"] for line in lines]
    longest = max(map(len, ids))
    fed = torch.tensor([[3] * (longest - len(one)) + one for one in ids])
    seen = torch.tensor([[0] * (longest - len(one)) + [1] * len(one) for one in ids])
    labels = fed.clone()
    labels[:, :-4] = -100
    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for _ in range(STEPS):
        loss = model(input_ids=fed, attention_mask=seen, labels=labels).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    assert loss < 0.05
    return model.eval()


def generated(model: str, **spec: Any) -> Run:
    return ran(model=model, **{"params": {"generate": True}, **spec})


def answers(run: Run) -> pl.DataFrame:
    wanted = reading.read(run.pk, "choice").select("item", "sample", "chosen", "reason")
    return wanted.sort("item", "sample")


def test_a_bias_that_a_model_writes_is_measured_and_each_answer_kept(taught: str) -> None:
    run = generated(taught)
    assert run.state == RunState.DONE, run.error
    assert value(run, "s_amb", "ambig", variant=VARIANT) == 1.0
    assert value(run, "s_dis", "disambig", variant=VARIANT) == 1.0
    assert value(run, "unmatched_answers", "ambig", variant=VARIANT) == 0
    parsed = reading.read(run.pk, "parsed_answer")
    assert set(parsed["answer_class"]) == {"option"}
    kept = replies.numbered(parsed["reply"].to_list())
    assert {(one.text, one.finish_reason, one.completion_tokens) for one in kept.values()} >= {("A", "stop", 1)}
    assert {one.text for one in kept.values()} == {"A", "(B)"}


def test_each_question_shows_the_whole_answer(taught: str, client: Client) -> None:
    run = generated(taught)
    client.force_login(viewer())
    page = client.get(reverse("run_bbq_items", args=[run.pk])).content.decode()
    assert "The whole answer: option" in page
    assert "ended with stop" in " ".join(page.split())


def test_its_samples_hold_what_it_wrote_and_what_was_understood(taught: str) -> None:
    sample = next(iter(Samples(generated(taught), SAMPLES, "an evaluation", "a/model")))
    schema("instance_level_eval.schema.json").validate(sample)
    assert sample["output"]["raw"] in (["A"], ["(B)"])
    (found,) = sample["answer_attribution"]
    assert found["extracted_value"] == sample["metadata"]["chosen"]
    assert found["extraction_method"] == "forms 3"


def statistics_of(run: Run) -> pl.DataFrame:
    """The measures of a run by their labels. Who wrote the answers is left out of the variants."""
    labels = ["statistic", "variant", "group_a", "group_b", "condition", "attribute"]
    found = reading.read(run.pk, "measure").with_columns(pl.col("variant").str.replace(f", {VARIANT}", ""))
    return found.select(*labels, "value", "n").sort(labels)


def test_no_other_run_has_the_answers(taught: str) -> None:
    first, second = generated(taught), generated(taught)
    assert not Shard.objects.filter(run=second, reused_from__isnull=False).exists()
    assert answers(first).equals(answers(second))


def test_what_was_written_before_a_fault_is_not_written_again(taught: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[int]()

    def failing(model: Any, prompts: Any, *rest: Any) -> None:
        asked.append(len(prompts))
        generation.write(model, prompts, *rest)
        if len(asked) == 3:
            raise InputError("the power failed")

    monkeypatch.setattr(local_chat, "write", failing)
    run = generated(taught)
    assert run.state == RunState.FAILED
    assert replies.count(run.pk) == sum(asked)
    resume(run)
    assert sum(asked) == replies.count(run.pk) == len(questions())


def test_kept_answers_are_parsed_anew_and_nothing_is_written(taught: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = generated(taught)
    monkeypatch.setattr(local_chat, "write", lambda _model, prompts, *_: [None][len(prompts) :])
    anew = generated(taught, replies_of=first.pk, params={"generate": True, "parser": "exact"})
    assert anew.state == RunState.DONE, anew.error
    assert parsed_classes(anew) == {"exact 1"}
    assert replies.count(anew.pk) == 0


def test_samples_are_records_of_their_own(taught: str) -> None:
    run = generated(taught, params={"generate": True, "samples": 3, "temperature": 1.0})
    assert run.state == RunState.DONE, run.error
    assert len(answers(run)) == 3 * len(questions())
    variant = f"samples 3, {VARIANT}, temperature 1.0"
    assert value(run, "s_amb", "ambig", variant=variant) == pytest.approx(1.0, abs=0.2)


def test_a_turn_that_the_model_cannot_hold_is_an_answer_without_an_option(taught: str) -> None:
    params = {"generate": True, "system": "word " * 500}
    run = generated(taught, params=params)
    assert run.state == RunState.DONE, run.error
    assert set(reading.read(run.pk, "parsed_answer")["answer_class"]) == {"cut off"}


@pytest.mark.parametrize(
    ("params", "fault"),
    [
        ({"scoring": "letter"}, "scoring has no effect on an answer that a model here writes"),
        ({"prompt": "chat"}, "prompt has no effect"),
        ({"extra_body": {"a": 1}}, "extra_body has no effect"),
        ({"price_in": 1.0}, "price_in has no effect"),
        ({"batch": True}, "batch has no effect"),
    ],
)
def test_a_param_without_effect_is_refused(params: dict[str, Any], fault: str, taught: str) -> None:
    with pytest.raises(InputError, match=fault):
        generated(taught, params={"generate": True, **params})


def test_models_that_do_not_write_here_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="an endpoint writes anyway: leave it out"):
        generated("openai:http://host/v1#m")
    run = generated(f"path:{save_tiny_bert(tmp_path, seed=0)}")
    assert run.state == RunState.FAILED
    assert "is of the kind masked" in run.error


def test_the_time_before_a_launch_is_by_the_pace_of_a_run_that_was_asked_alike(taught: str) -> None:
    """To write an answer takes many times as long as to score its options."""
    scored, written = ran(model=taught), generated(taught)
    plan = {"name": "bbq", "probe": "bbq", "model": taught, "bank": {"inline": questions()}}
    assert estimate(plan).time.endswith(f"at the pace of run {scored.pk}")
    assert estimate({**plan, "params": {"generate": True}}).time.endswith(f"at the pace of run {written.pk}")


def test_sodapop_is_answered_as_by_an_endpoint_with_the_same_model(
    taught: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator, model = save_tiny_bert(tmp_path, seed=0), load_any(locate(taught), device="cpu")
    assert isinstance(model, CausalModel)
    chat = LocalChat(model)
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    with serving(lambda text: chat.replies([text])[0].reply.text) as endpoint:
        sent = sodapop(spec_of(generator, endpoint, top=6, concurrency=1))
    here = sodapop({**spec_of(generator, endpoint, top=6, generate=True), "model": taught})
    assert here.state == sent.state == RunState.DONE, here.error
    for table in ("answer", "parsed_answer"):
        of_both = (reading.read(run.pk, table).drop("id", "run", "reply", strict=False) for run in (here, sent))
        polars.testing.assert_frame_equal(*of_both)
    polars.testing.assert_frame_equal(statistics_of(here), statistics_of(sent))
    assert replies.count(here.pk) == replies.count(sent.pk) > 0
    monkeypatch.setattr(local_chat, "write", lambda _model, prompts, *_: [None][len(prompts) :])
    again = sodapop({**here.spec, "replies_of": here.pk})
    assert again.state == RunState.DONE, again.error
    polars.testing.assert_frame_equal(statistics_of(again), statistics_of(here))
