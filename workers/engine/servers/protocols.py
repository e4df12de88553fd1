"""The two protocols: the body of a request, the values of its answer, and what the server says about itself.

vLLM was tried on a real server. SGLang follows its documentation and was only tried on a server of the tests' own.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.spec.reference import Scheme
from workers.engine.servers.link import Link
from workers.engine.servers.requests import Request

Values = list[list[float | None]]
"""By text, a value for each target or each token; None for the first token, which follows nothing."""
VLLM_NOTHING = -9999.0
"""What vLLM writes for a log probability of minus infinity, which JSON does not have."""


class UnfitAnswerError(ValueError):
    """The error for an answer that lacks a value."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """The paths and forms of one kind of server."""

    path: str
    body: Callable[[str, Request], dict[str, Any]]
    values: Callable[[Request, Any], Values]
    about: Callable[[Link, str], dict[str, Any] | None]
    """Return what the server says about the model; None if it does not serve it."""


def _vllm_body(name: str, request: Request) -> dict[str, Any]:
    body = {"model": name, "prompt": [list(text) for text in request.texts], "max_tokens": 1, "temperature": 0}
    if not request.targets:
        return {**body, "prompt_logprobs": 0}
    after = {"logprobs": len(request.targets), "logprob_token_ids": list(request.targets)}
    return {**body, **after, "return_tokens_as_token_ids": True}


def _vllm_values(request: Request, answer: Any) -> Values:
    choices = sorted(answer["choices"], key=lambda choice: choice["index"])
    if len(choices) != len(request.texts):
        raise UnfitAnswerError(f"answers {len(choices)} of {len(request.texts)} texts")
    if request.targets:
        return [_vllm_after(request.targets, choice["logprobs"]["top_logprobs"][0]) for choice in choices]
    return [_vllm_inside(text, choice["prompt_logprobs"]) for text, choice in zip(request.texts, choices, strict=True)]


def _vllm_after(targets: Sequence[int], found: dict[str, float]) -> list[float | None]:
    return [_number(found[f"token_id:{target}"]) for target in targets]


def _vllm_inside(text: Sequence[int], found: Sequence[dict[str, Any] | None]) -> list[float | None]:
    if len(found) != len(text):
        raise UnfitAnswerError(f"gives {len(found)} log probabilities for {len(text)} tokens")
    rest = zip(text[1:], found[1:], strict=True)
    return [None, *(_number((some or {})[str(token)]["logprob"]) for token, some in rest)]


def _number(value: float) -> float:
    return -math.inf if value <= VLLM_NOTHING else float(value)


def _vllm_about(link: Link, name: str) -> dict[str, Any] | None:
    served = (link.get("/v1/models") or {}).get("data", [])
    model = next((one for one in served if one.get("id") == name), None)
    if model is None:
        return None
    version = (link.get("/version") or {}).get("version", "")
    return {"root": model.get("root") or "", "max_tokens": model.get("max_model_len") or 0, "version": version}


def _sglang_body(_: str, request: Request) -> dict[str, Any]:
    texts = [list(text) for text in request.texts]
    body = {"input_ids": texts, "sampling_params": {"max_new_tokens": 1, "temperature": 0}, "return_logprob": True}
    if not request.targets:
        return {**body, "logprob_start_len": [0] * len(texts)}
    return {**body, "logprob_start_len": [-1] * len(texts), "token_ids_logprob": [list(request.targets)] * len(texts)}


def _sglang_values(request: Request, answer: Any) -> Values:
    if len(answer) != len(request.texts):
        raise UnfitAnswerError(f"answers {len(answer)} of {len(request.texts)} texts")
    metas = [one["meta_info"] for one in answer]
    if request.targets:
        return [_sglang_after(request.targets, meta["output_token_ids_logprobs"][0]) for meta in metas]
    return [_sglang_inside(text, meta["input_token_logprobs"]) for text, meta in zip(request.texts, metas, strict=True)]


def _sglang_after(targets: Sequence[int], found: Sequence[Sequence[Any]]) -> list[float | None]:
    values = {one[1]: _number(one[0]) for one in found}
    return [values[target] for target in targets]


def _sglang_inside(text: Sequence[int], found: Sequence[Sequence[Any]]) -> list[float | None]:
    if [one[1] for one in found] != list(text):
        raise UnfitAnswerError(f"gives log probabilities of {len(found)} tokens, which are not the {len(text)} sent")
    return [None, *(_number(one[0]) for one in found[1:])]


def _sglang_about(link: Link, name: str) -> dict[str, Any] | None:
    served = [one.get("id") for one in (link.get("/v1/models") or {}).get("data", [])]
    told = {**(link.get("/get_server_info") or {}), **(link.get("/get_model_info") or {})}
    if name not in (*served, told.get("model_path"), told.get("served_model_name")):
        return None
    quantisation = told.get("quantization") or ""
    dtype = told.get("dtype") if told.get("dtype") not in (None, "auto") else ""
    return {
        "root": told.get("model_path") or "",
        "max_tokens": told.get("context_length") or told.get("max_total_num_tokens") or 0,
        "version": told.get("version") or "",
        "dtype": dtype or "",
        "quantisation": quantisation,
    }


PROTOCOLS: dict[str, Protocol] = {
    Scheme.VLLM: Protocol("/v1/completions", _vllm_body, _vllm_values, _vllm_about),
    Scheme.SGLANG: Protocol("/generate", _sglang_body, _sglang_values, _sglang_about),
}
