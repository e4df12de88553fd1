"""The forms of the pages that propose names."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminDecimalFieldWidget,
    UnfoldAdminFileFieldWidget,
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
)

from plumbline.request_limits import MOST_FILE_BYTES as MOST_BYTES
from plumbline.vocab.admin.new_list_form import NewListForm
from plumbline.vocab.models import NameList
from plumbline.vocab.proposals.proportions import Thresholds

PUBLISHED = "sodapop-names"
RACES = {"AS": "Asian", "HS": "Hispanic", "AA": "African American", "EA": "European American"}


class TableForm(forms.Form):
    """A form for a table of births."""

    file = forms.FileField(
        label="Table",
        help_text="CSV or CSV.GZ, at most 10 MB, as New York City publishes its popular baby names",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.gz"}),
        error_messages={"empty": "The file is empty; choose one with a header and at least one row."},
    )

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file.size > MOST_BYTES:
            raise forms.ValidationError(f"The file is larger than {MOST_BYTES // 1_000_000} MB; pack it, or cut it.")
        return file


class ThresholdForm(forms.Form):
    """A form for the thresholds of a name."""

    race = forms.FloatField(
        label="Least share of one race", min_value=0, max_value=1, widget=UnfoldAdminDecimalFieldWidget
    )
    gender = forms.FloatField(
        label="Least share of one gender", min_value=0, max_value=1, widget=UnfoldAdminDecimalFieldWidget
    )
    count = forms.IntegerField(
        label="Fewest children of that name", min_value=1, max_value=10**9, widget=UnfoldAdminIntegerFieldWidget
    )
    races = forms.MultipleChoiceField(
        label="Names of", choices=list(RACES.items()), widget=UnfoldAdminCheckboxSelectMultipleWidget
    )
    beside: Any = forms.ModelChoiceField(
        label="Beside the published list",
        queryset=None,
        to_field_name="slug",
        required=False,
        empty_label="none",
        widget=UnfoldAdminSelectWidget,
    )

    DEFAULTS: ClassVar[Mapping[str, Any]] = {
        "race": 1.0,
        "gender": 1.0,
        "count": 1,
        "races": ["AS", "HS"],
        "beside": PUBLISHED,
    }
    """The thresholds of the paper."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["beside"].queryset = NameList.objects.all()  # type: ignore[attr-defined]

    def thresholds(self) -> Thresholds:
        """Return the chosen thresholds; the paper's if the form is not bound."""
        given = self.cleaned_data if self.is_bound else self.DEFAULTS
        return Thresholds(given["race"], given["gender"], given["count"], tuple(given["races"]))

    def published(self) -> NameList | None:
        if self.is_bound:
            chosen: NameList | None = self.cleaned_data["beside"]
            return chosen
        return NameList.objects.filter(slug=PUBLISHED).first()


class AcceptForm(NewListForm):
    """A form for the list that the ticked names become."""
