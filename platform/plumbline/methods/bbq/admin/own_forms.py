"""Forms of the pages that make a bank of BBQ from a curator's own templates."""

from typing import Any

from django import forms
from django.core.validators import validate_slug
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminTextInputWidget

from plumbline.vocab.admin.upload_fields import FilesField, OneFileField, check_size, sent
from plumbline.vocab.bundles import Bundle
from plumbline.vocab.models import Bank

PARTS = ("templates", "labels", "names")
CSV = ".csv,.txt,.tsv"
MOST_SEED = 2**31 - 1


class TablesForm(forms.Form):
    """A form for templates, and the words beside them."""

    templates = FilesField(
        label="Templates",
        accept=CSV,
        help_text="One CSV or several, at most 10 MB with the words below",
        error_messages={"empty": "A file is empty; choose one with a header and at least one row."},
    )
    labels = OneFileField(
        label="Labels of groups",
        accept=CSV,
        required=False,
        help_text="As vocabulary.csv: for templates without lists in Names",
    )
    names = OneFileField(
        label="Names of people",
        accept=CSV,
        required=False,
        help_text="As vocabulary_proper_names.csv: for templates with Proper_nouns_only",
    )

    def clean(self) -> dict[str, Any]:
        check_size([file for part in PARTS for file in self.cleaned_data.get(part) or ()])
        return self.cleaned_data

    def bundle(self) -> Bundle:
        return sent(PARTS, self.cleaned_data)


class SeedForm(forms.Form):
    """A form for the seed of the random draws."""

    seed = forms.IntegerField(
        min_value=0,
        max_value=MOST_SEED,
        help_text="Decides what chance draws: the same tables and seed make the same questions",
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def given(self) -> int | None:
        """Return the seed; 0 if the form is not bound, None for a fault."""
        if not self.is_bound:
            return 0
        return self.cleaned_data["seed"] if self.is_valid() else None


class MakeForm(forms.Form):
    """A form for the bank that the questions become."""

    into = forms.CharField(
        label="Into a new bank called",
        max_length=100,
        validators=[validate_slug],
        widget=UnfoldAdminTextInputWidget,
        help_text="Its name in audit specs: letters, digits, - and _",
    )
    title = forms.CharField(label="with the title", max_length=200, required=False, widget=UnfoldAdminTextInputWidget)

    def clean_into(self) -> str:
        slug: str = self.cleaned_data["into"]
        if Bank.objects.filter(slug=slug).exists():
            raise forms.ValidationError("There is a bank of that name already; choose another.")
        return slug
