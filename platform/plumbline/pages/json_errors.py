"""Errors of requests as JSON, for the pages' scripts."""

from django.forms import Form
from django.http import JsonResponse


def json_error(why: str) -> JsonResponse:
    return JsonResponse({"error": why}, status=400)


def first_fault(form: Form) -> str:
    """Return the first error of an invalid form as text."""
    name, faults = next(iter(form.errors.items()))
    return f"{name}: {faults[0]}"
