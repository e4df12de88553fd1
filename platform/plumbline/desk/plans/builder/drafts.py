"""A plan while somebody edits it: the YAML, what the form shows of it, and what is wrong."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from plumbline.audits.models import Plan
from plumbline.desk.plans.builder.faults import Faults, faults_of
from plumbline.desk.plans.builder.places import ABSENT, Change, known_places, value_at
from plumbline.desk.plans.builder.shapes import Shape, shape_of
from plumbline.desk.plans.builder.values import Values, changes, only_in_yaml, values_of
from plumbline.desk.plans.builder.yaml_text import loaded, with_changes, yaml_of
from plumbline.spec.errors import SpecError, shown
from plumbline.spec.registry import PROBES

FIRST_METHOD = "ilps_chain"
"""The method that a new plan begins with: whole words, on masked and causal models."""


@dataclass(slots=True)
class Draft:
    """`text` is the YAML as shown, `form_text` the one that the form was made from. They differ for invalid YAML."""

    name: str
    description: str
    text: str
    form_text: str
    faults: Faults = field(default_factory=dict)
    yaml_fault: str = ""
    notes: list[str] = field(default_factory=list)
    form_values: Values = field(default_factory=dict)
    _read: tuple[str, Any] | None = None
    """A text and its data."""

    @property
    def data(self) -> Any:
        """The plain data that the form shows. Each text is read once: a page needs its data dozens of times."""
        if self._read is None or self._read[0] != self.form_text:
            self._read = self.form_text, loaded(self.form_text)
        return self._read[1]

    @property
    def probe(self) -> str:
        """The method, or "" if the YAML names none that exists."""
        return known_probe(self.data)

    def change(self, change: Change) -> None:
        """Change one place of the YAML and of the form. A YAML that is not valid stays as it is."""
        if not self.yaml_fault:
            self.text = self.form_text = with_changes(self.form_text, [change])


def known_probe(data: Any) -> str:
    """Return the method that plain data names, or "" for none or an unknown one."""
    probe = value_at(data, ("probe",))
    return probe if isinstance(probe, str) and probe in PROBES else ""


def draft_of_plan(plan: Plan, name: str | None = None) -> Draft:
    """Return the draft of a saved plan, or of its copy under another name."""
    spec = {**plan.spec, "name": name} if name and isinstance(plan.spec, dict) else plan.spec
    text = yaml_of(spec)
    return Draft(name or plan.name, plan.description, text, text)


def new_draft(probe: str, model: str) -> Draft:
    """Return a draft that only names its method and, if there is one, a model."""
    text = yaml_of({"name": "", "probe": probe} | ({"model": model} if model else {}))
    return Draft("", "", text, text)


def posted_draft(post: QueryDict) -> Draft:
    """Return the draft that a posted page means.

    What the form changed since the page was made is changed in the YAML too, which may itself have been edited.
    """
    text, form_text = (post.get(key, "").replace("\r\n", "\n") for key in ("yaml", "form_text"))
    draft = Draft(post.get("name", "").strip(), post.get("description", "").strip(), text, form_text)
    try:
        before = loaded(form_text)
    except SpecError as error:  # only somebody who edits hidden inputs gets here
        draft.form_text, draft.yaml_fault = "", str(error)
        return draft
    found = _changes(draft, before, {key: tuple(post.getlist(key)) for key in post})
    try:
        draft.text = draft.form_text = with_changes(text, found)
    except SpecError as error:
        draft.yaml_fault = str(error)
        draft.form_values = {key: tuple(post.getlist(key)) for key in post}
    else:
        _follow_yaml(draft, before, post.get("name_before", ""))
    return draft


def _follow_yaml(draft: Draft, before: Any, was: str) -> None:
    """Let an unchanged name of the plan follow a name that somebody changed in the YAML."""
    inside = value_at(draft.data, ("name",))
    if draft.name == was and value_at(before, ("name",)) in (was, "", ABSENT) and isinstance(inside, str):
        draft.name = inside.strip()


def _changes(draft: Draft, before: Any, posted: Values) -> list[Change]:
    probe = known_probe(before)
    posted = {**posted, "model": (_chosen_model(before, posted),)} if "model" in posted else posted
    found = changes(before, posted, shape_of(probe)) if probe else []
    chosen = posted.get("probe", ("",))[0]
    if chosen in PROBES and chosen != probe:
        found += [(("probe",), chosen), *_foreign(draft, before, shape_of(chosen))]
    return found + _name_changes(draft, before, posted)


def _chosen_model(before: Any, posted: Values) -> str:
    """Return the model: the listed or the typed one, of the two the one that somebody changed."""
    listed, typed = (posted.get(key, ("",))[0].strip() for key in ("model", "model:typed"))
    changed = [one for one in (listed, typed) if one and one != value_at(before, ("model",))]
    return (changed or [listed or typed])[0]


def _foreign(draft: Draft, before: Any, shape: Shape) -> list[Change]:
    """Return the removal of what a newly chosen method does not know, and note it for the person."""
    places = {place[0] for place in known_places(before, shape)} | {"models", "params"}
    keys: list[tuple[str, ...]] = [(key,) for key, _ in _items(before) if key not in shape.keys and key not in places]
    params = {setting.path for setting in shape.settings}
    keys += [("params", key) for key, _ in _items(value_at(before, ("params",))) if ("params", key) not in params]
    if keys:
        draft.notes.append(f"Taken out, since this method has no such key: {', '.join('.'.join(key) for key in keys)}.")
    return [(key, ABSENT) for key in keys]


def _items(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, Mapping) else []


def _name_changes(draft: Draft, before: Any, posted: Values) -> list[Change]:
    """Let the name in the YAML follow the name of the plan, unless the two differed before."""
    inside = value_at(before, ("name",))
    was = posted.get("name_before", ("",))[0]
    return [(("name",), draft.name)] if draft.name != was and inside in (was, "", ABSENT) else []


def judge(draft: Draft, plan: Plan | None) -> None:
    """Fill in the draft's errors: those of its spec, and of its name."""
    if draft.yaml_fault:
        draft.faults = {"yaml": (draft.yaml_fault,)}
    else:
        draft.faults = faults_of(draft.data, plan.spec if plan else None)
    if fault := _name_fault(draft.name, plan):
        draft.faults["name"] = (fault,)


def _name_fault(name: str, plan: Plan | None) -> str:
    if not name:
        return "Give the plan a name."
    if len(name) > 200:
        return f"The name has {len(name):,} characters; it may have at most 200."
    others = Plan.objects.filter(name=name).exclude(pk=plan.pk if plan else 0)
    return f"There is already a plan {shown(name)}; choose another name." if others.exists() else ""


def values_shown(draft: Draft) -> Values:
    """Return the values of the form's inputs."""
    return draft.form_values or (values_of(draft.data, shape_of(draft.probe)) if draft.probe else {})


def kept_keys(draft: Draft) -> list[str]:
    """Return the keys that stand only in the YAML."""
    return only_in_yaml(draft.data, shape_of(draft.probe)) if draft.probe else []
