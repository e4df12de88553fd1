"""What the API sends, as schemas that its OpenAPI document describes."""

from datetime import date, datetime
from typing import Any

from ninja import Schema
from pydantic import ConfigDict, Field

Json = dict[str, Any]


class Problem(Schema):
    """An error (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str = ""


class Me(Schema):
    name: str
    scopes: list[str]
    person: str | None = Field(description="The account of the token; null: a machine's token")
    expires_at: datetime
    requests_left: int = Field(description="In the current minute")


class Run(Schema):
    id: int
    name: str
    probe: str
    model: str
    plan: int | None = Field(None, alias="plan_id")
    state: str
    error: str = Field(description="Why it failed or was cancelled; empty otherwise")
    planned_items: int | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None


class RunDetail(Run):
    spec: Json = Field(description="Parameters, references and digests, frozen at the launch")
    provenance: Json = Field(description="Revisions, digests, versions, device and threads")
    tables: list[str] = Field(description="The tables of its records")


class Measure(Schema):
    """A statistic, with the columns of the view v_measure."""

    id: int
    run: int
    statistic: str
    variant: str
    prior: str
    group_a: str
    group_b: str
    category: str
    condition: str
    attribute: str
    template: str
    value: float | None
    ci_low: float | None
    ci_high: float | None
    p_value: float | None
    familywise_p_value: float | None
    equivalence_p: float | None
    least_p: float | None
    q_value: float | None
    verdict: str
    smallest_effect: float | None
    reachable_q: float | None
    equivalence_q: float | None
    confounds: str
    n: int
    unit: str
    n_units: int
    n_frames: int
    reason: str


Item = dict[str, Any]
"""One item: what was asked and answered, with the columns of the view of its table (docs/sql.md)."""


class Observation(Schema):
    """What one run shows about a finding."""

    run: int = Field(alias="run_number")
    release: str = Field(description="The model with its revision")
    outcome: str
    sentence: str
    value: float | None
    ci_low: float | None
    ci_high: float | None
    q_value: float | None
    equivalence_q: float | None
    verdict: str
    smallest_effect: float | None
    n: int
    unit: str
    n_units: int
    confounds: str
    reason: str
    withheld: bool = Field(description="The run has a concern, so the figure cannot be read")


class Finding(Schema):
    id: int
    model: str
    probe: str
    statistic: str
    variant: str
    group_a: str
    group_b: str
    category: str
    condition: str
    attribute: str
    template: str
    plan: int | None = Field(None, alias="plan_id")
    state: str
    reason: str = Field(description="Why it has its state")
    judged_by: str = Field(alias="judged_name", description="The name of that day of who set the state")
    judged_at: datetime | None
    due_on: date | None
    created_at: datetime
    latest: Observation | None


class FindingDetail(Finding):
    observations: list[Observation]


class WordList(Schema):
    kind: str
    slug: str
    title: str
    description: str
    source: str
    licence: str
    origin: str
    modified_at: datetime


class WordListDetail(WordList):
    entries: int
    version: str = Field(description="SHA-256 of its content; empty: it has no entries")


Entry = dict[str, Any]
"""An entry of a list: its id, its position and the columns of its kind as in exported files."""


class Bank(Schema):
    """A question bank. Its questions are not sent."""

    id: int
    slug: str
    kind: str
    title: str
    description: str
    source: str
    licence: str
    origin: str
    digest: str


class Model(Schema):
    id: int
    reference: str
    title: str
    notes: str
    created_at: datetime


class Plan(Schema):
    id: int
    name: str
    description: str
    models: list[str]
    created_at: datetime
    modified_at: datetime


class PlanDetail(Plan):
    spec: Any


class LaunchBody(Schema):
    model_config = ConfigDict(extra="forbid")

    accept_warnings: bool = Field(
        False, description="Launch a plan that costs money at an endpoint, or of which nothing can become significant"
    )


class Launched(Schema):
    runs: list[Run]
    repeated: bool = Field(description="The key was used before: these are the runs of that launch")
