"""Every method says which of its measures become findings, and has a sentence for each."""

import pytest

from plumbline.findings.by_method import findings_of
from plumbline.spec.finding_rules import FindingRule, FindingRules
from plumbline.spec.registry import PROBES, Method

methods = pytest.mark.parametrize("method", PROBES.values(), ids=list(PROBES))


@methods
def test_a_method_declares_its_findings_or_why_it_has_none(method: Method) -> None:
    assert method.card.findings is not None, "give the card `findings`: rules, or why there are none"


@methods
def test_findings_rest_on_statistics_of_the_card_that_have_a_verdict(method: Method) -> None:
    assert method.card.findings is not None
    for name in method.card.findings.statistics:
        statistic = next(one for one in method.card.statistics if one.name == name)
        assert statistic.scale is not None, f"{name} has no verdict"


@methods
def test_each_finding_has_a_sentence_of_its_method(method: Method) -> None:
    assert method.card.findings is not None
    assert set(method.card.findings.statistics) <= set(findings_of(method.card.probe).writers)


@methods
def test_a_run_gives_tens_of_findings_and_not_thousands(method: Method) -> None:
    assert method.card.findings is not None
    assert sum(rule.most for rule in method.card.findings.rules if not rule.unless) <= 130


def test_a_method_has_either_rules_or_a_reason() -> None:
    with pytest.raises(ValueError, match="give rules, or the reason"):
        FindingRules()
    with pytest.raises(ValueError, match="give rules, or the reason"):
        FindingRules((FindingRule("s_amb"),), none_because="none")
