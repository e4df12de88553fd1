"""Forms for models and plans, validated by the rules of the spec."""

from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import ValidationError
from django.forms.fields import InvalidJSONInput
from django.urls import reverse
from django.utils.html import format_html

from plumbline.audits.model_folders import is_below_roots
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Plan
from plumbline.audits.reference_help import bundled_references, folder_rule, reference_help
from plumbline.spec.errors import InputError, SpecError
from plumbline.spec.json_text import load_json
from plumbline.spec.plain_data import check_plain
from plumbline.spec.reference import BUNDLED, ENDPOINTS, ModelReference, Scheme
from plumbline.spec.several_models import for_model, model_names, parse_each
from plumbline.spec.yaml_file import MOST_BYTES


def check_reach(reference: ModelReference) -> None:
    """Raise ValidationError for a folder or host that web pages may not name. The command line may name any."""
    if reference.scheme in ENDPOINTS:
        _check_host(reference)
    if reference.tokenizer:
        check_reach(ModelReference.parse(reference.tokenizer))
    if reference.scheme is not Scheme.PATH or is_below_roots(Path(reference.target)):
        return
    raise ValidationError(
        f"{reference} is refused. {folder_rule()} Ask an operator to add a folder above it to the setting ('make"
        " down', then 'MODEL_ROOTS=/folder/of/models make up', with the PORT and settings of before, at each start), or"
        " use the command line, which may name any folder."
    )


def _check_host(reference: ModelReference) -> None:
    """Raise ValidationError unless the setting OPENAI_HOSTS contains the host, with its port if it has one."""
    try:
        host = urlsplit(reference.target).netloc.lower()
    except ValueError:
        host = ""
    if host not in {one.lower() for one in settings.OPENAI_HOSTS}:
        allowed = f"endpoints of {', '.join(settings.OPENAI_HOSTS)}" if settings.OPENAI_HOSTS else "no endpoint"
        raise ValidationError(
            f"{reference}: a page may name {allowed}, according to the setting OPENAI_HOSTS; ask an operator to add the"
            " host to it, or use the command line, which may name any."
        )


def _check_bundled(reference: ModelReference) -> None:
    """Raise ValidationError for the name of a bundled model that does not exist."""
    if reference.scheme is Scheme.BUNDLED and reference.target not in BUNDLED:
        raise ValidationError(f"{reference} is not bundled: choose one of {', '.join(bundled_references())}.")


def _check_new(reference: ModelReference) -> None:
    """Raise ValidationError with a link to the model if one of this reference is under audit."""
    if known := ModelUnderAudit.objects.filter(reference=reference.text).first():
        page = reverse("model", query={"reference": known.reference})
        link = format_html('<a class="underline" href="{}"><bdi>{}</bdi></a>', page, known)
        raise ValidationError(format_html("A model of this reference is already under audit: {}.", link))


def _references(spec: Any) -> set[str]:
    """Return the references of the spec before the edit, or only its models if the spec is no longer valid."""
    try:
        return {reference for one in parse_each(spec) for reference in one.references()}
    except SpecError:
        return set(model_names(spec))


def check_spec(typed: Any, before: Any) -> None:
    """Raise ValidationError for an invalid spec, and for a model or corpus that is new and that no page may name."""
    try:
        references = {reference for one in parse_each(typed) for reference in one.references()}
    except SpecError as error:
        raise ValidationError(str(error)) from None
    for text in sorted(references - _references(before)):
        check_reach(ModelReference.parse(text))


class ModelForm(forms.ModelForm[ModelUnderAudit]):
    class Meta:
        model = ModelUnderAudit
        fields = ("reference", "title", "tags", "owner", "notes")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Who may only look at a model has a form without this field.
        if reference := self.fields.get("reference"):
            reference.help_text = reference_help()

    def clean_reference(self) -> str:
        """Validate the form of the reference.

        An unchanged one may stay. Only a worker can check whether a model exists that is not bundled.
        """
        try:
            reference = ModelReference.parse(self.cleaned_data["reference"])
        except SpecError as error:
            raise ValidationError(str(error)) from None
        if reference.text != self.instance.reference:
            check_reach(reference)
            _check_bundled(reference)
            _check_new(reference)
        return reference.text


class SpecField(forms.JSONField):
    """A spec as JSON, with the limits of a YAML file."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str):
            if len(value) > MOST_BYTES:
                raise ValidationError(f"the spec is larger than {MOST_BYTES // 1_000_000} MB; move its words to lists.")
            try:
                check_plain(load_json(value or "null"))
            except InputError as error:
                told = str(error)
                raise ValidationError(f"{self.error_messages['invalid']} {told[:1].upper()}{told[1:]}") from None
        return super().to_python(value)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """Return the typed text as it is where it is no JSON."""
        try:
            return super().bound_data(data, initial)
        except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
            return InvalidJSONInput(data)


class PlanForm(forms.ModelForm[Plan]):
    audited = forms.ModelChoiceField(
        ModelUnderAudit.objects.all(),
        required=False,
        label="Model",
        help_text="One chosen here replaces the models that the spec names; empty: the spec keeps its own",
        widget=AutocompleteSelect(ModelCheck._meta.get_field("model"), admin.site),
    )

    class Meta:
        model = Plan
        # The order of cleaning: the spec takes the chosen model.
        fields = ("name", "description", "audited", "spec")
        field_classes: ClassVar = {"spec": SpecField}

    def clean_spec(self) -> Any:
        """Validate the spec and return it as typed, so that omitted fields take the defaults at launch.

        A plan made on the command line keeps its model and corpus, wherever they are.
        """
        typed, before = self.cleaned_data["spec"], self.instance.spec
        if isinstance(typed, dict) and (chosen := self.cleaned_data.get("audited")):
            typed = for_model(typed, chosen.reference)
        check_spec(typed, before)
        return typed
