"""Model fields for curated text. A value is tidied and checked wherever it is cleaned: admin, import, starter data."""

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models

from plumbline.spec.banks.written_texts import LONGEST_WORD
from plumbline.spec.clean_text import fault_in, tidy
from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import LONGEST_TEMPLATE, expand

BLANK = "is blank; fill it in or take the entry out"
MOST = 1e12
"""The upper bound of amounts. Without it the database would take infinity and NaN."""
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.ASCII | re.IGNORECASE)


class WordField(models.CharField[str, str]):
    """One line of curated text, of at most 200 characters unless a field says otherwise."""

    default_error_messages = {"blank": BLANK}  # noqa: RUF012 -- Django declares it without ClassVar

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", LONGEST_WORD)
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


class ReadFloat(forms.FloatField):
    """A form field that reads numbers as the model's field does. Django's own would take 1_000."""

    def __init__(self, read: Callable[[Any], Any], **options: Any) -> None:
        super().__init__(**options)
        self.read = read

    def to_python(self, value: Any) -> Any:
        return None if value in self.empty_values else self.read(value)


class AmountField(models.FloatField[float | None, float | None]):
    """A number of at least 0. None means unknown, which is not 0."""

    default_error_messages = {  # noqa: RUF012 -- Django declares it without ClassVar
        "invalid": "is '%(value)s'; write a number with a decimal point, such as 0.25, or nothing where it is not known"
    }

    def to_python(self, value: Any) -> Any:
        # Python would take 1_000 and the digits of other scripts, too.
        if isinstance(value, str) and not _NUMBER.fullmatch(value.strip()):
            raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value})
        return super().to_python(value)

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": partial(ReadFloat, self.to_python), **options})

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if value is not None and not 0 <= value < MOST:
            raise ValidationError(f"is {value:g}; write a number from 0 to below {MOST:g}", code="amount")


class GrammarField(WordField):
    """A sentence template in the grammar of plumbline.spec.grammar."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", LONGEST_TEMPLATE)
        super().__init__(*args, **kwargs)

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if len(value or "") > LONGEST_TEMPLATE:
            return  # The validator of the length says so.
        try:
            expand(value)
        except SpecError as error:
            raise ValidationError(str(error), code="grammar") from None


def no_separator(words: list[str]) -> None:
    """Raise ValidationError for a semicolon: it separates the words of a list in CSV files and forms."""
    if broken := [word for word in words if ";" in word]:
        raise ValidationError(f"the word {broken[0]!r} has a semicolon; make two words of it", code="separator")
