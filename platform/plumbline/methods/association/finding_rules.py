"""The measures of the association probes that become findings."""

from plumbline.spec.finding_rules import FindingRule, FindingRules, Rows


def finding_rules(difference: str, *more: FindingRule) -> FindingRules:
    """Return the rules of a probe whose differences between groups are the statistic `difference`."""
    return FindingRules(
        (
            FindingRule(difference, most=10, between_groups=True),
            FindingRule(difference, Rows.WORDS, most=10, between_groups=True),
            *more,
            FindingRule("kendall_tau_excess", condition="model", category="", between_groups=False),
            FindingRule(
                "identity_order", condition="model - chance", category="nearer component", between_groups=False
            ),
            FindingRule("domain_dominance", most=5, condition=None),
            FindingRule("emergent_trait", Rows.WORDS, most=5, condition="above"),
        )
    )
