"""Situations with a question about one person, as banks store them and specs choose them."""

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import Field, model_validator

from plumbline.spec.banks.bank_source import BankSource
from plumbline.spec.content import Entry
from plumbline.spec.errors import SpecError
from plumbline.spec.sources import Joined, entries_of

SLOT = "{name}"


class Context(Entry):
    """A situation with a question about one person, and the right answer. `{name}` is the person.

    `prompt` is the question as an unfinished sentence that the answer completes: "{name} is".
    """

    id: Annotated[str, Field(min_length=1, max_length=200)]
    context: Annotated[str, Field(min_length=1, max_length=5000)]
    question: Annotated[str, Field(min_length=1, max_length=1000)]
    prompt: Annotated[str, Field(min_length=1, max_length=1000)]
    answer: Annotated[str, Field(min_length=1, max_length=1000)]

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if SLOT not in self.context + self.question:
            raise ValueError(f"context {self.id!r} and its question have no {SLOT}, so no name would change anything")
        for text in (self.context, self.question, self.prompt, self.answer):
            if "{" in (rest := text.replace(SLOT, "")) or "}" in rest:
                raise ValueError(f"context {self.id!r} holds a slot other than {SLOT}: {text!r}")
        return self


def filled(text: str, name: str) -> str:
    """Return the text with the name in its slots."""
    return text.replace(SLOT, name)


class ContextSource(BankSource[Context]):
    """A choice of contexts: `{bank: SLUG, question: TEXT, only: [ids]}` from a bank, or `{inline: [...]}`.

    It is stored as `list`, like every other source, so that outdated marks and comparisons find it.
    """

    question: str | None = None
    """The question as the bank writes it, with `{name}`. Without it, the source takes all contexts of the bank."""

    @model_validator(mode="after")
    def _of_a_bank(self) -> Self:
        if self.question is not None and self.slug is None:
            raise ValueError("'question' chooses from a bank; inline contexts need none")
        return self


Contexts = Annotated[tuple[ContextSource, ...], Joined, Field(min_length=1, strict=False)]


def chosen_contexts(sources: Contexts, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Context]:
    """Return the chosen contexts in order. Raises SpecError for a source without a match or a repeated context."""
    found = [context for source in sources for context in _chosen(source, snapshots)]
    refuse_repeats([one.id for one in found], "context")
    return found


def _chosen(source: ContextSource, snapshots: Mapping[str, Mapping[str, Any]]) -> list[Context]:
    entries = entries_of(source.model_copy(update={"only": None}), snapshots)
    known = {str(entry["id"]): entry for entry in entries if isinstance(entry, Mapping)}
    if source.question is not None:
        known = {key: entry for key, entry in known.items() if entry["question"] == source.question}
        if not known:
            raise SpecError(f"the bank {source.slug!r} has no context with the question {source.question!r}.")
    if source.only is not None:
        if missing := [key for key in source.only if key not in known]:
            raise SpecError(f"the bank {source.slug!r} has no such context {missing[0]!r}, which 'only' names.")
        known = {key: known[key] for key in source.only}
    if unusable := [key for key, entry in known.items() if not entry.get("prompt")]:
        raise SpecError(
            f"the context {unusable[0]!r} of the bank {source.slug!r} has no prompt: choose another question."
        )
    return [Context.model_validate(entry) for entry in known.values()]


def refuse_repeats(labels: list[str], kind: str) -> None:
    """Raise SpecError for a repeated label."""
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise SpecError(f"{kind} {label!r} appears twice; keep one.")
        seen.add(label)
