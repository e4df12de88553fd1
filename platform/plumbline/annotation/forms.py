"""What is chosen when a task is made, with its limits."""

from typing import Protocol

from django import forms
from django.contrib.auth.models import User

from plumbline.annotation.models import AnnotationTask
from plumbline.audits.models import Run

SEEDS = 2**31 - 1


class TaskForm(forms.Form):
    """What any task asks for."""

    title = forms.CharField(max_length=120)
    seed = forms.IntegerField(min_value=0, max_value=SEEDS, initial=0, help_text="Decides the draw and the order")


class RunTaskForm(Protocol):
    """The form of a task that a run gives. The module `annotation_forms` of a method has one by kind as FORMS."""

    def is_valid(self) -> bool: ...

    def add_error(self, field: str | None, error: str) -> None: ...

    def make(self, run: Run, maker: User) -> AnnotationTask:
        """Make the task from what was chosen. InputError where the run cannot give it."""
