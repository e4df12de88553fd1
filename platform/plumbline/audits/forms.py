"""What people type about models, plans and schedules, held against the spec's own rules."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from plumbline.audits import addresses, clock, cron
from plumbline.audits.models import ModelUnderAudit, Plan, Schedule
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, SpecError
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


class ScheduleForm(forms.ModelForm[Schedule]):
    class Meta:
        model = Schedule
        fields = ("plan", "audited_models", "cron", "zone", "paused", "notify")

    def clean_notify(self) -> str:
        try:
            return "\n".join(addresses.parse(self.cleaned_data["notify"]))
        except InputError as error:
            raise ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        """Cron text and zone are read together; which of them is at fault, the message says."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if {"cron", "zone"} <= cleaned.keys():
            try:
                cron.next_after(cleaned["cron"], cleaned["zone"], clock.now())
            except InputError as error:
                self.add_error("zone" if "time zone" in str(error) else "cron", str(error))
        return cleaned
