"""The fields that name a new list."""

from django import forms
from django.core.validators import validate_slug
from unfold.widgets import UnfoldAdminTextInputWidget


class NewListForm(forms.Form):
    """The form fields for the name of a list that is made from other data."""

    into = forms.CharField(
        label="Into a new list called",
        max_length=100,
        validators=[validate_slug],
        widget=UnfoldAdminTextInputWidget,
        help_text="Its name in audit specs: letters, digits, - and _",
    )
    title = forms.CharField(label="with the title", max_length=200, required=False, widget=UnfoldAdminTextInputWidget)
