"""The strings below the fields of a spec become the help texts of its form."""

from typing import Generic, TypeVar

import pytest
from pydantic import Field

from plumbline.desk.plans.builder.field_docs import described
from plumbline.desk.plans.builder.shapes import shape_of
from plumbline.spec.registry import PROBES
from plumbline.spec.sources import Strict

T = TypeVar("T")


class Base(Strict, Generic[T]):
    """A class with a field that others inherit."""

    seed: int = 1
    """Where chance
    begins."""
    silent: int = 2

    @property
    def doubled(self) -> int:
        """No field."""
        return 2 * self.seed


class Own(Base[int]):
    level: float = 0.95
    """The width."""
    named: str = Field("", description="Given by hand.")
    """Not this."""


def test_a_field_has_the_text_below_it_also_of_a_base_class() -> None:
    found = {name: field.description for name, field in described(Own).items()}
    assert found == {"seed": "Where chance\nbegins.", "silent": None, "level": "The width.", "named": "Given by hand."}


def test_a_subclass_may_say_it_anew() -> None:
    class Anew(Own):
        seed: int = 3
        """Another text."""

    assert described(Anew)["seed"].description == "Another text."
    assert described(Own)["seed"].description == "Where chance\nbegins."


def test_the_class_itself_stays_as_it_is() -> None:
    described(Own)
    assert Own.model_fields["level"].description is None


@pytest.mark.parametrize("probe", sorted(PROBES))
def test_every_form_helps_with_some_of_its_settings(probe: str) -> None:
    shape = shape_of(probe)
    assert any(one.help for one in shape.settings)
