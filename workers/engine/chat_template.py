"""A model's own chat template: the turns of a chat as one text, and the tokens at which the model's turn ends."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from jinja2 import TemplateError

from plumbline.spec.errors import SpecError, shown

Turn = Mapping[str, str]
"""The `role` (system, user or assistant) and the `content` of a turn."""
_ANSWER = "An answer."


def rendered(tokenizer: Any, turns: Sequence[Turn], variables: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return the turns in the model's chat template, up to the model's own turn.

    Raises SpecError if the model has no template, if its template does not know a variable, or if it refuses the turns.
    """
    template = str(getattr(tokenizer, "chat_template", None) or "")
    if not template:
        raise SpecError("the model has no chat template: leave params.prompt and params.generate out.")
    if unknown := [name for name in variables if name not in template]:
        raise SpecError(
            f"params.chat_template_kwargs: the model's chat template has no variable {shown(unknown[0])}: leave it out."
        )
    return _applied(tokenizer, turns, variables, add_generation_prompt=True)


def end_tokens(tokenizer: Any, model: Any) -> list[int]:
    """Return the tokens that end the model's turn, in ascending order.

    They are those of the generation config, the tokenizer's own, and the first token after an answer in the template.
    """
    named = model.generation_config.eos_token_id
    found = {*(named if isinstance(named, list) else [named]), tokenizer.eos_token_id, _after_answer(tokenizer)}
    return sorted(token for token in found if token is not None)


def _after_answer(tokenizer: Any) -> int | None:
    """Return the special token that the template puts after an answer, if it puts one."""
    turns = [{"role": "user", "content": "A question."}, {"role": "assistant", "content": _ANSWER}]
    after = _applied(tokenizer, turns, {}, add_generation_prompt=False).rpartition(_ANSWER)[2]
    ids = tokenizer(after, add_special_tokens=False)["input_ids"]
    return ids[0] if ids and ids[0] in tokenizer.all_special_ids else None


def _applied(
    tokenizer: Any, turns: Sequence[Turn], variables: Mapping[str, Any], *, add_generation_prompt: bool
) -> str:
    how = {"add_generation_prompt": add_generation_prompt, "tokenize": False, **variables}
    try:
        return str(tokenizer.apply_chat_template(list(turns), **how))
    except TemplateError as error:
        raise SpecError(f"the model's chat template refuses the turns ({error}): leave out params.system.") from error
