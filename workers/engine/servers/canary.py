"""The canary: small questions to a server before each run, of which the right answers are known."""

from collections.abc import Callable
from typing import Any

from plumbline.spec.errors import ModelError
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.servers.finding import weights_at_hand
from workers.engine.servers.model import CONTROL, TOLERANCE, ServerModel, largest_difference
from workers.engine.servers.packing import MOST_TARGETS, MOST_TEXTS
from workers.engine.servers.requests import Request

Load = Callable[[Checkpoint], CausalModel]
Locate = Callable[[str], Checkpoint]

LIKELY, UNLIKELY = "The sun rises in the east", "The sun rises in the spoon"
SPELLED = "Zoë said: “42 naïve café-goers, 你好!”\n\tTwo  spaces."
"""A text that tokenizers spell in different ways."""
LARGEST_LOADED = 2 << 30
"""The most bytes of weights that are loaded here for a comparison."""


def canary(model: ServerModel, locate: Locate, load: Load) -> dict[str, Any]:
    """Return what the server answered, for the provenance. Raises ModelError with the first thing that differs."""
    return {
        "tolerance": TOLERANCE,
        "tokenizer": _spells_alike(model),
        "control": (control := _control(model)),
        "again": _differs(model, "the same request twice", control, model.control()),
        "batch": _differs(model, "one request and a batch", control, _in_a_batch(model)),
        "next_token": _differs(model, "a text's tokens and the tokens after it", control, _after_texts(model)),
        "likely_and_unlikely": _in_order(model),
        "own_engine": _as_here(model, control, locate, load),
    }


def _spells_alike(model: ServerModel) -> str:
    body = {"model": model.server.name, "prompt": SPELLED, "add_special_tokens": True}
    told = model.link.post("/tokenize", body)
    if not isinstance(told, dict) or not isinstance(told.get("tokens"), list):
        return "not told"
    if told["tokens"] != list(model.text(SPELLED)):
        raise _refusal(model, f"its tokenizer differs from that of {model.server.tokenizer}")
    return "the same tokens"


def _control(model: ServerModel) -> list[float]:
    found = model.control()
    if len(found) != len(model.text(CONTROL)) - 1 or any(value > 0 for value in found):
        raise _refusal(model, "it does not give one log probability for each token")
    return list(found)


def _in_a_batch(model: ServerModel) -> tuple[float, ...]:
    """Return the control sentence's values in the middle of a full batch of other texts."""
    text = model.text(CONTROL)
    others = [text[: 2 + place % (len(text) - 2)] for place in range(MOST_TEXTS - 1)]
    texts = (*others[: MOST_TEXTS // 2], text, *others[MOST_TEXTS // 2 :])
    return tuple(value for value in model.ask(Request(texts))[MOST_TEXTS // 2][1:] if value is not None)


def _after_texts(model: ServerModel) -> tuple[float, ...]:
    """Return the same values as the log probability of each token after the text before it, among many tokens."""
    text = model.text(CONTROL)
    own = dict.fromkeys(text)
    others = [token for token in range(5, len(model.tokenizer)) if token not in own][: MOST_TARGETS - len(own)]
    targets = (*own, *others)
    values = model.ask(Request(tuple(text[:end] for end in range(1, len(text))), targets))
    found = [row[targets.index(token)] for row, token in zip(values, text[1:], strict=True)]
    return tuple(value for value in found if value is not None)


def _in_order(model: ServerModel) -> list[float]:
    first, second = model.text(LIKELY), model.text(UNLIKELY)
    shared = next(place for place, (a, b) in enumerate(zip(first, second, strict=False)) if a != b)
    ((likely, unlikely),) = model.ask(Request((first[:shared],), (first[shared], second[shared])))
    if likely is None or unlikely is None or likely <= unlikely:
        raise _refusal(model, f"it finds {UNLIKELY!r} ({unlikely}) as likely as {LIKELY!r} ({likely})")
    return [likely, unlikely]


def _as_here(model: ServerModel, control: list[float], locate: Locate, load: Load) -> float | None:
    """Return the largest difference from our own engine; None without weights here, or with large ones."""
    files = weights_at_hand(model.checkpoint, locate)
    if files is None or sum(one.stat().st_size for one in files.folder.glob("*.safetensors")) > LARGEST_LOADED:
        return None
    text = model.text(CONTROL)
    queries = [CausalQuery(text[:end], (text[end],)) for end in range(1, len(text))]
    ours = tuple(load(files).log_probabilities(queries).tolist())
    return _differs(model, f"the server and {model.server.tokenizer} in our own engine", control, ours)


def _differs(model: ServerModel, what: str, control: list[float], other: tuple[float, ...]) -> float:
    apart = largest_difference(control, other)
    if not apart <= TOLERANCE:
        raise _refusal(
            model, f"{what} differ by {apart:.4g}, more than {TOLERANCE}; serve it in float32, or batch-invariant"
        )
    return apart


def _refusal(model: ServerModel, why: str) -> ModelError:
    return ModelError(f"{model.checkpoint.reference} is not audited, because {why}")
