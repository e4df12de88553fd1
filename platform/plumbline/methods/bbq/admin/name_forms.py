"""Forms of the pages that propose names and jobs for BBQ."""

from dataclasses import replace
from typing import Any

from django import forms
from unfold.widgets import UnfoldAdminDecimalFieldWidget, UnfoldAdminIntegerFieldWidget, UnfoldBooleanSwitchWidget

from plumbline.methods.bbq.proposals.proposing import PARTS
from plumbline.methods.bbq.proposals.rules import RULES, Needed, Rule
from plumbline.vocab.admin.upload_fields import OneFileField, check_size, sent
from plumbline.vocab.bundles import Bundle

TABLES = {
    "births": ("NYC baby names", ".csv,.gz", "CSV or CSV.GZ: given names of Asian, Black and Latino people"),
    "tzioumis": ("Tzioumis 2018", ".xlsx", "firstnames.xlsx: given names of Black, Latino and White people"),
    "surnames": ("Surnames of the 2010 census", ".xlsx", "Names_2010Census_Top1000.xlsx"),
    "women": ("Women of the 1990 census", ".txt,.first,.csv", "dist.female.first"),
    "men": ("Men of the 1990 census", ".txt,.first,.csv", "dist.male.first; both also tell the gender of other names"),
    "bartz": ("Bartz 2009", ".csv", "CSV with the columns name and gender"),
    "prestige": ("NORC job prestige", ".xlsx", "XLSX with the columns prestige and label"),
    "published_names": ("Published names, to compare", ".csv", "BBQ's vocabulary_proper_names.csv"),
    "published_labels": ("Published jobs, to compare", ".csv", "BBQ's vocabulary.csv"),
}


class NameTablesForm(forms.Form):
    """A form for any of the tables."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for part, (label, accept, told) in TABLES.items():
            self.fields[part] = OneFileField(label=label, accept=accept, help_text=told, required=False)

    def clean(self) -> dict[str, Any]:
        check_size([file for part in TABLES for file in self.cleaned_data.get(part) or ()])
        if not any(self.cleaned_data.get(part) for part in PARTS) and not self.errors:
            raise forms.ValidationError("Choose at least one table to propose from.")
        return self.cleaned_data

    def bundle(self) -> Bundle:
        return sent(TABLES, self.cleaned_data)


class NeededForm(forms.Form):
    """A form for the thresholds, with those of the paper as defaults."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for rule in RULES:
            self._add(f"{rule.key}_share", f"{rule.label}: least share", rule.share, 1)
            self._add(f"{rule.key}_count", _count_label(rule), rule.count)
            if rule.top:
                self._add(f"{rule.key}_top", f"{rule.label}: only the first, by share", rule.top)
        default = Needed()
        self._add("gender_top", "Women and men, 1990 census: the first", default.gender_top)
        self._add("low", "Jobs of low SES: prestige below", default.low, 100)
        self._add("high", "Jobs of high SES: prestige above", default.high, 100)
        self._add("jobs", "Jobs of each ticked to begin with", default.jobs)
        self.fields["repeats"] = forms.BooleanField(
            label="Count repeated rows of NYC's table each time",
            required=False,
            help_text="The published list follows only so; the counts of births are then too high",
            widget=UnfoldBooleanSwitchWidget,
        )

    def _add(self, name: str, label: str, default: float, most: int = 10**9) -> None:
        told: dict[str, Any] = {"label": label, "min_value": 0, "initial": default}
        if isinstance(default, int):
            self.fields[name] = forms.IntegerField(max_value=most, widget=UnfoldAdminIntegerFieldWidget, **told)
        else:
            self.fields[name] = forms.FloatField(max_value=most, widget=UnfoldAdminDecimalFieldWidget, **told)

    def needed(self) -> Needed | None:
        """Return the thresholds; None for a fault."""
        if not self.is_bound:
            return Needed()
        if not self.is_valid():
            return None
        given = self.cleaned_data
        return Needed(
            tuple(_rule(rule, given) for rule in RULES),
            *(given[name] for name in ("gender_top", "low", "high", "jobs", "repeats")),
        )


def _count_label(rule: Rule) -> str:
    return f"{rule.label}: {'count above' if rule.above else 'least count'}"


def _rule(rule: Rule, given: dict[str, Any]) -> Rule:
    return replace(
        rule,
        share=given[f"{rule.key}_share"],
        count=given[f"{rule.key}_count"],
        top=given.get(f"{rule.key}_top", 0),
    )
