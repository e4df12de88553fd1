"""The forms of auditors: a new survey, a link, a new version of a wording."""

from typing import Any

from django import forms
from django.contrib.auth.models import User

from plumbline.annotation.survey import wordings
from plumbline.annotation.survey.models import Survey, SurveyInvitation, SurveyWording
from plumbline.spec.errors import InputError
from plumbline.vocab.models import GroupList, RatingList, TraitList

LEAST_GROUPS, MOST_GROUPS = 2, 5
MOST_PEOPLE = 100_000


class SurveyForm(forms.ModelForm):  # type: ignore[type-arg] # generic at run time only by a patch
    group_list = forms.ModelChoiceField(GroupList.objects.all(), to_field_name="slug", label="Groups")
    only = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        label="Only these groups",
        help_text="Labels as they stand in the list, one on each line. Empty: all groups of the list",
    )
    trait_list = forms.ModelChoiceField(TraitList.objects.all(), to_field_name="slug", label="Pairs of traits")

    class Meta:
        model = Survey
        fields = (
            *("title", "contact", "slug", "group_list", "only", "trait_list", "wording", "other_wording"),
            *("groups_each", "repeated", "tolerance", "least_agreement"),
        )
        widgets = {"contact": forms.Textarea(attrs={"rows": 3})}  # noqa: RUF012
        labels = {  # noqa: RUF012
            "contact": "Who makes the survey",
            "slug": "Name of the rating list",
            "other_wording": "Second wording",
            "groups_each": "Groups per person",
            "repeated": "Repeated pairs",
            "tolerance": "Largest difference of two ratings that agree, in points",
            "least_agreement": "Least share of repeated pairs that agree (0.8: four of five)",
        }
        help_texts = {  # noqa: RUF012
            "contact": "Your organisation, the purpose, and an address for questions. People read it before they begin",
            "slug": "Released answers become this list",
            "other_wording": "For a pilot: each wording is shown to half of the people, and two lists are compared",
        }

    def __init__(self, *arguments: Any, **options: Any) -> None:
        wordings.ensure_starter()
        super().__init__(*arguments, **options)
        for name in ("wording", "other_wording"):
            self.fields[name].queryset = SurveyWording.objects.order_by("slug", "-version")  # type: ignore[attr-defined]
        limits = {"groups_each": (LEAST_GROUPS, MOST_GROUPS, 4), "repeated": (5, 16, 10), "tolerance": (0, 50, 20)}
        for name, (least, most, initial) in limits.items():
            self.fields[name] = forms.IntegerField(
                min_value=least, max_value=most, initial=initial, label=self.fields[name].label
            )
        self.fields["least_agreement"] = forms.FloatField(
            min_value=0.5, max_value=1.0, initial=0.8, label=self.fields["least_agreement"].label
        )

    @property
    def group_lists(self) -> list[dict[str, Any]]:
        """Return each list's title and labels, to be chosen from."""
        return [{"title": str(one), "labels": [row.label for row in one.rows()]} for one in GroupList.objects.all()]

    @property
    def wordings(self) -> list[SurveyWording]:
        return list(SurveyWording.objects.order_by("slug", "-version"))

    def clean_contact(self) -> str:
        """Refuse an address by itself: it tells nobody who asks."""
        text: str = self.cleaned_data["contact"]
        addresses = [word for word in text.split() if "@" in word or "://" in word]
        if addresses and len(addresses) == len(text.split()):
            raise forms.ValidationError("Say who you are and why you ask, too. People read only this about you.")
        return text

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if not self.errors:
            self._check_list(given["slug"])
            self._check_wordings(given["wording"], given.get("other_wording"))
            given["groups"] = self._groups(given)
            given["pairs"] = [[pair.left, pair.right] for pair in given["trait_list"].rows()]
            if not self.errors and len(given["groups"]) < given["groups_each"]:
                self.add_error("groups_each", "Choose at most as many groups per person as the survey has.")
            if len(given["pairs"]) < given["repeated"]:
                self.add_error("repeated", "Choose at most as many repeated pairs as the list has.")
        return given

    def _check_list(self, slug: str) -> None:
        taken = RatingList.objects.filter(slug__in=(slug, f"{slug}-a", f"{slug}-b")).values_list("slug", flat=True)
        if taken:
            self.add_error("slug", f"There is a rating list {taken[0]!r} already; choose another name.")

    def _check_wordings(self, one: SurveyWording, other: SurveyWording | None) -> None:
        if other and other == one:
            self.add_error("other_wording", "A pilot compares two different wordings.")
        elif other and other.consent != one.consent:
            self.add_error("other_wording", "Both wordings need the same consent: people agree before they see one.")

    def _groups(self, given: dict[str, Any]) -> list[dict[str, str]]:
        rows = {row.label: {"label": row.label, "shown": row.plural or row.label} for row in given["group_list"].rows()}
        wanted = list(dict.fromkeys(filter(None, map(str.strip, given["only"].splitlines()))))
        if unknown := [label for label in wanted if label not in rows]:
            self.add_error("only", f"{unknown[0]!r} is no label of the list {given['group_list']}.")
        return [rows[label] for label in wanted or rows if label in rows]

    def make(self, maker: User) -> Survey:
        given = self.cleaned_data
        made: Survey = self.save(commit=False)
        made.groups, made.pairs, made.created_by = given["groups"], given["pairs"], maker
        made.save()
        return made


class InvitationForm(forms.ModelForm):  # type: ignore[type-arg]
    limit = forms.IntegerField(min_value=1, max_value=MOST_PEOPLE, initial=50, label="People at most")

    class Meta:
        model = SurveyInvitation
        fields = ("label", "limit", "farewell")
        labels = {"label": "For whom", "farewell": "Shown at the end"}  # noqa: RUF012


class WordingForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = SurveyWording
        fields = ("slug", *wordings.TEXTS)
        labels = {"slug": "Name"}  # noqa: RUF012
        help_texts = {"slug": "A name in use gets its next version"}  # noqa: RUF012
        widgets = {name: forms.Textarea(attrs={"rows": 3}) for name in ("familiarity", "question")}  # noqa: RUF012

    def make(self, author: User) -> SurveyWording | None:
        """Save the next version, or return None with the fault in the form."""
        given = dict(self.cleaned_data)
        try:
            return wordings.save_version(given.pop("slug"), given, author)
        except InputError as error:
            self.add_error(None, str(error))
            return None
