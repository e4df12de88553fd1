"""The form of a new token."""

from typing import Any

from django import forms

from plumbline.api.scopes import NEEDS, Scope

DAYS = (7, 30, 90, 180, 365)
MINE, MACHINE = "me", "machine"


class TokenForm(forms.Form):
    """Name, scopes and life of a token. Scopes that the person has no permission for are not offered."""

    name = forms.CharField(max_length=100, help_text="What will use it, such as: nightly export")
    owner = forms.ChoiceField(
        label="Belongs to",
        choices=[(MINE, "me: it may do what I may do"), (MACHINE, "a machine: it may do what its scopes say")],
    )
    scopes = forms.MultipleChoiceField(choices=Scope.choices, widget=forms.CheckboxSelectMultiple)
    days = forms.TypedChoiceField(
        label="Expires after", coerce=int, choices=[(days, f"{days} days") for days in DAYS], initial=90
    )

    def __init__(self, *args: Any, person: Any, manages: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        own = [(value, label) for value, label in Scope.choices if person.has_perm(NEEDS[value])]
        scopes: Any = self.fields["scopes"]
        scopes.choices = own
        if not manages:
            del self.fields["owner"]
