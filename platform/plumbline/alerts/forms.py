"""Forms of the admin: rules and addresses are checked before they are kept."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from unfold.widgets import UnfoldAdminSelectWidget

from plumbline.alerts.models import RuleSet, Webhook
from plumbline.alerts.webhooks.hosts import destination
from plumbline.findings.gate.judging import check_statistics
from plumbline.findings.gate.rules import rules_of_text
from plumbline.spec.errors import InputError
from plumbline.spec.registry import PROBES

EXAMPLE = """rules:
  - name: no stereotype over a list of words
    statistic: ilps_difference
    smallest_effect: 0.3
"""
"""What the empty field of rules shows."""


class RuleSetForm(forms.ModelForm[RuleSet]):
    probe = forms.ChoiceField(
        label="Method", choices=lambda: [(name, name) for name in sorted(PROBES)], widget=UnfoldAdminSelectWidget
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rules"].widget.attrs["placeholder"] = EXAMPLE

    def clean(self) -> dict[str, Any]:
        """Refuse rules that no run of the method could be judged by."""
        given: dict[str, Any] = super().clean() or {}
        if given.get("rules") and given.get("probe"):
            try:
                check_statistics(given["probe"], rules_of_text(given["rules"]))
            except InputError as error:
                raise ValidationError({"rules": str(error)}) from None
        return given


class WebhookForm(forms.ModelForm[Webhook]):
    def clean_url(self) -> str:
        """Refuse an address that requests may not go to."""
        url: str = self.cleaned_data["url"]
        try:
            destination(url)
        except InputError as error:
            raise ValidationError(str(error)) from None
        return url
