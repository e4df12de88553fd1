"""The form of a new validation task."""

import json
from collections.abc import Sequence
from typing import Any

from django import forms

from plumbline.annotation import fillers
from plumbline.annotation.fillers import Filler
from plumbline.annotation.forms import TaskForm
from plumbline.annotation.template_texts import Key
from plumbline.annotation.validating import RATERS, THRESHOLD, Choice
from plumbline.spec.errors import InputError


class ValidationForm(TaskForm):
    """The templates of a bank of BBQ to validate, and the rule for passing."""

    categories = forms.MultipleChoiceField(
        label="All templates of", required=False, widget=forms.CheckboxSelectMultiple
    )
    templates = forms.MultipleChoiceField(
        label="Single templates",
        required=False,
        widget=forms.SelectMultiple(attrs={"size": 8}),
        help_text="Beside those above",
    )
    unpassed = forms.BooleanField(label="Leave out those that have passed", required=False)
    raters = forms.IntegerField(
        min_value=1, max_value=100, initial=RATERS, help_text="Templates are decided once this many have finished"
    )
    threshold = forms.FloatField(
        label="Passes at",
        min_value=0.5,
        max_value=1.0,
        initial=THRESHOLD,
        help_text="The share of raters who must agree with the right answer to each of four questions",
    )
    share = forms.FloatField(
        label="Share of fillers",
        min_value=fillers.LEAST_SHARE,
        max_value=0.5,
        initial=fillers.LEAST_SHARE,
        help_text="Of all items; the paper's minimum is 0.13",
    )
    file = forms.FileField(
        label="Your own fillers",
        required=False,
        widget=forms.FileInput(attrs={"accept": ".csv"}),
        help_text=f"CSV with the columns {', '.join(fillers.COLUMNS)}; without a file, Plumbline uses its own",
    )

    def __init__(self, offered: Sequence[Key], passed: frozenset[Key], *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.offered, self.passed = offered, passed
        categories = list(dict.fromkeys(category for category, _ in offered))
        grouped = [(one, [_of_template(key) for key in offered if key[0] == one]) for one in categories]
        self.fields["categories"].choices = [(one, one) for one in categories]  # type: ignore[attr-defined]
        self.fields["templates"].choices = grouped  # type: ignore[attr-defined] # of a choice field

    def clean_file(self) -> list[Filler]:
        """Return the fillers of the file, else our own."""
        sent = self.cleaned_data["file"]
        if not sent:
            return fillers.own()
        try:
            return fillers.read(sent.name, sent.read(fillers.MOST_BYTES + 1))
        except InputError as error:
            raise forms.ValidationError(str(error)) from None

    def choice(self) -> Choice:
        """Return the choice. Raises InputError if no template is chosen."""
        given = self.cleaned_data
        single = {_key(value) for value in given["templates"]}
        wanted = [key for key in self.offered if key[0] in given["categories"] or key in single]
        if not wanted:
            raise InputError("no template is chosen: choose categories or single templates.")
        if given["unpassed"] and not (wanted := [key for key in wanted if key not in self.passed]):
            raise InputError("all of these templates have passed already.")
        return Choice(tuple(wanted), given["seed"], given["raters"], given["threshold"], given["share"])


def _of_template(key: Key) -> tuple[str, str]:
    return json.dumps(key), key[1]


def _key(value: str) -> Key:
    category, template = json.loads(value)
    return category, template
