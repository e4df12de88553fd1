"""What people type about models and plans, held against the spec's own rules."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from plumbline.audits.models import ModelUnderAudit, Plan
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError
from plumbline.spec.reference import ModelReference


class ModelForm(forms.ModelForm[ModelUnderAudit]):
    class Meta:
        model = ModelUnderAudit
        fields = ("reference", "title", "notes")

    def clean_reference(self) -> str:
        """Whether there is such a model, only a worker can tell."""
        try:
            return str(ModelReference.parse(self.cleaned_data["reference"]))
        except SpecError as error:
            raise ValidationError(str(error)) from None


class PlanForm(forms.ModelForm[Plan]):
    class Meta:
        model = Plan
        fields = ("name", "description", "spec")

    def clean_spec(self) -> Any:
        """Kept as typed, so that what is left out follows the defaults of the day of the launch."""
        try:
            parse(self.cleaned_data["spec"])
        except SpecError as error:
            raise ValidationError(str(error)) from None
        return self.cleaned_data["spec"]
