"""Model fields for curated text: tidied and checked wherever a value is cleaned (admin, import, starter data)."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import expand
from plumbline.vocab.text import fault_in, tidy

BLANK = "is blank; fill it in or take the entry out"


class WordField(models.CharField[str, str]):
    """One line of curated text, at most 200 characters unless told otherwise."""

    default_error_messages = {"blank": BLANK}  # noqa: RUF012 -- Django declares it without ClassVar

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 200)
        super().__init__(*args, **kwargs)

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return tidy(text) if isinstance(text, str) else text

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if fault := fault_in(value or ""):
            raise ValidationError(fault, code="characters")


class ProseField(models.TextField[str, str]):
    """Free text of one or more lines."""

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)
        return tidy(text).replace("\r\n", "\n") if isinstance(text, str) else text

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if fault := fault_in(value or "", lines=True):
            raise ValidationError(fault, code="characters")


class GrammarField(WordField):
    """A sentence template in the grammar of plumbline.spec.grammar."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 1000)
        super().__init__(*args, **kwargs)

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        try:
            expand(value)
        except SpecError as error:
            raise ValidationError(str(error), code="grammar") from None


def no_separator(words: list[str]) -> None:
    """Lists of words are written with semicolons between them in CSV files and forms."""
    if broken := [word for word in words if ";" in word]:
        raise ValidationError(f"the word {broken[0]!r} has a semicolon; make two words of it", code="separator")
