"""A rating on a scale from 0 to 100, as people type it: also with a decimal comma."""

import re
from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models

from plumbline.vocab.fields import ReadFloat

_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?", re.ASCII)


class ScaleField(models.FloatField[float, float]):
    """A number from 0 to 100. No comma separates thousands on this scale, so 57,5 is 57.5."""

    default_error_messages = {  # noqa: RUF012 -- Django declares it without ClassVar
        "null": "is missing; write a number from 0 to 100",
        "invalid": "is '%(value)s'; write a number from 0 to 100",
    }

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            value = value.strip()
            if not value:
                return None
            if not _NUMBER.fullmatch(value):
                raise ValidationError(self.error_messages["invalid"], code="invalid", params={"value": value[:40]})
            value = value.replace(",", ".")
        return super().to_python(value)

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": partial(ReadFloat, self.to_python), **options})

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        super().validate(value, model_instance)
        if not 0 <= value <= 100:
            raise ValidationError(f"is {value:g}; write a number from 0 to 100", code="scale")
