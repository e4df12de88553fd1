"""What people type about models, plans and schedules, held against the spec's own rules."""

from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import ValidationError

from plumbline.audits import addresses, clock, cron
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Plan, Schedule
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, SpecError
from plumbline.spec.reference import ModelReference, Scheme


def check_reach(reference: ModelReference) -> None:
    """ValidationError for a folder or host that nobody may name in the web; the command line may name any."""
    if reference.scheme is Scheme.OPENAI:
        _check_host(reference)
    if reference.scheme is not Scheme.PATH or _is_below_roots(Path(reference.target)):
        return
    roots = ", ".join(settings.MODEL_ROOTS)
    allowed = f"by its whole path, a folder below {roots}" if roots else "no folder"
    raise ValidationError(
        f"{reference}: a page may name {allowed}, as the setting MODEL_ROOTS says; ask an operator to add one to it, or"
        " use the command line, which may name any folder."
    )


def _check_host(reference: ModelReference) -> None:
    """The host with its port, where it has one, as the setting writes it."""
    try:
        host = urlsplit(reference.target).netloc.lower()
    except ValueError:
        host = ""
    if host not in {one.lower() for one in settings.OPENAI_HOSTS}:
        allowed = f"endpoints of {', '.join(settings.OPENAI_HOSTS)}" if settings.OPENAI_HOSTS else "no endpoint"
        raise ValidationError(
            f"{reference}: a page may name {allowed}, as the setting OPENAI_HOSTS says; ask an operator to add the host"
            " to it, or use the command line, which may name any."
        )


def _is_below_roots(folder: Path) -> bool:
    """Whether it lies there once links are followed. A path that begins or climbs somewhere else is a worker's own."""
    if not folder.is_absolute() or ".." in folder.parts:
        return False
    try:
        return any(folder.resolve().is_relative_to(Path(root).resolve()) for root in settings.MODEL_ROOTS)
    except RuntimeError:  # a link that leads to itself
        return False


def _references(spec: Any) -> set[str]:
    """What a spec named that stood there already; none where it can no longer be read."""
    try:
        return set(parse(spec).references())
    except SpecError:
        return {spec["model"]} if isinstance(spec, dict) and isinstance(spec.get("model"), str) else set()


class ModelForm(forms.ModelForm[ModelUnderAudit]):
    class Meta:
        model = ModelUnderAudit
        fields = ("reference", "title", "notes")

    def clean_reference(self) -> str:
        """Whether there is such a model, only a worker can tell. One that stood there already may stay."""
        try:
            reference = ModelReference.parse(self.cleaned_data["reference"])
        except SpecError as error:
            raise ValidationError(str(error)) from None
        if reference.text != self.instance.reference:
            check_reach(reference)
        return reference.text


class PlanForm(forms.ModelForm[Plan]):
    audited = forms.ModelChoiceField(
        ModelUnderAudit.objects.all(),
        required=False,
        label="Model",
        help_text="One chosen here replaces the model that the spec names; empty: the spec keeps its own",
        widget=AutocompleteSelect(ModelCheck._meta.get_field("model"), admin.site),
    )

    class Meta:
        model = Plan
        # Cleaned in this order: the spec takes the model that was chosen.
        fields = ("name", "description", "audited", "spec")

    def clean_spec(self) -> Any:
        """Kept as typed, so that what is left out follows the defaults of the day of the launch.

        A plan that was made by a command keeps its model and corpus, wherever these lie.
        """
        typed, before = self.cleaned_data["spec"], self.instance.spec
        if isinstance(typed, dict) and (chosen := self.cleaned_data.get("audited")):
            typed = {**typed, "model": chosen.reference}
        try:
            references = parse(typed).references()
        except SpecError as error:
            raise ValidationError(str(error)) from None
        for text in set(references) - _references(before):
            check_reach(ModelReference.parse(text))
        return typed


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
