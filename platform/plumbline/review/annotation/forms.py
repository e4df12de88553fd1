"""What is chosen when a task is made, with its limits."""

from typing import Any

from django import forms

from plumbline.review.annotation.making import MOST_DISTRACTORS, Pair
from plumbline.vocab.models import TraitList

SEEDS = 2**31 - 1


class TaskForm(forms.Form):
    title = forms.CharField(max_length=120)
    seed = forms.IntegerField(min_value=0, max_value=SEEDS, initial=0, help_text="Decides the draw and the order")


class MappingForm(TaskForm):
    """Words of pairs of groups, to be mapped to the poles of a trait list."""

    pairs = forms.MultipleChoiceField(label="Pairs of groups", widget=forms.CheckboxSelectMultiple)
    level = forms.FloatField(
        label="p below", min_value=0.0001, max_value=1.0, initial=0.05, help_text="In a single context"
    )
    most = forms.IntegerField(
        label="Most words of a side",
        min_value=1,
        max_value=1000,
        required=False,
        help_text="Of each context, those farthest from zero; empty: all",
    )
    traits = forms.ModelChoiceField(
        TraitList.objects.all(), label="Trait list", to_field_name="slug", help_text="Its poles are what words map to"
    )

    def __init__(self, offered: list[Pair], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.offered = offered
        choices = [(str(place), f"{a} and {b}") for place, (a, b) in enumerate(offered)]
        self.fields["pairs"].choices = choices  # type: ignore[attr-defined] # of a choice field

    def chosen_pairs(self) -> tuple[Pair, ...]:
        return tuple(self.offered[int(place)] for place in self.cleaned_data["pairs"])


class RatingForm(TaskForm):
    """Distractors drawn at random, to be rated."""

    wanted = forms.IntegerField(
        label="Distractors", min_value=1, max_value=MOST_DISTRACTORS, initial=1000, help_text="The paper's 1,000"
    )
