"""Form fields for files."""

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from unfold.widgets import UnfoldAdminFileFieldWidget

from plumbline.request_limits import MOST_FILE_BYTES as MOST_BYTES
from plumbline.vocab.bundles import Bundle, Sent


class FilesWidget(UnfoldAdminFileFieldWidget):
    """A widget that takes several files. The skin's own box would name none of them."""

    allow_multiple_selected = True
    template_name = "django/forms/widgets/file.html"

    def render(self, *args: Any, **options: Any) -> SafeString:
        """Render the field with the text box that the skin's script writes to. The browser shows all names."""
        return format_html('{}<input type="text" hidden disabled>', super().render(*args, **options))


class FilesField(forms.FileField):
    """A field for several files, at least one if it is required."""

    def __init__(self, *, accept: str, **options: Any) -> None:
        widget = FilesWidget(attrs={"accept": accept, "class": "exchange-file"})
        super().__init__(widget=widget, **options)

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        given = data if isinstance(data, list) else [data] if data else []
        if not given:
            super().clean(None, initial)
        return [super(FilesField, self).clean(one, initial) for one in given]


class OneFileField(FilesField):
    """A field for one file, in the same box."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self.widget.attrs.pop("multiple", None)


def sent(fields: Iterable[str], given: dict[str, Any]) -> Bundle:
    """Return the files of these fields. Their names are cut to the last part, without control characters."""
    return {field: [Sent(_name(file.name), file.read()) for file in given.get(field) or ()] for field in fields}


def check_size(files: Sequence[Any]) -> None:
    """Raise ValidationError if the files are larger together than a request may be."""
    if sum(file.size for file in files) > MOST_BYTES:
        raise forms.ValidationError(f"The files are larger than {MOST_BYTES // 1_000_000} MB together; send fewer.")


def _name(name: str) -> str:
    return "".join(one for one in PurePath(name).name if one.isprintable())
