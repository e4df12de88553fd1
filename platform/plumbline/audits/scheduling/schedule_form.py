"""The form of a schedule: when in plain words or as a cron text. It reports all errors at once."""

from datetime import datetime, time
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from unfold.widgets import (
    UnfoldAdminCheckboxSelectMultipleWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminSingleTimeWidget,
    UnfoldAdminTextInputWidget,
)

from plumbline.accounts import mail
from plumbline.audits import clock
from plumbline.audits.mail import addresses
from plumbline.audits.models import Schedule
from plumbline.audits.scheduling import cron, timing
from plumbline.spec.errors import InputError

NEXT_TIMES = 5
HOW_OFTEN = (
    (timing.DAILY, "Every day"),
    (timing.WEEKLY, "Every week, on weekdays that you choose"),
    (timing.MONTHLY, "Every month"),
    (timing.BY_CRON, "By a cron text"),
)
DAYS = (*((str(day), f"Day {day}") for day in range(1, timing.LARGEST_DAY + 1)), (timing.LAST_DAY, "The last day"))
NEEDED = {
    timing.DAILY: ("at",),
    timing.WEEKLY: ("weekdays", "at"),
    timing.MONTHLY: ("day", "at"),
    timing.BY_CRON: ("cron",),
}
MISSING = {
    "at": "Give the time of day, such as 06:00.",
    "weekdays": "Choose one weekday or more.",
    "day": "Choose the day of the month.",
    "cron": "Give a cron text of five fields, such as 0 6 * * 1 for Mondays at 6.",
}


class ZoneInput(UnfoldAdminTextInputWidget):  # type: ignore[misc] # the library has no types
    """A text field that offers all time zones while somebody types."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        field = super().render(name, value, {**(attrs or {}), "list": "time-zones"}, renderer)
        zones = format_html_join("", '<option value="{}">', ((zone,) for zone in sorted(available_timezones())))
        return format_html('{}<datalist id="time-zones">{}</datalist>', field, zones)


class TimingForm(forms.Form):
    """When a schedule is due. `cleaned_data["cron"]` is the cron text, however the person said it."""

    how_often = forms.ChoiceField(choices=HOW_OFTEN, widget=UnfoldAdminSelectWidget, initial=timing.WEEKLY)
    weekdays = forms.MultipleChoiceField(
        choices=[(str(number), name) for number, name in enumerate(timing.WEEKDAYS)],
        required=False,
        widget=UnfoldAdminCheckboxSelectMultipleWidget,
    )
    day = forms.ChoiceField(
        choices=(("", "Choose a day"), *DAYS), required=False, label="Day of the month", widget=UnfoldAdminSelectWidget
    )
    at = forms.TimeField(
        required=False,
        label="Time",
        help_text="The time of day in the zone below, such as 06:00",
        widget=UnfoldAdminSingleTimeWidget(format="%H:%M"),
    )
    cron = forms.CharField(
        required=False,
        max_length=cron.LONGEST,
        label="Cron text",
        help_text="Minute, hour, day of month, month, day of week: 0 6 * * 1",
        widget=UnfoldAdminTextInputWidget,
    )
    zone = forms.CharField(
        max_length=50,
        label="Time zone",
        initial="UTC",
        help_text="Such as Europe/Berlin. The time stays the same when daylight saving begins or ends.",
        widget=ZoneInput,
    )

    def clean(self) -> dict[str, Any]:
        """Return the entries with their cron text. Every missing or wrong one is reported at its field."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        needed = NEEDED.get(cleaned.get("how_often", ""), ())
        for name in needed:
            if name in cleaned and cleaned[name] in (None, "", []):
                self.add_error(name, MISSING[name])
        self._check("zone", lambda: cron.find_zone(cleaned["zone"]))
        if needed and all(name in cleaned for name in needed):
            if cleaned["how_often"] != timing.BY_CRON:
                cleaned["cron"] = timing.cron_text(_timing(cleaned))
                # A cron text that is not used is not judged.
                self.errors.pop("cron", None)
            self._check("cron", lambda: cron.next_after(cleaned["cron"], "UTC", clock.now()))
        return cleaned

    def _check(self, name: str, check: Any) -> None:
        if name not in self.cleaned_data:
            return
        try:
            check()
        except InputError as error:
            self.add_error(name, str(error))

    def next_times(self) -> list[datetime]:
        """Return the next due times of a valid form, in its zone."""
        return cron.next_times(self.cleaned_data["cron"], self.cleaned_data["zone"], clock.now(), NEXT_TIMES)

    def in_words(self) -> str:
        return timing.sentence(self.cleaned_data["cron"], self.cleaned_data["zone"])


def _timing(cleaned: dict[str, Any]) -> timing.Timing:
    at: time = cleaned["at"]
    weekdays = tuple(int(number) for number in cleaned["weekdays"])
    return timing.Timing(cleaned["how_often"], f"{at:%H:%M}", weekdays, cleaned["day"])


NO_MAIL = ". No mail is sent now, because EMAIL_URL is not set. The table Notices keeps what would be sent."


class ScheduleForm(TimingForm, forms.ModelForm[Schedule]):
    class Meta:
        model = Schedule
        fields = ("plan", "audited_models", "cron", "zone", "paused", "notify")

    field_order = ("plan", "audited_models", *TimingForm.base_fields, "paused", "notify")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.instance.pk is not None:
            self.initial.update(_entries(self.instance.cron))
        if not mail.is_set():
            self.fields["notify"].help_text += NO_MAIL

    def clean_notify(self) -> str:
        try:
            return "\n".join(addresses.parse(self.cleaned_data["notify"]))
        except InputError as error:
            raise ValidationError(str(error)) from None


def _entries(text: str) -> dict[str, Any]:
    """Return the plain entries that say a cron text."""
    found = timing.timing_of(text)
    if found is None:
        return {"how_often": timing.BY_CRON, "weekdays": [], "day": "", "at": None}
    weekdays = [str(number) for number in found.weekdays]
    return {"how_often": found.how_often, "weekdays": weekdays, "day": found.day, "at": found.at}
