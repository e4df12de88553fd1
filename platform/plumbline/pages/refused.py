"""What cannot be done, as scripts of pages read it."""

from django.forms import Form
from django.http import JsonResponse


def refused(why: str) -> JsonResponse:
    return JsonResponse({"error": why}, status=400)


def first_fault(form: Form) -> str:
    """The first thing that is wrong with a form that is not valid, in words."""
    name, faults = next(iter(form.errors.items()))
    return f"{name}: {faults[0]}"
