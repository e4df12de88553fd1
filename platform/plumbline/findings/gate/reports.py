"""The result of a gate as plain text, JSON and JUnit XML."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from plumbline.findings.gate.judging import GateResult, Judged, RuleResult
from plumbline.findings.gate.outcomes import Outcome
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import compared, number, probability

STATUS = {Outcome.PASS: 0, Outcome.BREACH: 1, Outcome.UNDECIDED: 3}
"""The exit status of each outcome. Wrong input has 2."""
MOST_SHOWN = 20
"""The most figures of a rule and outcome in text and JUnit. JSON has all."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TAGS = {Outcome.BREACH: "failure", Outcome.UNDECIDED: "error"}


def as_text(found: GateResult) -> str:
    lines = [line for one in found.results for line in _lines(one)]
    return "\n".join([f"run {found.run.pk} on {found.run.subject}", *lines, f"gate: {found.outcome}"])


def as_json(found: GateResult) -> str:
    own = {"run": found.run.pk, "model": found.run.subject, "probe": found.run.probe, "outcome": found.outcome}
    return json.dumps(own | {"rules": [_rule(one) for one in found.results]}, indent=2, allow_nan=False)


def as_junit(found: GateResult) -> str:
    """Return a test suite with one case per rule: a breach is a failure, an undecided rule an error."""
    counted = [one.outcome for one in found.results]
    counts = {"tests": len(counted), "skipped": 0}
    counts |= {f"{tag}s": counted.count(outcome) for outcome, tag in _TAGS.items()}
    numbers = {name: str(number) for name, number in counts.items()}
    root = ElementTree.Element("testsuites", {"name": "plumbline gate", **numbers})
    suite = ElementTree.SubElement(root, "testsuite", {"name": xml_text(f"run {found.run.pk}"), **numbers})
    for one in found.results:
        _case(suite, found, one)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def xml_text(text: str) -> str:
    """Return the text with a replacement character for each one that XML 1.0 does not allow, even escaped."""
    return _NOT_XML.sub("\ufffd", text)


WRITERS: Mapping[str, Callable[[GateResult], str]] = {"text": as_text, "json": as_json, "junit": as_junit}


def write_report(report: str, path: Path) -> None:
    try:
        path.write_text(report + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; name another file.") from None


def _lines(one: RuleResult) -> Iterator[str]:
    since = f" (against run {one.before.pk})" if one.before else ""
    yield f"{one.outcome}: {one.rule.name}{since}: {_counts(one)}"
    if one.outcome != Outcome.PASS:
        yield from _details(one)


def _counts(one: RuleResult) -> str:
    return ", ".join(f"{len(one.of(outcome))} {outcome}" for outcome in Outcome if one.of(outcome))


def _details(one: RuleResult) -> Iterator[str]:
    for outcome in (Outcome.BREACH, Outcome.UNDECIDED):
        found = _by_size(one.of(outcome))
        yield from (f"  {outcome}: {_told(each)}" for each in found[:MOST_SHOWN])
        if len(found) > MOST_SHOWN:
            yield f"  and {len(found) - MOST_SHOWN} more {outcome}"


def broken_by(one: RuleResult, most: int) -> Iterator[str]:
    """Return a line for each figure that breaks the rule, the largest first, and the number of those left out."""
    found = _by_size(one.of(Outcome.BREACH))
    yield from map(_told, found[:most])
    if len(found) > most:
        yield f"and {len(found) - most} more"


def _by_size(found: list[Judged]) -> list[Judged]:
    return sorted(found, key=_size, reverse=True)


def _size(one: Judged) -> float:
    return abs(one.figure.effect or 0.0) if one.figure else 0.0


def _told(one: Judged) -> str:
    if (figure := one.figure) is None or figure.effect is None:
        return f"{figure.name}: {one.why}" if figure else one.why
    known = figure.low is not None and figure.high is not None
    limits = f" [{number(figure.low)}, {number(figure.high)}]" if known else ""
    q = "" if figure.q_value is None else f", q {compared(probability(figure.q_value))}"
    return f"{figure.name}: {number(figure.effect)}{limits}{q}: {one.why}"


def _rule(one: RuleResult) -> dict[str, Any]:
    before = one.before.pk if one.before else None
    figures = [_figure(each) for each in one.judged]
    return {"rule": one.rule.model_dump(), "outcome": one.outcome, "against_run": before, "figures": figures}


def _figure(one: Judged) -> dict[str, Any]:
    own: dict[str, Any] = {"outcome": one.outcome, "why": one.why}
    if (figure := one.figure) is None:
        return own
    names = ("group_a", "group_b", "category", "condition", "attribute", "template")
    labels = dict(zip(names, figure.labels, strict=True))
    numbers = ("effect", "low", "high", "q_value", "verdict", "margin")
    return own | labels | {name: getattr(figure, name) for name in numbers} | {"change": figure.outcome}


def _case(suite: ElementTree.Element, found: GateResult, one: RuleResult) -> None:
    about = {"classname": f"plumbline.gate.{found.run.probe}", "name": one.rule.name, "time": "0"}
    case = ElementTree.SubElement(suite, "testcase", {key: xml_text(value) for key, value in about.items()})
    if tag := _TAGS.get(one.outcome):
        told = ElementTree.SubElement(case, tag, {"type": str(one.outcome), "message": _counts(one)})
        told.text = xml_text("\n".join(_details(one)))
