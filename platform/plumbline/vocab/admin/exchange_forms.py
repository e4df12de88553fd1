"""The forms of import and export."""

from pathlib import PurePath
from typing import Any

from django import forms
from django.core.validators import validate_slug
from unfold.widgets import (
    UnfoldAdminFileFieldWidget,
    UnfoldAdminRadioSelectWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from plumbline.request_limits import MOST_FILE_BYTES as MOST_BYTES
from plumbline.vocab.exporting import DOWNLOADS
from plumbline.vocab.kinds import Kind
from plumbline.vocab.pending_uploads import Upload

MODES = {
    "update": "Add and update: what the file lacks stays",
    "replace": "Replace: what the file lacks is removed",
}


MOST_PASTED = 200_000
"""The most characters of pasted rows; more rows come as a file."""
PASTED = "pasted rows"
"""What stands for the file's name where rows are pasted."""


class UploadForm(forms.Form):
    """A form for a file of words or pasted rows, and the list that they go into."""

    file = forms.FileField(
        label="File",
        required=False,
        help_text=f"CSV, XLSX or JSON, at most {MOST_BYTES // 1_000_000} MB and 100,000 rows",
        widget=UnfoldAdminFileFieldWidget(attrs={"accept": ".csv,.txt,.tsv,.xlsx,.json"}),
        error_messages={"empty": "The file is empty; choose one with a header and at least one row."},
    )
    pasted = forms.CharField(
        label="or paste rows",
        required=False,
        strip=False,
        max_length=MOST_PASTED,
        help_text="As a CSV file, or as copied from a spreadsheet: the first line names the columns, such as",
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 4, "spellcheck": "false", "dir": "ltr"}),
    )
    word_list: Any = forms.ModelChoiceField(
        label="Into the list",
        queryset=None,
        to_field_name="slug",
        required=False,
        empty_label="Use the column 'list' of the file",
        widget=UnfoldAdminSelectWidget,
    )
    new_slug = forms.CharField(
        label="or into a new list called",
        max_length=100,
        required=False,
        validators=[validate_slug],
        widget=UnfoldAdminTextInputWidget,
        help_text="Its name in audit specs: letters, digits, - and _",
    )
    new_title = forms.CharField(
        label="with the title", max_length=200, required=False, widget=UnfoldAdminTextInputWidget
    )
    mode = forms.ChoiceField(label="Mode", choices=MODES.items(), initial="update", widget=UnfoldAdminRadioSelectWidget)
    skip_duplicates = forms.BooleanField(
        label="Skip duplicates",
        required=False,
        widget=UnfoldBooleanWidget,
        help_text="Leave out a row if its word is in an earlier row, or (when adding) in the list already."
        " Otherwise a repeated row is an error, and adding updates the entries of the list.",
    )

    def __init__(self, kind: Kind, may_remove: bool, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lists: Any = self.fields["word_list"]
        lists.queryset = kind.list_model.objects.all()
        self.fields["pasted"].help_text += f" {','.join(kind.columns[:2])}"
        if not may_remove:
            mode: Any = self.fields["mode"]
            mode.choices = [("update", MODES["update"])]

    def clean_file(self) -> Any:
        file = self.cleaned_data["file"]
        if file and file.size > MOST_BYTES:
            raise forms.ValidationError(f"The file is larger than {MOST_BYTES // 1_000_000} MB; split it.")
        return file

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        has_rows = bool(given.get("pasted", "").strip())
        if has_rows == bool(given.get("file")) and self.errors.keys().isdisjoint({"file", "pasted"}):
            raise forms.ValidationError("Choose a file, or paste rows: one of the two.")
        if given.get("word_list") and given.get("new_slug"):
            raise forms.ValidationError("Choose a list or name a new one, not both.")
        if given.get("new_title") and not given.get("new_slug"):
            raise forms.ValidationError("A title goes with a new list; name the list, or leave the title out.")
        return given

    def upload(self) -> Upload:
        """Return the upload."""
        given = self.cleaned_data
        name, data = _named(given["file"]) if given["file"] else (PASTED, given["pasted"].encode())
        slug = given["word_list"].slug if given["word_list"] else given["new_slug"]
        update, skip = given["mode"] == "update", given["skip_duplicates"]
        return Upload(name, data, slug, given["new_title"], update, skip)


def _named(file: Any) -> tuple[str, bytes]:
    """Return the last part of a file's name, without control characters, and its content."""
    return "".join(one for one in PurePath(file.name).name if one.isprintable()), file.read()


FORMAT_TITLES = {"croissant.zip": "Croissant 1.1 (one list: CSV with a description, limits and biases)"}


class ExportForm(forms.Form):
    """A form for the list to export, and the format."""

    list: Any = forms.ModelChoiceField(
        label="List",
        queryset=None,
        to_field_name="slug",
        required=False,
        empty_label="all lists",
        widget=UnfoldAdminSelectWidget,
    )
    format = forms.ChoiceField(
        label="Format",
        choices=[(form, FORMAT_TITLES.get(form, form.upper())) for form in DOWNLOADS],
        initial="csv",
        widget=UnfoldAdminRadioSelectWidget,
    )

    def __init__(self, kind: Kind, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        lists: Any = self.fields["list"]
        lists.queryset = kind.list_model.objects.all()
