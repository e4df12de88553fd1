"""The body of a chat request, and the reply in what the endpoint sends."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from plumbline.spec.answers.chat_question import WorkedExample
from plumbline.spec.answers.reply import Reply, storable

MOST_TOKENS = 32
"""Maximum number of tokens of an answer, unless an audit asks for more."""
OPTIONAL = ("temperature", "seed", "max_tokens")
"""Parameters that some models refuse."""
INSTEAD = {"max_tokens": "max_completion_tokens"}
"""The parameters that are sent in place of refused ones."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a request holds besides the text.

    A system's turn, the budget of tokens, further fields of the body, worked examples, the temperature, and variables
    of the model's chat template.
    """

    system: str = ""
    max_tokens: int = MOST_TOKENS
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    examples: Sequence[WorkedExample] = ()
    temperature: float = 0.0
    template: Mapping[str, Any] = field(default_factory=dict)


def body_of(model: str, text: str, wording: Wording, seed: int) -> dict[str, Any]:
    """Return the body of a request. At temperature 0 it is answered without chance, if the endpoint allows it."""
    return {
        "model": model,
        "messages": turns_of(text, wording),
        # 0 and not 0.0: the digests of earlier requests, by which kept replies are found, have a whole number.
        "temperature": wording.temperature or 0,
        "max_tokens": wording.max_tokens,
        "seed": seed,
        **({"chat_template_kwargs": dict(wording.template)} if wording.template else {}),
        **wording.extra_body,
    }


def turns_of(text: str, wording: Wording) -> list[dict[str, str]]:
    """Return the turns of a chat. The question comes last, so that requests share all turns before it."""
    system = [("system", wording.system)] if wording.system else []
    worked = [turn for one in wording.examples for turn in (("user", one.question), ("assistant", one.answer))]
    return [{"role": role, "content": content} for role, content in (*system, *worked, ("user", text))]


def without(body: Mapping[str, Any], refused: Set[str]) -> dict[str, Any]:
    """Return the body without the refused parameters, or with those that newer models take in their place."""
    named = {INSTEAD.get(key, "") if key in refused else key: value for key, value in body.items()}
    return {key: value for key, value in named.items() if key}


def refused_parameter(told: str, body: Mapping[str, Any]) -> str:
    """Return the optional parameter of a body that an error message names, or ""."""
    # An endpoint that refuses max_tokens names max_completion_tokens as well, so the order of the message counts.
    places = {name: told.find(name) for name in OPTIONAL if name in body and name in told}
    return min(places, key=lambda name: places[name], default="")


def reply_in(content: Any, seconds: float | None, left_out: Set[str]) -> Reply:
    """Return the reply in a chat completion. Raises LookupError, TypeError or ValueError for another content."""
    choice = content["choices"][0]
    message, usage = choice["message"], content.get("usage") or {}
    details = usage.get("completion_tokens_details") or {}
    return Reply(
        text=storable(_text(message.get("content"))),
        reasoning=storable(_text(message.get("reasoning_content") or message.get("reasoning"))),
        refusal=storable(_text(message.get("refusal"))),
        finish_reason=_word(choice.get("finish_reason")),
        served_model=_word(content.get("model")),
        fingerprint=_word(content.get("system_fingerprint")),
        left_out=", ".join(sorted(left_out)),
        prompt_tokens=_count(usage.get("prompt_tokens")),
        completion_tokens=_count(usage.get("completion_tokens")),
        reasoning_tokens=_count(details.get("reasoning_tokens")),
        seconds=seconds,
    )


def _text(content: Any) -> str:
    """Return the text of a message, which is a string, a list of parts, or absent."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return str(content or "")


def _word(value: Any) -> str:
    return storable(str(value or ""))[:200]


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and 0 <= value < 2**31 else None
