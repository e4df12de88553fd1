"""The forms of tasks about SODAPOP runs."""

from typing import Any

from django import forms
from django.contrib.auth.models import User

from plumbline.annotation.forms import TaskForm
from plumbline.annotation.models import AnnotationTask, Kind
from plumbline.audits.models import Run
from plumbline.methods.sodapop.annotation_tasks import (
    MOST_DISTRACTORS,
    Pair,
    Words,
    make_mapping,
    make_rating,
    pairs_of_groups,
)
from plumbline.vocab.models import TraitList


class MappingForm(TaskForm):
    """Words of pairs of groups that annotators map to the poles of a trait list."""

    pairs = forms.MultipleChoiceField(label="Pairs of groups", widget=forms.CheckboxSelectMultiple)
    level = forms.FloatField(
        label="p below", min_value=0.0001, max_value=1.0, initial=0.05, help_text="In a single context"
    )
    most = forms.IntegerField(
        label="Most words of a side",
        min_value=1,
        max_value=1000,
        required=False,
        help_text="For each context, those farthest from zero; empty: all",
    )
    traits = forms.ModelChoiceField(
        TraitList.objects.all(), label="Trait list", to_field_name="slug", help_text="Words are mapped to its poles"
    )

    def __init__(self, run: Run, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.offered = pairs_of_groups(run.pk)
        choices = [(str(place), f"{a} and {b}") for place, (a, b) in enumerate(self.offered)]
        self.fields["pairs"].choices = choices  # type: ignore[attr-defined] # of a choice field

    def chosen_pairs(self) -> tuple[Pair, ...]:
        return tuple(self.offered[int(place)] for place in self.cleaned_data["pairs"])

    def make(self, run: Run, maker: User) -> AnnotationTask:
        given = self.cleaned_data
        chosen = Words(self.chosen_pairs(), given["level"], given["most"])
        return make_mapping(run, given["title"], chosen, given["traits"], given["seed"], maker)


class RatingForm(TaskForm):
    """A random sample of distractors for rating."""

    wanted = forms.IntegerField(
        label="Distractors", min_value=1, max_value=MOST_DISTRACTORS, initial=1000, help_text="The paper's 1,000"
    )

    def __init__(self, _run: Run, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)

    def make(self, run: Run, maker: User) -> AnnotationTask:
        given = self.cleaned_data
        return make_rating(run, given["title"], given["wanted"], given["seed"], maker)


FORMS = {Kind.MAPPING: MappingForm, Kind.RATING: RatingForm}
