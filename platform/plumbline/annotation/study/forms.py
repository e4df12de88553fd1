"""The form of a new study."""

from typing import Any

from django import forms
from django.contrib.auth.models import User

from plumbline.annotation.study.models import Study
from plumbline.annotation.study.questions import LATEST
from plumbline.annotation.study.run_words import right_answers, scores_of, words_of
from plumbline.audits.models import Run
from plumbline.spec.errors import InputError


class StudyForm(forms.Form):
    """A title, a run, the words that the tasks ask about, and who takes part."""

    title = forms.CharField(max_length=120)
    run = forms.IntegerField(min_value=1, max_value=2**31 - 1, help_text="The number of a finished run")
    target = forms.CharField(max_length=200, help_text="A target (a group) of the run, such as engineer")
    feature = forms.CharField(max_length=200, help_text="A feature (a word) of the run, such as ambitious")
    list = forms.CharField(
        max_length=300, required=False, label="List of the feature", help_text="Only if several lists have the feature"
    )
    people = forms.ModelMultipleChoiceField(
        User.objects.filter(is_active=True).order_by("username"),
        required=False,
        label="Who takes part",
        help_text="Choose nobody to let everybody with a role take part who has the link",
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        try:
            self._find_words(given)
        except InputError as error:
            self.add_error(None, str(error))
        return given

    def _find_words(self, given: dict[str, Any]) -> None:
        run = Run.objects.filter(pk=given["run"]).first()
        if run is None:
            raise InputError(f"there is no run {given['run']}; the page of runs lists them.")
        scores = scores_of(run)
        given["words"] = words_of(scores, given["target"], given["feature"], given["list"])
        given["right"] = right_answers(scores, given["words"])

    def make(self, maker: User) -> Study:
        given = self.cleaned_data
        kept = {name: given[name] for name in ("title", "words", "right")}
        made = Study.objects.create(run_id=given["run"], version=LATEST, created_by=maker, **kept)
        made.people.set(given["people"])
        return made
