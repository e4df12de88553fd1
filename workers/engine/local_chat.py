"""A causal model in a chat: it answers questions in text, as a chat endpoint does."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial

from plumbline.spec.answers.reply import KeptReply, Reply, storable
from plumbline.spec.digests import digest
from workers.engine.causal import CausalModel
from workers.engine.chat_template import end_tokens, rendered
from workers.engine.endpoints.chat_completion import Wording, turns_of
from workers.engine.endpoints.reply_store import Arrived, MemoryStore, Progress, ReplyStore, replies_once
from workers.engine.generation import Prompt, Written, write


class LocalChat:
    """A causal model that writes answers. `store` keeps the replies of the current run."""

    def __init__(self, model: CausalModel, store: ReplyStore | None = None) -> None:
        self.causal = model
        self.checkpoint = model.checkpoint
        self.store: ReplyStore = MemoryStore() if store is None else store

    @cached_property
    def ends(self) -> list[int]:
        """The tokens that end the model's turn."""
        return end_tokens(self.causal.tokenizer, self.causal.model)

    def replies(
        self,
        texts: Sequence[str],
        wording: Wording | None = None,
        seed: int = 0,
        progress: Progress | None = None,
        samples: Sequence[int] | None = None,
    ) -> list[KeptReply]:
        """Return the model's reply to each text; each distinct request is answered once.

        Requests, samples, the store and `progress` are as of RemoteModel. An answer that reaches the maximum number of
        tokens, or the model's limit, has the finish reason "length". Raises SpecError for a template that cannot hold
        the turns, ModelError when a single request does not fit into memory.
        """
        chosen = wording or Wording()
        seeds = [seed + number for number in samples or [0] * len(texts)]
        requests = [_request(self._turns(text, chosen), chosen, own) for text, own in zip(texts, seeds, strict=True)]
        return replies_once(self.store, requests, partial(self._write_all, chosen), progress)

    def _turns(self, text: str, wording: Wording) -> str:
        return rendered(self.causal.tokenizer, turns_of(text, wording), wording.template)

    def _write_all(self, wording: Wording, turns: Mapping[str, str], arrived: Arrived) -> None:
        names, prompts = list(turns), [self._prompt(*one) for one in turns.items()]

        def keep(place: int, found: Written) -> None:
            arrived(names[place], self._reply(prompts[place], found))

        write(self.causal, prompts, self.ends, wording.max_tokens, keep, wording.temperature)

    def _prompt(self, request: str, turn: str) -> Prompt:
        """Return the tokens of a turn, whose template has written all special tokens itself."""
        ids = self.causal.tokenizer(turn, add_special_tokens=False, truncation=False, verbose=False)["input_ids"]
        return Prompt(tuple(ids), int(request[:15], 16))

    def _reply(self, prompt: Prompt, found: Written) -> Reply:
        text = self.causal.tokenizer.decode(found.ids, skip_special_tokens=True)
        return Reply(
            text=storable(text),
            finish_reason="stop" if found.ended else "length",
            prompt_tokens=len(prompt.ids),
            completion_tokens=len(found.ids),
        )


def _request(turns: str, wording: Wording, seed: int) -> tuple[str, str]:
    """Return the digest of a request, by which the store knows its reply, and the turns."""
    return digest([turns, wording.max_tokens, wording.temperature, seed]), turns
