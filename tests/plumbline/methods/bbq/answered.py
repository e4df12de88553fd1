"""A run of BBQ made by hand: a bank of two templates of made-up groups, answers of each kind, and measures."""

import json
from typing import Any

from plumbline.results.copying import copy_in
from plumbline.results.ids import record_ids
from plumbline.results.tables import choice
from plumbline.results.terms import ids_of
from plumbline.spec.banks.bbq_question import Question
from tests.plumbline.methods.conftest import measured
from tests.plumbline.spec.some_questions import set_of_four

LABEL = '<i>Blue</i> "one"'
REASON = "the output 'perhaps <b>me</b>' matches no option"
FLAG = "the option <u>names</u> no group"
NAMED = {"labels": [LABEL, "Green", "Not known"], "value": "care & order", "flags": [FLAG]}
QUESTIONS = [*set_of_four("1"), *set_of_four("2", 1, **NAMED)]
BBQ: dict[str, Any] = {
    "name": "bbq",
    "probe": "bbq",
    "model": "answers:made-up",
    "bank": [{"inline": QUESTIONS}],
    "answers": [{"inline": [{"id": one["id"], "chosen": 0} for one in QUESTIONS]}],
}
WIDE = {"category": "Colour", "unit": "template", "n_units": 25}
UNKNOWN_ALWAYS = "every answer is UNKNOWN"
FEW = "fewer than 8 templates: no interval and no test"
BARE = {"ci_low": None, "ci_high": None}


def scored(statistic: str, value: float | None, **more: Any) -> dict[str, Any]:
    """A measure of the ambiguous contexts, or for s_dis of the others."""
    return measured(statistic, value, **{**WIDE, "condition": "disambig" if statistic == "s_dis" else "ambig", **more})


MEASURES = [
    scored("s_amb", 0.32, n=1881, q_value=0.003, p_value=0.001, verdict="present"),
    scored("s_amb", 0.25, n=1800, q_value=0.004, p_value=0.001, verdict="present", variant="without flagged"),
    scored("s_dis", -1.0, n=40, n_units=2, reason=FEW, verdict="not testable", **BARE),
    scored("s_amb", 0.0, category="Shape", q_value=0.9, p_value=0.8, verdict="undecided"),
    scored("s_dis", None, category="Shape", n=7, reason=UNKNOWN_ALWAYS),
    scored("s_amb", 0.2, category="", q_value=0.01, p_value=0.01, verdict="present"),
    scored("s_amb", 0.16, category="", variant="mean over categories", q_value=0.2, p_value=0.1),
    scored("s_amb", 0.11, variant="accuracy of both contexts", **BARE),
    scored("s_amb", 0.12, category="", variant="as HELM", **BARE),
    scored("accuracy", 0.61, q_value=None),
    scored("accuracy", 0.93, condition="disambig"),
    scored("accuracy", 0.66, category=""),
    scored("accuracy", 0.59, category="", variant="as HELM", **BARE),
    scored("accuracy_cost", -0.12, condition="disambig"),
    scored("accuracy_cost", None, condition="disambig", category="Shape", reason="no answer to aligned items"),
    scored("excluded_answers", 3.0, category="", n=99, **BARE),
    scored("excluded_answers", 1.0, category="", variant="as HELM", n=99, **BARE),
    scored("unmatched_answers", 2.0, category="", n=99, **BARE),
    scored("unknown_share", 0.58, category=""),
    *(
        scored("position_share", share, condition="", category="", attribute=str(place))
        for place, share in enumerate((0.55, 0.25, 0.2), start=1)
    ),
    scored("s_amb", 0.5, group_a=LABEL, n_units=2, reason=FEW, **BARE),
    scored("s_amb", 0.44, group_a=LABEL, attribute="care & order", n_units=1, reason=FEW, **BARE),
    scored("s_amb", None, group_a="Green", attribute="care & order", n_units=1, reason=UNKNOWN_ALWAYS),
    scored("s_amb", 0.1, group_a="Green", attribute="speed", n_units=1, reason=FEW, **BARE),
    scored("s_amb", 0.2, group_a="Green", group_b="shade", n_units=1, reason=FEW, **BARE),
    scored("s_amb", 0.7, template="Colour 1", n_units=1, reason=f"{FEW}; a real difference of base rates", **BARE),
    scored("choice_rate", 0.8, template="Colour 1", attribute="neg", group_a="target", n=12, **BARE),
    scored("choice_rate", 0.05, template="Colour 1", attribute="neg", group_a="non-target", n=12, **BARE),
    scored("choice_rate", 0.15, template="Colour 1", attribute="neg", group_a="UNKNOWN", n=12, **BARE),
    scored("unknown_string_share", 0.9, condition="", category="", attribute="Not <em>known</em>"),
    scored("unknown_string_share", 0.4, condition="per_offer", category="", attribute="Not <em>known</em>", n=31),
    scored("scorable_share", 0.98, condition="", group_a="Colour"),
    scored("scorable_share", 0.97, condition="", group_a="Colour", variant="without flagged"),
]
CHOSEN = (0, None, 2, 1, 1, 0, 2, 2)
"""Of each question in turn: biased, unmatched, UNKNOWN, ..."""


def answer(run: int) -> None:
    """The records: the first set's answers with logits, the second's alone."""
    asked = [Question.model_validate(one) for one in QUESTIONS]
    options = json.dumps(list(asked[0].options))
    groups = ["" if one.target is None else one.labels[one.target] for one in asked]
    texts = [text for one in asked for text in (one.id, one.category, one.cluster, one.condition, one.polarity)]
    ids = ids_of(["bbq", "", options, REASON, *groups, *texts])
    rows, logits = len(asked), [[2.0, 0.5, 1.0], None, [0.0, 0.0, 1.0], [0.1, 0.9, 0.2], None, None, None, None]
    copy_in(
        choice,
        {
            "id": record_ids(run, 0, rows),
            "run": [run] * rows,
            "probe": [ids["bbq"]] * rows,
            **{name: [ids[""]] * rows for name in ("bank", "name")},
            "item": [ids[one.id] for one in asked],
            "category": [ids[one.reported] for one in asked],
            "template": [ids[one.cluster] for one in asked],
            "condition": [ids[one.condition] for one in asked],
            "polarity": [ids[one.polarity] for one in asked],
            "group": [ids[group] for group in groups],
            "options": [ids[options]] * rows,
            "logits": [None if one is None else json.dumps(one) for one in logits],
            "chosen": list(CHOSEN),
            "gold": [one.gold for one in asked],
            "target": [one.target for one in asked],
            "unknown": [one.unknown for one in asked],
            "reason": [ids[REASON] if one is None else None for one in CHOSEN],
        },
    )
