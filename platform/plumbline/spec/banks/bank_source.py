"""Sources of what banks hold: questions, pairs, contexts, texts, and imported answers to them."""

from collections.abc import Mapping
from typing import Annotated, Any, Self, TypeVar

from pydantic import AliasChoices, Field, model_validator

from plumbline.spec.errors import SpecError
from plumbline.spec.sources import Source

E = TypeVar("E")


class BankSource(Source[E]):
    """`{bank: SLUG}` names a bank, `{inline: [...]}` holds items itself.

    It is stored as `list`, like every other source, by which stale marks and comparisons find it.
    """

    slug: str | None = Field(default=None, validation_alias=AliasChoices("bank", "list"), serialization_alias="list")


class CategorySource(BankSource[E]):
    """`{bank: SLUG, categories: [...]}` takes some categories of a bank."""

    categories: Annotated[tuple[str, ...], Field(min_length=1, strict=False)] | None = None

    @model_validator(mode="after")
    def _of_a_bank(self) -> Self:
        if self.categories is not None and self.slug is None:
            raise ValueError("'categories' chooses from a bank; inline items need none")
        if self.only is not None:
            raise ValueError("such a bank has no 'only': choose with 'categories'")
        return self

    @staticmethod
    def category_of(entry: Mapping[str, Any]) -> str:
        return str(entry["category"])

    def chosen(self, words: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the content of the bank that a run freezes. Raises SpecError for a category that it does not have."""
        if self.categories is None:
            return words
        known = list(dict.fromkeys(map(self.category_of, words["entries"])))
        if missing := [name for name in self.categories if name not in known]:
            raise SpecError(
                f"the bank {self.slug!r} has no category {missing[0]!r}; its categories are {', '.join(known)}."
            )
        return {**words, "entries": [one for one in words["entries"] if self.category_of(one) in self.categories]}
