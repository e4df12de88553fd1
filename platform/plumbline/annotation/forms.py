"""The form of a new task."""

from typing import Protocol

from django import forms
from django.contrib.auth.models import User

from plumbline.annotation.models import AnnotationTask
from plumbline.audits.models import Run

SEEDS = 2**31 - 1


class TaskForm(forms.Form):
    """The fields of every task."""

    title = forms.CharField(max_length=120)
    seed = forms.IntegerField(min_value=0, max_value=SEEDS, initial=0, help_text="Decides the draw and the order")


class RunTaskForm(Protocol):
    """The form of a task about a run. The module `annotation_forms` of a method has one per kind as FORMS."""

    def is_valid(self) -> bool: ...

    def add_error(self, field: str | None, error: str) -> None: ...

    def make(self, run: Run, maker: User) -> AnnotationTask:
        """Create the task from the form. Raises InputError if the run does not allow it."""
