"""The forms of invitations and of new accounts."""

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import Group, User

from plumbline.pages.roles import purpose_of


class RolesField(forms.ModelMultipleChoiceField[Group]):
    """Tick boxes of roles, each with what it may do."""

    def label_from_instance(self, obj: Group) -> str:
        return purpose_of(obj.name)


class InvitationForm(forms.Form):
    email = forms.EmailField(label="Mail address", max_length=254)
    roles = RolesField(
        Group.objects.order_by("name"),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose a role: an account without one sees nothing."},
    )


class NewAccountForm(UserCreationForm[User]):
    """Name and password of an invited person, whose address is known."""

    class Meta:
        model = User
        fields = ("username",)
