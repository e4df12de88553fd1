"""Forms for queries, with their limits."""

from typing import Any, ClassVar

from django import forms

from plumbline.sql_page.saved import LONGEST_QUESTION, SavedQuery

TOKEN = r"^[0-9a-f]{32}$"
_TOO_LONG = {"max_length": "The query is longer than %(limit_value)d characters."}


class QuestionField(forms.CharField):
    """A query with single line ends, as in the editor. Browsers send two characters, which would shift positions."""

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=LONGEST_QUESTION, strip=False, error_messages=_TOO_LONG, **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n")


class QuestionForm(forms.Form):
    """A query, and the token with which its author may cancel it."""

    text = QuestionField()
    token = forms.RegexField(TOKEN)


class SavedQueryForm(forms.ModelForm[SavedQuery]):
    text = QuestionField(label="SQL", widget=forms.Textarea({"rows": 12, "class": "code", "spellcheck": "false"}))

    class Meta:
        model = SavedQuery
        fields = ("title", "description", "text", "shared")
        widgets: ClassVar = {"description": forms.Textarea({"rows": 2})}
